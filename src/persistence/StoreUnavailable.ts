import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Option, Predicate, Schema } from "effect"

/** The database cannot be reached or refuses work at the moment; the same call may succeed later. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  code: Schema.Literal("unavailable"),
  message: Schema.String
}) {}

/** Needs a master key that this process does not have. During a rotation, another process may have it. */
export class MasterKeyMissing extends StoreUnavailable {
  static readonly error = new MasterKeyMissing({
    code: "unavailable",
    message: "another process of the service has to answer this; try again shortly"
  })
}

/** As `mapBatchErrors`, but uninterruptible: sql-pg would cancel what the connection then runs for another caller. */
export const mapSqlErrors = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  mapBatchErrors(Effect.uninterruptible(effect))

/**
 * Turns outages into `StoreUnavailable`, also the defect of a transaction that one ends; another SQL error is our bug.
 * A batched statement goes on when its caller stops waiting, so that the wait can be interrupted.
 */
export const mapBatchErrors = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
  Effect.catchIf(
    Effect.catchSomeDefect(effect, (defect) => Option.liftPredicate(defect, isSqlError).pipe(Option.map(Effect.fail))),
    (error): error is Extract<E | SqlError, SqlError> => isSqlError(error),
    (error) =>
      isOutage(error)
        ? Effect.zipRight(
            Effect.logWarning("Database unavailable").pipe(Effect.annotateLogs({ reason: readSqlErrorReason(error) })),
            new StoreUnavailable({ code: "unavailable", message: `${describeOutage(error)}; try again shortly` })
          )
        : Effect.die(error)
  )

/** SQLSTATE 57P: the server ends sessions, or starts. */
const describeOutage = (error: SqlError): string => {
  if (isDiskError(error) || isReadOnlyError(error)) return "the database takes no writes"
  const isReached = Option.exists(readSqlState(error), (state) => !/^(08|57P)/.test(state))
  return isReached ? "the database is busy" : "the database cannot be reached"
}

/** SQLSTATE 53100 is a full disk, 58030 an input or output error (PostgreSQL, appendix A). */
export const isDiskError = (error: SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => state === "53100" || state === "58030")

const isReadOnlyError = (error: SqlError): boolean => Option.contains(readSqlState(error), "25006")

const isSqlError = (error: unknown): error is SqlError => Predicate.isTagged(error, "SqlError")

/** Dies with a `StoreUnavailable` that an operation does not declare; endpoints answer that defect with 503. */
export const dieOnStoreUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | StoreUnavailable, R>
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | StoreUnavailable, StoreUnavailable> => error instanceof StoreUnavailable,
    Effect.die
  )

/** The reason that the driver gives, without the statement. */
export const readSqlErrorReason = ({ cause, message }: SqlError): string =>
  Predicate.hasProperty(cause, "message") && Predicate.isString(cause.message) ? cause.message : message

/** The SQLSTATE code (PostgreSQL, appendix A) of an error from the server; `EPIPE` of a socket only looks like one. */
export const readSqlState = (error: SqlError): Option.Option<string> =>
  Predicate.hasProperty(error.cause, "severity") &&
  Predicate.hasProperty(error.cause, "code") &&
  Predicate.isString(error.cause.code)
    ? Option.some(error.cause.code)
    : Option.none()

/**
 * Whether connection or server is at fault. SQLSTATE classes: connection 08, read-only 25, rollback 40,
 * resources 53, locks 55, operator 57, system 58, internal XX.
 */
export const isOutage = (error: SqlError): boolean =>
  Option.match(readSqlState(error), { onNone: () => true, onSome: (state) => /^(08|25|40|53|55|57|58|XX)/.test(state) })
