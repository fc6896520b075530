import { expect } from "bun:test"
import { type Clock, Effect, TestClock } from "effect"
import type { Change } from "../../../src/domain/Plan.ts"
import { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import { effect } from "../../support/effectTest.ts"
import { describeChange, desiredRecords, planOrThrow } from "../../support/planFixtures.ts"
import { dropResponse, scriptedZone, succeed } from "../../support/scriptedZone.ts"
import { apply, applyFailureOf, completesWithin, journalOf, requestAt, withPlanApplier } from "./applyFixtures.ts"
import { all, changes, dieAfterWrite, exitOf, shop, shopMove, words } from "./shopMove.ts"

effect("whoever lost the lease calls nobody and writes no row any more", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove(false)
      const { release, acquire: take } = yield* LeaseStore
      const takeOver = Effect.gen(function* () {
        yield* release({ key: "zone:acme-dns/example.com", claim: 1 })
        yield* take("zone:acme-dns/example.com", "another process", 60)
      })
      yield* at.play((send) => Effect.zipRight(Effect.orDie(takeOver), send))
      expect(yield* applyFailureOf(request())).toBe("LeaseLost")
      expect(at.made()).toHaveLength(1)
      expect(yield* journalOf()).toEqual([
        `sent | ${words[0]}`,
        ...words.slice(1).map((change) => `pending | ${change}`)
      ])
    })
  )
)

effect("a process that was frozen before its call does not make it", () =>
  Effect.gen(function* () {
    const { at, request } = shopMove()
    const clock = yield* Effect.clock
    const frozen = { nanos: 0n }
    // Nothing is renewed meanwhile, and nobody else needs the lease.
    const freeze = <A, E>(call: Effect.Effect<A, E>) =>
      Effect.zipLeft(
        call,
        Effect.sync(() => (frozen.nanos = 4_000_000_000n))
      )
    const late: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeNanos: Effect.map(clock.currentTimeNanos, (nanos) => nanos + frozen.nanos)
    })
    yield* withPlanApplier(
      Effect.gen(function* () {
        expect(yield* applyFailureOf(request())).toBe("LeaseLost")
        expect(at.made()).toEqual([])
        expect(yield* journalOf()).toEqual(all("sent"))
      }),
      freeze
    ).pipe(Effect.withClock(late))
  })
)

effect("a plan waits until another one for its zone is written, and not for long", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { request } = shopMove()
      const { acquire: take } = yield* LeaseStore
      yield* take("zone:acme-dns/example.com", "another process", 3_600)
      const waiting = yield* Effect.fork(applyFailureOf(request()))
      yield* TestClock.adjust("31 seconds")
      expect(yield* waiting).toBe("LeaseTaken")
      expect(yield* journalOf()).toEqual([])
    })
  )
)

effect("a run of another plan that never ended is ended as the zone shows it, before a new one is written", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove(false)
      yield* at.play(succeed, dieAfterWrite)
      yield* exitOf(apply(request()))
      const restoring: ReadonlyArray<Change> = planOrThrow({
        zone: at.now(),
        desired: desiredRecords("@ 300 MX 10 mx.example.org")
      }).changes
      yield* apply(requestAt(at, restoring, { run: "another", direction: "restore" }))
      expect(yield* journalOf()).toEqual([
        ...words.slice(0, 2).map((change) => `confirmed | ${change}`),
        ...words.slice(2).map((change) => `failed | ${change}`)
      ])
      expect(yield* journalOf("another")).toEqual(restoring.map((change) => `confirmed | ${describeChange(change)}`))
    })
  )
)

effect("what was written to a zone that the domain has left is not looked for in another", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play((send) => Effect.zipRight(at.setDown(true), dropResponse(send)))
      yield* completesWithin("10 seconds", applyFailureOf(request()))
      yield* at.setDown(false)
      const elsewhere = scriptedZone(shop)
      yield* apply(requestAt(elsewhere, changes, { run: "another", providerId: "other-dns" }))
      expect(yield* journalOf()).toEqual(all("unknown"))
      expect(yield* journalOf("another")).toEqual(all("confirmed"))
    })
  )
)
