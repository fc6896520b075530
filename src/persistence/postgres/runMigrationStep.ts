import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Option, Schema } from "effect"
import { decodeRows } from "../stores/decodeRows.ts"
import type { MigrationSession } from "./MigrationSession.ts"
import { MigrationStep } from "./MigrationStep.ts"

type ProgressNote = Effect.Effect<unknown, SqlError, SqlClient.SqlClient>

/** The place where a step begins, and the statement that notes its progress in the same transaction. */
interface StepProgress {
  /** The key of the last row that a start before has moved in this step, else an empty text. */
  readonly after: string
  readonly noteBatch: (after: string) => ProgressNote
  readonly noteEnd: ProgressNote
}

/** Runs a step of a migration, from where it was left. */
export const runMigrationStep = (
  session: MigrationSession,
  step: MigrationStep,
  { after, noteBatch, noteEnd }: StepProgress
): Effect.Effect<void, SqlError, SqlClient.SqlClient> => {
  const end = Effect.asVoid(session.runInTransaction(noteEnd))
  return MigrationStep.$match(step, {
    Change: ({ statements }) =>
      Effect.asVoid(
        session.runInTransaction(Effect.zipRight(Effect.flatMap(SqlClient.SqlClient, statements), noteEnd))
      ),
    CreateIndex: (index) => Effect.zipRight(createIndex(session, index), end),
    DropIndex: ({ name }) => Effect.zipRight(session.run(execute(`drop index concurrently if exists ${name}`)), end),
    MoveData: ({ moveBatch }) => {
      const moveFrom = (from: string): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
        session
          .runInTransaction(
            Effect.flatMap(SqlClient.SqlClient, (sql) => moveBatch(sql, from)).pipe(
              Effect.flatMap(findLastKey),
              Effect.tap(Option.match({ onNone: () => noteEnd, onSome: noteBatch }))
            )
          )
          .pipe(Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: moveFrom })))
      return moveFrom(after)
    }
  })
}

const findLastKey = (rows: unknown) => Effect.map(decodeLastKeys(rows), ([row]) => Option.fromNullable(row?.last))

const decodeLastKeys = decodeRows(Schema.Struct({ last: Schema.NullOr(Schema.String) }))

const execute = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

/**
 * Makes an index unless it exists. An invalid one of a killed start is made anew: writes would pay for it, and no query
 * uses it. On a table without rows it takes no time, and waits for nobody.
 */
const createIndex = (
  session: MigrationSession,
  { name, on, table, unique = false }: Parameters<typeof MigrationStep.CreateIndex>[0]
) =>
  Effect.gen(function* () {
    const { exists, isEmpty, isValid } = yield* session.run(findIndex(name, table))
    if (isValid) return
    if (exists) yield* session.run(execute(`drop index concurrently ${name}`))
    const create = (how: string) => execute(`create ${unique ? "unique " : ""}index ${how}${name} on ${table} ${on}`)
    yield* isEmpty ? session.runInTransaction(create("")) : session.run(create("concurrently "))
  })

const findIndex = (name: string, table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`
      select to_regclass(${name}) is not null as exists, not exists (select from ${sql(table)}) as "isEmpty",
        exists (select from pg_index where indexrelid = to_regclass(${name}) and indisvalid) as "isValid"`
    const [found = { exists: false, isEmpty: false, isValid: false }] = yield* decodeIndex(rows)
    return found
  })

const decodeIndex = decodeRows(
  Schema.Struct({ exists: Schema.Boolean, isEmpty: Schema.Boolean, isValid: Schema.Boolean })
)
