import { Context, Data, Effect, Layer } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import type { Leftover, PlanDigest } from "../../domain/Plan.ts"
import type { Progress, Standing } from "../../domain/Progress.ts"
import { admitsService } from "../../domain/Provider.ts"
import { Journal, type JournalEntry, perhapsWritten } from "../../persistence/Journal.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { progressIn } from "../../planning/changes/progress.ts"
import { liveZone } from "../../planning/zone/LiveZone.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import type { ApplyFailed } from "../applying/ApplyFailed.ts"
import { Applying } from "../applying/Applying.ts"
import type { LeaseLost, LeaseTaken } from "../applying/Leases.ts"
import { hasRecords } from "../state/isBound.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { type Ground, type NoPlan, Plans } from "./Plans.ts"
import type { Stepped } from "../steps/Steps.ts"
import { delegationWarnings, type SurveyFailed } from "./Survey.ts"
import { type OpenZone, ZoneAccess, type ZoneClosed } from "./ZoneAccess.ts"

/** Brings the records of a connection into its zone, or takes them out again: plans there, and writes what was approved. */
export class Provisioning extends Context.Tag("lifecycle/Provisioning")<
  Provisioning,
  {
    /** In `authorized` a plan from the provider's zone, in `applying` that plan into the zone. */
    readonly provision: (standing: Standing) => Effect.Effect<Stepped, LeaseLost | LeaseTaken | StoreUnavailable>
    /** In `disconnecting` the records out of the zone, or, where the customer does that by hand, the list of them. */
    readonly restore: (standing: Standing) => Effect.Effect<Stepped, LeaseLost | LeaseTaken | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Provisioning,
    Effect.gen(function* () {
      const access = yield* ZoneAccess
      const applying = yield* Applying
      const identifiers = yield* Identifiers
      const journal = yield* Journal
      const plans = yield* Plans

      /** Writes the plan that was approved, or goes on with writing it; another one than that is not written. */
      const write = Effect.fnUntraced(function* (standing: Standing) {
        const { connection } = standing
        const open = yield* access.open(connection)
        const made = yield* plans.from(standing, groundOf(open))
        const direction = connection.direction ?? "connect"
        const approved = connection.plan?.digest
        const begun = (yield* journal.unfinished(connection.id)).filter(
          (entry) =>
            entry.direction === direction &&
            entry.providerId === open.providerId &&
            entry.zone === open.place.zone &&
            entry.digest === approved
        )
        const digest = (isPartlyIn(open, begun) ? begun[0]?.digest : undefined) ?? made.plan.digest
        if (approved === undefined) return yield* new PlanChanged()
        if (approved !== digest) {
          // Nothing is left to do for whoever comes after a process that died before it could say that all is written.
          const isDone =
            made.plan.changes.length === 0 && endsWith(approved, yield* journal.ofConnection(connection.id))
          return yield* isDone ? Effect.void : new PlanChanged()
        }
        yield* applying.apply({
          run: yield* identifiers.next("run"),
          connectionId: connection.id,
          providerId: open.providerId,
          ...open.place,
          direction,
          digest,
          changes: made.plan.changes,
          snapshot: open.snapshot,
          client: open.client
        })
      })

      const provision = Effect.fnUntraced(function* (standing: Standing) {
        const { connection } = standing
        if (connection.state === "authorized") {
          const made = yield* plans.from(standing, groundOf(yield* access.open(connection)))
          return LifecycleEvent.Planned({ ...made, wrote: yield* journal.hasWrites(connection.id) })
        }
        yield* write(standing)
        return LifecycleEvent.Applied()
      })

      const restore = Effect.fnUntraced(function* (standing: Standing) {
        const { connection, progress } = standing
        if (progress.wrote && !progress.byHand) {
          yield* write(standing)
          return LifecycleEvent.Restored({ leftovers: connection.leftovers ?? [] })
        }
        return yield* Effect.matchEffect(plans.inPublic(standing), {
          onSuccess: ({ leftovers = [], plan, provider }) => {
            const isHeir = !hasRecords(progress) && plan.changes.length > 0 && admitsService(provider)
            return Effect.succeed(
              isHeir ? LifecycleEvent.Inherited({ plan }) : LifecycleEvent.Restored({ leftovers, plan })
            )
          },
          onFailure: (failure) =>
            failure._tag === "SurveyFailed" && gone.has(failure.code)
              ? Effect.map(journal.ofConnection(connection.id), (entries) =>
                  LifecycleEvent.Restored({ leftovers: abandoned(entries, progress) })
                )
              : Effect.fail(failure)
        })
      })

      const orFailed = <R>(
        happening: Effect.Effect<LifecycleEvent, Obstacle | LeaseTaken | LeaseLost | StoreUnavailable, R>,
        { connection: { id } }: Standing
      ) => {
        const failed = ({ code }: { readonly code: FailureCode }) =>
          Effect.map(journal.hasWrites(id), (wrote) => LifecycleEvent.Failed({ code, wrote }))
        return happening.pipe(
          Effect.catchTags({
            PlanChanged: lapsed,
            ZoneChanged: lapsed,
            ZoneClosed: failed,
            NoPlan: failed,
            SurveyFailed: failed,
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
const isPartlyIn = ({ place, snapshot }: OpenZone, begun: ReadonlyArray<JournalEntry>): boolean => {
  const progress = progressIn(
    liveZone(snapshot.zone, place.domain),
    begun.map(({ change }) => change)
  )
  return begun.some(({ change }) => progress(change) === "done")
}

/** There is no zone of this name any more that somebody answers for, and nothing to look at. */
const gone: ReadonlySet<FailureCode> = new Set(["domain_not_registered", "domain_has_no_nameservers", "zone_not_found"])

/** All that was put into a zone that cannot be looked at; whoever still has it knows what to take out. */
const abandoned = (entries: ReadonlyArray<JournalEntry>, { entered }: Progress): ReadonlyArray<Leftover> =>
  [...entries.filter(({ direction, status }) => direction === "connect" && perhapsWritten.includes(status)), ...entered]
    .flatMap(({ change }) => (change.after === undefined ? [] : [change.after]))
    .map((record) => ({ record, reason: "zone_gone" }))

type Obstacle = PlanChanged | ZoneChanged | ZoneClosed | NoPlan | SurveyFailed | ApplyFailed

const lapsed = () => Effect.succeed(LifecycleEvent.PlanLapsed())

/** Whether the latest run in a journal carried the plan of this digest out. */
const endsWith = (digest: PlanDigest, entries: ReadonlyArray<JournalEntry>): boolean => {
  const latest = entries.filter(({ run }) => run === entries.at(-1)?.run)
  return latest.length > 0 && latest.every((entry) => entry.digest === digest && entry.status === "confirmed")
}

/** The zone asks for other changes than those that were approved. */
class PlanChanged extends Data.TaggedError("PlanChanged") {}

const groundOf = ({ client, delegation, limits, snapshot: { zone } }: OpenZone): Ground => ({
  zone,
  limits,
  refusalOf: client.refusalOf,
  warnings: delegationWarnings(delegation)
})
