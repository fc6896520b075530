import { Context, DateTime, Effect, Either, Layer, Option } from "effect"
import type { ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import type { Connection, PendingIntent } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/connection/ConnectionRecord.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { Change, Plan } from "../../domain/plan/Plan.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { recordTypeNames } from "../../domain/records/recordTypes.ts"
import { type ChallengeContext, ControlRules } from "../control/ControlRules.ts"
import { DomainConnect } from "../authorize/DomainConnect.ts"
import { addChallengeRecord } from "../control/challengeRecords.ts"
import { FactResolver } from "./FactResolver.ts"
import { PlanImpossible } from "./PlanImpossible.ts"
import { type ProviderZone, separateStorable } from "./PlanningZone.ts"
import { byHost, listPlanQuestions, type SurveyedZone, ZoneSurvey, type ZoneSurveyFailed } from "./ZoneSurvey.ts"
import { ZoneTenants } from "./ZoneTenants.ts"
import { makeIntentChangePlanner } from "./makeIntentChangePlanner.ts"
import { makeIntentPlanner } from "./makeIntentPlanner.ts"
import { makeRestorePlanner } from "./makeRestorePlanner.ts"
import { identifyProvider, offerDomainConnect } from "./offerDomainConnect.ts"
import { proposePlan } from "./proposePlan.ts"
import { resolveAcceptedIntent } from "./resolveAcceptedIntent.ts"
import type { ProposedPlan } from "../state/LifecycleEvent.ts"
import { listShownChanges } from "../state/shownChanges.ts"
import { defaultStateTimeouts, type StateTimeouts } from "../state/StateTimeouts.ts"
import { describeLockedRecord, describeRefusal } from "../state/failureDetails.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { LookupQuestion } from "../../planning/DnsLookup.ts"
import type { OtherDesiredRecord } from "../../planning/PlanContext.ts"
import type { PlanRefused } from "../../planning/buildPlan.ts"
import { takeAlternatives } from "../../planning/takeAlternatives.ts"
import { hostsOf } from "../../planning/changes/ChangeStatus.ts"
import { selectEntered } from "../../planning/restore/selectEntered.ts"
import { findLockedRecord } from "../../planning/zone/findLockedRecord.ts"
import type { AliasFlattening } from "../../planning/zone/unflattenAliases.ts"

export interface PlanPreview {
  readonly provider: Provider
  readonly zone: Zone
  readonly planned: Either.Either<PreviewedPlan, PlanRefused>
}

/** `unanswered` lists the questions beyond the zone that the plan depends on and that got no answer. */
export interface PreviewedPlan extends ProposedPlan {
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Makes every plan: reads or takes a zone, resolves the facts beyond it, and plans the changes. */
export class PlanMaker extends Context.Tag("lifecycle/PlanMaker")<
  PlanMaker,
  {
    /** Plans a connection in its direction, from the answers of the name servers at the hosts that it concerns. */
    readonly planFromPublicZone: (
      current: ConnectionRecord
    ) => Effect.Effect<
      ProposedPlan & { readonly provider: Provider },
      PlanImpossible | ZoneSurveyFailed | ResolversUnavailable | StoreUnavailable
    >
    /** Plans a connection in its direction, from the zone as its provider keeps it. */
    readonly planFromProviderZone: (
      current: ConnectionRecord,
      zone: ProviderZone
    ) => Effect.Effect<ProposedPlan, PlanImpossible | ResolversUnavailable | StoreUnavailable>
    /** Makes the plan of a retry from a public zone that was read already; none where no plan leads to the intent. */
    readonly repair: (
      connection: Connection,
      surveyed: SurveyedZone,
      flattening?: AliasFlattening
    ) => Effect.Effect<Option.Option<Plan>, ResolversUnavailable | StoreUnavailable>
    /** Plans an intent without a connection, from the answers of the name servers. */
    readonly preview: (intent: ResolvedIntent) => Effect.Effect<PlanPreview, ZoneSurveyFailed | ResolversUnavailable>
  }
>() {
  /** `plan` is how long a plan may be approved. */
  static readonly layer = ({ plan: lifetime }: Pick<StateTimeouts, "plan">) =>
    Layer.effect(
      PlanMaker,
      Effect.gen(function* () {
        const intents = yield* makeIntentPlanner
        const planChange = yield* makeIntentChangePlanner
        const planRestore = yield* makeRestorePlanner
        const survey = yield* ZoneSurvey
        const tenants = yield* ZoneTenants
        const control = yield* ControlRules
        const domainConnect = yield* DomainConnect

        const expiresAt = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, lifetime))

        /** Reads the zone; meanwhile, looks up the facts that the intent alone determines. */
        const planFromSurvey = Effect.fnUntraced(function* <E = never>(
          intent: ResolvedIntent,
          listOthers: Effect.Effect<ReadonlyArray<OtherDesiredRecord>, E>,
          { challengeContext, provider, shown = [] }: SurveyContext = {}
        ) {
          const shownHosts = [...hostsOf(shown.map(({ change }) => change))]
          const readWith = ({ domain, effectiveIntent: { records } }: ResolvedIntent) =>
            survey.read(
              domain,
              (isApex) => byHost([...listPlanQuestions(records, isApex), ...shownHosts.map(withRestorableTypes)]),
              provider
            )
          const [first, known] = yield* Effect.all([readWith(intent), intents.prefetchFacts(intent)], {
            concurrency: "unbounded"
          })
          const zone = { first, readWith }
          const { planned, read } = yield* intents.planConnection(
            { intent, zone, others: yield* listOthers, challengeContext },
            known
          )
          const end = yield* expiresAt
          return {
            provider: read.provider,
            zone: read.zone,
            planned: Either.map(planned, (result) => ({
              ...proposePlan(result, read, end),
              unanswered: result.unanswered
            }))
          }
        })

        /** A new intent may ask for hosts of others without asking for the challenge. */
        const listContested = (current: ConnectionRecord, planned: Partial<ProposedPlan>) =>
          Effect.map(control.listContested(current), (ids) => [...(planned.contested ?? []), ...ids])

        const connectFromPublicZone = Effect.fnUntraced(function* (current: ConnectionRecord) {
          const { connection } = current
          // The effective intent may hold what an earlier plan merged, so that every plan starts from the intent itself.
          const intent = resolveAcceptedIntent(connection)
          const fromSurvey = planFromSurvey(intent, tenants.listDesiredByOthers(connection), {
            challengeContext: yield* control.prepare(current),
            shown: current.progress.shown,
            provider: connection.provider
          })
          const [{ planned, provider, zone }, way] = yield* Effect.all(
            [fromSurvey, domainConnect.discover(connection)],
            {
              concurrency: "unbounded"
            }
          )
          const { unanswered: _, ...proposed } = yield* Either.mapLeft(planned, (refused) =>
            toPlanImpossible(refused, Option.some(provider))
          )
          const offered = { provider: offerDomainConnect(provider, way, { intent, zone, proposed }) }
          return { ...offered, ...proposed, found: findShown(current, zone) }
        })

        const changeFromPublicZone = Effect.fnUntraced(function* (current: ConnectionRecord, pending: PendingIntent) {
          const intent = resolveAcceptedIntent(pending)
          const challengeContext = yield* control.prepare(current)
          const desired = challengeContext === undefined ? intent : addChallengeRecord(intent, challengeContext)
          const hosts = yield* tenants.listHosts(current)
          const surveyed = yield* survey.read(
            intent.domain,
            (isApex) =>
              byHost([
                ...listRestoreQuestions(hosts, current.connection),
                ...listPlanQuestions(desired.effectiveIntent.records, isApex)
              ]),
            current.connection.provider
          )
          const { provider } = surveyed
          const planned = yield* Either.mapLeft(
            yield* planChange(current, { intent, challengeContext }, surveyed),
            (refused) => toPlanImpossible(refused, Option.some(provider))
          )
          const proposed = proposePlan(planned, surveyed, yield* expiresAt)
          return { provider, ...proposed, found: findShown(current, surveyed.zone) }
        })

        /** Plans the new intent of a connection, if one waits to be applied, or its only one. */
        const planConnectedZone = Effect.fnUntraced(function* (current: ConnectionRecord, provided: ProviderZone) {
          const { connection } = current
          const { limits, zone } = provided
          const { pendingIntent } = connection
          const accepted = takeAlternatives(resolveAcceptedIntent(pendingIntent ?? connection), {
            zone: zone.name,
            capabilities: limits.capabilities
          })
          const { intent, refused } = yield* separateStorable(accepted, provided)
          // What is approved stays, for its digest.
          const mayAsk = connection.state === "authorized" || current.progress.control?.isAwaited === true
          const challengeContext = mayAsk ? yield* control.prepare(current) : undefined
          const result =
            pendingIntent === undefined
              ? (yield* intents.planConnection({
                  intent,
                  zone: { first: provided, readWith: () => Effect.succeed(provided) },
                  others: yield* tenants.listDesiredByOthers(connection),
                  challengeContext
                })).planned
              : yield* planChange(current, { intent, challengeContext }, provided)
          const planned = yield* Either.mapLeft(result, (refused) => toPlanImpossible(refused, Option.none()))
          const contested = yield* listContested(current, planned)
          return { ...planned, contested, optionalFailures: [...refused, ...planned.optionalFailures] }
        })

        const restoreFromPublicZone = Effect.fnUntraced(function* (current: ConnectionRecord) {
          const { connection } = current
          const hosts = yield* tenants.listHosts(current)
          const domain = DomainName.make(connection.effectiveIntent.domain)
          const reading = survey.read(
            domain,
            () => byHost(listRestoreQuestions(hosts, connection)),
            connection.provider
          )
          const [surveyed, way] = yield* Effect.all([reading, domainConnect.discover(connection)], {
            concurrency: "unbounded"
          })
          const planned = yield* planRestore(current, surveyed)
          const provider = identifyProvider(surveyed.provider, way, surveyed.zone)
          const proposed = proposePlan(planned, surveyed, yield* expiresAt)
          return { provider, ...proposed, found: findShown(current, surveyed.zone) }
        })

        return {
          planFromPublicZone: Effect.fnUntraced(function* (current) {
            const { connection } = current
            const { pendingIntent } = connection
            if (connection.direction === "restore") return yield* restoreFromPublicZone(current)
            const planned = yield* pendingIntent === undefined
              ? connectFromPublicZone(current)
              : changeFromPublicZone(current, pendingIntent)
            return { ...planned, contested: yield* listContested(current, planned) }
          }),
          planFromProviderZone: Effect.fnUntraced(function* (current, provided) {
            const { connection } = current
            const planned = yield* connection.direction === "restore"
              ? planRestore(current, provided)
              : planConnectedZone(current, provided)
            yield* requireUnlocked(provided.zone, planned.changes)
            const warnings = [...provided.warnings, ...publicZoneWarnings(connection, planned)]
            return proposePlan(planned, { ...provided, warnings }, yield* expiresAt)
          }),
          repair: Effect.fnUntraced(function* (connection, surveyed, flattening) {
            const { limits, zone } = surveyed
            const others = yield* tenants.listDesiredByOthers(connection)
            const intent = resolveAcceptedIntent(connection)
            const result = yield* intents.plan({ intent, zone, limits, others, flattening })
            const end = yield* expiresAt
            return Option.map(Either.getRight(result), (planned) => proposePlan(planned, surveyed, end).plan)
          }),
          preview: (intent) => planFromSurvey(intent, Effect.succeed([]))
        }
      })
    )

  static readonly layerWithoutDatabase = PlanMaker.layer(defaultStateTimeouts).pipe(
    Layer.provide(
      Layer.mergeAll(
        FactResolver.layer,
        ZoneSurvey.layer,
        ZoneTenants.layerWithoutDatabase,
        ControlRules.layerWithoutDatabase
      )
    )
  )
}

const toPlanImpossible = (refused: PlanRefused, provider: Option.Option<Provider>) =>
  new PlanImpossible({ code: refused.code, provider, details: describeRefusal(refused) })

interface SurveyContext {
  readonly challengeContext?: ChallengeContext | undefined
  /** The changes of plans for other intents, whose hosts are read too. */
  readonly shown?: Progress["shown"]
  /** The provider that the connection has so far. */
  readonly provider?: Provider | undefined
}

/** The shown changes that the zone shows as made. */
const findShown = (current: ConnectionRecord, zone: Zone): Progress["shown"] =>
  selectEntered(zone, DomainName.make(current.connection.effectiveIntent.domain), listShownChanges(current))

/** The questions that a restore at these hosts needs; the own writes of the connection must be known. */
const listRestoreQuestions = (hosts: ReadonlyArray<string>, { effectiveIntent: { records } }: Connection) => [
  ...hosts.map(withRestorableTypes),
  ...records.map(({ host, type }) => ({ host, types: [type], required: [type] }))
]

/** Asks for the records that a desired record can replace, or that can be restored at its host. */
const withRestorableTypes = (host: string) => ({ host, types: recordTypeNames })

/** Warns if the plan from the public DNS had another digest: the name servers answer something else. */
const publicZoneWarnings = ({ plan }: Connection, { digest }: Pick<Plan, "digest">): ReadonlyArray<Warning> =>
  plan?.basis === "public_dns" && plan.digest !== digest ? ["provider_zone_differs_from_public_dns"] : []

/** A plan cannot remove or replace a record that the provider keeps. */
const requireUnlocked = (zone: Zone, changes: ReadonlyArray<Change>): Either.Either<void, PlanImpossible> => {
  const locked = findLockedRecord(zone, changes)
  if (locked === undefined) return Either.void
  const { host, type } = locked
  const details = [{ message: describeLockedRecord(locked), host, type }]
  return Either.left(new PlanImpossible({ code: "provider_record_locked", provider: Option.none(), details }))
}
