import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import { Effect, Effectable, type Fiber, FiberRef } from "effect"
import type { Pool, QueryResult } from "pg"

/**
 * The same client, whose statements go to the pool in three steps of Effect's runtime. @effect/sql makes a span, a scope
 * and a way to cancel for each, in about 25. Statements go its way while a tracer is on, and in a transaction.
 */
export const sendDirectly = (client: SqlClient.SqlClient, pool: Pool): SqlClient.SqlClient =>
  new Proxy(client, {
    apply: (construct, _, parts) => {
      const made: unknown = Reflect.apply(construct, undefined, parts)
      return isStatement(made) ? sendStatementDirectly(made, pool) : made
    }
  })

type LibraryStatement = Statement<unknown> & Effectable.Class<ReadonlyArray<unknown>, SqlError>

/** Identifiers and other parts of statements are no effects. */
const isStatement = (made: unknown): made is LibraryStatement => made instanceof Effectable.Class

const sendStatementDirectly = (statement: LibraryStatement, pool: Pool): LibraryStatement => {
  const commit = statement.commit.bind(statement)
  return Object.assign(statement, {
    commit: () =>
      Effect.withFiberRuntime<ReadonlyArray<unknown>, SqlError>((fiber) =>
        isPlain(fiber) ? send(statement, pool, fiber) : commit()
      )
  })
}

const isPlain = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  !fiber.getFiberRef(FiberRef.currentTracerEnabled) &&
  !fiber.currentContext.unsafeMap.has(SqlClient.TransactionConnection.key)

/**
 * An error of the server leaves the connection in the pool, as in @effect/sql-pg; that of `Pool.query` would close it.
 * Nothing is sent for a caller that was interrupted while it waited for a connection.
 */
const send = (statement: LibraryStatement, pool: Pool, caller: Fiber.RuntimeFiber<unknown, unknown>) =>
  Effect.async<ReadonlyArray<unknown>, SqlError>((resume) => {
    const fail = (cause: unknown) => resume(new SqlError({ cause, message: "Failed to execute statement" }))
    const [text, parameters] = statement.compile()
    pool.connect((unconnected, connection, release) => {
      if (connection === undefined) return fail(unconnected)
      if (caller.unsafePoll() !== null) return release()
      let isAnswered = false
      connection.on("error", ignore)
      connection.query(
        text,
        [...parameters],
        (cause: Error | null, result: QueryResult | ReadonlyArray<QueryResult>) => {
          // A parameter that cannot be sent is reported before the answer of the server, which follows.
          if (isAnswered) return
          isAnswered = true
          connection.off("error", ignore)
          release()
          if (cause) fail(cause)
          else resume(Effect.succeed("rows" in result ? result.rows : result.map(({ rows }) => rows)))
        }
      )
    })
  })

/** The callback of the statement gets the error too; without a listener the event would end the process. */
const ignore = () => {}
