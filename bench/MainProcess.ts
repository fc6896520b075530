import { Effect, type Scope } from "effect"
import { temporaryDirectory } from "../test/support/TestPostgres.ts"
import { freePort } from "../test/support/freePort.ts"

/** The service as a user starts it, once it is ready. */
export interface MainProcess {
  readonly pid: number
  /** From the start of the process to the first 200 of `/readyz`. */
  readonly readyMillis: number
}

/** Runs `src/main.ts` on a data directory while the scope lives. */
export const startMainProcess = (
  dataDirectory: string,
  environment: Readonly<Record<string, string>> = {}
): Effect.Effect<MainProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = freePort()
    const startedAt = performance.now()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn([process.execPath, `${import.meta.dir}/../src/main.ts`], {
          env: { PATH: process.env["PATH"], DATA_DIR: dataDirectory, PORT: String(port), ...environment },
          stdio: ["ignore", "ignore", 2]
        })
      ),
      (child) =>
        Effect.promise(() => {
          child.kill()
          return child.exited
        })
    )
    yield* Effect.promise(() => waitUntilReady(port))
    return { pid: child.pid, readyMillis: performance.now() - startedAt }
  })

/** Creates an empty data directory, which is removed at the end of the run. */
export const emptyDataDirectory = Effect.sync(temporaryDirectory)

const waitUntilReady = async (port: number): Promise<void> => {
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false
    )
    if (isReady) return
    await Bun.sleep(5)
  }
  throw new Error("the service did not become ready")
}
