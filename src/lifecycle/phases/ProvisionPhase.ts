import { Context, Data, Effect, Layer } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import type { Leftover, PlanDigest } from "../../domain/Plan.ts"
import { canAuthorizeService } from "../../domain/Provider.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type JournalEntry, JournalStore, possiblyWrittenStatuses } from "../../persistence/stores/JournalStore.ts"
import { changeStatusIn } from "../../planning/changes/ChangeStatus.ts"
import { liveZone } from "../../planning/zone/LiveZone.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import type { LeaseLost, LeaseTaken } from "../apply/Leases.ts"
import { PlanApplier } from "../apply/PlanApplier.ts"
import { type OpenZone, ZoneAccess, type ZoneAccessDenied } from "../apply/ZoneAccess.ts"
import type { ApplyFailed } from "../apply/executeRun.ts"
import type { StepResult } from "../commit/Transitions.ts"
import { type PlanImpossible, PlanMaker, type ProviderZone } from "../plan/PlanMaker.ts"
import { delegationWarnings, type ZoneSurveyFailed } from "../plan/ZoneSurvey.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { hasRecordsInZone } from "../state/recordsInZone.ts"

/** Brings the records of a connection into its zone, or takes them out again: plans there, and writes what was approved. */
export class ProvisionPhase extends Context.Tag("lifecycle/ProvisionPhase")<
  ProvisionPhase,
  {
    /** In `authorized` a plan from the provider's zone, in `applying` that plan into the zone. */
    readonly provision: (
      standing: ConnectionRecord
    ) => Effect.Effect<StepResult, LeaseLost | LeaseTaken | StoreUnavailable>
    /** In `disconnecting` the records out of the zone, or, where the customer does that by hand, the list of them. */
    readonly restore: (
      standing: ConnectionRecord
    ) => Effect.Effect<StepResult, LeaseLost | LeaseTaken | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ProvisionPhase,
    Effect.gen(function* () {
      const access = yield* ZoneAccess
      const applying = yield* PlanApplier
      const identifiers = yield* Identifiers
      const journal = yield* JournalStore
      const plans = yield* PlanMaker

      /** Writes the plan that was approved, or goes on with writing it; another one than that is not written. */
      const write = Effect.fnUntraced(function* (standing: ConnectionRecord) {
        const { connection } = standing
        const open = yield* access.open(connection)
        const made = yield* plans.fromProviderZone(standing, groundOf(open))
        const direction = connection.direction ?? "connect"
        const approved = connection.plan?.digest
        const begun = (yield* journal.findUnfinishedRun(connection.id)).filter(
          (entry) =>
            entry.direction === direction &&
            entry.providerId === open.providerId &&
            entry.zone === open.location.zone &&
            entry.digest === approved
        )
        const digest = (isPartlyIn(open, begun) ? begun[0]?.digest : undefined) ?? made.plan.digest
        if (approved === undefined) return yield* new PlanChanged()
        if (approved !== digest) {
          // Nothing is left to do for whoever comes after a process that died before it could say that all is written.
          const isDone =
            made.plan.changes.length === 0 && endsWith(approved, yield* journal.findByConnection(connection.id))
          return yield* isDone ? Effect.void : new PlanChanged()
        }
        yield* applying.apply({
          run: yield* identifiers.next("run"),
          connectionId: connection.id,
          providerId: open.providerId,
          ...open.location,
          direction,
          digest,
          changes: made.plan.changes,
          snapshot: open.snapshot,
          client: open.client
        })
      })

      const provision = Effect.fnUntraced(function* (standing: ConnectionRecord) {
        const { connection } = standing
        if (connection.state === "authorized") {
          const made = yield* plans.fromProviderZone(standing, groundOf(yield* access.open(connection)))
          return LifecycleEvent.Planned({ ...made, wrote: yield* journal.hasWrites(connection.id) })
        }
        yield* write(standing)
        return LifecycleEvent.Applied()
      })

      const restore = Effect.fnUntraced(function* (standing: ConnectionRecord) {
        const { connection, progress } = standing
        if (progress.wrote && !progress.byHand) {
          yield* write(standing)
          return LifecycleEvent.Restored({ leftovers: connection.leftovers ?? [] })
        }
        return yield* Effect.matchEffect(plans.fromPublicZone(standing), {
          onSuccess: ({ leftovers = [], plan, provider }) => {
            const isHeir = !hasRecordsInZone(progress) && plan.changes.length > 0 && canAuthorizeService(provider)
            return Effect.succeed(
              isHeir ? LifecycleEvent.RecordsInherited({ plan }) : LifecycleEvent.Restored({ leftovers, plan })
            )
          },
          onFailure: (failure) =>
            failure._tag === "ZoneSurveyFailed" && gone.has(failure.code)
              ? Effect.map(journal.findByConnection(connection.id), (entries) =>
                  LifecycleEvent.Restored({ leftovers: abandoned(entries, progress) })
                )
              : Effect.fail(failure)
        })
      })

      const orFailed = <R>(
        happening: Effect.Effect<LifecycleEvent, Obstacle | LeaseTaken | LeaseLost | StoreUnavailable, R>,
        { connection: { id } }: ConnectionRecord
      ) => {
        const failed = ({ code }: { readonly code: FailureCode }) =>
          Effect.map(journal.hasWrites(id), (wrote) => LifecycleEvent.Failed({ code, wrote }))
        return happening.pipe(
          Effect.catchTags({
            PlanChanged: lapsed,
            ZoneChanged: lapsed,
            ZoneAccessDenied: failed,
            PlanImpossible: failed,
            ZoneSurveyFailed: failed,
            ApplyFailed: (failure) =>
              Effect.zipRight(Effect.logWarning("A plan was not carried out", failure), failed(failure))
          }),
          Effect.map((event) => ({ event }))
        )
      }

      return {
        provision: (standing) => orFailed(provision(standing), standing),
        restore: (standing) => orFailed(restore(standing), standing)
      }
    })
  )
}

/** Whether something of a run is in the zone: only then is it gone on with, though the zone asks for other changes now. */
const isPartlyIn = ({ location: place, snapshot }: OpenZone, begun: ReadonlyArray<JournalEntry>): boolean => {
  const progress = changeStatusIn(
    liveZone(snapshot.zone, place.domain),
    begun.map(({ change }) => change)
  )
  return begun.some(({ change }) => progress(change) === "done")
}

/** There is no zone of this name any more that somebody answers for, and nothing to look at. */
const gone: ReadonlySet<FailureCode> = new Set(["domain_not_registered", "domain_has_no_nameservers", "zone_not_found"])

/** All that was put into a zone that cannot be looked at; whoever still has it knows what to take out. */
const abandoned = (entries: ReadonlyArray<JournalEntry>, { entered }: Progress): ReadonlyArray<Leftover> =>
  [
    ...entries.filter(({ direction, status }) => direction === "connect" && possiblyWrittenStatuses.includes(status)),
    ...entered
  ]
    .flatMap(({ change }) => (change.after === undefined ? [] : [change.after]))
    .map((record) => ({ record, reason: "zone_gone" }))

type Obstacle = PlanChanged | ZoneChanged | ZoneAccessDenied | PlanImpossible | ZoneSurveyFailed | ApplyFailed

const lapsed = () => Effect.succeed(LifecycleEvent.PlanInvalidated())

/** Whether the latest run in a journal carried the plan of this digest out. */
const endsWith = (digest: PlanDigest, entries: ReadonlyArray<JournalEntry>): boolean => {
  const latest = entries.filter(({ run }) => run === entries.at(-1)?.run)
  return latest.length > 0 && latest.every((entry) => entry.digest === digest && entry.status === "confirmed")
}

/** The zone asks for other changes than those that were approved. */
class PlanChanged extends Data.TaggedError("PlanChanged") {}

const groundOf = ({ client, delegation, limits, snapshot: { zone } }: OpenZone): ProviderZone => ({
  zone,
  limits,
  refusalOf: client.checkRecord,
  warnings: delegationWarnings(delegation)
})
