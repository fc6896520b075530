import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { urlOf } from "../persistence/freshDatabase.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"

/** The environment of a command; nothing of ours comes into it. */
export type CliEnvironment = Readonly<Record<string, string>>

/** The environment of a command that works on a database of the tests. */
export const environmentOf = (database: TestDatabase): CliEnvironment => ({
  DATABASE_URL: Redacted.value(urlOf(database))
})

/** How a command ended: its exit code and what it said. */
export const exitResult = (code: number, out: string, err = "") => ({ code, out, err })

/** More of them at once than there are cores would only wait for each other. */
const cores = Effect.unsafeMakeSemaphore(3)

/** Runs the command line to its end. */
export const runCli = (place: CliEnvironment, ...args: ReadonlyArray<string>) => runCliWithInput("", place, ...args)

/** Runs the command line to its end with something on its standard input. */
export const runCliWithInput = (input: string, place: CliEnvironment, ...args: ReadonlyArray<string>) =>
  cores.withPermits(1)(
    Effect.scoped(
      Effect.flatMap(startCli(place, ...args), ({ end, say }) => {
        say(input)
        return end
      })
    )
  )

/** Starts the command line in a process of its own. */
export const startCli = (place: CliEnvironment, ...args: ReadonlyArray<string>) =>
  startProgram(`${import.meta.dir}/../../src/cli.ts`, args, place)

/** Has another process open the database of a directory and hold it. */
export const holdDatabase = (directory: string) =>
  Effect.flatMap(startProgram(`${import.meta.dir}/../support/holdPostgres.ts`, [directory], {}), (_) => _.firstWords)

/** Starts a program of this repository, which dies with the scope. */
export const startProgram = (program: string, args: ReadonlyArray<string>, place: CliEnvironment) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [program, ...args], { env: { PATH: process.env["PATH"], ...place } })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    (child) => {
      const said = { out: "", err: "" }
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text))
      child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text))
      const closed = once(child, "close")
      const firstWords = Promise.race([once(child.stdout, "data"), once(child.stderr, "data")])
      return {
        /** All of its standard input. */
        say: (text: string) => child.stdin.end(text),
        firstWords: Effect.promise(() => firstWords),
        end: Effect.map(
          Effect.promise(() => closed),
          ([code]) => exitResult(code, said.out, said.err)
        )
      }
    }
  )
