import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
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
 * A part of a migration, which commits before the next one begins. A start that is killed goes on with the step at which
 * it was.
 *
 * - `Change`: statements that change tables, and take a moment however many rows there are: their transaction locks the
 *   tables, so that requests wait for its end. It touches as few existing tables as it can.
 * - `CreateIndex`, `DropIndex`: an index on an existing table, made or removed while requests read and write.
 * - `MoveData`: batches of some hundred rows, each in a transaction of its own, whose locks requests wait for: a batch of
 *   connections is `isInNextBatch`. `after` is the key of the last row of the batch before, at first an empty text. The
 *   statement returns that of its own batch as `last`, null when no row was left.
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

/**
 * The condition of the connections that follow one, in the order of their ids: at most `limit`, and no more once their
 * documents have half a mebibyte, since a request waits for a connection until its whole batch is computed.
 */
export const isInNextBatch = (sql: SqlClient.SqlClient, after: string, limit = 500): Fragment => sql`
  id in (
    select id from (
      select id, sum(octet_length(doc)) over (order by id) - octet_length(doc) as bytes_before from (
        select id, doc from connections where id > ${after} order by id limit ${limit}
      ) as following
    ) as measured where bytes_before < 524288
  )`

/** The steps of a migration in either form. */
export const stepsOf = (migration: Migration): ReadonlyArray<MigrationStep> =>
  Effect.isEffect(migration)
    ? [MigrationStep.Change({ statements: (sql) => Effect.provideService(migration, SqlClient.SqlClient, sql) })]
    : migration
