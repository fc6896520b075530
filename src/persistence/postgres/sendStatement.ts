import { SqlError } from "@effect/sql/SqlError"
import type { Pool, QueryResult } from "pg"

/** Who waits for a statement; one of the two is called, once. */
interface StatementCallbacks<Row> {
  /** The rows; of several statements in one text, those of each. */
  readonly onRows: (rows: ReadonlyArray<Row>) => void
  readonly onFailed: (error: SqlError) => void
}

/**
 * Sends a statement on a connection of the pool. An error of the server leaves the connection in the pool, as in
 * @effect/sql-pg; that of `Pool.query` would close it.
 */
export const sendStatement = <Row>(
  pool: Pool,
  text: string,
  values: ReadonlyArray<unknown>,
  { onFailed, onRows }: StatementCallbacks<Row>
): void => {
  const fail = (cause: unknown) => onFailed(new SqlError({ cause, message: "Failed to execute statement" }))
  pool.connect((unconnected, connection, release) => {
    if (connection === undefined) return fail(unconnected)
    let isAnswered = false
    connection.on("error", ignore)
    connection.query(text, [...values], (cause: Error | null, result: QueryResult | ReadonlyArray<QueryResult>) => {
      // A parameter that cannot be sent is reported before the answer of the server, which follows.
      if (isAnswered) return
      isAnswered = true
      connection.off("error", ignore)
      release()
      if (cause) fail(cause)
      else onRows("rows" in result ? result.rows : result.map(({ rows }) => rows))
    })
  })
}

/** The callback of the statement gets the error too; without a listener the event would end the process. */
const ignore = () => {}
