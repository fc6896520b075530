import { Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { freePort } from "../../test/support/freePort.ts"
import { startCompiledService } from "../../test/support/serviceProcess.ts"

/** A process of a cluster that starts again with other master keys. */
interface RotatingProcess {
  readonly url: string
  /** Stops the process as an operator does, and starts it with these keys. */
  readonly restart: (keys: string) => Effect.Effect<void>
}

/** Starts a process with these keys, on a port that it keeps. */
export const startRotatingProcess = (
  environment: Readonly<Record<string, string>>,
  keys: string
): Effect.Effect<RotatingProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = freePort()
    const parent = yield* Effect.scope
    const start = (keys: string) =>
      Effect.gen(function* () {
        const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
        const service = yield* Scope.extend(
          startCompiledService({ ...environment, PORT: String(port), MASTER_KEY: keys }),
          scope
        )
        return { service, stop: Effect.zipRight(service.end("SIGTERM"), Scope.close(scope, Exit.void)) }
      })
    let running = yield* start(keys)
    return {
      url: `http://127.0.0.1:${port}`,
      restart: (keys) =>
        Effect.gen(function* () {
          yield* running.stop
          running = yield* start(keys)
        })
    }
  })
