import { expect } from "bun:test"
import { Effect, Exit, Fiber, TestClock } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { effect } from "../../support/effectTest.ts"
import { applyChanges, describeChange, zoneOf } from "../../support/planFixtures.ts"
import {
  dropRequest,
  dropResponse,
  failWithServerError,
  hasSameRecords,
  rejectWith,
  scriptedZone,
  succeed
} from "../../support/scriptedZone.ts"
import {
  apply,
  applyFailureOf,
  changeLines,
  changes,
  completesWithin,
  connectionId,
  dieAfterWrite,
  dieBeforeWrite,
  exitOf,
  journalLines,
  journalOf,
  prepareShopPlan,
  requestAt,
  shop,
  withPlanApplier
} from "./applyFixtures.ts"

effect("the plan adds and replaces records, and removes records that block a new one", () =>
  Effect.sync(() =>
    expect(changeLines).toEqual([
      "create | shop 300 A 192.0.2.9",
      "update! | @ 300 MX 10 mx.example.org | @ 300 MX 10 mx.example.net",
      "delete! | www 300 A 192.0.2.1",
      "delete! | www 300 A 192.0.2.2",
      "create | www 300 CNAME web.example.net"
    ])
  )
)

for (const isAtomic of [true, false])
  effect(`the applier writes each change of a plan once, ${isAtomic ? "in one call" : "in one call per change"}`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = prepareShopPlan(isAtomic)
        yield* apply(request())
        expect(at.now()).toEqual(applyChanges(shop, changes))
        expect(at.made()).toEqual([...changes])
        expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      })
    )
  )

effect("an applied plan is not applied again", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* apply(request())
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
    })
  )
)

for (const [when, behavior, writes] of [
  ["before the provider writes", dieBeforeWrite, 0],
  ["after the provider writes", dieAfterWrite, changes.length]
] as const)
  effect(`a process that dies during a call, ${when}, is followed by one that completes the plan`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = prepareShopPlan()
        yield* at.play(behavior)
        expect(Exit.isInterrupted(yield* exitOf(apply(request())))).toBe(true)
        expect(yield* journalOf()).toEqual(journalLines("sent"))
        expect(at.made()).toHaveLength(writes)
        yield* apply(request())
        expect(at.made()).toEqual([...changes])
        expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      })
    )
  )

for (const isAtomic of [true, false])
  for (const [message, behavior] of [
    ["request", dropRequest],
    ["response", dropResponse]
  ] as const)
    effect(
      `a lost ${message} leads to a read of the zone, and to no duplicate change (${isAtomic ? "" : "not "}atomic)`,
      () =>
        withPlanApplier(
          Effect.gen(function* () {
            const { at, request } = prepareShopPlan(isAtomic)
            yield* at.play(behavior)
            yield* apply(request())
            expect(at.made()).toEqual([...changes])
            expect(yield* journalOf()).toEqual(journalLines("confirmed"))
          })
        )
    )

effect("the applier reports a write whose outcome is unknown as such, and the next attempt finds the outcome", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(dropRequest, dropResponse)
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_timeout", hasWrites: true })
      expect(yield* journalOf()).toEqual(journalLines("unknown"))
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
    })
  )
)

effect("changes that were sent stay unknown if the zone cannot be read after a lost response", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play((send) => Effect.zipRight(at.setDown(true), dropResponse(send)))
      expect(yield* completesWithin("10 seconds", applyFailureOf(request()))).toEqual({
        code: "provider_unavailable",
        hasWrites: true
      })
      expect(yield* journalOf()).toEqual(journalLines("unknown"))
      yield* at.setDown(false)
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
    })
  )
)

for (const isAtomic of [true, false])
  effect(`the applier retries when the provider fails temporarily (${isAtomic ? "" : "not "}atomic)`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = prepareShopPlan(isAtomic)
        yield* at.play(failWithServerError, failWithServerError, failWithServerError)
        yield* completesWithin("10 seconds", apply(request()))
        expect(at.made()).toEqual([...changes])
        expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      })
    )
  )

effect("the applier stops retrying a provider that fails every time, and the next attempt continues the plan", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(failWithServerError, failWithServerError, failWithServerError, failWithServerError)
      const failure = yield* completesWithin("10 seconds", applyFailureOf(request()))
      expect(failure).toEqual({ code: "provider_unavailable", hasWrites: true })
      expect(yield* journalOf()).toEqual(journalLines("unknown"))
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
    })
  )
)

effect("the applier waits as long as a rate limit requires, then writes the plan", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(rejectWith("provider_rate_limited", "7 seconds"))
      const applying = yield* Effect.fork(apply(request()))
      yield* TestClock.adjust("6 seconds")
      expect(at.made()).toEqual([])
      yield* completesWithin("10 seconds", Fiber.join(applying))
      expect(at.made()).toEqual([...changes])
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
    })
  )
)

effect("the applier does not retry after a rate limit that lasts longer than the retry policy waits", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(rejectWith("provider_rate_limited", "1 hour"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "provider_rate_limited", hasWrites: false })
      expect(yield* journalOf()).toEqual(journalLines("failed"))
    })
  )
)

for (const isAtomic of [true, false])
  effect(`the applier writes nothing if the provider rejects the first call (${isAtomic ? "" : "not "}atomic)`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = prepareShopPlan(isAtomic)
        yield* at.play(rejectWith("apply_rejected"))
        expect(yield* applyFailureOf(request())).toEqual({ code: "apply_rejected", hasWrites: false })
        expect(at.now()).toEqual(shop)
        expect(yield* journalOf()).toEqual(journalLines("failed"))
        expect(yield* Effect.flatMap(JournalStore, ({ hasWrites }) => hasWrites(connectionId))).toBe(false)
      })
    )
  )

effect("the applier restores the records that blocked a change if the provider rejects that change", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play(succeed, succeed, succeed, succeed, rejectWith("record_value_rejected"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      expect(hasSameRecords(at.now(), applyChanges(shop, changes.slice(0, 2)))).toBe(true)
      expect(yield* journalOf()).toEqual([
        ...changeLines.slice(0, 4).map((change) => `confirmed | ${change}`),
        `failed | ${changeLines[4]}`,
        "confirmed | create | www 300 A 192.0.2.1",
        "confirmed | create | www 300 A 192.0.2.2"
      ])
    })
  )
)

effect("the applier restores the blocking records once, even if the process dies while restoring", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play(succeed, succeed, succeed, succeed, rejectWith("apply_rejected"), dieAfterWrite)
      yield* exitOf(apply(request()))
      expect((yield* journalOf()).slice(4)).toEqual([
        `failed | ${changeLines[4]}`,
        "sent | create | www 300 A 192.0.2.1",
        "pending | create | www 300 A 192.0.2.2"
      ])
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      expect(at.made().slice(4).map(describeChange)).toEqual([
        "create | www 300 A 192.0.2.1",
        "create | www 300 A 192.0.2.2"
      ])
      expect((yield* journalOf()).slice(5)).toEqual([
        "confirmed | create | www 300 A 192.0.2.1",
        "confirmed | create | www 300 A 192.0.2.2"
      ])
    })
  )
)

effect("the applier keeps an independent change if the provider rejects a later one", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play(succeed, rejectWith("provider_zone_locked"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      expect(at.made().map(describeChange)).toEqual(changeLines.slice(0, 1))
      expect(yield* journalOf()).toEqual([
        `confirmed | ${changeLines[0]}`,
        ...changeLines.slice(1).map((change) => `failed | ${change}`)
      ])
    })
  )
)

for (const isAtomic of [true, false])
  effect(
    `the applier writes nothing to a zone that has changed since it was read (${isAtomic ? "" : "not "}atomic)`,
    () =>
      withPlanApplier(
        Effect.gen(function* () {
          const { at, request } = prepareShopPlan(isAtomic)
          const planned = request()
          const changedZone = zoneOf("shop 300 TXT meanwhile", "@ 300 MX 10 mx.example.org", "www 300 A 192.0.2.1")
          yield* at.become(changedZone)
          expect(yield* applyFailureOf(planned)).toBe("ZoneChanged")
          expect(at.now()).toEqual(changedZone)
          expect(yield* journalOf()).toEqual(journalLines("failed"))
        })
      )
  )

for (const isAtomic of [true, false])
  effect(`the applier writes nothing if a record to remove is locked (${isAtomic ? "" : "not "}atomic)`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const locked = { ...shop, records: shop.records.map((record, nth) => (nth === 2 ? lock(record) : record)) }
        const at = scriptedZone(locked, { isAtomic })
        expect(yield* applyFailureOf(requestAt(at, changes))).toEqual({
          code: "provider_record_locked",
          hasWrites: false
        })
        expect([at.now(), at.made()]).toEqual([locked, []])
        expect(yield* journalOf()).toEqual(journalLines("failed"))
      })
    )
  )

const lock = (record: ZoneRecord): ZoneRecord => ({ ...record, locked: "fixed" })

effect("the applier writes a plan next to a locked record", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const at = scriptedZone({
        ...shop,
        records: shop.records.map((record, nth) => (nth === 1 ? lock(record) : record))
      })
      yield* apply(requestAt(at, changes))
      expect(at.made()).toEqual([...changes])
    })
  )
)

effect("a zone that changes between two writes leaves the plan partially applied", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play((send) =>
        Effect.zipRight(
          send,
          Effect.suspend(() => at.become({ ...shop, records: at.now().records.filter(({ type }) => type !== "MX") }))
        )
      )
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      expect(at.made()).toHaveLength(1)
    })
  )
)

effect("after a crash, the applier keeps records that another client has written since", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(dieBeforeWrite)
      yield* exitOf(apply(request()))
      const changedZone = zoneOf("@ 300 MX 10 mx.elsewhere.example", "www 300 A 192.0.2.1", "www 300 A 192.0.2.2")
      yield* at.become(changedZone)
      expect(yield* applyFailureOf(request())).toMatchObject({ code: "apply_partial" })
      expect(at.now()).toEqual(changedZone)
      expect(yield* journalOf()).toEqual(journalLines("failed"))
    })
  )
)

effect("the applier confirms written records even if the records they replaced are present again", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(dieAfterWrite)
      yield* exitOf(apply(request()))
      yield* at.become({ ...shop, records: [...at.now().records, ...zoneOf("@ 300 MX 10 mx.example.org").records] })
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      expect(at.made()).toHaveLength(changes.length)
    })
  )
)

effect("the applier reports an unrelated record that disappears with the write", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play((send) =>
        Effect.zipRight(
          send,
          Effect.suspend(() => at.become({ ...shop, records: at.now().records.filter(({ type }) => type !== "TXT") }))
        )
      )
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
    })
  )
)
