import { Command, Options } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Console, Effect, type Layer, Option } from "effect"
import { checkUpgrade, type UpgradeCheck } from "../persistence/postgres/migrate.ts"
import { setExitCode, stopBeforeUpgradeExitCode } from "./exitCodes.ts"
import { json, printResult } from "./options.ts"

const check = Options.boolean("check").pipe(
  Options.withDescription(
    "Change nothing: list what is pending, and say whether a rolling upgrade is safe. Exits with 4 if it is not."
  )
)

/** The database of `migrate`: brought up to date, or as it is. */
interface MigrateDatabases<A, E, R> {
  readonly upToDate: Layer.Layer<A, E, R>
  readonly asFound: Layer.Layer<SqlClient.SqlClient, E, R>
}

/** `migrate`: runs the migrations alone, or checks beside the running service what they would be. */
export const makeMigrateCommand = <A, E, R>({ asFound, upToDate }: MigrateDatabases<A, E, R>) =>
  Command.make("migrate", { check, json }, (options) =>
    options.check
      ? Effect.provide(printCheck(options.json), asFound)
      : Effect.provide(Console.log("The database is up to date."), upToDate)
  ).pipe(Command.withDescription("Bring the database up to date, or check what that would do."))

const printCheck = (asJson: boolean) =>
  Effect.gen(function* () {
    const found = yield* checkUpgrade
    yield* printResult(asJson, toDocument(found), formatCheck(found))
    if (!isRolling(found)) yield* setExitCode(stopBeforeUpgradeExitCode)
  })

const isRolling = ({ pending }: UpgradeCheck): boolean =>
  pending.every(({ endsOlderVersions }) => Option.isNone(endsOlderVersions))

const toDocument = (found: UpgradeCheck) => ({
  schema: Option.getOrNull(found.newest),
  pending: found.pending.map(({ name }) => name),
  isRollingUpgradeSafe: isRolling(found),
  longTransactions: found.longTransactions
})

const formatCheck = (found: UpgradeCheck): string =>
  [
    Option.match(found.newest, {
      onNone: () => "The database has no tables.",
      onSome: (newest) => `The database has the schema ${newest}.`
    }),
    found.pending.length === 0 ? "Nothing is pending." : "Pending:",
    ...found.pending.map(
      ({ endsOlderVersions, name }) =>
        `  ${name}${Option.match(endsOlderVersions, { onNone: () => "", onSome: (reason) => `: ${reason}` })}`
    ),
    ...found.longTransactions.map(
      ({ application, pid, transactionStartedAt, user }) =>
        `In the way: ${application} (pid ${pid}, user ${user}), whose transaction began at ${transactionStartedAt}.`
    ),
    isRolling(found)
      ? "A rolling upgrade is safe."
      : "A rolling upgrade is not safe: stop every process of the running version first."
  ].join("\n")
