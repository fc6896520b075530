import { Effect, type Array as EffectArray, Either } from "effect"
import { failWithNoAnswer, isUnreachable, type NoAnswer } from "./NoAnswer.ts"

/**
 * A question that can be put, each time anew. It reports its outcome once, and never before it has returned what stops
 * it; that is to be called at most once, and not after the outcome, and then it is silent. Questions are made of
 * callbacks up to where they are waited for: a connection takes a hundred, and as effects with a fiber for each they
 * were a third of all its work.
 */
export type Query<A> = (over: (outcome: QueryOutcome<A>) => void) => () => void

export type QueryOutcome<A> = Either.Either<A, NoAnswer>

/** A question whose outcome is known without asking. */
export const immediateQuery =
  <A>(outcome: QueryOutcome<A>): Query<A> =>
  (over) => {
    let isStopped = false
    queueMicrotask(() => {
      if (!isStopped) over(outcome)
    })
    return () => {
      isStopped = true
    }
  }

export const failedQuery = (reason: NoAnswer["reason"]): Query<never> => immediateQuery(failWithNoAnswer(reason))

/** What an answer says; where it says nothing the question stays open. */
export const flatMapQuery =
  <A, B>(asking: Query<A>, judge: (answer: A) => QueryOutcome<B>): Query<B> =>
  (over) =>
    asking((outcome) => over(Either.flatMap(outcome, judge)))

/**
 * The first answer of attempts at several servers. Each begins when one before it has failed or the last one has been
 * silent for a while; what loses is stopped. If all fail, the failure that came first, or the first by which somebody was
 * heard.
 */
export const hedgeQueries =
  <A>(attempts: EffectArray.NonEmptyReadonlyArray<Query<A>>): Query<A> =>
  (over) => {
    const ahead = [...attempts]
    const underWay = new Set<() => void>()
    let failure: NoAnswer | undefined
    let impatience: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      clearTimeout(impatience)
      stopAll(underWay)
    }
    const begin = () => {
      clearTimeout(impatience)
      const attempt = ahead.shift()
      if (attempt === undefined) return
      const stopThis = attempt((outcome) => {
        underWay.delete(stopThis)
        if (Either.isRight(outcome)) {
          stop()
          return over(outcome)
        }
        if (failure === undefined || (isUnreachable(failure) && !isUnreachable(outcome.left))) failure = outcome.left
        if (ahead.length > 0) begin()
        else if (underWay.size === 0) over(Either.left(failure))
      })
      underWay.add(stopThis)
      if (ahead.length > 0) impatience = setTimeout(begin, patienceMillis)
    }
    begin()
    return stop
  }

/** Longer than an honest answer takes around the earth. */
const patienceMillis = 400

/** Puts a question and waits for its answer. */
export const runQuery = <A>(asking: Query<A>): Effect.Effect<A, NoAnswer> => whileAwaited(asking)

/** Puts all questions, so many at a time, and waits for the outcomes, which come in their order. */
export const runQueries = <A>(
  questions: ReadonlyArray<Query<A>>,
  atATime: number
): Effect.Effect<ReadonlyArray<QueryOutcome<A>>> =>
  questions.length === 0
    ? Effect.succeed([])
    : whileAwaited((over) => {
        const outcomes: Array<QueryOutcome<A>> = []
        const underWay = new Set<() => void>()
        let next = 0
        const begin = () => {
          const [nth, asking] = [next, questions[next]]
          if (asking === undefined) return underWay.size === 0 && over(Effect.succeed(outcomes))
          next += 1
          const stop = asking((outcome) => {
            outcomes[nth] = outcome
            underWay.delete(stop)
            begin()
          })
          underWay.add(stop)
        }
        for (let room = Math.min(Math.max(1, atATime), questions.length); room > 0; room -= 1) begin()
        return () => stopAll(underWay)
      })

/** What came last goes first: it may be waiting for the place of another, and would begin when that one goes. */
const stopAll = (underWay: ReadonlySet<() => void>): void => [...underWay].toReversed().forEach((stop) => stop())

/** Waits for what is begun here; it is stopped where nobody waits any more, unless it is over by then. */
const whileAwaited = <A, E>(begin: (over: (result: Effect.Effect<A, E>) => void) => () => void): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    let stop: (() => void) | undefined
    const result = Effect.async<A, E>((resume) => {
      stop = begin((over) => {
        stop = undefined
        resume(over)
      })
    })
    return Effect.onInterrupt(result, () => Effect.sync(() => stop?.()))
  })
