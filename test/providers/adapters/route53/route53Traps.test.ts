import { expect, test } from "bun:test"
import { Clock, Duration, Effect, type Scope } from "effect"
import type { ApplyRequest } from "../../../../src/lifecycle/apply/PlanApplier.ts"
import { computeDigest } from "../../../../src/planning/changes/computeDigest.ts"
import {
  apply,
  applyFailureOf,
  connectionId,
  withPlanApplierOnRealClock
} from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { planFrom, resolvedIntentOf, sendWrites, silenceTimeouts } from "../AdapterUnderTest.ts"
import { busy, type FakeRoute53, throttled } from "./FakeRoute53.ts"
import { dumpZone, type StoredSet } from "./route53State.ts"
import { clientOf, makeFake, zoneIn, zoneName, zoneRequest } from "./route53UnderTest.ts"

const domain = zoneRequest.domain

/** A plan for the desired records, made from what the adapter reads, as the service applies it. */
const requestAt = (fake: FakeRoute53, desired: ReadonlyArray<string>, client = clientOf(fake)) =>
  Effect.gen(function* () {
    const opened = yield* client.openZone(zoneRequest)
    const snapshot = yield* opened.read
    const { changes } = planFrom(snapshot, resolvedIntentOf(zoneName, { desired }), opened)
    const digest = computeDigest({ domain, zone: domain, changes })
    const request: ApplyRequest = {
      run: crypto.randomUUID(),
      connectionId,
      providerId: "route53",
      zone: domain,
      domain,
      direction: "connect",
      digest,
      changes,
      snapshot,
      client: opened,
      longestDelay: Duration.zero
    }
    return request
  })

const readRecords = (fake: FakeRoute53) =>
  Effect.gen(function* () {
    const { zone } = yield* (yield* clientOf(fake).openZone(zoneRequest)).read
    return zone.records.filter(({ type }) => type !== "NS" && type !== "SOA")
  })

/** What the zone holds besides its NS records, in the names and values of Route 53. */
const dump = (fake: FakeRoute53) =>
  dumpZone(zoneIn(fake.state())).filter((line) => !line.startsWith(`${zoneName}. 300 NS`))

const countBatches = (fake: FakeRoute53) => fake.calls().filter(({ method }) => method === "POST").length

const alias: StoredSet = {
  name: `www.${zoneName}.`,
  type: "A",
  values: [],
  alias: { zoneId: "Z2FDTNDATAQYW2", target: "d111111abcdef8.cloudfront.net.", evaluatesHealth: "false" }
}

const weighted = (identifier: string, value: string): StoredSet => ({
  name: `www.${zoneName}.`,
  type: "A",
  ttl: 60,
  values: [value],
  identifier,
  weight: "50"
})

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  "\\052 and octal names": () =>
    Effect.gen(function* () {
      const fake = yield* makeFake([
        { name: `a space and*.${zoneName}.`, type: "TXT", ttl: 60, values: ['"\\303\\244\\134101"'] },
        { name: `*.${zoneName}.`, type: "A", ttl: 60, values: ["192.0.2.1"] }
      ])
      const before = dump(fake)
      expect(yield* readRecords(fake)).toEqual([
        { host: "*", type: "A", ttl: 60, value: "192.0.2.1" },
        { host: "a\\032space\\032and*", type: "TXT", ttl: 60, value: "ä\\101" }
      ])
      const desired = ["* 300 A 192.0.2.2", "* 300 TXT ä", "_x 300 TXT under_score"]
      const opened = yield* clientOf(fake).openZone(zoneRequest)
      const snapshot = yield* opened.read
      yield* sendWrites(snapshot, planFrom(snapshot, resolvedIntentOf(zoneName, { desired }), opened).changes, opened)
      expect(dump(fake)).toEqual([
        `*.${zoneName}. 300 A 192.0.2.2`,
        `*.${zoneName}. 300 TXT "\\303\\244"`,
        `_x.${zoneName}. 300 TXT "under_score"`,
        before.find((line) => line.startsWith("a space")) ?? "none"
      ])
      const after = yield* opened.read
      expect(planFrom(after, resolvedIntentOf(zoneName, { desired }), opened).changes).toEqual([])
      // A restore brings names back that no intent can have.
      const spaced = { host: "new\\032space\\233*", type: "TXT", value: "hello", ttl: 60, optional: false }
      yield* sendWrites(after, [{ action: "create", after: spaced, destructive: false }], opened)
      expect(dump(fake)).toContain(`new space\xe9*.${zoneName}. 60 TXT "hello"`)
      const { host, ttl, type, value } = spaced
      expect(yield* readRecords(fake)).toContainEqual({ host, ttl, type, value })
    }),

  "weighted, latency, geo sets share a name and type": () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const sets = [weighted("blue", "192.0.2.1"), weighted("green", "192.0.2.2")]
        const fake = yield* makeFake(sets)
        const before = dump(fake)
        const failure = yield* applyFailureOf(yield* requestAt(fake, ["www 300 A 192.0.2.3"]))
        expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
        expect([dump(fake), countBatches(fake)]).toEqual([before, 0])
        yield* apply(yield* requestAt(fake, ["www 300 TXT beside"]))
        expect(dump(fake)).toEqual([`www.${zoneName}. 300 TXT "beside"`, ...before])
      })
    ),

  "alias sets have no TTL and no values": () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const fake = yield* makeFake([alias])
        const before = dump(fake)
        expect(yield* readRecords(fake)).toMatchObject([
          { host: "www", type: "A", value: "d111111abcdef8.cloudfront.net.", locked: "fixed" }
        ])
        yield* apply(yield* requestAt(fake, ["www 300 TXT beside"]))
        expect(dump(fake)).toEqual([...before, `www.${zoneName}. 300 TXT "beside"`].toSorted())
        for (const desired of ["www 300 A 192.0.2.1", "www 300 CNAME shops.example.net"])
          expect(yield* applyFailureOf(yield* requestAt(fake, [desired]))).toEqual({
            code: "provider_record_locked",
            hasWrites: false
          })
        expect(countBatches(fake)).toBe(1)
      })
    ),

  "Throttling and PriorRequestNotComplete are 400": () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const fake = yield* makeFake()
        fake.injectFault({ method: "POST", nth: 1 }, { change: "not_made", answer: throttled })
        fake.injectFault({ method: "POST", nth: 2 }, { change: "not_made", answer: busy })
        yield* apply(yield* requestAt(fake, ["www 300 A 192.0.2.1"]))
        expect([dump(fake), countBatches(fake)]).toEqual([[`www.${zoneName}. 300 A 192.0.2.1`], 3])
      })
    ),

  'an SDK that retries a lost CREATE reports "already exists" for its own write': () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const fake = yield* makeFake()
        fake.injectFault({ method: "POST", nth: 1 }, { change: "made", answer: "silence" })
        const client = clientOf(fake, { timeouts: silenceTimeouts })
        yield* apply(yield* requestAt(fake, ["www 300 A 192.0.2.1"], client))
        expect([dump(fake), countBatches(fake)]).toEqual([[`www.${zoneName}. 300 A 192.0.2.1`], 1])
        expect(fake.calls().at(-1)?.method).toBe("GET")
      })
    ),

  // Developer guide, "Frequency of Amazon Route 53 API Requests" in DNSLimitations.html; "Throttling for Amazon Route 53 API requests" allows ten now.
  "429-free: 5 requests a second": () =>
    Effect.gen(function* () {
      let now = Date.UTC(2026, 0, 1)
      const began = now
      const sets = Array.from({ length: 9_998 }, (_, index) => ({
        name: `h${index}.${zoneName}.`,
        type: "TXT",
        ttl: 300,
        values: [`"text ${index}"`, '"say \\"hi\\""']
      }))
      const fake = yield* makeFake(sets, { clock: () => now })
      // Only pauses take time, and at once; a signature is made on another thread, which no virtual clock can await.
      const clock: Clock.Clock = Object.assign(Object.create(Clock.make()), {
        currentTimeMillis: Effect.sync(() => now),
        sleep: (duration: Duration.Duration) =>
          Duration.greaterThan(duration, "5 seconds")
            ? Effect.never
            : Effect.sync(() => void (now += Duration.toMillis(duration)))
      })
      const { zone } = yield* clientOf(fake)
        .openZone(zoneRequest)
        .pipe(
          Effect.flatMap(({ read }) => read),
          Effect.withClock(clock)
        )
      expect([zone.records.length, fake.calls().length]).toEqual([2 * 9_998 + 4, 2 + 34])
      const times = fake.calls().map(({ now }) => now)
      const inOneSecond = times.map((first) => times.filter((now) => now >= first && now < first + 1000).length)
      expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(5)
      expect(now - began).toBeLessThan(30_000)
    })
}

live("at Route 53, a guard before a write asks for the sets from the touched name on, and reads no other name", () =>
  Effect.gen(function* () {
    const sets = Array.from({ length: 400 }, (_, index) => ({
      name: `h${index}.${zoneName}.`,
      type: "A",
      ttl: 300,
      values: ["192.0.2.1"]
    }))
    const fake = yield* makeFake([...sets, { ...sets[0], name: `*.${zoneName}.`, type: "A", values: ["192.0.2.3"] }])
    const opened = yield* clientOf(fake).openZone(zoneRequest)
    const snapshot = yield* opened.read
    const calls = fake.calls().length
    const intent = resolvedIntentOf(zoneName, { desired: ["* 300 A 192.0.2.2"] })
    yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
    const queries = fake
      .calls()
      .slice(calls)
      .map(({ method, query }) => [method, new URLSearchParams(query).get("name")])
    expect(queries).toEqual([
      ["GET", `*.${zoneName}`],
      ["POST", null]
    ])
    expect(dump(fake)).toContain(`*.${zoneName}. 300 A 192.0.2.2`)
  })
)

describeIfPossible("at Route 53, the trap", missingVendorData, () => {
  for (const [words, body] of Object.entries(traps)) live(words, body)

  test("is tested here for each one of the vendor's facts", async () => {
    const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
    const facts = Object.values<any>(vendors).find(({ id }) => id === "route53")
    expect(Object.keys(traps)).toEqual(facts.traps.map(({ trap }: { readonly trap: string }) => trap))
  })
})
