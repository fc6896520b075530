import { Context, Data, Effect, Layer } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import type { PlanDigest } from "../../domain/Plan.ts"
import { type JournalEntry, JournalStore } from "../../persistence/stores/JournalStore.ts"
import { type PlanImpossible, PlanMaker } from "../plan/PlanMaker.ts"
import { type ApplyError, PlanApplier } from "./PlanApplier.ts"
import { type OpenZone, toProviderZone, ZoneAccess, type ZoneAccessDenied } from "./ZoneAccess.ts"
import { makeEntryStatusCheck } from "./entryStatus.ts"

/** The zone needs other changes than those that were approved; nothing was written. */
export class PlanChanged extends Data.TaggedError("PlanChanged") {}

/** Writes the approved plan of a connection to its zone at the provider, in either direction. */
export class ApprovedPlanWriter extends Context.Tag("lifecycle/ApprovedPlanWriter")<
  ApprovedPlanWriter,
  {
    /** Plans anew from the provider's zone and writes the plan, or continues an unfinished run, if the plan is the approved one. */
    readonly write: (
      current: ConnectionRecord
    ) => Effect.Effect<void, PlanChanged | ZoneAccessDenied | PlanImpossible | ApplyError>
  }
>() {
  static readonly layer = Layer.effect(
    ApprovedPlanWriter,
    Effect.gen(function* () {
      const access = yield* ZoneAccess
      const applier = yield* PlanApplier
      const identifiers = yield* Identifiers
      const journal = yield* JournalStore
      const plans = yield* PlanMaker

      return {
        write: Effect.fn("ApprovedPlanWriter.write")(function* (current) {
          const { connection } = current
          const opened = yield* access.open(connection)
          const target = { ...opened, ...opened.location, connectionId: connection.id }
          const zone = { ...opened, snapshot: yield* applier.removeDuplicates(target) }
          const { plan } = yield* plans.planFromProviderZone(current, toProviderZone(zone))
          const direction = connection.direction ?? "connect"
          const approved = connection.plan?.digest
          const unfinished = (yield* journal.findUnfinishedRun(connection.id)).filter(
            (entry) =>
              entry.direction === direction &&
              entry.providerId === zone.providerId &&
              entry.zone === zone.location.zone &&
              entry.digest === approved
          )
          if (approved === undefined) return yield* new PlanChanged()
          if (plan.digest !== approved && !isPartlyApplied(zone, unfinished)) {
            // The process that wrote the plan may have died before it could report that.
            const isApplied =
              plan.changes.length === 0 && endsWith(approved, yield* journal.findByConnection(connection.id))
            return yield* isApplied ? Effect.void : new PlanChanged()
          }
          yield* applier.apply({
            ...target,
            run: yield* identifiers.next("run"),
            direction,
            digest: approved,
            changes: plan.changes,
            snapshot: zone.snapshot
          })
        })
      }
    })
  )
}

/** Whether any change of an unfinished run is in the zone: only then does the run go on though the plan differs now. */
const isPartlyApplied = ({ location, snapshot }: OpenZone, unfinished: ReadonlyArray<JournalEntry>): boolean => {
  const statusOf = makeEntryStatusCheck(snapshot.zone, location.domain, { entries: unfinished, open: unfinished })
  return unfinished.some((entry) => statusOf(entry) === "applied")
}

/** Whether the latest run in a journal wrote every change of the plan with this digest. */
const endsWith = (digest: PlanDigest, entries: ReadonlyArray<JournalEntry>): boolean => {
  const latest = entries.filter(({ run }) => run === entries.at(-1)?.run)
  return latest.length > 0 && latest.every((entry) => entry.digest === digest && entry.status === "confirmed")
}
