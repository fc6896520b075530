import { Context, Data, Effect, Layer } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import { graveWarnings } from "../../domain/graveWarnings.ts"
import type { Plan, PlanDigest } from "../../domain/Plan.ts"
import type { Standing } from "../../domain/Progress.ts"
import { Journal, type JournalEntry } from "../../persistence/Journal.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { progressIn } from "../../planning/changes/progress.ts"
import { liveZone } from "../../planning/zone/LiveZone.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import type { ApplyFailed } from "../applying/ApplyFailed.ts"
import { Applying } from "../applying/Applying.ts"
import type { LeaseLost, LeaseTaken } from "../applying/Leases.ts"
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
      const write = Effect.fnUntraced(function* (standing: Standing, open: OpenZone) {
        const { connection } = standing
        const made = yield* plans.from(standing, groundOf(open))
        const direction = connection.direction ?? "connect"
        const approved = connection.plan?.digest
        const begun = (yield* journal.unfinished(connection.id)).filter(
          (entry) =>
            entry.direction === direction &&
            entry.providerId === open.providerId &&
            entry.zone === open.place.zone &&
            (approved === undefined || entry.digest === approved)
        )
        const digest = (isPartlyIn(open, begun) ? begun[0]?.digest : undefined) ?? made.plan.digest
        if (approved === undefined && isGrave(made.plan)) return yield* new PlanChanged()
        if (approved !== undefined && approved !== digest) {
          // Nothing is left to do for whoever comes after a process that died before it could say that all is written.
          const isDone =
            made.plan.changes.length === 0 && endsWith(approved, yield* journal.ofConnection(connection.id))
          return isDone ? made : yield* new PlanChanged()
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
        return made
      })

      const provision = Effect.fnUntraced(function* (standing: Standing) {
        const open = yield* access.open(standing.connection)
        if (standing.connection.state === "authorized") {
          const made = yield* plans.from(standing, groundOf(open))
          return LifecycleEvent.Planned({ ...made, wrote: yield* journal.hasWrites(standing.connection.id) })
        }
        yield* write(standing, open)
        return LifecycleEvent.Applied()
      })

      const restore = Effect.fnUntraced(function* (standing: Standing) {
        const { connection, progress } = standing
        const { leftovers = [], plan } =
          progress.byHand || !progress.wrote
            ? yield* plans.inPublic(standing)
            : yield* write(standing, yield* access.open(connection))
        const isByService = progress.wrote && !progress.byHand
        return LifecycleEvent.Restored({ leftovers, plan: (isByService ? connection.plan : undefined) ?? plan })
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

/** Whether somebody has to say first that they know of what the plan brings. */
const isGrave = ({ warnings }: Plan): boolean => warnings.some((warning) => graveWarnings.has(warning))

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
