import { ConfigProvider, Console, Effect, Exit, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { format } from "node:util"
import { runCommandLine } from "../../src/cli.ts"
import { ExitStatus } from "../../src/cli/exitCodes.ts"
import { exitCodeOf, printFailure } from "../../src/runProgram.ts"
import { urlOf } from "../persistence/freshDatabase.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { compileProgram } from "../support/compileProgram.ts"

/** The environment of a command; it inherits only PATH from the tests. */
type CliEnvironment = Readonly<Record<string, string>>

/** The environment of a command that uses a test database. */
export const environmentOf = (database: TestDatabase): CliEnvironment => ({
  DATABASE_URL: Redacted.value(urlOf(database))
})

/** What a command says on standard error about the database of `environmentOf`, with its password left out. */
export const databaseLineOf = (database: TestDatabase): string =>
  `Database: postgresql://${database.username}@localhost/${database.database}?host=${database.socketDirectory} (DATABASE_URL)\n`

/** What it says if it starts the embedded database of a directory. */
export const embeddedLineOf = (directory: string, usage = "which no running service uses"): string =>
  `Database: the embedded PostgreSQL in ${directory} (DATABASE_URL is not set), ${usage}\n`

/** The result of a command: its exit code, stdout and stderr. */
export const exitResult = (code: number, out: string, err = "") => ({ code, out, err })

/** On a busy machine a command may wait for PostgreSQL, and say so: that tells nothing about the command. */
const withoutWaits = (err: string): string =>
  err.replaceAll(/^timestamp=\S+ level=WARN .*the database cannot be reached: .* timeout"\n/gm, "")

/** Limits the commands that run at the same time, since more of them would only compete for the cores. */
const processSlots = Effect.unsafeMakeSemaphore(3)

/**
 * Runs the command line in this process, which takes a tenth of the time of a new one. Not for commands that read the
 * variables of the process or write to its terminal, nor for an embedded database.
 */
export const runCliHere = (environment: CliEnvironment, ...args: ReadonlyArray<string>) =>
  processSlots.withPermits(1)(runHere(runCommandLine(args), environment))

/** Runs a program in this process as `runProgram` does in one of its own, with this environment. */
export const runHere = <A, E>(program: Effect.Effect<A, E>, environment: CliEnvironment) =>
  Console.consoleWith((console) => {
    const result = { code: 0, out: "", err: "" }
    const log = (...values: ReadonlyArray<unknown>) => void (result.out += `${format(...values)}\n`)
    const error = (...values: ReadonlyArray<unknown>) => void (result.err += `${format(...values)}\n`)
    return printFailure(program).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.provideService(ExitStatus, { set: (code) => void (result.code = code) }),
      Effect.withConsole({
        ...console,
        log: (...values) => Effect.sync(() => log(...values)),
        error: (...values) => Effect.sync(() => error(...values)),
        unsafe: { ...console.unsafe, log, error }
      }),
      Effect.exit,
      Effect.map((exit) => ({
        ...result,
        code: Exit.isSuccess(exit) ? result.code : exitCodeOf(exit.cause),
        err: withoutWaits(result.err)
      }))
    )
  })

/** Runs the command line until it exits. */
export const runCli = (environment: CliEnvironment, ...args: ReadonlyArray<string>) =>
  runCliWithInput("", environment, ...args)

/** Runs the command line until it exits, with this standard input. */
export const runCliWithInput = (input: string, environment: CliEnvironment, ...args: ReadonlyArray<string>) =>
  processSlots.withPermits(1)(
    Effect.scoped(
      Effect.flatMap(startCli(environment, ...args), ({ result, writeInput }) => {
        writeInput(input)
        return result
      })
    )
  )

/** Starts the command line in a new process. */
export const startCli = (environment: CliEnvironment, ...args: ReadonlyArray<string>) =>
  startProgram(`${import.meta.dir}/../../src/cli.ts`, args, environment)

/** Starts another process that keeps the database of a directory open. */
export const holdDatabase = (directory: string) =>
  Effect.flatMap(
    startProgram(`${import.meta.dir}/../support/holdPostgres.ts`, [directory], {}),
    (program) => program.firstOutput
  )

/** Starts a program of this repository, compiled, and kills it when the scope closes. */
export const startProgram = (program: string, args: ReadonlyArray<string>, environment: CliEnvironment) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.map(
        Effect.promise(() => compileProgram(program)),
        (executable) => spawn(executable, [...args], { env: { PATH: process.env["PATH"], ...environment } })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    (child) => {
      const output = { out: "", err: "" }
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output.out += text))
      child.stderr.setEncoding("utf8").on("data", (text: string) => (output.err += text))
      const closed = once(child, "close")
      const firstOutput = Promise.race([once(child.stdout, "data"), once(child.stderr, "data")])
      return {
        /** Writes the whole standard input. */
        writeInput: (text: string) => child.stdin.end(text),
        kill: Effect.sync(() => void child.kill("SIGKILL")),
        firstOutput: Effect.promise(() => firstOutput),
        result: Effect.map(
          Effect.promise(() => closed),
          ([code]) => exitResult(code, output.out, withoutWaits(output.err))
        )
      }
    }
  )
