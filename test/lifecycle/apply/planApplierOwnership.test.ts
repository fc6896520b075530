import { expect } from "bun:test"
import { type Clock, Effect, TestClock } from "effect"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { effect } from "../../support/effectTest.ts"
import { describeChange, desiredRecords, planOrThrow } from "../../support/planFixtures.ts"
import { dropResponse, scriptedZone, succeed } from "../../support/scriptedZone.ts"
import {
  apply,
  applyFailureOf,
  changeLines,
  changes,
  completesWithin,
  dieAfterWrite,
  exitOf,
  journalLines,
  journalOf,
  prepareShopPlan,
  requestAt,
  shop,
  withPlanApplier
} from "./applyFixtures.ts"

effect("a lost lease stops all calls to the provider and all journal updates", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      const { acquire, release } = yield* LeaseStore
      const takeOver = Effect.gen(function* () {
        yield* release({ key: "zone:acme-dns/example.com", claim: 1 })
        yield* acquire("zone:acme-dns/example.com", "another process", 60)
      })
      yield* at.play((send) => Effect.zipRight(Effect.orDie(takeOver), send))
      expect(yield* applyFailureOf(request())).toBe("LeaseLost")
      expect(at.made()).toHaveLength(1)
      expect(yield* journalOf()).toEqual([
        `sent | ${changeLines[0]}`,
        ...changeLines.slice(1).map((change) => `pending | ${change}`)
      ])
    })
  )
)

effect("a process that was suspended past its lease sends no call", () =>
  Effect.gen(function* () {
    const { at, request } = prepareShopPlan()
    const clock = yield* Effect.clock
    const suspension = { nanos: 0n }
    // The monotonic clock jumps without a renewal, and no other process takes the lease.
    const suspendAfter = <A, E>(call: Effect.Effect<A, E>) =>
      Effect.zipLeft(
        call,
        Effect.sync(() => (suspension.nanos = 4_000_000_000n))
      )
    const clockAfterSuspension: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeNanos: Effect.map(clock.currentTimeNanos, (nanos) => nanos + suspension.nanos)
    })
    yield* withPlanApplier(
      Effect.gen(function* () {
        expect(yield* applyFailureOf(request())).toBe("LeaseLost")
        expect(at.made()).toEqual([])
        expect(yield* journalOf()).toEqual(journalLines("sent"))
      }),
      suspendAfter
    ).pipe(Effect.withClock(clockAfterSuspension))
  })
)

effect("a plan waits for the lease of its zone, but gives up after 30 seconds", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { request } = prepareShopPlan()
      const { acquire } = yield* LeaseStore
      yield* acquire("zone:acme-dns/example.com", "another process", 3_600)
      const waiting = yield* Effect.fork(applyFailureOf(request()))
      yield* TestClock.adjust("31 seconds")
      expect(yield* waiting).toBe("LeaseTaken")
      expect(yield* journalOf()).toEqual([])
    })
  )
)

effect("an unfinished run of another plan is settled from the current zone before the new plan is written", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play(succeed, dieAfterWrite)
      yield* exitOf(apply(request()))
      const restoreChanges: ReadonlyArray<Change> = planOrThrow({
        zone: at.now(),
        desired: desiredRecords("@ 300 MX 10 mx.example.org")
      }).changes
      yield* apply(requestAt(at, restoreChanges, { run: "another", direction: "restore" }))
      expect(yield* journalOf()).toEqual([
        ...changeLines.slice(0, 2).map((change) => `confirmed | ${change}`),
        ...changeLines.slice(2).map((change) => `failed | ${change}`)
      ])
      expect(yield* journalOf("another")).toEqual(
        restoreChanges.map((change) => `confirmed | ${describeChange(change)}`)
      )
    })
  )
)

effect("unknown writes to a former zone of the domain are not settled from its new zone", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play((send) => Effect.zipRight(at.setDown(true), dropResponse(send)))
      yield* completesWithin("10 seconds", applyFailureOf(request()))
      yield* at.setDown(false)
      const newZone = scriptedZone(shop)
      yield* apply(requestAt(newZone, changes, { run: "another", providerId: "other-dns" }))
      expect(yield* journalOf()).toEqual(journalLines("unknown"))
      expect(yield* journalOf("another")).toEqual(journalLines("confirmed"))
    })
  )
)
