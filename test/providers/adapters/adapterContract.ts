import { expect } from "bun:test"
import { Array, Effect, Either, Option, Redacted, type Scope } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName, isAtOrBelow } from "../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { toStorableTtl } from "../../../src/domain/provider/Provider.ts"
import { computeResultingRecords } from "../../../src/planning/changes/computeResultingRecords.ts"
import { isEditable, normalizeData } from "../../../src/planning/zone/LiveZone.ts"
import type { ZoneClient, ZoneSnapshot } from "../../../src/providers/ProviderClient.ts"
import { describeRecords } from "../../planning/roundTrip/RoundTrip.ts"
import { roundTrips } from "../../planning/roundTrip/roundTrips.ts"
import {
  type AdapterUnderTest,
  canStand,
  failureOf,
  loadRecords,
  openZone,
  planFrom,
  recordsIn,
  resolvedIntentOf,
  sendWrites
} from "./AdapterUnderTest.ts"

/** Declares a test that needs `R`; a lab declares its own, on its servers. */
export type DeclareTest<R> = (title: string, body: () => Effect.Effect<unknown, unknown, R | Scope.Scope>) => void

/** Plans CAA records also where the vendor is known to have none: the adapter itself must refuse them. */
const planAll: typeof planFrom = (snapshot, intent, { limits }) =>
  planFrom(snapshot, intent, {
    limits: { ...limits, capabilities: { ...limits.capabilities, caaRecords: "unknown" } }
  })

/** The contract of adapters, on a zone in use, with each round trip below it. */
export const adapterContract = <R>(
  live: DeclareTest<R>,
  subject: Effect.Effect<AdapterUnderTest, never, R | Scope.Scope>
): void => {
  for (const [label, tripIn] of Object.entries(roundTrips)) {
    live(`leaves no changes to plan: ${tripIn({ domain: "", nameServer: "" }).about}`, () =>
      Effect.gen(function* () {
        const adapter = yield* subject
        const domain = label === "@" ? adapter.zone : `${label}.${adapter.zone}`
        const trip = tripIn({ domain, nameServer: adapter.nameServers[0] ?? "" })
        const intent = resolvedIntentOf(domain, trip)
        yield* loadRecords(adapter, intent.domain, trip.live ?? "")
        const opened = yield* openZone(adapter, { domain: intent.domain })

        const before = yield* opened.read
        const planned = planAll(before, intent, opened)
        if (adapter.limitations === undefined) expect(planned.changes).toHaveLength(trip.changes)
        const others = yield* recordsOutside(adapter, intent.domain)
        const { refused, stored } = yield* divideByRefusal(adapter, opened, planned.changes, intent.domain)
        if (refused.length > 0) yield* expectNothingWritten(adapter, before, planned.changes)
        yield* sendWrites(before, stored, opened)

        const after = yield* opened.read
        const remaining = planAll(after, intent, opened).changes
        const plannedAgain = describeData(remaining.flatMap(({ after }) => after ?? []))
        // What the refused records would have brought about may be planned instead of it.
        expect(plannedAgain).toEqual(refused.length === 0 ? [] : expect.arrayContaining(describeData(refused)))
        const storedLines = new Set(describeData(stored.flatMap(({ after }) => after ?? [])))
        expect(plannedAgain.filter((line) => storedLines.has(line))).toEqual([])
        const served = describeRecords(after.zone.records).filter((line) => !line.includes(" SOA "))
        if (adapter.limitations === undefined) expect(served).toEqual(expect.arrayContaining([...trip.served]))
        else
          expect(describeData(after.zone.records)).toEqual(describeData(computeResultingRecords(before.zone, stored)))
        if (adapter.limitations === undefined) {
          // The round trip does not name these records; they existed before.
          const unnamed = served.filter((line) => !trip.served.includes(line))
          expect(describeRecords(before.zone.records)).toEqual(expect.arrayContaining(unnamed))
        }
        expect(yield* recordsOutside(adapter, intent.domain)).toEqual(others)
      })
    )
  }

  live("keeps the siblings of added and removed records byte for byte", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const domain = `siblings.${adapter.zone}`
      yield* loadRecords(adapter, domain, oddSiblings)
      const before = yield* adapter.dump
      const opened = yield* openZone(adapter, { domain: DomainName.make(domain) })

      const snapshot = yield* opened.read
      const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: ["@ 300 TXT another"] }), opened)
      yield* sendWrites(snapshot, changes, opened)
      expect((yield* adapter.dump).length).toBe(before.length + 1)

      const undone = changes.flatMap(({ after }) =>
        after === undefined ? [] : [{ action: "delete" as const, before: after, destructive: true }]
      )
      yield* sendWrites(yield* opened.read, undone, opened)
      expect(yield* adapter.dump).toEqual(before)
    })
  )

  for (const [index, { about, meanwhile, desired }] of concurrentChanges.entries())
    live(`writes nothing when ${about}`, () =>
      Effect.gen(function* () {
        const adapter = yield* subject
        const domain = `stale${index}.${adapter.zone}`
        yield* loadRecords(adapter, domain, 'www A 192.0.2.1\nwww TXT "hello"\nmail MX 10 mx1.mailprov.net.')
        const opened = yield* openZone(adapter, { domain: DomainName.make(domain) })
        const snapshot = yield* opened.read
        const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired }), opened)
        if (!canHappen(adapter, domain, meanwhile)) return
        yield* loadRecords(adapter, domain, meanwhile)
        const current = yield* adapter.dump

        const failure = yield* Effect.flip(sendWrites(snapshot, changes, opened))
        expect(failure._tag).toBe("ZoneChanged")
        expect(yield* adapter.dump).toEqual(current)
      })
    )

  live("rejects changes that were planned from another zone", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const opened = yield* openZone(adapter, {})
      const snapshot = yield* opened.read
      const before = { host: "www", type: "A", value: "192.0.2.254", ttl: 300, optional: false }
      const stranger = { action: "delete" as const, before, destructive: true }
      expect(Either.flip(snapshot.planWrites([stranger]))).toMatchObject({ right: { _tag: "ZoneChanged" } })
    })
  )

  live("writes despite changes elsewhere in the zone", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const domain = `calm.${adapter.zone}`
      const opened = yield* openZone(adapter, { domain: DomainName.make(domain) })
      const snapshot = yield* opened.read
      yield* loadRecords(adapter, adapter.zone, "elsewhere A 192.0.2.3")
      yield* sendWrites(
        snapshot,
        planFrom(snapshot, resolvedIntentOf(domain, { desired: ["www 300 A 192.0.2.1"] }), opened).changes
      )
      const ttl = toStorableTtl(300, opened.limits.ttl)
      expect(describeRecords((yield* opened.read).zone.records)).toEqual([`www ${ttl} A 192.0.2.1`])
    })
  )

  live("makes one write for a whole plan if the vendor can, and none for an empty one", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const domain = `whole.${adapter.zone}`
      const opened = yield* openZone(adapter, { domain: DomainName.make(domain) })
      const snapshot = yield* opened.read
      const { changes } = planFrom(
        snapshot,
        resolvedIntentOf(domain, { desired: ["a 300 A 192.0.2.1", "b 300 A 192.0.2.2"] }),
        opened
      )
      const writes = yield* snapshot.planWrites(changes)
      expect(writes.map((write) => write.changes)).toEqual(
        adapter.limitations?.writesInParts === undefined ? [changes] : changes.map((change) => [change])
      )
      expect(yield* snapshot.planWrites([])).toEqual([])
    })
  )

  live("writes nothing of a plan if one change conflicts with the current records", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const domain = DomainName.make(`crowded.${adapter.zone}`)
      yield* loadRecords(adapter, domain, "www A 192.0.2.1")
      const before = yield* adapter.dump
      const opened = yield* openZone(adapter, { domain })
      const snapshot = yield* opened.read
      const changes = [
        { host: "a", type: "A", value: "192.0.2.1" },
        { host: "www", type: "CNAME", value: "web.hostprov.net" }
      ].map((after) => ({
        action: "create" as const,
        after: { ...after, ttl: 300, optional: false },
        destructive: false
      }))
      const failure = yield* Effect.flip(sendWrites(snapshot, changes, opened))
      expect(failure).toMatchObject({ _tag: "ProviderFailure", code: "apply_rejected" })
      expect(yield* adapter.dump).toEqual(before)
    })
  )

  live("rejects a wrong credential", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      for (const credential of [...adapter.wrongCredentials, otherKind])
        expect(yield* failureOf(openZone(adapter, { credential }))).toBe("credential_invalid")
    })
  )

  live("rejects a zone that does not exist or is not the delegated one", () =>
    Effect.gen(function* () {
      const adapter = yield* subject
      const missing = DomainName.make("not-there.com")
      expect(yield* failureOf(openZone(adapter, { domain: missing, zone: missing }))).toBe(
        "authorization_zone_mismatch"
      )
      const [nameServer = ""] = adapter.nameServers
      for (const nameServers of [
        [],
        ["ns1.otherprov.net"],
        [`${nameServer}.evil.example`],
        [...adapter.nameServers, "ns1.otherprov.net"]
      ])
        expect(yield* failureOf(openZone(adapter, { nameServers }))).toBe("authorization_zone_mismatch")
      const spelled = adapter.nameServers.map((name) => `${name.toUpperCase()}.`)
      expect((yield* Effect.either(openZone(adapter, { nameServers: spelled })))._tag).toBe("Right")
    })
  )
}

const otherKind: Credential = { _tag: "username_api_key", username: "someone", apiKey: Redacted.make("secret") }

/** Texts and names in spellings that a careless rewrite would change. */
const oddSiblings = String.raw`
  @   60  TXT  "one" "two"
  @   60  TXT  "onetwo "
  @   60  TXT  ""
  @   60  TXT  "" "empty first"
  @   60  TXT  "\000\001\255\200 not UTF-8"
  @   60  TXT  "say \"hi\" \\ ; (x) \195\164"
  @   60  TXT  "${"x".repeat(255)}" "${"y".repeat(7)}"
  @   60  MX   10 MX1.MailProv.NET.`

/** Concurrent changes between the read and the write, and the planned records. */
const concurrentChanges = [
  { about: "a sibling was added", meanwhile: 'www TXT "hello"\nwww TXT "other"', desired: ["www 300 TXT more"] },
  { about: "a record to be removed has changed", meanwhile: "www A 192.0.2.2", desired: ["www 300 A 203.0.113.1"] },
  { about: "a record to be created exists", meanwhile: 'new TXT "hello"', desired: ["new 300 TXT hello"] },
  { about: "an alias took the name", meanwhile: "new CNAME web.hostprov.net.", desired: ["new 300 TXT hello"] },
  {
    about: "a new type would coexist with an alias",
    meanwhile: 'new CAA 0 issue "ca.example"',
    desired: ["new 300 CNAME web.hostprov.net"]
  },
  {
    about: "a parent name was delegated",
    meanwhile: "above NS ns1.otherprov.net.",
    desired: ["deep.above 300 TXT hello"]
  },
  {
    about: "one of several changes no longer fits",
    meanwhile: "mail MX 20 mx2.mailprov.net.",
    desired: ["a 300 A 192.0.2.1", "mail 300 MX 5 mx5.mailprov.net", "z 300 TXT hello"]
  }
]

/** Divides changes by whether the adapter refuses their records, which must be those that its vendor cannot store. */
const divideByRefusal = (
  adapter: AdapterUnderTest,
  opened: ZoneClient,
  changes: ReadonlyArray<Change>,
  domain: string
) =>
  Effect.sync(() => {
    const [stored, refused] = Array.partition(
      changes,
      ({ after }) => after !== undefined && Option.isSome(opened.checkRecord(after))
    )
    const reasons = adapter.limitations?.refused ?? []
    expect(refused).toEqual(
      changes.filter(({ after }) => after !== undefined && reasons.some(({ matches }) => matches(after, domain)))
    )
    return { stored, refused: refused.flatMap(({ after }) => after ?? []) }
  })

const expectNothingWritten = (adapter: AdapterUnderTest, snapshot: ZoneSnapshot, changes: ReadonlyArray<Change>) =>
  Effect.gen(function* () {
    const before = yield* adapter.dump
    const failure = yield* Effect.flip(sendWrites(snapshot, changes))
    expect(failure).toMatchObject({ _tag: "ProviderFailure", code: expect.stringMatching(/^record_|^apex_cname/) })
    expect(yield* adapter.dump).toEqual(before)
  })

/** Records without their TTLs, in normal form; those that the zone and its signing need are left out. */
const describeData = (records: ReadonlyArray<ZoneRecord>): ReadonlyArray<string> =>
  records
    .filter(isEditable)
    .map((record) => {
      const { priority, type, value } = normalizeData(record)
      return [record.host.toLowerCase(), type, ...(priority === undefined ? [] : [priority]), value].join(" ")
    })
    .toSorted()

/** Whether all these records can stand in a zone of the vendor. */
const canHappen = (adapter: AdapterUnderTest, domain: string, lines: string): boolean =>
  recordsIn(domain, lines).every((record) => canStand(adapter, record))

/** The server's records outside the domain. */
const recordsOutside = (adapter: AdapterUnderTest, domain: string) =>
  Effect.map(adapter.dump, (lines) =>
    lines.filter((line) => !isAtOrBelow(line.split(/\s/)[0]?.replace(/\.$/, "") ?? "", domain)).toSorted()
  )
