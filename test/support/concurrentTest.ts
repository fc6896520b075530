import { test } from "bun:test"
import { Cause, Effect, Exit, type Scope } from "effect"
import { patience } from "./patience.ts"

/** A test on the real clock that mostly waits. Such tests of one file run concurrently. */
export const concurrentTest = <E>(name: string, body: () => Effect.Effect<unknown, E, Scope.Scope>): void =>
  test.concurrent(
    name,
    async () => {
      const exit = await Effect.runPromiseExit(Effect.scoped(body()))
      if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    },
    patience
  )
