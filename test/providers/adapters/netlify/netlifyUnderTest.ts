import type { HttpClient } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { isUtf8 } from "node:buffer"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { makeNetlifyClient } from "../../../../src/providers/adapters/netlify/makeNetlifyClient.ts"
import { catalog, limitsOf } from "../../../../src/providers/catalog/catalog.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import { tokensOf } from "../../../support/lab/rdata.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import {
  type DeclaredLimitations,
  type VendorAdapterUnderTest,
  refusedEmptyText,
  refusedNullMx,
  refusedTypes
} from "../vendorContract.ts"
import { netlifyNameServers, type NetlifyState, toId, validNetlifyToken, withNetlifyRecords } from "./FakeNetlify.ts"
import { type KeptNetlifyRecord, toKeptRecord } from "./netlifyRecords.ts"

/** The zone of the tests, which the fake must have as its first. */
export const zone = "example.com"

export const netlifyCredential = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

/** The adapter for a fake whose first zone is `example.com`; `http` reaches the fake. */
export const netlifyUnderTest = (
  fake: FakeVendor<NetlifyState>,
  { http = httpClientFor(fake), timeouts }: { readonly http?: HttpClient.HttpClient; readonly timeouts?: Timeouts } = {}
): VendorAdapterUnderTest => ({
  client: makeNetlifyClient({ http, limits, ...(timeouts === undefined ? {} : { timeouts }) }),
  credential: netlifyCredential(validNetlifyToken),
  wrongCredentials: [
    netlifyCredential("wrong"),
    netlifyCredential(`${validNetlifyToken}\n`),
    netlifyCredential("schlüssel")
  ],
  zone,
  nameServers: netlifyNameServers,
  replaceSets: (records) => Effect.sync(() => fake.update((state) => replaceSets(state, records))),
  dump: Effect.sync(() => recordsOf(fake.state()).map(describeKept)),
  calls: fake.calls,
  limitations: netlifyLimitations
})

const entry = catalog.find(({ provider }) => provider.id === "netlify")
if (entry === undefined) throw new Error("the catalog has no Netlify")
const limits = limitsOf(entry.provider)

const firstZone = ({ zones: [first] }: NetlifyState) => {
  if (first === undefined) throw new Error("the fake has no zone")
  return first
}

/** The records of the first zone. */
export const recordsOf = (state: NetlifyState): ReadonlyArray<KeptNetlifyRecord> => firstZone(state).records

/** Records that stay keep their ids, as if somebody had edited the others. */
const replaceSets = (state: NetlifyState, records: ReadonlyArray<LabRecord>): NetlifyState => {
  const desired = records.map(toKept)
  const lines = new Set(desired.map(describeKept))
  const isReplaced = ({ hostname, type }: KeptNetlifyRecord) =>
    desired.some((record) => record.hostname === hostname && record.type === type)
  const kept = recordsOf(state).filter((record) => !isReplaced(record) || lines.has(describeKept(record)))
  const keptLines = new Set(kept.map(describeKept))
  const added = desired
    .filter((record) => !keptLines.has(describeKept(record)))
    .map((record, index) => ({ ...record, id: toId(state.nextId + index) }))
  return {
    ...withNetlifyRecords(state, firstZone(state), [...kept, ...added]),
    nextId: state.nextId + added.length
  }
}

/** Throws for a record that Netlify would refuse. */
const toKept = (record: LabRecord): KeptNetlifyRecord => {
  const kept = toKeptRecord({ id: toId(1), name: zone }, toBody(record), [])
  if (typeof kept === "string") throw new Error(`${record.name} ${record.type}: ${kept}`)
  return kept
}

const toBody = ({ data, name, ttl, type }: LabRecord): object => {
  const words = tokensOf(data)
  const [first = 0, second = 0, third = 0] = words.map(Number)
  const common = { type, ttl, hostname: name.replace(/\.$/, "") }
  if (type === "TXT") return { ...common, value: words.map(readQuoted).join("") }
  if (type === "MX") return { ...common, priority: first, value: words[1] }
  if (type === "SRV") return { ...common, priority: first, weight: second, port: third, value: words[3] }
  if (type === "CAA") return { ...common, flag: first, tag: words[1], value: readQuoted(words[2] ?? "") }
  if (type === "CNAME" && common.hostname === zone) return { ...common, type: "ALIAS", value: data }
  return { ...common, value: data }
}

/** Reads a quoted string of a zone file; nothing where its bytes cannot be JSON. */
const readQuoted = (word: string): string => {
  const parts = word.replace(/^"(.*)"$/s, "$1").match(/\\\d{3}|\\?[^]/gu) ?? []
  const bytes = Buffer.from(
    parts.flatMap((part) => (/^\\\d/.test(part) ? [Number(part.slice(1))] : [...Buffer.from(part.replace(/^\\/, ""))]))
  )
  return isUtf8(bytes) ? bytes.toString() : ""
}

const describeKept = ({ flag, hostname, port, priority, tag, ttl, type, value, weight }: KeptNetlifyRecord): string =>
  [hostname, ttl, type, ...[flag, tag, priority, weight, port].filter((field) => field !== null), value].join(" ")

const manual = "https://rdrr.io/github/salim-b/yay/man/netlify_dns_records_set.html"

export const netlifyLimitations: DeclaredLimitations = {
  writesInParts: "atomicity: per record",
  storesOtherwise: "values.txt: plain",
  refused: [
    refusedTypes(`${manual}: Supported are the DNS record types`, "A AAAA ALIAS CAA CNAME MX NS SPF SRV TXT", {
      HTTPS: "1 .",
      PTR: "web.hostprov.net",
      TLSA: "3 1 1 abcd"
    }),
    refusedNullMx,
    refusedEmptyText,
    {
      about: "a CAA value whose bytes are no text, which JSON cannot have",
      source: "values.caa: flag, tag, value",
      matches: ({ type, value }) =>
        type === "CAA" && !value.endsWith('""') && readQuoted(tokensOf(value)[2] ?? "") === "",
      code: "record_value_rejected",
      examples: [{ host: "@", type: "CAA", value: String.raw`0 issue "ca.example\255"` }]
    }
  ],
  absent: [
    {
      about: "types that it does not have",
      source: `${manual}: Supported are the DNS record types`,
      matches: ({ type }) => !/^(A|AAAA|ALIAS|CAA|CNAME|MX|NS|SPF|SRV|TXT)$/.test(type)
    },
    {
      about: "values without a character, and those whose bytes are no text",
      source: "cannot_store: empty TXT",
      matches: (record) => typeof toKeptRecord({ id: "", name: zone }, toBody(record), []) === "string"
    }
  ]
}
