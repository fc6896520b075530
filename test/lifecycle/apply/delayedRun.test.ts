import { expect } from "bun:test"
import { Duration, Effect, TestClock } from "effect"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { ProviderError, toWriteFailure } from "../../../src/providers/ProviderError.ts"
import { OutcomeUnknown, ProviderFailure } from "../../../src/providers/ProviderFailure.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { effect } from "../../support/effectTest.ts"
import { rejectWith, scriptedZone, succeed, type WriteBehavior } from "../../support/scriptedZone.ts"
import {
  apply,
  applyFailureOf,
  changes,
  completesWithin,
  dieBeforeWrite,
  exitOf,
  journalLines,
  journalOf,
  prepareShopPlan,
  requestAt,
  shop,
  withPlanApplier
} from "./applyFixtures.ts"

const limited = rejectWith("provider_rate_limited", "60 seconds")

const limitedWithoutClearAnswer: WriteBehavior = () =>
  Effect.fail(new OutcomeUnknown({ code: "provider_unavailable", detail: "503", retryAfter: Duration.seconds(60) }))

const busy: WriteBehavior = () => Effect.fail(toWriteFailure(new ProviderError({ kind: "busy", detail: "409" })))

/** The shop at a provider that makes one change with each call, for a plan that may wait for an hour. */
const prepareSingleCalls = () => {
  const { at } = prepareShopPlan(false)
  return { at, request: () => requestAt(at, changes, { longestDelay: Duration.hours(1) }) }
}

const delayed = (seconds: number) => `delayed by ${seconds} s`

/** How a request ends before its plan is written. */
const endOf = (request: Parameters<typeof apply>[0]) =>
  Effect.map(Effect.flip(apply(request)), (error) =>
    error._tag === "ApplyDelayed" ? delayed(Duration.toSeconds(error.resumesIn)) : error._tag
  )

/** The records of the plan, none of them twice. */
const expectWrittenOnce = (made: ReadonlyArray<Change>) => expect(made).toEqual([...changes])

effect("a plan whose second write the provider delays by a minute is written by a later run, each change once", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(succeed, limited)
      expect(yield* endOf(request())).toBe(delayed(60))
      expect(at.made().length).toBe(1)
      expect((yield* journalOf()).map((line) => line.split(" ")[0])).toEqual([
        "confirmed",
        ...changes.slice(1).map(() => "pending")
      ])
      yield* TestClock.adjust("60 seconds")
      yield* apply(request())
      expectWrittenOnce(at.made())
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
    })
  )
)

effect("a plan that waits for its provider holds no lease, so that another process can continue it", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(succeed, limited)
      yield* endOf(request())
      const leases = yield* LeaseStore
      const claims = yield* Effect.forEach(["connection:con_1", "zone:acme-dns/example.com"], (key) =>
        leases.acquire(key, "another process", 1)
      )
      expect(claims.map(({ _tag }) => _tag)).toEqual(["Some", "Some"])
    })
  )
)

effect("the next process continues a plan that was continued after a delay when its process died", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(succeed, limited, succeed, dieBeforeWrite)
      yield* endOf(request())
      yield* exitOf(apply(request()))
      expect(at.made().length).toBe(2)
      yield* completesWithin("10 seconds", apply(request()))
      expectWrittenOnce(at.made())
    })
  )
)

effect("a write without a clear answer that the provider delays by a minute is made once", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(succeed, (send) => Effect.zipRight(send, limitedWithoutClearAnswer(send)))
      expect(yield* endOf(request())).toBe(delayed(60))
      yield* apply(request())
      expectWrittenOnce(at.made())
    })
  )
)

effect("a plan that is partly written waits for a rate limit that names no time, too", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      const unnamed = rejectWith("provider_rate_limited")
      yield* at.play(succeed, unnamed, unnamed, unnamed)
      expect(yield* completesWithin("10 seconds", endOf(request()))).toBe(delayed(30))
    })
  )
)

effect("a plan that is partly written waits for a provider that is still busy with something else", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(succeed, busy, busy, busy)
      expect(yield* completesWithin("10 seconds", endOf(request()))).toBe(delayed(30))
      yield* apply(request())
      expectWrittenOnce(at.made())
    })
  )
)

effect("a plan of which nothing is written fails if the provider stays busy", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(busy, busy, busy)
      expect(yield* completesWithin("10 seconds", applyFailureOf(request()))).toEqual({
        code: "provider_unavailable",
        hasWrites: false
      })
    })
  )
)

effect("the final check of a plan that is written waits for the provider, too", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      const read = new ProviderFailure({
        code: "provider_rate_limited",
        detail: "the script says so",
        retryAfter: Duration.minutes(5)
      })
      expect(yield* endOf({ ...request(), client: { ...at.client, read } })).toBe(delayed(300))
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
    })
  )
)

effect("a record that is put back because its successor was refused waits for the provider, and comes back", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const at = scriptedZone(shop, { isAtomic: false, hasUpdate: false })
      const request = () => requestAt(at, changes, { longestDelay: Duration.hours(1) })
      const refusedAt = changes.findIndex(({ after }) => after?.type === "CNAME")
      yield* at.play(...changes.slice(0, refusedAt + 1).map(() => succeed), rejectWith("apply_rejected"), limited)
      expect(yield* endOf(request())).toBe(delayed(60))
      yield* Effect.flip(apply(request()))
      expect(at.now().records.filter(({ host }) => host === "www").length).toBe(2)
    })
  )
)

effect("a plan that would have to wait longer than it may ends as partly written", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareSingleCalls()
      yield* at.play(succeed, rejectWith("provider_rate_limited", "2 hours"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
    })
  )
)
