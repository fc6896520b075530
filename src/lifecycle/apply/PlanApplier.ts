import { Context, Duration, Effect, Layer } from "effect"
import type { Change } from "../../domain/Plan.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type JournalEntry, type JournalRun, JournalStore } from "../../persistence/stores/JournalStore.ts"
import type { ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import { type LeaseLost, Leases, type LeaseTaken } from "./Leases.ts"
import { runJournalOf } from "./RunJournal.ts"
import { abandonRun, type ApplyFailed, executeRun } from "./executeRun.ts"

/**
 * A plan that is to be written, and the zone that it was made from. `run` stays the same until the outcome is kept, and
 * is not used again after that.
 */
export interface ApplyRequest extends JournalRun {
  readonly changes: ReadonlyArray<Change>
  readonly snapshot: ZoneSnapshot
  /** What the snapshot was read by, and what was written is seen by. */
  readonly client: ZoneClient
}

/** Why a plan was not carried out; after `ZoneChanged` nothing of it is in the zone. */
export type ApplyError = ZoneChanged | ApplyFailed | LeaseTaken | LeaseLost | StoreUnavailable

/** Writes a plan to its zone, change by change in the journal, so that whoever comes after a crash can go on. */
export class PlanApplier extends Context.Tag("lifecycle/PlanApplier")<
  PlanApplier,
  {
    /**
     * Carries the plan out, or to its end if it was begun under whatever run. A run of another plan that was never ended
     * is ended first, without writing any more of it.
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
          const lease = yield* leases.hold([`connection:${connectionId}`, `zone:${providerId}/${zone}`], patience)
          const [earlier] = yield* journal.findUnfinishedRun(connectionId)
          const begun = earlier !== undefined && isSameZone(earlier, request) ? earlier : undefined
          if (begun !== undefined && !isSamePlan(begun, request)) {
            yield* abandonRun({ ...request, journal: runJournalOf(journal, lease, begun) })
          }
          const run = begun !== undefined && isSamePlan(begun, request) ? begun : request
          const ledger = runJournalOf(journal, lease, run)
          yield* ledger.open(request.changes)
          yield* executeRun({ ...request, journal: ledger })
        }, Effect.scoped)
      }
    })
  )
}

/** How long a plan waits for another one that is being written to the same zone. */
const patience = Duration.seconds(30)

/** A zone that was left for another provider is read and written no more. */
const isSameZone = (one: JournalEntry, other: JournalRun): boolean =>
  one.providerId === other.providerId && one.zone === other.zone

const isSamePlan = (one: JournalEntry, other: JournalRun): boolean =>
  one.digest === other.digest && one.direction === other.direction
