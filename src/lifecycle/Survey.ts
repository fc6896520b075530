import { Array, Clock, Context, Data, Duration, Effect, Either, Layer, Option } from "effect"
import type { DnsRecord } from "../domain/DnsRecord.ts"
import { HostName } from "../domain/DomainName.ts"
import type { ResolvedIntent } from "../domain/Intent.ts"
import { onceOnlyKind } from "../domain/onceOnlyKind.ts"
import type { Warning } from "../domain/Plan.ts"
import type { Provider } from "../domain/Provider.ts"
import type { Zone } from "../domain/Zone.ts"
import { type Delegation, Delegations } from "../dns/Delegation.ts"
import type { HostQuestion } from "../dns/namesToAsk.ts"
import { PublicAnswers } from "../dns/PublicAnswers.ts"
import { ZoneReader, type ZoneReading } from "../dns/ZoneReader.ts"
import { buildPlan, type Planned, type PlanInput, type PlanRefused } from "../planning/buildPlan.ts"
import { inOrder } from "../planning/changes/warnings.ts"
import { typesConcerned } from "../planning/typesConcerned.ts"
import { type Question, questionKey } from "../planning/Lookup.ts"
import { nothingKnown, type PlanContext } from "../planning/PlanContext.ts"
import { limitsOf, unknownProvider } from "../providers/catalog/catalog.ts"
import { detectProvider } from "../providers/Detection.ts"

/** What stands in public where a domain is served, and the plan from there to an intent. */
export interface Surveyed {
  readonly provider: Provider
  readonly zone: Zone
  /** Its warnings are also of what is known of the zone beside its records. */
  readonly planned: Either.Either<Planned, PlanRefused>
}

/** The zone of a domain could not be found or read. */
export class SurveyFailed extends Data.TaggedError("SurveyFailed")<{
  readonly code: (typeof delegationFailures)[keyof typeof delegationFailures]
  readonly provider: Option.Option<Provider>
}> {}

/** Finds out where a domain is served and by whom, what is there, and what would have to change. */
export class Survey extends Context.Tag("lifecycle/Survey")<
  Survey,
  { readonly survey: (intent: ResolvedIntent) => Effect.Effect<Surveyed, SurveyFailed> }
>() {
  static readonly layer = Layer.effect(
    Survey,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader
      const answers = yield* PublicAnswers

      const look = ({ domain, effectiveIntent }: ResolvedIntent) =>
        Effect.gen(function* () {
          const delegation = yield* Effect.mapError(
            delegations.find(domain),
            ({ _tag }) => new SurveyFailed({ code: delegationFailures[_tag], provider: Option.none() })
          )
          const detection = detectProvider(delegation.nameServers.map(({ name }) => name))
          const hosts = questionsFor(effectiveIntent.records, delegation.zone === domain)
          const reading = yield* Effect.mapError(
            zones.read({ domain, delegation, hosts }),
            () => new SurveyFailed({ code: "discovery_timeout", provider: Option.some(detection.provider) })
          )
          const warnings = [...detection.warnings, ...zoneWarnings(delegation, reading)]
          return { ...detection, zone: reading.zone, warnings }
        })

      return {
        survey: Effect.fn("Survey.survey")(function* (intent) {
          const [{ limits, provider, warnings, zone }, inquiry] = yield* Effect.all(
            [look(intent), askFirst(intent, answers)],
            { concurrency: 2 }
          )
          const endsAt = (yield* Clock.currentTimeMillis) + askingMillis
          const planned = yield* settle({ intent, zone, limits }, inquiry, { answers, endsAt })
          return { provider, zone, planned: Either.map(planned, warningAlso(warnings)) }
        })
      }
    })
  )
}

const delegationFailures = {
  DomainNotRegistered: "domain_not_registered",
  DomainHasNoNameServers: "domain_has_no_nameservers",
  ZoneNotFound: "zone_not_found",
  DelegationTimedOut: "discovery_timeout"
} as const

/** Mail and delegation depend on addresses elsewhere in the zone, so what names them is always read. */
const questionsFor = (wanted: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> => {
  const questions = [
    { host: "@", types: ["MX", "NS", "TXT"] as const },
    ...wanted.map(({ host, type }) => ({ host, types: typesConcerned(type, isApex && host === "@") })),
    ...wanted.flatMap((record) =>
      onceOnlyKind(record) === "SPF" ? [{ host: record.host, types: ["MX"] as const }] : []
    )
  ]
  return [...Map.groupBy(questions, ({ host }) => host)].map(([host, atHost]) => ({
    host: HostName.make(host),
    types: Array.dedupe(atHost.flatMap(({ types }) => types))
  }))
}

const zoneWarnings = (delegation: Delegation, reading: ZoneReading): ReadonlyArray<Warning> => [
  ...(delegation.signed ? ["dnssec_signed_zone" as const] : []),
  ...(delegation.parentChildMismatch ? ["ns_parent_child_mismatch" as const] : []),
  ...(reading.disagreeing ? ["name_servers_disagree" as const] : [])
]

const warningAlso =
  (more: ReadonlyArray<Warning>) =>
  (planned: Planned): Planned => ({ ...planned, warnings: inOrder([...planned.warnings, ...more]) })

/** What was asked beyond the zone so far, and what is known from it. */
interface Inquiry {
  readonly context: PlanContext
  readonly asked: ReadonlySet<string>
}

/** Asks what the intent raises by itself, so that this need not wait until the zone is read. */
const askFirst = (intent: ResolvedIntent, answers: typeof PublicAnswers.Service): Effect.Effect<Inquiry> => {
  const zone = { name: intent.domain, basis: "public_dns", records: [] } as const
  const nothingAsked = { context: nothingKnown, asked: new Set<string>() }
  const planned = buildPlan({ intent, zone, limits: limitsOf(unknownProvider), context: nothingKnown })
  return ask(openQuestions(planned, nothingAsked), nothingAsked, answers, askingMillis)
}

/** Plans, asks what the plan turned out to depend on, and plans again, until it depends on nothing more. */
const settle = (
  input: Omit<PlanInput, "context">,
  inquiry: Inquiry,
  asking: { readonly answers: typeof PublicAnswers.Service; readonly endsAt: number }
): Effect.Effect<Either.Either<Planned, PlanRefused>> =>
  Effect.gen(function* () {
    const planned = buildPlan({ ...input, context: inquiry.context })
    const open = openQuestions(planned, inquiry)
    const millisLeft = asking.endsAt - (yield* Clock.currentTimeMillis)
    return open.length === 0 || millisLeft <= 0
      ? planned
      : yield* settle(input, yield* ask(open, inquiry, asking.answers, millisLeft), asking)
  })

const openQuestions = (planned: Either.Either<Planned, PlanRefused>, { asked }: Inquiry): ReadonlyArray<Question> =>
  [...new Map(Either.merge(planned).unanswered.map((question) => [questionKey(question), question]))]
    .filter(([key]) => !asked.has(key))
    .slice(0, Math.max(maxQuestions - asked.size, 0))
    .map(([, question]) => question)

/** No SPF policy that receivers accept needs as many. */
const maxQuestions = 128

/** For what the intent raises by itself, and again for the rest. */
const askingMillis = 5_000

/** What nobody answers in time is not known. */
const ask = (
  questions: ReadonlyArray<Question>,
  { asked, context }: Inquiry,
  answers: typeof PublicAnswers.Service,
  atMostMillis: number
) =>
  Effect.map(answers.ask(questions, Duration.millis(atMostMillis)), (told): Inquiry => ({
    context: { ...context, answers: new Map([...context.answers, ...told]) },
    asked: asked.union(new Set(questions.map(questionKey)))
  }))
