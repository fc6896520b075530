import { expect, test } from "bun:test"
import { Cause, Effect, Either, Exit, FastCheck as fc, Fiber, Option, TestContext } from "effect"
import type { ApplyError, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { buildPlan } from "../../../src/planning/buildPlan.ts"
import { planInputArbitrary } from "../../planning/arbitraries.ts"
import { applyChanges, describeChange } from "../../support/planFixtures.ts"
import { dropRequest, dropResponse, hasSameRecords, scriptedZone, succeed } from "../../support/scriptedZone.ts"
import { apply, journalOf, requestAt, withPlanApplier } from "./applyFixtures.ts"

/** Zones, whether their provider takes a plan as a whole, what it does with calls, and when the process dies. */
const lives = fc.record({
  input: planInputArbitrary,
  isAtomic: fc.boolean(),
  script: fc.array(fc.constantFrom(succeed, succeed, dropRequest, dropResponse), { maxLength: 6 }),
  deaths: fc.array(fc.nat({ max: 40 }), { maxLength: 4 })
})

const numRuns = process.env["CI"] === "true" ? 500 : 100

test("wherever processes die, the next one brings the zone to what was planned, each change made exactly once", () =>
  fc.assert(
    fc.asyncProperty(lives, async ({ deaths, input, isAtomic, script }) => {
      const { changes } = Either.getOrElse(buildPlan(input), () => ({ changes: [] }))
      const reaper = reaperFor(deaths)
      const at = scriptedZone(input.zone, { isAtomic, around: reaper.around })
      const live = Effect.gen(function* () {
        yield* at.play(...script)
        yield* reaper.untilDone(() => apply(requestAt(at, changes)))
        return yield* journalOf()
      })
      const journal = await Effect.runPromise(
        Effect.provide(Effect.scoped(withPlanApplier(live, reaper.around)), TestContext.TestContext)
      )
      expect(at.made().map(describeChange).toSorted()).toEqual(changes.map(describeChange).toSorted())
      expect(hasSameRecords(at.now(), applyChanges(input.zone, changes))).toBe(true)
      expect(journal).toEqual(changes.map((change) => `confirmed | ${describeChange(change)}`))
    }),
    { numRuns }
  ))

/** The process died, or the provider said nothing twice. */
const isToGoOn = (cause: Cause.Cause<ApplyError>): boolean =>
  Cause.isInterruptedOnly(cause) ||
  Option.exists(Cause.failureOption(cause), (why) => why._tag === "ApplyFailed" && why.code === "apply_timeout")

/** Ends each life at the given number of moments: before or after a call of the journal or the provider. */
const reaperFor = (deaths: ReadonlyArray<number>) => {
  const state = { deaths, left: Option.none<number>() }
  const moment = Effect.suspend(() => {
    state.left = Option.map(state.left, (left) => left - 1)
    return Option.contains(state.left, 0) ? Effect.interrupt : Effect.void
  })
  const untilDone = (life: () => ReturnType<typeof apply>): Effect.Effect<void, never, PlanApplier> =>
    Effect.gen(function* () {
      const [next, ...deaths] = state.deaths
      state.left = Option.map(Option.fromNullable(next), (moments) => moments + 1)
      state.deaths = deaths
      const exit = yield* Effect.flatMap(Effect.fork(Effect.suspend(life)), Fiber.await)
      const isOver = Exit.match(exit, { onFailure: (cause) => !isToGoOn(cause), onSuccess: () => true })
      yield* isOver ? Effect.orDie(exit) : untilDone(life)
    })
  return {
    around: <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.zipRight(moment, Effect.zipLeft(call, moment)),
    untilDone
  }
}
