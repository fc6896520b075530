import type { SqlError } from "@effect/sql/SqlError"
import { Cause, Chunk, Duration, Effect, Option, Predicate, Schedule } from "effect"
import { isOutage, readSqlState, StoreUnavailable } from "../StoreUnavailable.ts"

/** How often the start tries again while the database is unavailable: for about ten seconds. */
export const startupRetry = Schedule.intersect(Schedule.spaced(Duration.seconds(1)), Schedule.recurs(10))

/** Repeats a step while the database is away. A lost statement may create its table while the next attempt does. */
export const retryAtStart = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  step.pipe(Effect.sandbox, Effect.retry({ schedule: startupRetry, while: hasOutage }), Effect.unsandbox)

/** A transaction that loses its connection dies of that. */
const hasOutage = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(
    Chunk.appendAll(Cause.failures(cause), Cause.defects(cause)),
    (error) =>
      error instanceof StoreUnavailable ||
      (isSqlError(error) && (isOutage(error) || Option.contains(readSqlState(error), duplicateTable)))
  )

/** PostgreSQL, appendix A. */
const duplicateTable = "42P07"

const isSqlError = (error: unknown): error is SqlError => Predicate.isTagged(error, "SqlError")
