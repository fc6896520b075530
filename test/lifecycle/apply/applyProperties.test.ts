import { expect, test } from "bun:test"
import { Cause, Effect, Either, Exit, FastCheck as fc, Fiber, Option, TestContext } from "effect"
import { splitUpdates } from "../../../src/domain/plan/RunChange.ts"
import type { ApplyError, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { planInputArbitrary } from "../../planning/arbitraries.ts"
import { applyChanges, describeChange } from "../../support/planFixtures.ts"
import { dropRequest, dropResponse, hasSameRecords, scriptedZone, succeed } from "../../support/scriptedZone.ts"
import { apply, completesWithin, journalOf, requestAt, withPlanApplier } from "./applyFixtures.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { planZone } from "../../support/planZone.ts"

/** Zones, how their provider writes a plan and lists it afterwards, how it handles calls, and when the process dies. */
const scenarioArbitrary = fc.record({
  input: planInputArbitrary,
  isAtomic: fc.boolean(),
  hasUpdate: fc.boolean(),
  lag: fc.constantFrom(undefined, "3 seconds" as const),
  script: fc.array(fc.constantFrom(succeed, succeed, dropRequest, dropResponse), { maxLength: 6 }),
  deaths: fc.array(fc.nat({ max: 40 }), { maxLength: 4 })
})

test("wherever processes die, the next one completes the plan with each change written exactly once", () =>
  fc.assert(
    fc.asyncProperty(scenarioArbitrary, async ({ deaths, hasUpdate, input, isAtomic, lag, script }) => {
      const { changes } = Either.getOrElse(planZone(input), () => ({ changes: [] }))
      const crasher = crasherFor(deaths)
      const runChanges = splitUpdates(changes, () => hasUpdate)
      const at = scriptedZone(input.zone, {
        isAtomic,
        hasUpdate,
        around: crasher.around,
        ...(lag === undefined ? {} : { lag })
      })
      const completePlan = Effect.gen(function* () {
        yield* at.play(...script)
        yield* crasher.untilDone(() => whileTimePasses(apply(requestAt(at, changes)), lag))
        return yield* journalOf()
      })
      const journal = await Effect.runPromise(
        Effect.provide(Effect.scoped(withPlanApplier(completePlan, crasher.around)), TestContext.TestContext)
      )
      expect(at.made().map(describeChange).toSorted()).toEqual(runChanges.map(describeChange).toSorted())
      expect(hasSameRecords(at.now(), applyChanges(input.zone, changes))).toBe(true)
      expect(journal).toEqual(runChanges.map((change) => `confirmed | ${describeChange(change)}`))
    }),
    { numRuns: propertyRuns(300) }
  ))

/** Runs an attempt as long as a list lags, several times over. */
const whileTimePasses = <A, E, R>(attempt: Effect.Effect<A, E, R>, lag: string | undefined) =>
  lag === undefined ? attempt : completesWithin("1 minute", attempt)

/** The process died, or the provider did not answer twice. */
const canContinue = (cause: Cause.Cause<ApplyError>): boolean =>
  Cause.isInterruptedOnly(cause) ||
  Option.exists(Cause.failureOption(cause), (error) => error._tag === "ApplyFailed" && error.code === "apply_timeout")

/** Interrupts each attempt at a given point; points lie before and after each call of the journal or the provider. */
const crasherFor = (deaths: ReadonlyArray<number>) => {
  const state = { deaths, remaining: Option.none<number>() }
  const crashPoint = Effect.suspend(() => {
    state.remaining = Option.map(state.remaining, (count) => count - 1)
    return Option.contains(state.remaining, 0) ? Effect.interrupt : Effect.void
  })
  const untilDone = (attempt: () => ReturnType<typeof apply>): Effect.Effect<void, never, PlanApplier> =>
    Effect.gen(function* () {
      const [next, ...deaths] = state.deaths
      state.remaining = Option.map(Option.fromNullable(next), (points) => points + 1)
      state.deaths = deaths
      const exit = yield* Effect.flatMap(Effect.fork(Effect.suspend(attempt)), Fiber.await)
      const isOver = Exit.match(exit, { onFailure: (cause) => !canContinue(cause), onSuccess: () => true })
      yield* isOver ? Effect.orDie(exit) : untilDone(attempt)
    })
  return {
    around: <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.zipRight(crashPoint, Effect.zipLeft(call, crashPoint)),
    untilDone
  }
}
