import { Clock, Context, Duration, Effect, Either, Layer } from "effect"
import { CachedResolver } from "../../dns/zone/Resolver.ts"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import { distinctQuestions, type LookupQuestion, questionKey } from "../../planning/DnsLookup.ts"
import { emptyPlanContext, type OtherDesiredRecord, type PlanContext } from "../../planning/PlanContext.ts"
import { buildPlan, type PlanInput, type PlanRefused, type PlanResult } from "../../planning/buildPlan.ts"
import { limitsOf, unknownProvider } from "../../providers/catalog/catalog.ts"

/** What was asked beyond a zone so far, and what is known from it. */
export interface ExternalFacts {
  readonly context: PlanContext
  readonly asked: ReadonlySet<string>
}

/** What is worked out from a context, and what the context did not tell. */
export interface Attempt {
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** What is planned, without what the world beyond the zone says; `others` is what other connections want there. */
export interface PlanRequest extends Omit<PlanInput, "context"> {
  readonly others?: ReadonlyArray<OtherDesiredRecord>
}

/** Works out what depends on what the DNS says beyond a zone: asks what turns out to matter, and works it out again. */
export class FactResolver extends Context.Tag("lifecycle/FactResolver")<
  FactResolver,
  {
    /** The changes from a zone to an intent; what was asked already is not asked again. */
    readonly plan: (
      input: PlanRequest,
      alreadyAsked?: ExternalFacts
    ) => Effect.Effect<Either.Either<PlanResult, PlanRefused>>
    /** Asks what the intent raises by itself, so that this need not wait until the zone is read. */
    readonly prefetchFacts: (intent: ResolvedIntent) => Effect.Effect<ExternalFacts>
    /**
     * What `attempt` makes of a context in which nothing is left to ask, or all that was answered in five seconds and
     * to 128 questions.
     */
    readonly resolveFacts: <A extends Attempt>(
      attempt: (context: PlanContext) => A,
      alreadyAsked?: ExternalFacts
    ) => Effect.Effect<A>
  }
>() {
  static readonly layer = Layer.effect(
    FactResolver,
    Effect.map(CachedResolver, (answers) => {
      const settle = <A extends Attempt>(attempt: (context: PlanContext) => A, alreadyAsked = nothingAsked) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          settleBefore(now + askingMillis, attempt, alreadyAsked, answers)
        )
      return {
        plan: Effect.fn("FactResolver.plan")((input, alreadyAsked) =>
          Effect.map(settle(planFrom(input), alreadyAsked), ({ planned }) => planned)
        ),
        prefetchFacts: Effect.fn("FactResolver.prefetchFacts")((intent) =>
          ask(openQuestions(planWithoutZone(intent), nothingAsked), nothingAsked, answers)
        ),
        resolveFacts: settle
      }
    })
  )
}

const nothingAsked: ExternalFacts = { context: emptyPlanContext, asked: new Set() }

const planFrom =
  ({ others = [], ...input }: PlanRequest) =>
  (context: PlanContext) => {
    const planned = buildPlan({ ...input, context: { ...context, others } })
    return { planned, unanswered: Either.merge(planned).unanswered }
  }

const planWithoutZone = (intent: ResolvedIntent): Attempt =>
  planFrom({
    intent,
    zone: { name: intent.domain, basis: "public_dns", records: [] },
    limits: limitsOf(unknownProvider)
  })(emptyPlanContext)

const settleBefore = <A extends Attempt>(
  endsAt: number,
  attempt: (context: PlanContext) => A,
  inquiry: ExternalFacts,
  answers: typeof CachedResolver.Service
): Effect.Effect<A> =>
  Effect.gen(function* () {
    const tentative = attempt(inquiry.context)
    const open = openQuestions(tentative, inquiry)
    const millisLeft = endsAt - (yield* Clock.currentTimeMillis)
    return open.length === 0 || millisLeft <= 0
      ? tentative
      : yield* settleBefore(endsAt, attempt, yield* ask(open, inquiry, answers, millisLeft), answers)
  })

const openQuestions = ({ unanswered }: Attempt, { asked }: ExternalFacts): ReadonlyArray<LookupQuestion> =>
  distinctQuestions(unanswered)
    .filter((question) => !asked.has(questionKey(question)))
    .slice(0, Math.max(maxQuestions - asked.size, 0))

/** No SPF policy that receivers accept needs as many. */
const maxQuestions = 128

/** For what an intent raises by itself, and again for the rest. */
const askingMillis = 5_000

/** What nobody answers in time is not known. */
const ask = (
  questions: ReadonlyArray<LookupQuestion>,
  { asked, context }: ExternalFacts,
  answers: typeof CachedResolver.Service,
  atMostMillis = askingMillis
) =>
  Effect.map(answers.lookUp(questions, Duration.millis(atMostMillis)), (answered): ExternalFacts => ({
    context: {
      ...context,
      answers: new Map([
        ...context.answers,
        ...answered.map(([question, values]) => [questionKey(question), values] as const)
      ])
    },
    asked: asked.union(new Set(questions.map(questionKey)))
  }))
