import type { HttpClient } from "@effect/platform"
import { Array, Effect, Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import type { Change, ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { makeDesecClient } from "../../../../src/providers/adapters/desec/makeDesecClient.ts"
import { catalog, limitsOf, unknownProvider } from "../../../../src/providers/catalog/catalog.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { openZone, sendWrites } from "../AdapterUnderTest.ts"
import { type DeclaredLimitations, refusedTypes, type VendorAdapterUnderTest } from "../vendorContract.ts"
import type { DesecDomainState, DesecStoredSet } from "./desecBulk.ts"
import { desecTypes, toDesecContent } from "./desecRecords.ts"
import { type DesecState, desecDomain, makeFakeDesec, validToken } from "./FakeDesec.ts"

/** The domain of the tests, which the fake must have. */
export const zone = "example.com"

/** A fake whose domain also has these sets. */
export const makeFakeWith = (...sets: ReadonlyArray<Omit<DesecStoredSet, "created">>) =>
  makeFakeDesec({ domains: { [zone]: desecDomain(sets) } })

export const credentialOf = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

/** The adapter for a fake with the domain `example.com`; `http` reaches the fake. */
export const desecUnderTest = (
  fake: FakeVendor<DesecState>,
  { http = httpClientFor(fake), timeouts }: { readonly http?: HttpClient.HttpClient; readonly timeouts?: Timeouts } = {}
): VendorAdapterUnderTest => ({
  client: makeDesecClient({ http, limits, ...(timeouts === undefined ? {} : { timeouts }) }),
  credential: credentialOf(validToken),
  wrongCredentials: [credentialOf("wrong"), credentialOf(`${validToken}\n`), credentialOf("schlüssel")],
  zone,
  nameServers: ["ns1.desec.io", "ns2.desec.org"],
  replaceSets: (records) => Effect.sync(() => fake.update((state) => replaceSets(state, records))),
  dump: Effect.sync(() => linesOf(fake).toSorted()),
  calls: fake.calls,
  limitations: desecLimitations
})

/** What the catalog knows about every domain at deSEC. */
const limits = limitsOf(catalog.find(({ provider }) => provider.id === "desec")?.provider ?? unknownProvider)

export const domainOf = ({ domains }: DesecState): DesecDomainState => domains[zone] ?? desecDomain()

/** The records of the domain, as in a zone file. */
export const linesOf = (fake: FakeVendor<DesecState>): ReadonlyArray<string> =>
  domainOf(fake.state()).sets.flatMap(describeSet)

/** Changes the sets of the domain as somebody else would. */
export const changeSets = (
  fake: FakeVendor<DesecState>,
  change: (sets: ReadonlyArray<DesecStoredSet>) => ReadonlyArray<DesecStoredSet>
): void =>
  fake.update((state) => {
    const domain = domainOf(state)
    const next = { ...domain, sets: change(domain.sets), nextCreated: domain.nextCreated + 1 }
    return { ...state, domains: { ...state.domains, [zone]: next } }
  })

/** Adds a set as somebody else would. */
export const addSet = (fake: FakeVendor<DesecState>, set: Omit<DesecStoredSet, "created">): void =>
  changeSets(fake, (sets) => [...sets, { ...set, created: domainOf(fake.state()).nextCreated }])

export const openDesec = (fake: FakeVendor<DesecState>) => openZone(desecUnderTest(fake), {})

/** Opens and reads the zone, and writes the changes. */
export const writeTo = (fake: FakeVendor<DesecState>, ...changes: ReadonlyArray<Change>) =>
  Effect.gen(function* () {
    const opened = yield* openDesec(fake)
    yield* sendWrites(yield* opened.read, changes, opened)
  })

export const create = (host: string, type: string, value: string, more: Partial<ChangeRecord> = {}): Change => ({
  action: "create",
  after: { host, type, value, ttl: 3600, optional: false, ...more },
  destructive: false
})

const describeSet = ({ records, subname, ttl, type }: DesecStoredSet): ReadonlyArray<string> =>
  records.map((content) => `${subname === "" ? "" : `${subname}.`}${zone}. ${ttl} ${type} ${content}`)

/** As somebody else would write them: in deSEC's own forms, and with a TTL that it takes. */
const replaceSets = (state: DesecState, records: ReadonlyArray<LabRecord>): DesecState => {
  const domain = domainOf(state)
  const replaced = Object.values(Array.groupBy(records, (record) => `${toSubname(record)} ${record.type}`)).map(
    (members, index): DesecStoredSet => ({
      subname: toSubname(members[0]),
      type: members[0].type,
      ttl: Math.max(domain.minimumTtl, ...members.map(({ ttl }) => ttl)),
      records: [...new Set(members.map(toContent))],
      created: domain.nextCreated + index
    })
  )
  const isKept = ({ subname, type }: DesecStoredSet) =>
    !replaced.some((set) => set.subname === subname && set.type === type)
  const sets = [...domain.sets.filter(isKept), ...replaced]
  return {
    ...state,
    domains: { ...state.domains, [zone]: { ...domain, sets, nextCreated: domain.nextCreated + replaced.length } }
  }
}

const toSubname = ({ name }: LabRecord): string => {
  const text = name.toLowerCase().replace(/\.$/, "")
  return text === zone ? "" : text.slice(0, -zone.length - 1)
}

/** What deSEC would store; throws for a record that it would refuse. */
const toContent = ({ data, name, type }: LabRecord): string => {
  const result = toDesecContent(type, data)
  if ("problem" in result) throw new Error(`${name} ${type}: ${result.problem}`)
  return result.content
}

export const desecLimitations: DeclaredLimitations = {
  storesOtherwise: "ttl.min: minimum_ttl of the domain",
  refused: [
    refusedTypes("desec-io/desec-stack: api/desecapi/models/records.py, RR_SET_TYPES_MANAGEABLE", desecTypes, {
      IPSECKEY: "10 0 2 . abcd"
    }),
    {
      about: "a CNAME at the apex of the zone",
      source: "apex_alias: none",
      matches: ({ host, type }) => type === "CNAME" && host === "@",
      code: "apex_cname_unsupported",
      examples: [{ host: "@", type: "CNAME", value: "shops.example.net" }]
    },
    {
      about: "an underscore in the target of MX, NS or SRV",
      source: "desec-io/desec-stack: api/desecapi/dns.py; for CNAME allowed since its pull request 702",
      matches: ({ type, value }) => /^(MX|NS|SRV)$/.test(type) && value.includes("_"),
      code: "record_value_rejected",
      examples: [
        { host: "mail", type: "MX", priority: 10, value: "mx_1.example.net" },
        { host: "team", type: "NS", value: "ns_1.example.net" },
        { host: "_sip._tcp", type: "SRV", priority: 10, value: "20 5060 sip_1.example.net" }
      ]
    },
    {
      about: "a host of more than 178 characters",
      source: "desec-io/desec-stack: api/desecapi/models/records.py, subname",
      matches: ({ host }) => host.length > 178,
      code: "record_value_rejected",
      examples: [{ host: Array.replicate("l".repeat(44), 4).join("."), type: "A", value: "192.0.2.1" }]
    }
  ],
  absent: [
    {
      about: "types and data that its parsers refuse",
      source: "desec-io/desec-stack: api/desecapi/dns.py and api/desecapi/models/records.py",
      matches: ({ data, type }) => !("content" in toDesecContent(type, data))
    }
  ]
}
