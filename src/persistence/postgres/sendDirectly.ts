import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import { Effect, Effectable, type Fiber, FiberRef } from "effect"
import type { Pool } from "pg"

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
        isPlain(fiber) ? send(statement, pool) : commit()
      )
  })
}

const isPlain = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  !fiber.getFiberRef(FiberRef.currentTracerEnabled) &&
  !fiber.currentContext.unsafeMap.has(SqlClient.TransactionConnection.key)

/** An error of the server leaves the connection in the pool, as in @effect/sql-pg; that of `Pool.query` would close it. */
const send = (statement: LibraryStatement, pool: Pool) =>
  Effect.async<ReadonlyArray<unknown>, SqlError>((resume) => {
    const fail = (cause: unknown) => resume(new SqlError({ cause, message: "Failed to execute statement" }))
    pool.connect((unconnected, connection, release) => {
      if (connection === undefined) return fail(unconnected)
      const [text, parameters] = statement.compile()
      connection.on("error", ignore)
      connection.query(text, [...parameters], (cause: Error | null, result) => {
        connection.off("error", ignore)
        release()
        if (cause) fail(cause)
        else resume(Effect.succeed(result.rows))
      })
    })
  })

/** The callback of the statement gets the error too; without a listener the event would end the process. */
const ignore = () => {}
