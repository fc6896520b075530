import { Clock, Context, Duration, Effect, Either, Layer } from "effect"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import { PublicAnswers } from "../../dns/PublicAnswers.ts"
import { buildPlan, type Planned, type PlanInput, type PlanRefused } from "../../planning/buildPlan.ts"
import { distinct, type Question, questionKey } from "../../planning/Lookup.ts"
import { type ElsewhereWanted, nothingKnown, type PlanContext } from "../../planning/PlanContext.ts"
import { limitsOf, unknownProvider } from "../../providers/catalog/catalog.ts"

/** What was asked beyond a zone so far, and what is known from it. */
export interface Inquiry {
  readonly context: PlanContext
  readonly asked: ReadonlySet<string>
}

/** What is worked out from a context, and what the context did not tell. */
export interface Tentative {
  readonly unanswered: ReadonlyArray<Question>
}

/** What is planned, without what the world beyond the zone says; `others` is what other connections want there. */
export interface Asked extends Omit<PlanInput, "context"> {
  readonly others?: ReadonlyArray<ElsewhereWanted>
}

/** Works out what depends on what the DNS says beyond a zone: asks what turns out to matter, and works it out again. */
export class Planner extends Context.Tag("lifecycle/Planner")<
  Planner,
  {
    /** The changes from a zone to an intent; what was asked already is not asked again. */
    readonly plan: (input: Asked, alreadyAsked?: Inquiry) => Effect.Effect<Either.Either<Planned, PlanRefused>>
    /** Asks what the intent raises by itself, so that this need not wait until the zone is read. */
    readonly askAhead: (intent: ResolvedIntent) => Effect.Effect<Inquiry>
    /**
     * What `attempt` makes of a context in which nothing is left to ask, or all that was answered in five seconds and
     * to 128 questions.
     */
    readonly settle: <A extends Tentative>(
      attempt: (context: PlanContext) => A,
      alreadyAsked?: Inquiry
    ) => Effect.Effect<A>
  }
>() {
  static readonly layer = Layer.effect(
    Planner,
    Effect.map(PublicAnswers, (answers) => {
      const settle = <A extends Tentative>(attempt: (context: PlanContext) => A, alreadyAsked = nothingAsked) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          settleBefore(now + askingMillis, attempt, alreadyAsked, answers)
        )
      return {
        plan: Effect.fn("Planner.plan")((input, alreadyAsked) =>
          Effect.map(settle(planFrom(input), alreadyAsked), ({ planned }) => planned)
        ),
        askAhead: Effect.fn("Planner.askAhead")((intent) =>
          ask(openQuestions(planWithoutZone(intent), nothingAsked), nothingAsked, answers)
        ),
        settle
      }
    })
  )
}

const nothingAsked: Inquiry = { context: nothingKnown, asked: new Set() }

const planFrom =
  ({ others = [], ...input }: Asked) =>
  (context: PlanContext) => {
    const planned = buildPlan({ ...input, context: { ...context, others } })
    return { planned, unanswered: Either.merge(planned).unanswered }
  }

const planWithoutZone = (intent: ResolvedIntent): Tentative =>
  planFrom({
    intent,
    zone: { name: intent.domain, basis: "public_dns", records: [] },
    limits: limitsOf(unknownProvider)
  })(nothingKnown)

const settleBefore = <A extends Tentative>(
  endsAt: number,
  attempt: (context: PlanContext) => A,
  inquiry: Inquiry,
  answers: typeof PublicAnswers.Service
): Effect.Effect<A> =>
  Effect.gen(function* () {
    const tentative = attempt(inquiry.context)
    const open = openQuestions(tentative, inquiry)
    const millisLeft = endsAt - (yield* Clock.currentTimeMillis)
    return open.length === 0 || millisLeft <= 0
      ? tentative
      : yield* settleBefore(endsAt, attempt, yield* ask(open, inquiry, answers, millisLeft), answers)
  })

const openQuestions = ({ unanswered }: Tentative, { asked }: Inquiry): ReadonlyArray<Question> =>
  distinct(unanswered)
    .filter((question) => !asked.has(questionKey(question)))
    .slice(0, Math.max(maxQuestions - asked.size, 0))

/** No SPF policy that receivers accept needs as many. */
const maxQuestions = 128

/** For what an intent raises by itself, and again for the rest. */
const askingMillis = 5_000

/** What nobody answers in time is not known. */
const ask = (
  questions: ReadonlyArray<Question>,
  { asked, context }: Inquiry,
  answers: typeof PublicAnswers.Service,
  atMostMillis = askingMillis
) =>
  Effect.map(answers.ask(questions, Duration.millis(atMostMillis)), (told): Inquiry => ({
    context: { ...context, answers: new Map([...context.answers, ...told]) },
    asked: asked.union(new Set(questions.map(questionKey)))
  }))
