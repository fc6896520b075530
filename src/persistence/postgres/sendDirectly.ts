import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import { Cause, Effect, Effectable, type Fiber, FiberRef, RuntimeFlags } from "effect"
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
      Effect.withFiberRuntime<ReadonlyArray<unknown>, SqlError>((fiber, { runtimeFlags }) =>
        isPlain(fiber) ? send(statement, pool, () => isWaiting(fiber, runtimeFlags)) : commit()
      )
  })
}

const isPlain = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  !fiber.getFiberRef(FiberRef.currentTracerEnabled) &&
  !fiber.currentContext.unsafeMap.has(SqlClient.TransactionConnection.key)

/** Nothing is sent for a caller that was interrupted while it waited for a connection. */
const send = (statement: LibraryStatement, pool: Pool, isWanted: () => boolean) =>
  Effect.async<ReadonlyArray<unknown>, SqlError>((resume) => {
    const [text, values] = statement.compile()
    sendStatement<unknown>(pool, text, values, {
      isWanted,
      onFailed: (error) => resume(Effect.fail(error)),
      onRows: (rows) => resume(Effect.succeed(rows))
    })
  })

/**
 * Whether a caller that began to wait with these flags still does. One that was interrupted meanwhile may still run its
 * finalizers; but one that is uninterruptible, as in such a finalizer, waits on.
 */
const isWaiting = (caller: Fiber.RuntimeFiber<unknown, unknown>, flags: RuntimeFlags.RuntimeFlags): boolean =>
  !RuntimeFlags.interruptible(flags) || Cause.isEmpty(caller.getFiberRef(FiberRef.interruptedCause))
