import { afterAll, beforeAll, describe, test } from "bun:test"
import { Cause, Effect, Exit, type Layer, ManagedRuntime, type Scope, TestContext } from "effect"
import { patience } from "./patience.ts"

/** As in a service without a tracer, which makes no spans: they would take a tenth of the processor time of the tests. */
const withoutSpans = Effect.withTracerEnabled(false)

/** A test on a clock that moves only by `TestClock.adjust`. It computes, behind those with a real clock, so it has more time. */
export const effect = <E>(name: string, body: () => Effect.Effect<unknown, E, Scope.Scope>): void =>
  test(
    name,
    async () =>
      throwFailure(
        await Effect.runPromiseExit(Effect.scoped(body()).pipe(Effect.provide(TestContext.TestContext), withoutSpans))
      ),
    3 * patience
  )

/** A test on the real clock. */
export const live = <E>(name: string, body: () => Effect.Effect<unknown, E, Scope.Scope>): void =>
  test(name, async () => throwFailure(await Effect.runPromiseExit(withoutSpans(Effect.scoped(body())))), patience)

/** Tests on the real clock that share one layer, built before the first and released after the last. */
export const withLayer = <R, E>(
  name: string,
  layer: Layer.Layer<R, E>,
  tests: (live: <E2>(name: string, body: () => Effect.Effect<unknown, E2, R | Scope.Scope>) => void) => void
): void =>
  describe(name, () => {
    const runtime = ManagedRuntime.make(layer)
    beforeAll(async () => throwFailure(await runtime.runPromiseExit(Effect.void)), patience)
    afterAll(() => runtime.dispose(), patience)
    tests((title, body) =>
      test(title, async () => throwFailure(await runtime.runPromiseExit(Effect.scoped(body()))), patience)
    )
  })

const throwFailure = <A, E>(exit: Exit.Exit<A, E>): void => {
  if (Exit.isSuccess(exit)) return
  const [first, ...others] = Cause.prettyErrors(exit.cause)
  others.forEach((error) => console.error(error))
  throw first ?? new Error("interrupted")
}
