import { expect } from "bun:test"
import { Effect, Option, type Scope } from "effect"
import type { ChangeRecord } from "../../../src/domain/plan/Plan.ts"
import type { LoggedCall } from "../../support/vendors/VendorCall.ts"
import {
  type AdapterUnderTest,
  openZone,
  type VendorRefusal,
  sendWrites,
  type VendorLimitations
} from "./AdapterUnderTest.ts"
import { adapterContract, type DeclareTest } from "./adapterContract.ts"

/** An adapter on the fake of its vendor. */
export interface VendorAdapterUnderTest extends AdapterUnderTest {
  readonly limitations: DeclaredLimitations
  /** All calls that the fake has received, oldest first. */
  readonly calls: () => ReadonlyArray<LoggedCall>
}

/** What a vendor cannot do, with examples of what its adapter refuses. */
export interface DeclaredLimitations extends VendorLimitations {
  readonly refused: ReadonlyArray<DeclaredRefusal>
}

interface DeclaredRefusal extends VendorRefusal {
  readonly code: "apex_cname_unsupported" | "record_type_unsupported" | "record_value_rejected"
  /** At least one; their hosts are relative to the zone. */
  readonly examples: ReadonlyArray<Pick<ChangeRecord, "host" | "type" | "value" | "priority">>
}

/** "This domain accepts no mail" (RFC 7505), where the vendor wants the name of a mail server. */
export const refusedNullMx: DeclaredRefusal = {
  about: "a null MX",
  source: "cannot_store: null MX",
  matches: ({ type, value }) => type === "MX" && value === ".",
  code: "record_value_rejected",
  examples: [{ host: "nomail", type: "MX", priority: 0, value: "." }]
}

export const refusedEmptyText: DeclaredRefusal = {
  about: "a text without a character",
  source: "cannot_store: empty TXT",
  matches: ({ type, value }) => type === "TXT" && value === "",
  code: "record_value_rejected",
  examples: [{ host: "empty", type: "TXT", value: "" }]
}

/** Values of a type that the vendor cannot store; each example is at a host of its own. */
export const refusedValues = (
  type: string,
  {
    about,
    examples,
    matches,
    source
  }: Pick<DeclaredRefusal, "about" | "source"> & {
    readonly matches: (value: string) => boolean
    readonly examples: ReadonlyArray<string>
  }
): DeclaredRefusal => ({
  about,
  source,
  matches: (record) => record.type === type && matches(record.value),
  code: "record_value_rejected",
  examples: examples.map((value, index) => ({ host: `odd${index}`, type, value }))
})

/** Where the vendor, or nobody who has seen it, says how a backslash in a CAA value is stored. */
export const refusedCaaBackslash = (source: string, about = "a backslash in a CAA value"): DeclaredRefusal =>
  refusedValues("CAA", {
    about,
    source,
    matches: (value) => value.includes("\\"),
    examples: [String.raw`0 issue "ca.example\\1"`]
  })

/** Where the vendor stores neither an alias at the apex of the zone nor a type of its own for one. */
export const refusedApexAlias = (source: string): DeclaredRefusal => ({
  about: "a CNAME at the apex of the zone",
  source,
  matches: ({ host, type }) => type === "CNAME" && host === "@",
  code: "apex_cname_unsupported",
  examples: [{ host: "@", type: "CNAME", value: "shops.example.net" }]
})

/** Where the vendor keeps the name servers of a zone itself. */
export const refusedApexNameServers = (
  source: string,
  code: DeclaredRefusal["code"] = "record_type_unsupported"
): DeclaredRefusal => ({
  about: "name servers of the zone itself",
  source,
  matches: ({ host, type }) => type === "NS" && host === "@",
  code,
  examples: [{ host: "@", type: "NS", value: "ns1.other.example" }]
})

/** Where the vendor delegates no wildcard. */
export const refusedWildcardNameServers = (source: string, code: DeclaredRefusal["code"]): DeclaredRefusal => ({
  about: "name servers at a wildcard",
  source,
  matches: ({ host, type }) => type === "NS" && host.startsWith("*"),
  code,
  examples: [{ host: "*.team", type: "NS", value: "ns1.example.net" }]
})

/** "The service is decidedly not available" (RFC 2782), where the vendor wants the name of a host. */
export const refusedNullService = (source: string): DeclaredRefusal => ({
  about: "an SRV without a target",
  source,
  matches: ({ type, value }) => type === "SRV" && value.endsWith(" ."),
  code: "record_value_rejected",
  examples: [{ host: "_sip._tcp", type: "SRV", priority: 0, value: "0 0 ." }]
})

/** The contract of an adapter on the fake of its vendor: that of every adapter, and what the vendor cannot store. */
export const vendorContract = <R>(
  live: DeclareTest<R>,
  subject: Effect.Effect<VendorAdapterUnderTest, never, R | Scope.Scope>
): void => {
  adapterContract(live, subject)

  refusalContract(
    live,
    Effect.map(subject, (adapter) => ({
      ...adapter,
      refused: adapter.limitations.refused,
      countWrites: () => adapter.calls().filter(({ isWrite }) => isWrite).length
    }))
  )

  live("reads again until a list shows a write, unless the vendor documents that lists show every write at once", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const { visibleWithin } = yield* openZone(adapter, {})
      expect(visibleWithin === undefined).toBe(adapter.limitations.showsWritesAtOnce !== undefined)
    })
  )

  storedTypesContract(live, subject)
}

/** An adapter with what its vendor is declared not to store. */
export interface RefusingAdapter extends AdapterUnderTest {
  readonly refused: ReadonlyArray<DeclaredRefusal>
  /** How many calls that write the vendor has received. */
  readonly countWrites: () => number
}

/** The part of the contract about what the vendor cannot store; a live account can prove it too. */
export const refusalContract = <R>(
  live: DeclareTest<R>,
  subject: Effect.Effect<RefusingAdapter, never, R | Scope.Scope>
): void => {
  live("refuses each record that the vendor cannot store, before any call that writes", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      expect(adapter.refused.filter(({ examples }) => examples.length === 0)).toEqual([])
      expect(adapter.refused).not.toEqual([])
      for (const refusal of adapter.refused)
        for (const example of refusal.examples) yield* expectRefused(yield* subject, refusal, example)
    })
  )
}

/** The part of the contract about types that few customers have; a live account can prove it too. */
export const storedTypesContract = <R>(
  live: DeclareTest<R>,
  subject: Effect.Effect<AdapterUnderTest, never, R | Scope.Scope>
): void => {
  live("stores each record of a rare type as it is, or refuses it", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const opened = yield* openZone(adapter, {})
      const stored = foreignRecords.filter((record) => Option.isNone(opened.checkRecord(record)))
      const { refused = [] } = adapter.limitations ?? {}
      const declared = foreignRecords.filter((record) => !refused.some(({ matches }) => matches(record)))
      expect(stored.map(({ type }) => type)).toEqual(declared.map(({ type }) => type))
      for (const record of stored)
        yield* sendWrites(yield* opened.read, [{ action: "create", after: record, destructive: false }], opened)
      const { zone } = yield* opened.read
      const hosts = new Set(foreignRecords.map(({ host }) => host))
      const read = zone.records
        .filter(({ host }) => hosts.has(host))
        .map((record) => [record.host, record.type, record.value])
      expect(read.toSorted()).toEqual(stored.map(({ host, type, value }) => [host, type, value]).toSorted())
    })
  )
}

/** Records that a customer's zone may have had, in normal form, each at a host of its own. */
const foreignRecords: ReadonlyArray<ChangeRecord> = (
  [
    ["AFSDB", "1 afs.hostprov.net"],
    ["ALIAS", "web.hostprov.net"],
    ["CERT", "1 12345 8 AQID"],
    ["DS", `12345 13 2 ${"ab".repeat(32)}`],
    ["HINFO", '"cpu" "os"'],
    ["HTTPS", "1 web.hostprov.net alpn=h2"],
    ["LOC", "52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m"],
    ["NAPTR", '10 20 "s" "SIP+D2U" "" _sip._udp.hostprov.net'],
    ["PTR", "web.hostprov.net"],
    ["RP", "admin.hostprov.net txt.hostprov.net"],
    ["SMIMEA", `3 0 1 ${"ab".repeat(32)}`],
    ["SPF", "v=spf1 -all"],
    ["SSHFP", `4 2 ${"cd".repeat(32)}`],
    ["SVCB", "0 web.hostprov.net"],
    ["TLSA", `3 1 1 ${"ef".repeat(32)}`],
    ["URI", '10 1 "https://web.hostprov.net/"']
  ] as const
).map(([type, value]) => ({ host: `its-${type.toLowerCase()}`, type, value, ttl: 3600, optional: false }))

/** What a vendor's documentation does not list among its types; the examples are those above, and others by their type. */
export const refusedTypes = (
  source: string,
  types: string,
  others: Readonly<Record<string, string>> = {}
): DeclaredRefusal => {
  const known = new Set(types.split(" "))
  return {
    about: "a type that the vendor does not have",
    source,
    matches: ({ type }) => !known.has(type),
    code: "record_type_unsupported",
    examples: [
      ...foreignRecords.filter(({ type }) => !known.has(type)),
      ...Object.entries(others).map(([type, value]) => ({ host: "here", type, value }))
    ]
  }
}

/** Types that no zone of a vendor has. */
export const absentTypes = (
  source: string,
  types: string,
  about = "types that it does not have"
): VendorLimitations["absent"][number] => ({
  about,
  source,
  matches: ({ type }) => !types.split(" ").includes(type)
})

/** Offers the example behind a record that the vendor stores, so that a late refusal would leave that one. */
const expectRefused = (
  adapter: RefusingAdapter,
  { about, code, matches }: DeclaredRefusal,
  example: DeclaredRefusal["examples"][number]
) =>
  Effect.gen(function* () {
    const record = { ttl: 3600, optional: false, ...example }
    expect([about, example, matches(record)]).toEqual([about, example, true])
    const opened = yield* openZone(adapter, {})
    expect([about, Option.map(opened.checkRecord(record), (failure) => failure.code)]).toEqual([
      about,
      Option.some(code)
    ])
    const snapshot = yield* opened.read
    const before = yield* adapter.dump
    const writes = adapter.countWrites()
    const storable = { host: "storable", type: "A", value: "192.0.2.1", ttl: 3600, optional: false }
    const changes = [storable, record].map((after) => ({ action: "create" as const, after, destructive: false }))
    const failure = yield* Effect.flip(sendWrites(snapshot, changes, opened))
    expect([about, failure]).toMatchObject([about, { _tag: "ProviderFailure", code }])
    expect([about, adapter.countWrites()]).toEqual([about, writes])
    expect(yield* adapter.dump).toEqual(before)
  })
