import type { HttpClient } from "@effect/platform"
import { Effect, Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { defaultTimeouts, type Timeouts, type ZoneRequest } from "../../../../src/providers/ProviderClient.ts"
import { makeHetznerClient } from "../../../../src/providers/adapters/hetzner/makeHetznerClient.ts"
import { catalog, limitsOf, unknownProvider } from "../../../../src/providers/catalog/catalog.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { firstWriteOf } from "../../writing/scriptedChanges.ts"
import { absentTypes, type DeclaredLimitations, refusedTypes, type VendorAdapterUnderTest } from "../vendorContract.ts"
import { makeFakeHetzner, validToken } from "./FakeHetzner.ts"
import type { FakeHetznerSet } from "./hetznerRules.ts"
import { type FakeHetznerZone, hetznerNameServers, hetznerState, type HetznerState } from "./hetznerState.ts"

export const zoneName = "example.com"

export const tokenOf = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

export const clientFor = (
  fake: FakeVendor<HetznerState>,
  timeouts: Timeouts = defaultTimeouts,
  http: HttpClient.HttpClient = httpClientFor(fake)
) =>
  makeHetznerClient({
    http,
    limits: limitsOf(catalog.find(({ provider }) => provider.id === "hetzner")?.provider ?? unknownProvider),
    timeouts
  })

/** Asks for the zone of the fake with the valid token. */
export const zoneRequest: ZoneRequest = {
  connectionId: "con_1",
  domain: DomainName.make(zoneName),
  zone: DomainName.make(zoneName),
  nameServers: hetznerNameServers,
  credential: tokenOf(validToken)
}

export const setsOf = (state: HetznerState): ReadonlyArray<FakeHetznerSet> => state.zones[zoneName]?.sets ?? []

/** The state with other sets in the zone, as somebody else would leave it. */
export const withSets =
  (change: (sets: ReadonlyArray<FakeHetznerSet>) => ReadonlyArray<FakeHetznerSet>) =>
  (state: HetznerState): HetznerState => {
    const zone: FakeHetznerZone | undefined = state.zones[zoneName]
    return zone === undefined
      ? state
      : { ...state, zones: { ...state.zones, [zoneName]: { ...zone, sets: change(zone.sets) } } }
  }

/** The adapter on the zone of a fake. */
export const hetznerUnderTest = (fake: FakeVendor<HetznerState>, client = clientFor(fake)): VendorAdapterUnderTest => ({
  client,
  credential: tokenOf(validToken),
  wrongCredentials: [tokenOf("wrong".padEnd(64, "0")), tokenOf("schlüssel"), tokenOf(`${validToken}\n`)],
  zone: zoneName,
  nameServers: hetznerNameServers.map((name) => name.replace(/\.$/, "")),
  replaceSets: (records) => Effect.sync(() => fake.update(withSets((sets) => replaceSets(sets, records)))),
  dump: Effect.sync(() =>
    setsOf(fake.state())
      .filter(({ type }) => type !== "SOA")
      .flatMap(toLines)
      .toSorted()
  ),
  calls: fake.calls,
  limitations: hetznerLimitations
})

// The document, `type` of a set.
const documentedTypes = "A AAAA CAA CNAME DS HINFO HTTPS MX NS PTR RP SOA SRV SVCB TLSA TXT".split(" ")

/** What Hetzner cannot store, and where that is stated. */
export const hetznerLimitations: DeclaredLimitations = {
  writesInParts: "atomicity: per action on one set",
  refused: [
    {
      about: "an alias at the apex",
      source: "apex_alias: none",
      matches: ({ type, host }) => type === "CNAME" && host === "@",
      code: "apex_cname_unsupported",
      examples: [{ host: "@", type: "CNAME", value: "shops.example.net" }]
    },
    refusedTypes("openapi/hetzner.openapi.json: rr_type", documentedTypes.join(" "))
  ],
  absent: [
    absentTypes(
      "openapi/hetzner.openapi.json: rr_type",
      documentedTypes.join(" "),
      "types that the document does not have"
    ),
    {
      about: "a TTL of less than 60 seconds",
      source: "ttl.min: 60",
      matches: ({ ttl }) => ttl < 60
    }
  ]
}

const replaceSets = (
  sets: ReadonlyArray<FakeHetznerSet>,
  records: ReadonlyArray<LabRecord>
): ReadonlyArray<FakeHetznerSet> => {
  const added = [...Map.groupBy(records, ({ name, type }) => `${name.toLowerCase()} ${type}`).values()].flatMap(
    (group) => {
      const [first] = group
      if (first === undefined) return []
      const absolute = first.name.toLowerCase().replace(/\.$/, "")
      const name = absolute === zoneName ? "@" : absolute.slice(0, -zoneName.length - 1)
      // A set without a TTL of its own has none in a zone file either.
      return [
        {
          name,
          type: first.type,
          ttl: first.ttl === 0 ? null : first.ttl,
          records: group.map(({ data }) => ({ value: data }))
        }
      ]
    }
  )
  const others = sets.filter(({ name, type }) => !added.some((set) => set.name === name && set.type === type))
  return [...others, ...added]
}

export const toLines = ({ name, records, ttl, type }: FakeHetznerSet): ReadonlyArray<string> =>
  records.map(({ value }) => `${name === "@" ? "" : `${name}.`}${zoneName}. ${ttl ?? "-"} ${type} ${value}`)

export const setOf = (
  name: string,
  type: string,
  ttl: number | null,
  ...values: ReadonlyArray<string>
): FakeHetznerSet => ({
  name,
  type,
  ttl,
  records: values.map((value) => ({ value }))
})

export const fakeWith = (sets: ReadonlyArray<FakeHetznerSet>, more: Partial<HetznerState> = {}) =>
  makeFakeHetzner(hetznerState({ [zoneName]: sets }, more))

/** Plans the change as a run does, and sends its write; the result has a failure's code or what it is. */
export const write = (fake: FakeVendor<HetznerState>, change: Change, client = clientFor(fake)) =>
  Effect.gen(function* () {
    const opened = yield* client.openZone(zoneRequest)
    return yield* Effect.matchEffect(firstWriteOf(yield* opened.read, [change]).send, {
      onFailure: (failure) =>
        Effect.succeed(failure._tag === "ProviderFailure" ? failure.code : `${failure._tag}: ${failure.detail}`),
      onSuccess: () => Effect.succeed("made")
    })
  })

export const shown = (fake: FakeVendor<HetznerState>) =>
  setsOf(fake.state())
    .filter(({ name }) => name !== "@")
    .map(({ name, records, ttl, type }) => `${name} ${ttl} ${type} ${records.map(({ value }) => value).join(" ")}`)
