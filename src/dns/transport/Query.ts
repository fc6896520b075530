import { Array as EffectArray, Data, Effect, Either } from "effect"
import type { NoAnswerReason } from "../../domain/plan/RecordObservation.ts"
import { liveLabels, metrics } from "../../runtime/metrics.ts"

/**
 * A DNS query that can be sent, each time anew. It reports once, after returning the function that stops it; a stopped
 * one reports nothing. Callbacks on purpose: a connection sends a hundred queries (see `exchangeQuery`).
 */
export type Query<A> = (onOutcome: (outcome: QueryOutcome<A>) => void) => () => void

export type QueryOutcome<A> = Either.Either<A, NoAnswer>

/** Why a server gave no usable answer. `nxdomain`: there is no such name; `nodata`: it has no such records. */
export interface ServerFailure {
  readonly server: string
  readonly reason: NoAnswerReason | "nxdomain" | "nodata"
  readonly question?: { readonly name: string; readonly type: string }
}

/** A query got no usable answer: nothing is known, and no record may be taken to be absent. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly reason: NoAnswerReason
  /** The servers that were queried, where several were. */
  readonly servers?: ReadonlyArray<ServerFailure>
}> {}

/** One failure serves all questions with the same reason: a survey may leave thousands open, and each stack takes time. */
export const failWithNoAnswer = (reason: NoAnswerReason): Either.Either<never, NoAnswer> => {
  const known = failures.get(reason)
  if (known !== undefined) return known
  const failure = Either.left(new NoAnswer({ reason }))
  failures.set(reason, failure)
  return failure
}

const failures = new Map<NoAnswerReason, Either.Either<never, NoAnswer>>()

/** Whether the server sent nothing at all, as if it did not exist. */
export const isUnreachable = ({ reason }: Pick<NoAnswer, "reason">): boolean =>
  reason === "timed_out" || reason === "no_route"

/** Whether the server does not serve the zone, so that further questions about it are useless. */
export const isRefusal = ({ reason }: NoAnswer): boolean =>
  reason === "refused" || reason === "format_error" || reason === "lame"

/** Whether a query was not sent because of a limit of this service. */
export const isOwnLimit = ({ reason }: Pick<NoAnswer, "reason">): boolean =>
  reason === "busy" || reason === "budget_spent"

/** A query whose outcome is known without sending it. */
export const makeImmediateQuery =
  <A>(outcome: QueryOutcome<A>): Query<A> =>
  (onOutcome) => {
    let isStopped = false
    queueMicrotask(() => {
      if (!isStopped) onOutcome(outcome)
    })
    return () => {
      isStopped = true
    }
  }

export const makeFailedQuery = (reason: NoAnswer["reason"]): Query<never> =>
  makeImmediateQuery(failWithNoAnswer(reason))

/** Sends a query after a delay, or at once if it is zero; `onUnsent` is called if the query is stopped before that. */
export const afterDelay = <A>(millis: number, query: Query<A>, onUnsent: () => void): Query<A> =>
  millis === 0
    ? query
    : (onOutcome) => {
        let stop: (() => void) | undefined
        const timer = setTimeout(() => {
          stop = query(onOutcome)
        }, millis)
        return () => {
          clearTimeout(timer)
          if (stop === undefined) onUnsent()
          else stop()
        }
      }

/** Interprets the answer of a query, which may turn out to be no usable one. */
export const flatMapQuery =
  <A, B>(query: Query<A>, interpret: (answer: A) => QueryOutcome<B>): Query<B> =>
  (onOutcome) =>
    query((outcome) => onOutcome(Either.flatMap(outcome, interpret)))

/**
 * Takes the first answer of attempts at several servers; the next starts when one failed or had no answer for a while.
 * If all fail, the outcome is the first failure in which a server answered, or else the first failure.
 */
export const hedgeQueries =
  <A>(attempts: EffectArray.NonEmptyReadonlyArray<Query<A>>): Query<A> =>
  (onOutcome) => {
    const remaining = [...attempts]
    const inFlight = new Set<() => void>()
    let failure: NoAnswer | undefined
    let hedgeTimer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      clearTimeout(hedgeTimer)
      stopAll(inFlight)
    }
    const startNext = () => {
      clearTimeout(hedgeTimer)
      const attempt = remaining.shift()
      if (attempt === undefined) return
      const stopAttempt = attempt((outcome) => {
        inFlight.delete(stopAttempt)
        if (Either.isRight(outcome)) {
          stop()
          return onOutcome(outcome)
        }
        if (failure === undefined || (isUnreachable(failure) && !isUnreachable(outcome.left))) failure = outcome.left
        if (remaining.length > 0) startNext()
        else if (inFlight.size === 0) onOutcome(Either.left(failure))
      })
      inFlight.add(stopAttempt)
      if (remaining.length > 0) hedgeTimer = setTimeout(startNext, hedgeDelayMillis)
    }
    startNext()
    return stop
  }

/** Longer than a round trip to the other side of the earth. */
const hedgeDelayMillis = 400

/** Takes the first answer of these servers. `unanswered` has those without one, also after an interruption. */
export const queryServers = <A>(
  { name, type }: { readonly name: string; readonly type: string },
  attempts: EffectArray.NonEmptyReadonlyArray<{ readonly server: string; readonly query: Query<A> }>,
  unanswered: Set<ServerFailure> = new Set()
): Effect.Effect<A, NoAnswer> =>
  Effect.suspend(() => {
    const failures = new Map<string, ServerFailure>()
    const queried = new Set<ServerFailure>()
    const queries = EffectArray.map(attempts, ({ query, server }): Query<A> => (onOutcome) => {
      const silent: ServerFailure = { server, reason: "timed_out", question: { name, type } }
      queried.add(silent)
      unanswered.add(silent)
      return query((outcome) => {
        const settled = Either.isRight(outcome) ? queried : [silent]
        settled.forEach((one) => unanswered.delete(one))
        if (Either.isLeft(outcome)) failures.set(server, { ...silent, reason: outcome.left.reason })
        onOutcome(outcome)
      })
    })
    return Effect.mapError(
      runQuery(hedgeQueries(queries)),
      ({ reason }) => new NoAnswer({ reason, servers: [...failures.values()] })
    )
  })

export const runQuery = <A>(query: Query<A>): Effect.Effect<A, NoAnswer> => runCallback(query)

/** Sends all queries and returns their outcomes in the same order. `maxInFlight` is read again after each outcome. */
export const runQueries = <A>(
  queries: ReadonlyArray<Query<A>>,
  maxInFlight: () => number
): Effect.Effect<ReadonlyArray<QueryOutcome<A>>> =>
  queries.length === 0
    ? Effect.succeed([])
    : runCallback((onResult) => {
        const outcomes: Array<QueryOutcome<A>> = []
        const inFlight = new Set<() => void>()
        let next = 0
        const startAllowed = () => {
          for (let query = queries[next]; query !== undefined; query = queries[next]) {
            if (inFlight.size >= Math.max(1, maxInFlight())) return
            const index = next
            next += 1
            const stop = query((outcome) => {
              outcomes[index] = outcome
              inFlight.delete(stop)
              startAllowed()
            })
            inFlight.add(stop)
          }
          if (inFlight.size === 0) onResult(Effect.succeed(outcomes))
        }
        startAllowed()
        return () => stopAll(inFlight)
      })

/** Stops the last one first: it may be waiting for the permit of another and would start when that one stops. */
const stopAll = (inFlight: ReadonlySet<() => void>): void => [...inFlight].toReversed().forEach((stop) => stop())

/** Starts a callback and waits for its result; an interruption stops it, unless it has already ended. */
const runCallback = <A, E>(
  start: (onResult: (result: Effect.Effect<A, E>) => void) => () => void
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    let stop: (() => void) | undefined
    const result = Effect.async<A, E>((resume) => {
      stop = start((result) => {
        stop = undefined
        resume(result)
      })
    })
    return Effect.onInterrupt(result, () => Effect.sync(() => stop?.()))
  })

/**
 * Counts a query that was not sent. `busy`: no permit in time; `remembered`: the server failed shortly before;
 * `server_ended`: given up; `survey`, `resolution`: the budget is spent; `answers`: its answer took too much memory.
 */
export const countRefused = (
  reason: "busy" | "remembered" | "server_ended" | "survey" | "resolution" | "answers"
): void => metrics.dnsQueriesRefused.labeled(reason).unsafeUpdate(1, liveLabels)
