import { Command, Options } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Console, Effect, type Layer, Option } from "effect"
import { bringUpToDate, testTablesAsFound } from "../persistence/commandDatabase.ts"
import type { DatabaseUrl } from "../persistence/postgres/databasePool.ts"
import { checkUpgrade, type UpgradeCheck } from "../persistence/postgres/migrate.ts"
import { setExitCode, stopBeforeUpgradeExitCode } from "./exitCodes.ts"
import { json, printResult } from "./options.ts"

const check = Options.boolean("check").pipe(
  Options.withDescription(
    "Change nothing: list what is pending, and say whether a rolling upgrade is safe. Exits with 4 if it is not."
  )
)

/** `migrate`: runs the migrations alone, or checks beside the running service what they would be. */
export const makeMigrateCommand = <E, R>(database: Layer.Layer<SqlClient.SqlClient | DatabaseUrl, E, R>) =>
  Command.make("migrate", { check, json }, (options) =>
    Effect.provide(
      options.check
        ? printCheck(options.json)
        : Effect.zipRight(bringUpToDate, Console.log("The database is up to date.")),
      database
    )
  ).pipe(Command.withDescription("Bring the database up to date, or check what that would do."))

const printCheck = (asJson: boolean) =>
  Effect.gen(function* () {
    const found = yield* checkUpgrade
    const inTestMode = yield* Effect.provide(checkUpgrade, testTablesAsFound)
    const both: CheckedTables = { found, inTestMode: Option.as(inTestMode.newest, inTestMode) }
    yield* printResult(asJson, toDocument(both), formatCheck(both))
    if (!isRolling(both)) yield* setExitCode(stopBeforeUpgradeExitCode)
  })

/** What was found of the live tables and of those of test mode, which are there once somebody has used it. */
interface CheckedTables {
  readonly found: UpgradeCheck
  readonly inTestMode: Option.Option<UpgradeCheck>
}

const isRolling = ({ found, inTestMode }: CheckedTables): boolean =>
  [found, ...Option.toArray(inTestMode)].every(({ pending }) =>
    pending.every(({ endsOlderVersions }) => Option.isNone(endsOlderVersions))
  )

const toDocument = ({ found, inTestMode }: CheckedTables) => ({
  ...toTables(found),
  testMode: Option.getOrNull(Option.map(inTestMode, toTables)),
  isRollingUpgradeSafe: isRolling({ found, inTestMode }),
  longTransactions: listLongTransactions({ found, inTestMode })
})

/** Both are of the same database, and empty where nothing is pending. */
const listLongTransactions = ({ found, inTestMode }: CheckedTables) =>
  found.longTransactions.length > 0 || Option.isNone(inTestMode)
    ? found.longTransactions
    : inTestMode.value.longTransactions

const toTables = ({ newest, pending }: UpgradeCheck) => ({
  schema: Option.getOrNull(newest),
  pending: pending.map(({ name }) => name)
})

const listPending = ({ pending }: UpgradeCheck): ReadonlyArray<string> => [
  pending.length === 0 ? "Nothing is pending." : "Pending:",
  ...pending.map(
    ({ endsOlderVersions, name }) =>
      `  ${name}${Option.match(endsOlderVersions, { onNone: () => "", onSome: (reason) => `: ${reason}` })}`
  )
]

const formatCheck = ({ found, inTestMode }: CheckedTables): string =>
  [
    Option.match(found.newest, {
      onNone: () => "The database has no tables.",
      onSome: (newest) => `The database has the schema ${newest}.`
    }),
    ...listPending(found),
    ...Option.match(inTestMode, {
      onNone: () => [],
      onSome: (test) => [`Test mode has the schema ${Option.getOrElse(test.newest, () => "")}.`, ...listPending(test)]
    }),
    ...listLongTransactions({ found, inTestMode }).map(
      ({ application, pid, transactionStartedAt, user }) =>
        `In the way: ${application} (pid ${pid}, user ${user}), whose transaction ` +
        (transactionStartedAt === null
          ? "has an age that only a role with pg_read_all_stats sees."
          : `began at ${transactionStartedAt}.`)
    ),
    isRolling({ found, inTestMode })
      ? "A rolling upgrade is safe."
      : "A rolling upgrade is not safe: stop every process of the running version first."
  ].join("\n")
