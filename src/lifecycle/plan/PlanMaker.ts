import { Array, Context, Data, DateTime, Effect, Either, Layer, Option } from "effect"
import type { Connection, FailureCode, OptionalFailure } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import { HostName, parseDomain } from "../../domain/DomainName.ts"
import { EffectiveIntent, type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import { Plan, type Warning } from "../../domain/Plan.ts"
import type { Provider, ProviderLimits } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type JournalEntry, JournalStore } from "../../persistence/stores/JournalStore.ts"
import { sortWarnings } from "../../planning/changes/warnings.ts"
import { planRestore } from "../../planning/restore/planRestore.ts"
import type { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { Transitions } from "../commit/Transitions.ts"
import type { ProposedPlan } from "../state/LifecycleEvent.ts"
import { FactResolver } from "./FactResolver.ts"
import { ZoneSurvey, type ZoneSurveyFailed } from "./ZoneSurvey.ts"
import { ZoneTenants } from "./ZoneTenants.ts"

/** A zone to plan from, and what its provider can store. */
export interface PlanningZone {
  readonly zone: Zone
  readonly limits: ProviderLimits
  /** Why the provider could not store a record, as far as that is known without asking it. */
  readonly refusalOf: (record: DnsRecord) => Option.Option<ProviderFailure>
  /** What is known of the zone beside its records. */
  readonly warnings: ReadonlyArray<Warning>
}

/** No plan leads from the zone to what is wanted. */
export class PlanImpossible extends Data.TaggedError("PlanImpossible")<{ readonly code: FailureCode }> {}

/** What would have to change in a zone for a connection as it is now, in the direction that it goes. */
export class PlanMaker extends Context.Tag("lifecycle/PlanMaker")<
  PlanMaker,
  {
    readonly planFromZone: (
      standing: ConnectionRecord,
      ground: PlanningZone
    ) => Effect.Effect<ProposedPlan, PlanImpossible | StoreUnavailable>
    /** From what stands in public wherever the connection wrote or wants something. */
    readonly planFromPublicZone: (
      standing: ConnectionRecord
    ) => Effect.Effect<
      ProposedPlan & { readonly provider: Provider },
      PlanImpossible | ZoneSurveyFailed | StoreUnavailable
    >
  }
>() {
  static readonly layer = Layer.effect(
    PlanMaker,
    Effect.gen(function* () {
      const planner = yield* FactResolver
      const neighbours = yield* ZoneTenants
      const journal = yield* JournalStore
      const survey = yield* ZoneSurvey
      const { timeouts: clocks } = yield* Transitions

      const into = Effect.fnUntraced(function* (connection: Connection, ground: PlanningZone) {
        const intent = yield* Either.mapLeft(resolveIntent(connection.intent), () => unresolvable)
        const { refused, storable } = yield* separateStorable(intent, ground)
        const others = yield* neighbours.desiredByOthers(ground.zone.name, connection)
        const { effectiveIntent, optionalFailures, ...planned } = yield* Effect.flatMap(
          planner.plan({ intent: storable, others, ...ground }),
          Either.mapLeft(({ code }) => new PlanImpossible({ code }))
        )
        return { planned, told: { effectiveIntent, optionalFailures: [...refused, ...optionalFailures] } }
      })

      const outOf = Effect.fnUntraced(function* (standing: ConnectionRecord, { limits, zone }: PlanningZone) {
        const { connection, progress } = standing
        const history = yield* neighbours.historyOf(zone, standing)
        const now = yield* DateTime.now
        const { domain } = history.leaving.intent
        const { leftovers: leftovers, ...planned } = yield* planner.resolveFacts((context) =>
          planRestore({ ...history, zone, domain, limits, context, now, putBack: progress.putBack })
        )
        const { effectiveIntent, optionalFailures } = connection
        return { planned, told: { effectiveIntent, optionalFailures, leftovers } }
      })

      const from = Effect.fn("PlanMaker.planFromZone")(function* (standing: ConnectionRecord, ground: PlanningZone) {
        const { connection } = standing
        const { planned, told } = yield* connection.direction === "restore"
          ? outOf(standing, ground)
          : into(connection, ground)
        const expiresAt = DateTime.addDuration(yield* DateTime.now, clocks.plan)
        return {
          ...told,
          plan: Plan.make({
            digest: planned.digest,
            zone: planned.zone,
            basis: ground.zone.basis,
            changes: planned.changes,
            warnings: sortWarnings([
              ...planned.warnings,
              ...ground.warnings,
              ...differing(connection, ground, planned)
            ]),
            expiresAt
          })
        }
      })

      return {
        planFromZone: from,
        planFromPublicZone: Effect.fn("PlanMaker.planFromPublicZone")(function* (standing) {
          const { connection } = standing
          const entries = yield* journal.findByConnection(connection.id)
          const domain = yield* Either.mapLeft(parseDomain(connection.effectiveIntent.domain), () => unresolvable)
          const hosts = hostsConcerned(connection, entries)
          const { provider, ...seen } = yield* survey.read(domain, () =>
            hosts.map((host) => ({ host, types: allTypes }))
          )
          return { provider, ...(yield* from(standing, { ...seen, refusalOf: Option.none })) }
        })
      }
    })
  )
}

const hostsConcerned = ({ effectiveIntent }: Connection, entries: ReadonlyArray<JournalEntry>) =>
  Array.dedupe([
    ...effectiveIntent.records.map(({ host }) => HostName.make(host)),
    ...entries.flatMap(({ change }) => [change.before, change.after].flatMap((_) => (_ ? [HostName.make(_.host)] : [])))
  ])

/** What a record may have to make room for, or come back beside. */
const allTypes = ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "HTTPS", "SVCB", "DS"] as const

/** Another plan than was shown says that the servers answer something else than the provider keeps. */
const differing = (
  { plan }: Connection,
  { zone }: PlanningZone,
  { digest }: Pick<Plan, "digest">
): ReadonlyArray<Warning> =>
  zone.basis === "provider" && plan?.basis === "public_dns" && plan.digest !== digest
    ? ["provider_zone_differs_from_public_dns"]
    : []

const unresolvable = new PlanImpossible({ code: "record_value_rejected" })

/** Takes out the optional records that the provider cannot store; one that is needed refuses the whole. */
const separateStorable = (
  resolved: ResolvedIntent,
  { refusalOf }: PlanningZone
): Either.Either<
  { readonly refused: ReadonlyArray<OptionalFailure>; readonly storable: ResolvedIntent },
  PlanImpossible
> => {
  const { domain, effectiveIntent, intent } = resolved
  const refusals = effectiveIntent.records.map((record) => ({ record, refusal: refusalOf(record) }))
  const needed = Array.findFirst(refusals, ({ record, refusal }) => !record.optional && Option.isSome(refusal))
  return Option.match(
    Option.flatMap(needed, ({ refusal }) => refusal),
    {
      onSome: ({ code }) => Either.left(new PlanImpossible({ code })),
      onNone: () =>
        Either.right({
          refused: refusals.flatMap(({ record, refusal }) =>
            Option.toArray(Option.map(refusal, ({ code }) => ({ type: record.type, host: record.host, code })))
          ),
          storable: {
            domain,
            intent: { ...intent, records: intent.records.filter((_, index) => isStorable(refusals[index])) },
            effectiveIntent: EffectiveIntent.make({
              domain,
              records: effectiveIntent.records.filter((_, index) => isStorable(refusals[index]))
            })
          }
        })
    }
  )
}

const isStorable = (one: { readonly refusal: Option.Option<ProviderFailure> } | undefined): boolean =>
  one !== undefined && Option.isNone(one.refusal)
