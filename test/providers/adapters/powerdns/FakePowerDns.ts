import type { Effect, Scope } from "effect"
import type { PowerDnsRRset } from "../../../../src/providers/adapters/powerdns/parseStoredZone.ts"
import {
  type FakeVendor,
  type FakeVendorOptions,
  type FakeVendorSpec,
  makeFakeVendor
} from "../../../support/vendors/FakeVendor.ts"

/** The zone of a server, without its SOA. */
export interface PowerDnsState {
  readonly rrsets: ReadonlyArray<PowerDnsRRset>
}

export const zone = "example.com"
export const nameServer = "ns1.pdns.example"
export const validKey = "key-of-the-server"

/**
 * A server of PowerDNS with one zone, for faults that a real server cannot be made to have at a chosen call. What it
 * accepts and answers is tested at the real one.
 */
export const makeFakePowerDns = (
  options: FakeVendorOptions
): Effect.Effect<FakeVendor<PowerDnsState>, never, Scope.Scope> => makeFakeVendor(fakePowerDns, options)

const fakePowerDns: FakeVendorSpec<PowerDnsState> = {
  baseUrl: "https://pdns.example/api/v1",
  initial: {
    rrsets: [{ name: `${zone}.`, type: "NS", ttl: 3600, records: [{ content: `${nameServer}.`, disabled: false }] }]
  },
  authenticate: (headers) => (headers.get("x-api-key") === validKey ? undefined : { status: 401 }),
  lists: ["GET /servers/localhost/zones/{zone_id}"],
  refuse: (status) => ({ status }),
  operations: {
    "GET /servers/localhost/zones/{zone_id}": ({ query }, { rrsets }) => {
      const [name, type] = [query.get("rrset_name"), query.get("rrset_type")]
      const found = rrsets.filter((rrset) => [rrset.name, null].includes(name) && [rrset.type, null].includes(type))
      return { status: 200, body: { name: `${zone}.`, kind: "Native", rrsets: found } }
    },
    "PATCH /servers/localhost/zones/{zone_id}": ({ body }: { readonly body: any }, { rrsets }) => {
      const changes: ReadonlyArray<PowerDnsRRset & { readonly changetype: "REPLACE" | "DELETE" }> = body.rrsets
      const kept = rrsets.filter((rrset) => !changes.some((change) => isSameSet(change, rrset)))
      const written = changes.flatMap(({ changetype, ...rrset }) => (changetype === "REPLACE" ? [rrset] : []))
      const next = [...kept, ...written]
      const isAlone = ({ name, type }: PowerDnsRRset) =>
        type !== "CNAME" || next.filter((rrset) => rrset.name === name).length === 1
      return next.every(isAlone)
        ? { status: 204, state: { rrsets: next } }
        : { status: 422, body: { error: "Conflicts with another RRset" } }
    }
  }
}

export const isSameSet = (
  one: Pick<PowerDnsRRset, "name" | "type">,
  other: Pick<PowerDnsRRset, "name" | "type">
): boolean => one.name.toLowerCase() === other.name.toLowerCase() && one.type === other.type
