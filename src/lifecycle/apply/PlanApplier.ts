import { Context, Duration, Effect, Layer } from "effect"
import type { Change } from "../../domain/Plan.ts"
import { splitUpdates } from "../../domain/RunChange.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type JournalEntry, type JournalRun, JournalStore } from "../../persistence/stores/JournalStore.ts"
import type { ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import { type LeaseLost, Leases, type LeaseTaken } from "../commit/Leases.ts"
import { makeRunJournal } from "./RunJournal.ts"
import { abandonRun, type ApplyFailed, executeRun } from "./executeRun.ts"

/**
 * A plan to write, and the zone that it was made from. `run` stays the same until the journal has the outcome, and is not
 * used again.
 */
export interface ApplyRequest extends JournalRun {
  readonly changes: ReadonlyArray<Change>
  readonly snapshot: ZoneSnapshot
  /** Read the snapshot, and reads the zone again after the writes. */
  readonly client: ZoneClient
}

/** Why a plan was not written completely; after `ZoneChanged` nothing of it is in the zone. */
export type ApplyError = ZoneChanged | ApplyFailed | LeaseTaken | LeaseLost | StoreUnavailable

/** Writes a plan to its zone and journals every change, so that the next process can continue after a crash. */
export class PlanApplier extends Context.Tag("lifecycle/PlanApplier")<
  PlanApplier,
  {
    /**
     * Writes the plan, or continues an unfinished run of the same plan. An unfinished run of another plan is ended first,
     * without writing any more of it.
     */
    readonly apply: (request: ApplyRequest) => Effect.Effect<void, ApplyError>
  }
>() {
  static readonly layer = Layer.effect(
    PlanApplier,
    Effect.gen(function* () {
      const journal = yield* JournalStore
      const leases = yield* Leases

      return {
        apply: Effect.fn("PlanApplier.apply")(function* (request) {
          const { connectionId, providerId, zone } = request
          const lease = yield* leases.hold([`connection:${connectionId}`, `zone:${providerId}/${zone}`], maxWait)
          const unfinished = (yield* journal.findUnfinishedRun(connectionId)).find((entry) =>
            isSameZone(entry, request)
          )
          const isContinued = unfinished !== undefined && isSamePlan(unfinished, request)
          if (unfinished !== undefined && !isContinued) {
            yield* abandonRun({ ...request, journal: makeRunJournal(journal, lease, unfinished) })
          }
          const runJournal = makeRunJournal(journal, lease, isContinued ? unfinished : request)
          yield* runJournal.open(splitUpdates(request.changes, request.client.canUpdate ?? (() => true)))
          yield* executeRun({ ...request, journal: runJournal })
        }, Effect.scoped)
      }
    })
  )
}

/** How long a plan waits for another plan that is being written to the same zone. */
const maxWait = Duration.seconds(30)

/** The zone at a provider that the domain has left is neither read nor written any more. */
const isSameZone = (entry: JournalEntry, run: JournalRun): boolean =>
  entry.providerId === run.providerId && entry.zone === run.zone

const isSamePlan = (entry: JournalEntry, run: JournalRun): boolean =>
  entry.digest === run.digest && entry.direction === run.direction
