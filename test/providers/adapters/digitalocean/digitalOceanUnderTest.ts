import type { HttpClient } from "@effect/platform"
import { Effect, Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import type { ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { makeDigitalOceanClient } from "../../../../src/providers/adapters/digitalocean/makeDigitalOceanClient.ts"
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
import { type DigitalOceanState, validToken } from "./FakeDigitalOcean.ts"
import { type DigitalOceanRecord, toDigitalOceanRecord } from "./digitalOceanRecords.ts"

/** The zone of the tests, which the fake must have. */
export const zone = "example.com"

export const credentialOf = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

/** The adapter for a fake with the zone `example.com`; `http` reaches the fake. */
export const digitalOceanUnderTest = (
  fake: FakeVendor<DigitalOceanState>,
  { http = httpClientFor(fake), timeouts }: { readonly http?: HttpClient.HttpClient; readonly timeouts?: Timeouts } = {}
): VendorAdapterUnderTest => ({
  client: makeDigitalOceanClient({ http, limits, ...(timeouts === undefined ? {} : { timeouts }) }),
  credential: credentialOf(validToken),
  wrongCredentials: [credentialOf("wrong"), credentialOf(`${validToken}\n`), credentialOf("schlüssel")],
  zone,
  nameServers: ["ns1.digitalocean.com", "ns2.digitalocean.com", "ns3.digitalocean.com"],
  replaceSets: (records) => Effect.sync(() => fake.update((state) => replaceSets(state, records))),
  dump: Effect.sync(() =>
    recordsOf(fake.state())
      .filter(({ type }) => type !== "SOA")
      .map(describe)
  ),
  calls: fake.calls,
  limitations: digitalOceanLimitations
})

const entry = catalog.find(({ provider }) => provider.id === "digitalocean")
if (entry === undefined) throw new Error("the catalog has no DigitalOcean")
const limits = limitsOf(entry.provider)

const recordsOf = ({ zones }: DigitalOceanState): ReadonlyArray<DigitalOceanRecord> => zones[zone] ?? []

/** Records that stay keep their ids, as if somebody had edited the others. */
const replaceSets = (state: DigitalOceanState, records: ReadonlyArray<LabRecord>): DigitalOceanState => {
  const desired = records.map((record) => toStored(record, state.nextId))
  const isReplaced = ({ name, type }: DigitalOceanRecord) =>
    desired.some((record) => record.name === name && record.type === type)
  const lines = new Set(desired.map(describe))
  const kept = recordsOf(state).filter((record) => !isReplaced(record) || lines.has(describe(record)))
  const keptLines = new Set(kept.map(describe))
  const added = desired.filter((record) => !keptLines.has(describe(record)))
  return {
    zones: {
      ...state.zones,
      [zone]: [...kept, ...added.map((record, index) => ({ ...record, id: state.nextId + index }))]
    },
    nextId: state.nextId + added.length
  }
}

/** What DigitalOcean would store; throws for a record that it would refuse. */
const toStored = (record: LabRecord, id: number): DigitalOceanRecord => {
  const stored = toDigitalOceanRecord(zone, id, toBody(record), [])
  if (typeof stored === "string") throw new Error(`${record.name} ${record.type}: ${stored}`)
  return stored
}

const toBody = ({ data, name, ttl, type }: LabRecord) => {
  const words = tokensOf(data)
  const relative = name.replace(/\.$/, "").toLowerCase()
  const common = { type, ttl, name: relative === zone ? "@" : relative.slice(0, -zone.length - 1) }
  const numbers = words.slice(0, -1).map(Number)
  switch (type) {
    case "TXT":
      return { ...common, data: words.map(unquote).join("") }
    case "MX":
      return { ...common, data: words[1], priority: numbers[0] }
    case "SRV":
      return { ...common, data: words[3], priority: numbers[0], weight: numbers[1], port: numbers[2] }
    case "CAA":
      return { ...common, data: `${unquote(words[2] ?? "")}.`, flags: numbers[0], tag: words[1] }
    default:
      return { ...common, data }
  }
}

/** Reads a quoted string of a zone file; bytes that are no UTF-8 become a backslash, which DigitalOcean refuses. */
const unquote = (word: string): string => {
  const bytes = (word.match(/^"(.*)"$/s)?.[1] ?? word)
    .match(/\\\d{3}|\\?[^]/gu)
    ?.flatMap((part) => (/^\\\d/.test(part) ? [Number(part.slice(1))] : [...Buffer.from(part.replace(/^\\/, ""))]))
  const text = Buffer.from(bytes ?? []).toString()
  return /[\p{Cc}\ufffd]/u.test(text) ? "\\" : text
}

/** As in a zone file. */
const describe = ({ data, flags, name, port, priority, tag, ttl, type, weight }: DigitalOceanRecord): string => {
  const target = data === "@" ? `${zone}.` : data.replace(/\.?$/, ".")
  const words: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    CNAME: [target],
    NS: [target],
    MX: [priority, target],
    SRV: [priority, weight, port, target],
    CAA: [flags, tag, `"${data}"`],
    TXT: [`"${data.replaceAll('"', '\\"')}"`]
  }
  return [`${name === "@" ? zone : `${name}.${zone}`}.`, ttl, type, ...(words[type] ?? [data])].join(" ")
}

export const digitalOceanLimitations: DeclaredLimitations = {
  writesInParts: "atomicity: per record",
  storesOtherwise: "values.txt: unquoted whole text",
  refused: [
    {
      about: "a CNAME at the apex of the zone",
      source: "apex_alias: none",
      matches: ({ host, type }) => type === "CNAME" && host === "@",
      code: "apex_cname_unsupported",
      examples: [{ host: "@", type: "CNAME", value: "shops.example.net" }]
    },
    refusedTypes("cannot_store: DS, TLSA, HTTPS, PTR, ALIAS", "A AAAA CAA CNAME MX NS SRV TXT", {
      ALIAS: "web.hostprov.net",
      DS: "12345 13 2 abcd",
      HTTPS: "1 .",
      PTR: "web.hostprov.net",
      TLSA: "3 1 1 abcd"
    }),
    refusedNullMx,
    refusedEmptyText,
    {
      about: "a backslash in a text",
      source: "cannot_store: backslash in TXT",
      matches: ({ type, value }) => type === "TXT" && value.includes("\\"),
      code: "record_value_rejected",
      examples: [{ host: "backslash", type: "TXT", value: "one\\two" }]
    },
    {
      about: "a text whose quoted form is longer than 509",
      source: "cannot_store: TXT whose quoted presentation form exceeds 509 bytes",
      matches: (record) => record.type === "TXT" && !record.value.includes("\\") && quotedLength(record) > 509,
      code: "record_value_rejected",
      examples: [
        { host: "long", type: "TXT", value: "x".repeat(505) },
        { host: "quotes", type: "TXT", value: '"'.repeat(254) }
      ]
    },
    {
      about: "a blank in a CAA value",
      source: "cannot_store: spaces in a CAA value",
      matches: ({ type, value }) => type === "CAA" && /"[^"]*\s/.test(value),
      code: "record_value_rejected",
      examples: [{ host: "@", type: "CAA", value: '0 issue "ca.example policy"' }]
    },
    {
      about: "a semicolon or an escape in a CAA value",
      source: "cannot_store: ; value in CAA",
      matches: ({ type, value }) => type === "CAA" && /"[^"]*[;\\]/.test(value),
      code: "record_value_rejected",
      examples: [
        { host: "@", type: "CAA", value: '0 issue ";"' },
        { host: "@", type: "CAA", value: String.raw`0 issue "ca.example\\1"` }
      ]
    }
  ],
  absent: [
    {
      about: "types that it does not have",
      source: "cannot_store: DS, TLSA, HTTPS, PTR, ALIAS",
      matches: ({ type }) => !typesOfZones.has(type)
    },
    {
      about: "a TTL of less than 30 seconds",
      source: "ttl.min: 30",
      matches: ({ ttl }) => ttl < 30
    },
    {
      about: "texts and other data that its fake refuses by what it cannot store",
      source: "cannot_store: backslash in TXT",
      matches: (record) =>
        typesOfZones.has(record.type) &&
        record.ttl >= 30 &&
        typeof toDigitalOceanRecord(zone, 0, toBody(record), []) === "string"
    }
  ]
}

/** Each 255 bytes have quotes of their own, with a blank between them, and quotes in the text have a backslash. */
const quotedLength = ({ value }: ChangeRecord): number => {
  const strings =
    Buffer.from(value)
      .toString("latin1")
      .match(/.{1,255}/gs) ?? []
  return strings.map((string) => JSON.stringify(string)).join(" ").length
}

const typesOfZones: ReadonlySet<string> = new Set("A AAAA CAA CNAME MX NS SRV TXT".split(" "))
