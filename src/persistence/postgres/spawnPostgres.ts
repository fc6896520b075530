import { Effect } from "effect"
import { spawn } from "node:child_process"
import { EmbeddedPostgresUnavailable } from "./EmbeddedPostgresUnavailable.ts"

/** Whom a program of PostgreSQL runs as when it is not us: it refuses root, so root's runs as "nobody". */
export const postgresUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/**
 * Runs a program as the server's user for as long as the scope lives. `ended` waits for its end and tells its exit code
 * (128 + n after signal n) and the last lines it wrote to stderr. Closing the scope sends SIGINT and waits; the program
 * gets the SIGINT as well when this process ends without closing anything, even by SIGKILL.
 */
export const spawnPostgres = (command: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.try({ try: () => start(command, environment), catch: cannotRun(command) }),
    ({ ended, interrupt }) => Effect.zipRight(Effect.sync(interrupt), Effect.exit(ended))
  ).pipe(Effect.map(({ ended }) => ({ ended })))

const cannotRun =
  ([program]: ReadonlyArray<string>) =>
  (cause: unknown) =>
    EmbeddedPostgresUnavailable.startFailed(`Cannot run ${program}: ${cause}`)

/** The kernel closes our end of this shell's stdin however we end, and the end of that file is its word to stop. */
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
    // A session of its own: Ctrl-C in a terminal is for us alone.
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
