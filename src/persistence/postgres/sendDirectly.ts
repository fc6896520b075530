import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import { Effect, Effectable, type Fiber, FiberRef } from "effect"
import type { Pool } from "pg"
import { sendStatement } from "./sendStatement.ts"

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

/** Nothing is sent for a caller that was interrupted while it waited for a connection. */
const send = (statement: LibraryStatement, pool: Pool, caller: Fiber.RuntimeFiber<unknown, unknown>) =>
  Effect.async<ReadonlyArray<unknown>, SqlError>((resume) => {
    const [text, values] = statement.compile()
    sendStatement<unknown>(pool, text, values, {
      isWanted: () => caller.unsafePoll() === null,
      onFailed: resume,
      onRows: (rows) => resume(Effect.succeed(rows))
    })
  })
