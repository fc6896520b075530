import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"

type Statements = Effect.Effect<unknown, SqlError>

/** An index on a table that may have rows. */
interface IndexCreation {
  readonly name: string
  readonly table: string
  /** The text after the table: the columns, and the condition of a partial index. */
  readonly on: string
  readonly unique?: boolean
}

/**
 * A part of a migration, committed before the next; a killed start goes on with it.
 * - `Change`: changes tables in a moment, with few locks, which requests wait for.
 * - `CreateIndex`, `DropIndex`: an index on an existing table, while requests read and write.
 * - `MoveData`: batches of some hundred rows, each in a transaction. `after` is the last key of the batch before, at first
 * an empty text. The statement returns its own as `last`, null when no row was left.
 */
export type MigrationStep = Data.TaggedEnum<{
  Change: { readonly statements: (sql: SqlClient.SqlClient) => Statements }
  CreateIndex: IndexCreation
  DropIndex: { readonly name: string }
  MoveData: { readonly moveBatch: (sql: SqlClient.SqlClient, after: string) => Statements }
}>

/** A migration is its steps. One that only makes tables, or adds columns, is the statements of its only step. */
export type Migration = Effect.Effect<unknown, SqlError, SqlClient.SqlClient> | ReadonlyArray<MigrationStep>

export const MigrationStep = Data.taggedEnum<MigrationStep>()

/** The steps of a migration in either form. */
export const stepsOf = (migration: Migration): ReadonlyArray<MigrationStep> =>
  Effect.isEffect(migration)
    ? [MigrationStep.Change({ statements: (sql) => Effect.provideService(migration, SqlClient.SqlClient, sql) })]
    : migration
