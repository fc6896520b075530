import { Effect, type Scope } from "effect"
import { fileURLToPath } from "node:url"
import { compileProgram } from "./compileProgram.ts"

/** The service as a separate process. */
export interface ServiceProcess {
  readonly pid: number
  readonly url: string
  /** The first live API key, which the service prints when its data directory is empty. */
  readonly key: string
  /** Everything that it has written so far. */
  readonly output: () => string
  /** The same of its standard output only: the log. */
  readonly log: () => string
  /** Sends a signal and returns the exit code. */
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Effect.Effect<number>
}

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** The command that is spawned for a command, to run it in another environment. */
type WrapCommand = (command: ReadonlyArray<string>) => ReadonlyArray<string>

/** Starts the service as in the README, with these settings. It is killed when the scope closes. */
export const startService = (
  settings: Record<string, string>,
  wrap?: WrapCommand
): Effect.Effect<ServiceProcess, never, Scope.Scope> => startProcess([process.execPath, "run", main], settings, wrap)

/** The same with the files of another version in this directory. */
export const startServiceOf =
  (directory: string): typeof startService =>
  (settings, wrap) =>
    startProcess([process.execPath, "run", `${directory}/src/main.ts`], settings, wrap)

/** The same with the compiled service, which starts faster, for tests that start many processes. */
export const startCompiledService: typeof startService = (settings, wrap) =>
  Effect.flatMap(
    Effect.promise(() => compileProgram(main)),
    (executable) => startProcess([executable], settings, wrap)
  )

const startProcess = (
  command: ReadonlyArray<string>,
  settings: Record<string, string>,
  wrap: WrapCommand = (unwrapped) => unwrapped
): Effect.Effect<ServiceProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn([...wrap(command)], {
          env: { PATH: process.env["PATH"] ?? "", PORT: "0", LOG_LEVEL: "error", ...settings },
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe"
        })
      ),
      (running) => end(running, "SIGKILL")
    )
    const written = { all: "", log: "" }
    const banner = yield* Effect.promise(() => readBanner(child, written))
    return {
      pid: child.pid,
      url: /listens on (\S+)/.exec(banner)?.[1] ?? "",
      key: /dck_live_\w+/.exec(banner)?.[0] ?? "",
      output: () => written.all,
      log: () => written.log,
      end: (signal) => end(child, signal)
    }
  })

const end = (child: Bun.Subprocess, signal: "SIGKILL" | "SIGTERM") =>
  Effect.promise(() => {
    child.kill(signal)
    return child.exited
  })

/** Reads until the child's startup banner is complete, and goes on reading. Fails with its output if it ends first. */
const readBanner = (child: Bun.ReadableSubprocess, written: { all: string; log: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const read = async (stream: ReadableStream<Uint8Array>, keep: (text: string) => void) => {
      const decoder = new TextDecoder()
      for await (const chunk of stream) {
        const text = decoder.decode(chunk, { stream: true })
        keep(text)
        written.all += text
        if (/curl -s/.test(written.all)) resolve(written.all)
      }
    }
    const ended = [read(child.stdout, (text) => (written.log += text)), read(child.stderr, () => {})]
    void Promise.all(ended).then(() => reject(new Error(`the service ended before it was ready: ${written.all}`)))
  })
