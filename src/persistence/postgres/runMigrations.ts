import { SqlClient } from "@effect/sql"
import { Array, Data, Effect, Option, Order, Schema } from "effect"
import { isOutage, readSqlErrorReason } from "../StoreUnavailable.ts"
import { decodeRows } from "../stores/decodeRows.ts"
import { type MigrationSession, openMigrationSession } from "./MigrationSession.ts"
import { type Migration, stepsOf } from "./MigrationStep.ts"
import { runMigrationStep } from "./runMigrationStep.ts"

/** A newer version of the service has changed the tables; `message` names both versions of the schema. */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{ readonly message: string }> {}

/** The server refused a statement of a migration; `message` names both, and the server's message. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{ readonly message: string }> {}

type Migrations = Readonly<Record<string, Migration>>

/** The migrations of a database, among those that a program knows. */
interface AppliedMigrations {
  /** The name of the newest one; none in a database without tables. */
  readonly newest: Option.Option<string>
  /** The names of the missing migrations, oldest first. */
  readonly pending: ReadonlyArray<string>
}

/** Compares a database with the migrations that this program knows; fails if it has one that this program does not. */
export const findAppliedMigrations = (migrations: Migrations) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const known = Object.keys(migrations)
    const [table] = yield* sql`select to_regclass('migrations') is not null as exists`
    if (table?.["exists"] !== true) return { newest: Option.none(), pending: known } satisfies AppliedMigrations
    const applied = yield* decodeApplied(yield* sql`select migration_id as id, name from migrations`)
    const unknown = applied.filter(({ id }) => !known.some((name) => idOf(name) === id))
    if (Array.isNonEmptyReadonlyArray(unknown)) {
      const newest = Array.max(unknown, byId)
      return yield* new SchemaTooNew({
        message:
          `the database has the schema ${nameOf(newest)} of a newer version of this ` +
          `program, which knows schemas up to ${known.at(-1)}: start the newer version, or restore the backup from ` +
          "before its start (docs/operations.md)"
      })
    }
    return {
      newest: Option.map(Array.last(Array.sort(applied, byId)), nameOf),
      pending: known.filter((name) => !applied.some(({ id }) => id === idOf(name)))
    } satisfies AppliedMigrations
  })

interface AppliedMigration {
  readonly id: number
  readonly name: string
}

const decodeApplied = decodeRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))

const byId = Order.mapInput(Order.number, ({ id }: AppliedMigration) => id)

const nameOf = ({ id, name }: AppliedMigration): string => `${String(id).padStart(4, "0")}_${name}`

const idOf = (name: string): number => Number.parseInt(name, 10)

/** Runs the missing migrations, beside serving processes. Each step commits with the note that it is done. */
export const runMigrations = (migrations: Migrations) =>
  Effect.gen(function* () {
    if ((yield* findAppliedMigrations(migrations)).pending.length === 0) return
    const session = yield* openMigrationSession
    // Another process may have migrated meanwhile.
    const { newest, pending } = yield* findAppliedMigrations(migrations)
    if (pending.length === 0) return
    yield* session.runInTransaction(createNotes)
    for (const name of pending) {
      yield* session.begin(name)
      yield* Effect.mapError(runMigration(session, name, migrations[name] ?? []), (error) =>
        isOutage(error)
          ? error
          : new MigrationFailed({ message: `the migration ${name} failed: ${readSqlErrorReason(error)}` })
      )
      if (Option.isSome(newest)) yield* Effect.logInfo("Migration done").pipe(Effect.annotateLogs({ migration: name }))
    }
  }).pipe(Effect.scoped, Effect.zipLeft(Effect.logDebug("The tables are up to date")))

/** `migrations` has a row for each finished migration, `migration_progress` one for the unfinished one, at its step. */
const createNotes = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table if not exists migrations (
      migration_id integer primary key,
      created_at timestamp with time zone not null default now(),
      name text not null
    );
    create table if not exists migration_progress (
      migration_id integer primary key,
      step integer not null,
      after text not null
    )`
)

const runMigration = (session: MigrationSession, name: string, migration: Migration) =>
  Effect.gen(function* () {
    const steps = stepsOf(migration)
    const reached = yield* findProgress(name)
    for (const [nth, step] of steps.entries()) {
      if (nth < reached.step) continue
      yield* runMigrationStep(session, step, {
        after: nth === reached.step ? reached.after : "",
        noteBatch: (after) => noteProgress(name, { step: nth, after }),
        noteEnd: nth + 1 < steps.length ? noteProgress(name, { step: nth + 1, after: "" }) : noteMigration(name)
      })
    }
  })

interface MigrationProgress {
  /** How many steps of the migration are done. */
  readonly step: number
  /** The key of the last row that the step after those has moved. */
  readonly after: string
}

const findProgress = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`select step, after from migration_progress where migration_id = ${idOf(name)}`
    const [progress = { step: 0, after: "" }] = yield* decodeProgress(rows)
    return progress
  })

const decodeProgress = decodeRows(Schema.Struct({ step: Schema.Int, after: Schema.String }))

const noteProgress = (name: string, { after, step }: MigrationProgress) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into migration_progress (migration_id, step, after) values (${idOf(name)}, ${step}, ${after})
      on conflict (migration_id) do update set step = excluded.step, after = excluded.after`
  )

const noteMigration = (name: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      with done as (delete from migration_progress where migration_id = ${idOf(name)})
      insert into migrations (migration_id, name) values (${idOf(name)}, ${name.replace(/^\d+_/, "")})`
  )
