import { Context, DateTime, Effect, Either, Layer } from "effect"
import { type Delegation, Delegations } from "../../dns/zone/Delegation.ts"
import { PublicResolvers } from "../../dns/zone/PublicResolvers.ts"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import { ZoneReader } from "../../dns/zone/ZoneReader.ts"
import type { Connection } from "../../domain/Connection.ts"
import type { EffectiveIntent, ResolvedIntent } from "../../domain/Intent.ts"
import { RecordObservation, type ServerObservation } from "../../domain/RecordObservation.ts"
import type { PlanRefused, PlanResult } from "../../planning/buildPlan.ts"
import type { VerificationVerdict } from "../../planning/verification/VerificationVerdict.ts"
import { compareZone, toExactIntent } from "../../planning/verification/compareZone.ts"
import { Providers } from "../../providers/Providers.ts"
import { FactResolver } from "../plan/FactResolver.ts"
import { delegationFailures } from "../plan/ZoneSurvey.ts"
import { servedQuestions, zoneQuestions } from "../plan/zoneQuestions.ts"
import { observationsOf, type ServerComparison, verdictOfServers } from "./observations.ts"

/** What is served of the effective intent of a connection. */
export interface VerificationReport {
  /** In the order of the effective intent. */
  readonly records: ReadonlyArray<RecordObservation>
  /** Of all authoritative servers of the zone together, over the required records. */
  readonly authoritative: VerificationVerdict
  /** The same of the public resolvers: unknown where they were not asked, right where there are none to ask. */
  readonly public: VerificationVerdict
  /** What would have to change where a record is not as wanted, if the zone is known. */
  readonly planned?: Either.Either<PlanResult, PlanRefused>
  /** Why there was no zone to look at. */
  readonly failure?: (typeof delegationFailures)[keyof typeof delegationFailures]
}

/**
 * Looks whether what a connection wants is served, wherever its zone is now. Public resolvers are asked only once
 * the authoritative servers are right: what they are asked too early they remember as missing (RFC 2308).
 */
export class Verification extends Context.Tag("lifecycle/Verification")<
  Verification,
  { readonly verify: (connection: Pick<Connection, "effectiveIntent">) => Effect.Effect<VerificationReport> }
>() {
  static readonly layer = Layer.effect(
    Verification,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader
      const world = yield* PublicResolvers
      const planner = yield* FactResolver
      const providers = yield* Providers

      const compareAll = (
        effective: EffectiveIntent,
        views: ReadonlyArray<ServerView>,
        kind: ServerObservation["kind"]
      ) =>
        Effect.map(
          planner.resolveFacts((context) => {
            const all = views.map((view) => ({ view, ...compareZone(effective, view, context) }))
            return { all, unanswered: all.flatMap(({ unanswered }) => unanswered) }
          }),
          ({ all }) => all.map(({ records, view }): ServerComparison => ({ kind, view, compared: records }))
        )

      const askServers = (intent: ResolvedIntent, delegation: Delegation) =>
        Effect.gen(function* () {
          const { domain, effectiveIntent } = intent
          const { limits } = providers.detect(delegation)
          const hosts = zoneQuestions(effectiveIntent.records, delegation.zone === domain)
          const { merged: together, views } = yield* zones.readPerServer({ domain, delegation, hosts })
          const witnesses = yield* compareAll(effectiveIntent, views, "authoritative")
          const planned =
            witnesses.some(lacksSomething) && Either.isRight(together)
              ? { planned: yield* planner.plan({ intent, zone: together.right.zone, limits }) }
              : {}
          return { witnesses, ...planned }
        })

      const askWorld = ({ domain, effectiveIntent }: ResolvedIntent, { zone }: Delegation) =>
        Effect.flatMap(
          world.readPerResolver({ domain, zone, hosts: servedQuestions(effectiveIntent.records, zone === domain) }),
          (views) => compareAll(effectiveIntent, views, "public")
        )

      return {
        verify: Effect.fn("Verification.verify")(function* ({ effectiveIntent }) {
          const checkedAt = yield* DateTime.now
          const intent = toExactIntent(effectiveIntent)
          const found = yield* Effect.either(delegations.find(intent.domain))
          if (Either.isLeft(found)) {
            const failure = delegationFailures[found.left._tag]
            const seen = failure === "domain_not_registered" ? nothingThere : nothingKnown
            const records = observationsOf([], effectiveIntent, checkedAt)
            return {
              ...seen.verdicts,
              failure,
              records: records.map((record) => RecordObservation.make({ ...record, status: seen.status }))
            }
          }
          const { witnesses, ...known } = yield* askServers(intent, found.right)
          const authoritative = verdictOfServers(effectiveIntent, witnesses)
          const others = authoritative === "right" ? yield* askWorld(intent, found.right) : []
          return {
            ...known,
            records: observationsOf([...witnesses, ...others], effectiveIntent, checkedAt),
            authoritative,
            public: authoritative === "right" ? publicVerdict(effectiveIntent, others) : "unknown"
          }
        })
      }
    })
  )
}

const nothingKnown = { status: "unknown", verdicts: { authoritative: "unknown", public: "unknown" } } as const

/** The zone above says itself that there is no such domain. */
const nothingThere = { status: "missing", verdicts: { authoritative: "wrong", public: "unknown" } } as const

const lacksSomething = ({ compared }: ServerComparison): boolean =>
  compared.some(({ status }) => status === "missing" || status === "different")

/** Where the operator named no resolver, none can object. */
const publicVerdict = (effective: EffectiveIntent, witnesses: ReadonlyArray<ServerComparison>): VerificationVerdict =>
  witnesses.length === 0 ? "right" : verdictOfServers(effective, witnesses)
