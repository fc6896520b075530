import type { HttpClient } from "@effect/platform"
import { Array, Effect, Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { makeHostingerClient } from "../../../../src/providers/adapters/hostinger/makeHostingerClient.ts"
import { catalog, limitsOf, unknownProvider } from "../../../../src/providers/catalog/catalog.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { type DeclaredLimitations, refusedTypes, type VendorAdapterUnderTest } from "../vendorContract.ts"
import { hostingerSet, type HostingerState, type HostingerStoredSet, validToken } from "./FakeHostinger.ts"

/** The zone of the tests, which the fake must have. */
export const zone = "example.com"

export const credentialOf = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

/** The adapter for a fake with the zone `example.com`; `http` reaches the fake. */
export const hostingerUnderTest = (
  fake: FakeVendor<HostingerState>,
  { http = httpClientFor(fake), timeouts }: { readonly http?: HttpClient.HttpClient; readonly timeouts?: Timeouts } = {}
): VendorAdapterUnderTest => ({
  client: makeHostingerClient({ http, limits, ...(timeouts === undefined ? {} : { timeouts }) }),
  credential: credentialOf(validToken),
  wrongCredentials: [credentialOf("wrong"), credentialOf(`${validToken}\n`), credentialOf("schlüssel")],
  zone,
  nameServers: ["ns1.dns-parking.com", "ns2.dns-parking.com"],
  replaceSets: (records) => Effect.sync(() => fake.update((state) => replaceSets(state, records))),
  dump: Effect.sync(() => setsOf(fake.state()).flatMap(describeSet).toSorted()),
  calls: fake.calls,
  limitations: hostingerLimitations
})

const limits = limitsOf(catalog.find(({ provider }) => provider.id === "hostinger")?.provider ?? unknownProvider)

export const setsOf = ({ zones }: HostingerState): ReadonlyArray<HostingerStoredSet> => zones[zone] ?? []

/** As somebody else would write them. */
const replaceSets = (state: HostingerState, records: ReadonlyArray<LabRecord>): HostingerState => {
  const replaced = Object.values(Array.groupBy(records, (record) => `${toHost(record)} ${record.type}`)).map(
    (members) =>
      hostingerSet(
        toHost(members[0]),
        members[0].type,
        Math.max(...members.map(({ ttl }) => ttl)),
        ...new Set(members.map(toContent))
      )
  )
  const isKept = ({ name, type }: HostingerStoredSet) => !replaced.some((set) => set.name === name && set.type === type)
  return { zones: { ...state.zones, [zone]: [...setsOf(state).filter(isKept), ...replaced] } }
}

const toHost = ({ name }: LabRecord): string => {
  const text = name.toLowerCase().replace(/\.$/, "")
  return text === zone ? "@" : text.slice(0, -zone.length - 1)
}

const toContent = ({ data, type }: LabRecord): string => (type === "TXT" ? (unquoteText(data) ?? data) : data)

/** As in a zone file; an alias at the apex is shown as the CNAME that was planned. */
const describeSet = ({ name, records, ttl, type }: HostingerStoredSet): ReadonlyArray<string> =>
  records.map(({ content }) =>
    [
      `${name === "@" ? zone : `${name}.${zone}`}.`,
      ttl,
      type === "ALIAS" ? "CNAME" : type,
      type === "TXT" ? `"${content}"` : content
    ].join(" ")
  )

const types = "A AAAA ALIAS CAA CNAME MX NS SRV TXT"

const isOddText = (text: string): boolean => text === "" || /["\\\p{Cc}\ufffd]/u.test(text)

export const hostingerLimitations: DeclaredLimitations = {
  writesInParts: "atomicity: one PUT (not stated)",
  storesOtherwise: "model: set",
  refused: [
    refusedTypes("cannot_store: DS, TLSA, HTTPS", types, {
      DS: "12345 13 2 abcd",
      HTTPS: "1 .",
      PTR: "web.hostprov.net",
      TLSA: "3 1 1 abcd"
    }),
    {
      about: "an empty text, and one with a quote, a backslash or a control character",
      source: "openapi/hostinger.openapi.json: Content of the name record",
      matches: ({ type, value }) => type === "TXT" && isOddText(value),
      code: "record_value_rejected",
      examples: ["", 'say "hi"', "back\\slash", "two\nlines"].map((value, index) => ({
        host: `odd${index}`,
        type: "TXT",
        value
      }))
    }
  ],
  absent: [
    {
      about: "types that it does not have",
      source: "cannot_store: DS, TLSA, HTTPS",
      matches: ({ type }) => !types.split(" ").includes(type)
    },
    {
      about: "texts of which it is not known how they are shown",
      source: "openapi/hostinger.openapi.json: Content of the name record",
      matches: (record) => record.type === "TXT" && isOddText(toContent(record))
    }
  ]
}
