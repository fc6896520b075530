import type { HttpClient } from "@effect/platform"
import { Effect, Redacted, type Scope } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import type { ProviderClient, Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { makeCloudflareClient } from "../../../../src/providers/adapters/cloudflare/makeCloudflareClient.ts"
import { catalog, limitsOf, unknownProvider } from "../../../../src/providers/catalog/catalog.ts"
import type { FakeVendor, FakeVendorOptions } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import { type DeclaredLimitations, refusedTypes, type VendorAdapterUnderTest } from "../vendorContract.ts"
import {
  assignedNameServers,
  type CloudflareState,
  cloudflareState,
  type FakeCloudflareZone,
  makeFakeCloudflare,
  validToken
} from "./FakeCloudflare.ts"
import { dataWords, storedRecord, type StoredCloudflareRecord, toId } from "./storedCloudflareRecords.ts"

export const tokenOf = (token: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(token) })

/** The adapter, with what the catalog knows about Cloudflare; the document is checked within the time for one call. */
export const clientFor = (
  fake: FakeVendor<CloudflareState>,
  call: Timeouts["call"] = "30 seconds",
  http: HttpClient.HttpClient = httpClientFor(fake)
): ProviderClient =>
  makeCloudflareClient({
    http,
    limits: limitsOf(catalog.find(({ provider }) => provider.id === "cloudflare")?.provider ?? unknownProvider),
    timeouts: { call, snapshot: "50 seconds" }
  })

/** A zone in use, at a fake of its own; `listener` says where it listens. */
export const cloudflareUnderTest = (
  options: Partial<Omit<FakeCloudflareZone, "name">> = {},
  listener: FakeVendorOptions = {}
): Effect.Effect<VendorAdapterUnderTest & { readonly fake: FakeVendor<CloudflareState> }, never, Scope.Scope> =>
  Effect.map(makeFakeCloudflare(cloudflareState({ "example.com": options }), listener), (fake) => ({
    fake,
    ...adapterOn(fake)
  }))

/** The adapter on the zone of a fake. */
export const adapterOn = (fake: FakeVendor<CloudflareState>, client = clientFor(fake)): VendorAdapterUnderTest => ({
  client,
  credential: tokenOf(validToken),
  wrongCredentials: [tokenOf("w".repeat(40)), tokenOf("too short"), tokenOf("not ASCII: ü")],
  zone: "example.com",
  nameServers: assignedNameServers,
  replaceSets: (records) => Effect.sync(() => fake.update((state) => withSets(state, records))),
  dump: Effect.sync(() => fake.state().zones.flatMap(({ records }) => records.map(describe))),
  calls: fake.calls,
  limitations: cloudflareLimitations
})

/** Cloudflare's document, `dns-records_type`. */
const documentedTypes: ReadonlySet<string> = new Set(
  "A AAAA CAA CERT CNAME DNSKEY DS HTTPS LOC MX NAPTR NS PTR SMIMEA SRV SSHFP SVCB TLSA TXT URI".split(" ")
)

const writtenTypes = "A AAAA CAA CERT CNAME DS HTTPS MX NAPTR NS PTR SMIMEA SRV SSHFP SVCB TLSA TXT URI"

/** What Cloudflare cannot store, and where that is stated. */
export const cloudflareLimitations: DeclaredLimitations = {
  refused: [
    // The document also has DNSKEY, which no plan contains, and LOC, whose numbers have many spellings.
    refusedTypes("openapi/cloudflare.openapi.json: dns-records_type", writtenTypes),
    {
      about: "data that are not in the form of their type",
      source: "openapi/cloudflare.openapi.json: Components of a TLSA record.",
      matches: ({ type, value }) => type !== "TXT" && value.startsWith("\\#"),
      code: "record_value_rejected",
      examples: [{ host: "generic", type: "TLSA", value: "\\# 5 03010100ab" }]
    },
    {
      about: "a TXT record without a character",
      source: "cannot_store: empty TXT",
      matches: ({ type, value }) => type === "TXT" && value === "",
      code: "record_value_rejected",
      examples: [{ host: "empty", type: "TXT", value: "" }]
    }
  ],
  absent: [
    {
      about: "types that the document does not have",
      source: "openapi/cloudflare.openapi.json: dns-records_type",
      matches: ({ type }) => !documentedTypes.has(type)
    },
    {
      about: "a TXT record without a character",
      source: "cannot_store: empty TXT",
      matches: ({ data, type }) => type === "TXT" && data === '""'
    },
    {
      about: "NS records of the apex, which are not listed",
      source: "traps: NS of the apex and SOA are not in the list",
      matches: ({ name, type }) => type === "NS" && name === "example.com."
    }
  ]
}

const describe = ({ name, ...record }: StoredCloudflareRecord): string => `${name}. ${JSON.stringify(record)}`

const withSets = (state: CloudflareState, records: ReadonlyArray<LabRecord>): CloudflareState => {
  const [zone] = state.zones
  if (zone === undefined) return state
  const replaced = new Set(records.map(({ name, type }) => `${toName(name)} ${type}`))
  const others = zone.records.filter(({ name, type }) => !replaced.has(`${name} ${type}`))
  const added = records.map((record, index) => toStored(record, state.nextId + index))
  return { ...state, zones: [{ ...zone, records: [...others, ...added] }], nextId: state.nextId + added.length }
}

const toName = (name: string): string => name.toLowerCase().replace(/\.$/, "")

/** A record of a zone file as Cloudflare shows it. */
const toStored = ({ data, name, ttl, type }: LabRecord, number: number): StoredCloudflareRecord => {
  const common = { id: toId(number), name: toName(name), type, ttl }
  const words = data.split(" ")
  if (type === "MX") return storedRecord({ ...common, priority: Number(words[0]), content: withoutDot(words[1]) })
  if (type === "CNAME" || type === "NS" || type === "PTR") return storedRecord({ ...common, content: withoutDot(data) })
  if (type === "SRV") {
    const [priority, weight, port] = words.map(Number)
    const target = withoutDot(words[3])
    return storedRecord({
      ...common,
      ...(priority === undefined ? {} : { priority }),
      content: `${weight} ${port} ${target}`,
      data: { priority, weight, port, target }
    })
  }
  const names = dataWords.get(type)
  if (names !== undefined) return storedRecord({ ...common, content: data, data: toFields(names, words) })
  if (type !== "CAA") return storedRecord({ ...common, content: data })
  const [, flags, tag, value] = /^(\d+) (\S+) "(.*)"$/.exec(data) ?? []
  return storedRecord({ ...common, content: data, data: { flags: Number(flags), tag, value } })
}

const toFields = (names: ReadonlyArray<string>, words: ReadonlyArray<string>) => {
  const last = names.length - 1
  return Object.fromEntries(
    names.map((name, index) => {
      const word = index === last ? words.slice(last).join(" ") : (words[index] ?? "")
      return [name, /^\d+$/.test(word) && index < last ? Number(word) : word]
    })
  )
}

const withoutDot = (target = ""): string => (target === "." ? target : target.replace(/\.$/, ""))
