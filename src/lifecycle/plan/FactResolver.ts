import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import { CachedResolver } from "../../dns/zone/Resolver.ts"
import { dedupeQuestions, type LookupQuestion, questionKeyOf } from "../../planning/DnsLookup.ts"
import { emptyPlanContext, type PlanContext } from "../../planning/PlanContext.ts"

/** The facts outside a zone that are known so far, and the keys of the DNS questions that were sent for them. */
export interface ExternalFacts {
  readonly context: PlanContext
  readonly asked: ReadonlySet<string>
}

/** The result of one attempt on a context; `unanswered` lists the questions that the context left open. */
interface Attempt {
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Resolves the facts outside its zone that a plan needs: looks up an attempt's open questions, and tries again. */
export class FactResolver extends Context.Tag("lifecycle/FactResolver")<
  FactResolver,
  {
    /** The result of `attempt`, at the latest after five seconds or 128 questions. Fails if no resolver answers. */
    readonly resolveFacts: <A extends Attempt>(
      attempt: (context: PlanContext) => Effect.Effect<A>,
      known?: ExternalFacts
    ) => Effect.Effect<A, ResolversUnavailable>
    /** Looks up the facts that `attempt` needs at first, for a later `resolveFacts` of a similar attempt. */
    readonly prefetchFacts: (attempt: (context: PlanContext) => Effect.Effect<Attempt>) => Effect.Effect<ExternalFacts>
  }
>() {
  static readonly layer = Layer.effect(
    FactResolver,
    Effect.map(CachedResolver, (resolver) => ({
      resolveFacts: (attempt, known = noFacts) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          resolveUntil(now + lookupMillis, attempt, known, resolver)
        ).pipe(
          Effect.tap(({ unanswered: [open] }) =>
            open === undefined ? Effect.void : resolver.requireAvailable(open.name)
          )
        ),
      prefetchFacts: (attempt) =>
        Effect.flatMap(attempt(noFacts.context), (result) =>
          lookUp(openQuestions(result, noFacts), noFacts, resolver, lookupMillis)
        )
    }))
  )
}

const noFacts: ExternalFacts = { context: emptyPlanContext, asked: new Set() }

/** The time for one call, a prefetch or a resolution. */
const lookupMillis = 5_000

const resolveUntil = <A extends Attempt>(
  deadline: number,
  attempt: (context: PlanContext) => Effect.Effect<A>,
  facts: ExternalFacts,
  resolver: typeof CachedResolver.Service
): Effect.Effect<A> =>
  Effect.gen(function* () {
    const result = yield* attempt(facts.context)
    const questions = openQuestions(result, facts)
    const millisLeft = deadline - (yield* Clock.currentTimeMillis)
    return questions.length === 0 || millisLeft <= 0
      ? result
      : yield* resolveUntil(deadline, attempt, yield* lookUp(questions, facts, resolver, millisLeft), resolver)
  })

const openQuestions = ({ unanswered }: Attempt, { asked }: ExternalFacts): ReadonlyArray<LookupQuestion> =>
  dedupeQuestions(unanswered)
    .filter((question) => !asked.has(questionKeyOf(question)))
    .slice(0, Math.max(maxQuestions - asked.size, 0))

/** More questions than any SPF policy needs that receivers accept. */
const maxQuestions = 128

/** Adds the answers to the facts; a question without an answer in time stays unknown and counts as asked. */
const lookUp = (
  questions: ReadonlyArray<LookupQuestion>,
  { asked, context }: ExternalFacts,
  resolver: typeof CachedResolver.Service,
  atMostMillis: number
) =>
  Effect.map(resolver.lookUp(questions, Duration.millis(atMostMillis)), (answers): ExternalFacts => ({
    context: {
      ...context,
      answers: new Map([
        ...context.answers,
        ...answers.map(([question, values]) => [questionKeyOf(question), values] as const)
      ])
    },
    asked: asked.union(new Set(questions.map(questionKeyOf)))
  }))
