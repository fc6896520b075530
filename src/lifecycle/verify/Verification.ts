import { Context, DateTime, Effect, Either, Layer, Option } from "effect"
import type { Delegation, ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import { Delegations } from "../../dns/zone/Delegations.ts"
import { PublicResolvers } from "../../dns/zone/PublicResolvers.ts"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import type { ZoneReadRequest } from "../../dns/zone/QuestionSet.ts"
import { ZoneReader } from "../../dns/zone/ZoneReader.ts"
import type { Connection } from "../../domain/connection/Connection.ts"
import { makeChallengeRecord } from "../../domain/connection/Control.ts"
import type { KeptAnswers } from "../../domain/connection/KeptAnswers.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { EffectiveIntent } from "../../domain/connection/Intent.ts"
import type { Plan } from "../../domain/plan/Plan.ts"
import {
  combineStatuses,
  decideVerdict,
  RecordObservation,
  type ServerObservation,
  type VerificationVerdict
} from "../../domain/plan/RecordObservation.ts"
import { FactResolver } from "../plan/FactResolver.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import {
  areAllAsked,
  delegationFailures,
  listPlanQuestions,
  listServedQuestions,
  mailTypes,
  toSurveyedZone
} from "../plan/ZoneSurvey.ts"
import { resolveAcceptedIntent } from "../plan/resolveAcceptedIntent.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { listEnteredHosts } from "../../planning/verification/enteredHosts.ts"
import type { AliasFlattening } from "../../planning/zone/unflattenAliases.ts"
import { Providers } from "../../providers/Providers.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { type ComparedView, compareViews } from "./compareViews.ts"
import { combineObservations, type ServerComparison, statusesAt } from "./combineObservations.ts"
import { keepAnswers, withOtherFamily } from "./keepAnswers.ts"
import { type DiagnosisHistory, listOutside, makeRecordDiagnosis, wasBesideIn } from "./makeRecordDiagnosis.ts"

/** How far the servers answer the effective intent of a connection. */
export interface VerificationReport {
  /** The observations in the order of the effective intent. */
  readonly records: ReadonlyArray<RecordObservation>
  /** The authoritative servers that were read. */
  readonly servers: ReadonlyArray<ServerComparison>
  /** The verdict of all authoritative servers together, over the required records. */
  readonly authoritative: VerificationVerdict
  /** The same of the public resolvers: unknown where they were not asked, right where none are configured. */
  readonly public: VerificationVerdict
  /** Whether the authoritative servers show the challenge that the connection requests; unknown where it requests none. */
  readonly challenge: VerificationVerdict
  /** The hosts whose records every authoritative server shows exactly as they were planned, and these servers. */
  readonly entered: { readonly hosts: ReadonlyArray<string>; readonly servers: ReadonlyArray<string> }
  /** The answers that single servers may be asked for; none unless all showed the records. */
  readonly kept: Option.Option<KeptAnswers>
  /** The plan of a retry, if the zone is known and lacks something. */
  readonly repair: Option.Option<Plan>
  readonly failure?: (typeof delegationFailures)[keyof typeof delegationFailures]
}

/** Verifies a connection wherever its zone is. Public resolvers come last: they cache a missing record (RFC 2308). */
export class Verification extends Context.Tag("lifecycle/Verification")<
  Verification,
  {
    /** `isWritten`: the service wrote or found the records. Without `history`, nobody enters records by hand. */
    readonly verify: (
      connection: Connection,
      options: Pick<AliasFlattening, "isWritten"> & { readonly history?: DiagnosisHistory }
    ) => Effect.Effect<VerificationReport, ResolversUnavailable | StoreUnavailable>
    /** Whether one server, in turns, shows the required records. It tells nothing of other servers or wildcards. */
    readonly isServedByOne: (
      connection: Connection,
      options: Pick<AliasFlattening, "isWritten"> & { readonly turn: number }
    ) => Effect.Effect<boolean>
  }
>() {
  static readonly layer = Layer.effect(
    Verification,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader
      const publicResolvers = yield* PublicResolvers
      const facts = yield* FactResolver
      const plans = yield* PlanMaker
      const providers = yield* Providers
      const diagnoseRecords = yield* makeRecordDiagnosis

      const compareAll = (
        effective: EffectiveIntent,
        views: ReadonlyArray<ServerView>,
        { flattening, kind }: Pick<ServerObservation, "kind"> & Pick<ComparedView, "flattening">
      ) =>
        Effect.map(
          facts.resolveFacts((context) =>
            computeInSlices(
              compareViews(
                effective,
                views.map((view) => ({ ...view, flattening })),
                context
              )
            )
          ),
          ({ comparisons }) =>
            comparisons.map(({ records, view }): ServerComparison => ({ kind, view, compared: records }))
        )

      const compareAuthoritative = (connection: Connection, delegation: Delegation, flattening?: AliasFlattening) =>
        Effect.gen(function* () {
          const { control, effectiveIntent, state } = connection
          const domain = DomainName.make(effectiveIntent.domain)
          const isApex = delegation.zone === domain
          const compared = withChallenge(connection)
          const readAndCompare = Effect.fnUntraced(function* (request: Omit<ZoneReadRequest, "domain" | "delegation">) {
            const { merged, views } = yield* zones.readPerServer({ ...request, domain, delegation })
            const servers = yield* compareAll(compared, views, { kind: "authoritative", flattening })
            return { merged, servers, outside: listOutside(merged), repair: Option.none<Plan>() }
          })
          // What a repair needs is asked for once something is lacking.
          if (state === "active" && control?.challenge === undefined) {
            const rrsets = effectiveIntent.records.flatMap(withOtherFamily)
            const seen = yield* readAndCompare({ hosts: listServedQuestions(rrsets, isApex, flattening !== undefined) })
            if (!lacksDesired(effectiveIntent, seen.servers)) return seen
          }
          // A repair may write records that an earlier plan left out.
          const desired = [...compared.records, ...resolveAcceptedIntent(connection).effectiveIntent.records]
          const request = { hosts: listPlanQuestions(desired, isApex), apexTypes: mailTypes }
          const read = yield* readAndCompare(request)
          if (!lacksDesired(effectiveIntent, read.servers) || Either.isLeft(read.merged)) return read
          const surveyed = yield* toSurveyedZone(providers.detect(delegation, connection.provider), {
            domain,
            delegation,
            read: read.merged.right
          })
          return { ...read, repair: yield* plans.repair(connection, surveyed, flattening) }
        })

      const comparePublic = (effectiveIntent: EffectiveIntent, { zone }: Delegation, flattening?: AliasFlattening) => {
        const domain = DomainName.make(effectiveIntent.domain)
        return Effect.flatMap(
          publicResolvers.readPerResolver({
            domain,
            zone,
            hosts: listServedQuestions(effectiveIntent.records, zone === domain, flattening !== undefined)
          }),
          (views) => compareAll(effectiveIntent, views, { kind: "public", flattening })
        )
      }

      /** How the provider of the zone may flatten the aliases of an intent; undefined if it does not. */
      const flatteningOf = ({ records }: EffectiveIntent, delegation: Delegation, isWritten: boolean) => {
        const { flattensAliases, proxyNetworks = [] } = providers.detect(delegation).limits
        const proxied = records.filter((record) => record.proxied === true)
        return flattensAliases === true ? { isWritten, proxied, proxyNetworks } : undefined
      }

      return {
        isServedByOne: ({ effectiveIntent: { domain, records } }, { isWritten, turn }) =>
          Effect.gen(function* () {
            const required = EffectiveIntent.make({ domain, records: records.filter(({ optional }) => !optional) })
            const delegation = yield* delegations.findKept(DomainName.make(domain))
            const flattening = flatteningOf(required, delegation, isWritten)
            const hosts = listServedQuestions(required.records, delegation.zone === domain, flattening !== undefined)
            const views = yield* zones.readAtOneServer({ domain: DomainName.make(domain), delegation, hosts }, turn)
            const servers = yield* compareAll(required, views, { kind: "authoritative", flattening })
            return servers.length > 0 && computeVerdict(required, servers) === "right"
            // The check of all servers finds and says why.
          }).pipe(Effect.orElseSucceed(() => false)),
        verify: Effect.fnUntraced(function* (connection, { history = noHistory, isWritten }) {
          const { effectiveIntent } = connection
          const checkedAt = yield* DateTime.now
          const domain = DomainName.make(effectiveIntent.domain)
          const found = yield* Effect.either(delegations.find(domain))
          if (Either.isLeft(found)) {
            if (found.left._tag === "ResolversUnavailable") return yield* found.left
            const failure = delegationFailures[found.left._tag]
            const result = failure === "domain_not_registered" ? unregistered : unreadable
            const records = combineObservations([], withChallenge(connection), checkedAt)
            const previous = yield* history.previous
            return {
              ...result.verdicts,
              challenge: "unknown",
              entered: { hosts: [], servers: [] },
              failure,
              servers: [],
              kept: Option.none(),
              repair: Option.none(),
              records: records.map((record) =>
                RecordObservation.make({ ...record, ...wasBesideIn(previous, record), status: result.status })
              )
            }
          }
          const delegation = found.right
          const flattening = flatteningOf(effectiveIntent, delegation, isWritten)
          const { outside, repair, servers } = yield* compareAuthoritative(connection, delegation, flattening)
          const authoritative = computeVerdict(effectiveIntent, servers)
          const resolvers =
            authoritative === "right" ? yield* comparePublic(effectiveIntent, delegation, flattening) : []
          return {
            repair,
            servers,
            kept: authoritative === "right" ? keepAnswers(effectiveIntent, servers, delegation) : Option.none(),
            records: yield* diagnoseRecords({
              connection,
              delegation,
              servers,
              outside,
              records: combineObservations([...servers, ...resolvers], withChallenge(connection), checkedAt),
              isJustWritten: isWritten && connection.state === "verifying",
              history
            }),
            authoritative,
            challenge: challengeVerdict(effectiveIntent, delegation, servers),
            entered: findEntered(effectiveIntent, delegation, servers),
            public: authoritative === "right" ? publicVerdict(effectiveIntent, resolvers) : "unknown"
          }
        })
      }
    })
  )
}

/** The effective intent and the challenge, asked of authoritative servers only: resolvers may remember a gone one. */
const withChallenge = ({ control, effectiveIntent }: Connection): EffectiveIntent => {
  if (control?.challenge === undefined) return effectiveIntent
  const { domain, records } = effectiveIntent
  const challenge = makeChallengeRecord(DomainName.make(domain), control.challenge.value)
  return EffectiveIntent.make({ domain, records: [...records, challenge] })
}

/** The verdict on the challenge, compared after the records: right only if every server shows it. */
const challengeVerdict = (
  { records }: EffectiveIntent,
  delegation: Delegation,
  servers: ReadonlyArray<ServerComparison>
): VerificationVerdict => {
  const statuses = statusesAt(records.length, servers)
  const isShownByAll = areAllAsked(delegation) && statuses.every((status) => status === "present")
  const verdict = decideVerdict([combineStatuses(statuses)])
  return verdict === "right" && !isShownByAll ? "unknown" : verdict
}

/** The hosts that all authoritative servers show as entered; none where some were not asked. */
const findEntered = (
  effective: EffectiveIntent,
  delegation: Delegation,
  servers: ReadonlyArray<ServerComparison>
): VerificationReport["entered"] => ({
  hosts: listEnteredHosts(
    effective,
    areAllAsked(delegation)
      ? servers.map(({ compared, view }) => ({ ...view, compared: compared.slice(0, effective.records.length) }))
      : []
  ),
  servers: servers.map(({ view }) => view.server.name)
})

const noHistory: DiagnosisHistory = { isByHand: false, isAwaited: false, checks: 0, previous: Effect.succeed([]) }

const unreadable = { status: "unknown", verdicts: { authoritative: "unknown", public: "unknown" } } as const

/** The parent zone itself says that there is no such domain. */
const unregistered = { status: "missing", verdicts: { authoritative: "wrong", public: "unknown" } } as const

/** Whether a server lacks a record of the intent, an optional one included. */
const lacksDesired = ({ records }: EffectiveIntent, servers: ReadonlyArray<ServerComparison>): boolean =>
  servers.some(({ compared }) =>
    compared.slice(0, records.length).some(({ status }) => status === "missing" || status === "different")
  )

/** Right where the operator configured no public resolver. */
const publicVerdict = (effective: EffectiveIntent, resolvers: ReadonlyArray<ServerComparison>): VerificationVerdict =>
  resolvers.length === 0 ? "right" : computeVerdict(effective, resolvers)

/** The verdict of all servers together over the required records. */
const computeVerdict = ({ records }: EffectiveIntent, servers: ReadonlyArray<ServerComparison>): VerificationVerdict =>
  decideVerdict(
    records.flatMap(({ optional }, index) => (optional ? [] : [combineStatuses(statusesAt(index, servers))]))
  )
