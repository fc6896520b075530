import { Effect, Scope } from "effect"
import { compileProgram } from "../../test/support/compileProgram.ts"
import { startService } from "../../test/support/serviceProcess.ts"

/** A process of the service that is killed and started again. */
export interface WatchingProcess {
  readonly url: () => string
  /** Kills it, and starts it again after a while; unless it is down already. */
  readonly restart: (afterMillis: number) => Effect.Effect<unknown>
  /** The errors in the logs of all its lives. */
  readonly errors: () => ReadonlyArray<string>
}

/** Starts the process; `onChange` is called when it is killed and when it is ready again. */
export const startWatchingProcess = (
  environment: Readonly<Record<string, string>>,
  onChange: (isReady: boolean) => void
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const semaphore = yield* Effect.makeSemaphore(1)
    const outputs: Array<() => string> = []
    const executable = yield* Effect.promise(() => compileProgram(`${import.meta.dir}/watchingService.ts`))
    const start = startService(environment, () => [executable]).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.tap(({ output }) => Effect.sync(() => outputs.push(output)))
    )
    let running = yield* start
    const watching: WatchingProcess = {
      url: () => running.url,
      restart: (afterMillis) =>
        semaphore.withPermitsIfAvailable(1)(
          Effect.gen(function* () {
            onChange(false)
            yield* running.end("SIGKILL")
            yield* Effect.sleep(afterMillis)
            running = yield* start
            onChange(true)
          })
        ),
      errors: () =>
        outputs.flatMap((output) =>
          output()
            .split("\n")
            .filter((line) => line.includes('"logLevel":"ERROR"'))
        )
    }
    return watching
  })
