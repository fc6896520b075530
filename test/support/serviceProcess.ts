import { Effect, type Scope } from "effect"
import { fileURLToPath } from "node:url"

/** The service as a process of its own, as the README starts it. */
export interface ServiceProcess {
  readonly pid: number
  readonly url: string
  /** The first API key, which is printed when the data directory is empty. */
  readonly key: string
  /** All that it has written to standard output so far. */
  readonly output: () => string
  /** Sends a signal and gives the exit code. */
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Effect.Effect<number>
}

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** Starts the service with these settings; when the scope closes it is killed, if it still runs. */
export const startService = (settings: Record<string, string>): Effect.Effect<ServiceProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn([process.execPath, "run", main], {
          env: { PATH: process.env["PATH"] ?? "", PORT: "0", LOG_LEVEL: "error", ...settings },
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe"
        })
      ),
      (running) => end(running, "SIGKILL")
    )
    const said = { text: "" }
    const welcome = yield* Effect.promise(() => welcomeOf(child, said))
    return {
      pid: child.pid,
      url: /listens on (\S+)/.exec(welcome)?.[1] ?? "",
      key: /dck_\w+/.exec(welcome)?.[0] ?? "",
      output: () => said.text,
      end: (signal) => end(child, signal)
    }
  })

const end = (child: Bun.Subprocess, signal: "SIGKILL" | "SIGTERM") =>
  Effect.promise(() => {
    child.kill(signal)
    return child.exited
  })

/** Reads for as long as the child writes; what it said on standard error is told if it ends before its welcome. */
const welcomeOf = (child: Bun.ReadableSubprocess, said: { text: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const chunk of child.stdout) {
        said.text += decoder.decode(chunk, { stream: true })
        if (/curl -s/.test(said.text)) resolve(said.text)
      }
      reject(new Error(`the service ended before it was ready: ${await new Response(child.stderr).text()}`))
    }
    void read()
  })
