import { expect } from "bun:test"
import { Effect, Schedule } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { live } from "../effectTest.ts"
import { makeServer, run } from "./Server.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(`${tmpdir()}/server-`)),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const waitUntilGone = (pid: number) => {
  const isAlive = Effect.sync(() => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })
  return isAlive.pipe(Effect.repeat({ until: (alive) => !alive, schedule: Schedule.spaced("5 millis") }))
}

live("a server that exits before it is ready fails with its output", () =>
  Effect.gen(function* () {
    const directory = yield* temporary
    const server = yield* makeServer({
      name: "broken",
      directory,
      command: ["sh", "-c", "echo unknown option; echo fatal >&2; exit 1"],
      ready: Effect.succeed(false)
    })
    const error = yield* Effect.flip(server.start)
    expect(error.message).toBe("broken did not start:\nunknown option\nfatal\n")
  })
)

live("a server can be stopped and started, and is stopped with its scope", () =>
  Effect.gen(function* () {
    const directory = yield* temporary
    const file = `${directory}/pids`
    const pids = () => readFileSync(file, "utf8").trim().split("\n").map(Number)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const command = ["sh", "-c", "echo $$ >> pids; exec sleep 60"]
        // The shell creates the file before it writes to it.
        const ready = Effect.sync(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"))
        const server = yield* makeServer({ name: "held", directory, command, ready })
        yield* server.start
        yield* server.stop
        yield* Effect.forEach(pids(), waitUntilGone)
        rmSync(file)
        yield* server.start
      })
    )
    yield* Effect.forEach(pids(), waitUntilGone)
  })
)

live("a server does not outlive a process that is killed", () =>
  Effect.gen(function* () {
    const directory = yield* temporary
    const holder = Bun.spawn([process.execPath, `${import.meta.dir}/holdServer.ts`, directory], { stdout: "pipe" })
    yield* Effect.promise(() => holder.stdout.getReader().read())
    const pid = Number(readFileSync(`${directory}/pid`, "utf8"))
    expect(yield* run("kill", "-0", String(pid))).toBe("")
    holder.kill("SIGKILL")
    yield* waitUntilGone(pid)
  })
)
