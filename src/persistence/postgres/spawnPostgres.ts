import { Data, Effect } from "effect"
import { spawn } from "node:child_process"

/**
 * The user of PostgreSQL under root, which it refuses: "nobody", as initdb needs a name. No system assigns this group, so
 * that other programs of the user reach neither its files nor its memory.
 */
export const postgresUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_525 } : undefined

/**
 * Runs a program while the scope is open. `ended` returns its exit code (128 + n after signal n) and its last lines on
 * stderr. It gets SIGINT when the scope closes, or this process ends, even by SIGKILL.
 */
export const spawnPostgres = (command: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.try({ try: () => start(command, environment), catch: cannotRun(command) }),
    ({ ended, interrupt }) => Effect.zipRight(Effect.sync(interrupt), Effect.exit(ended))
  ).pipe(Effect.map(({ ended }) => ({ ended })))

/** The private PostgreSQL cannot run; `message` says why and what the operator can do. */
export class EmbeddedPostgresUnavailable extends Data.TaggedError("EmbeddedPostgresUnavailable")<{
  readonly reason: "program_missing" | "directory_unusable" | "wrong_version" | "start_failed"
  readonly message: string
}> {
  static readonly startFailed = (message: string) =>
    new EmbeddedPostgresUnavailable({ reason: "start_failed", message })

  static readonly directoryUnusable = (message: string) =>
    new EmbeddedPostgresUnavailable({ reason: "directory_unusable", message })
}

const cannotRun =
  ([program]: ReadonlyArray<string>) =>
  (cause: unknown) =>
    EmbeddedPostgresUnavailable.startFailed(`Cannot run ${program}: ${cause}`)

/** Interrupts the program at the end of stdin, which the kernel closes however this process ends. */
const boundToStdin = `
exec 3<&0 </dev/null
"$@" 3<&- & program=$!
{ read -r _; kill -INT "$program"; } <&3 3<&- 2>/dev/null & watcher=$!
exec 3<&-
wait "$program"; code=$?
kill "$watcher" 2>/dev/null
exit "$code"`

const start = (command: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) => {
  const child = spawn("/bin/sh", ["-c", boundToStdin, "sh", ...command], {
    ...postgresUser,
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...environment },
    // A session of its own, so that Ctrl-C in a terminal reaches this process only.
    detached: true,
    stdio: ["pipe", "ignore", "pipe"]
  })
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-4_000)
  })
  child.stdin.on("error", () => undefined)
  const exited = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve))
  return {
    interrupt: () => child.stdin.end(),
    ended: Effect.tryPromise({ try: () => exited, catch: cannotRun(command) }).pipe(
      Effect.map((exitCode) => ({ exitCode, lastLines: output.trim().split("\n").slice(-10).join("\n") }))
    )
  }
}
