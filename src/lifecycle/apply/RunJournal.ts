import { Effect } from "effect"
import type { RunChange } from "../../domain/RunChange.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { JournalEntry, JournalRun, JournalStatus, JournalStore } from "../../persistence/stores/JournalStore.ts"
import { type Lease, LeaseLost } from "../commit/Leases.ts"

/** The journal of one run; only the holder of the lease can write it. */
export interface RunJournal {
  readonly entries: Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
  readonly open: (changes: ReadonlyArray<RunChange>) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  readonly mark: (
    entries: ReadonlyArray<JournalEntry>,
    status: JournalStatus
  ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Marks every unsettled change as failed, and adds the changes to make instead. */
  readonly abandon: (instead: ReadonlyArray<RunChange>) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Fails once another owner may have the lease. */
  readonly checkLease: Effect.Effect<void, LeaseLost>
}

export const makeRunJournal = (
  journal: typeof JournalStore.Service,
  { guards, isHeld }: Lease,
  run: JournalRun
): RunJournal => ({
  entries: journal.findByRun(run.run),
  open: (changes) => requireLease(journal.openRun(guards, run, changes)),
  mark: (entries, status) =>
    entries.length === 0
      ? Effect.void
      : requireLease(
          journal.setStatus(
            guards,
            run.run,
            entries.map(({ step }) => step),
            status
          )
        ),
  abandon: (instead) => requireLease(journal.replaceUnsettled(guards, run, instead)),
  checkLease: requireLease(isHeld)
})

const requireLease = <E>(guarded: Effect.Effect<boolean, E>): Effect.Effect<void, E | LeaseLost> =>
  Effect.filterOrFail(
    guarded,
    (isHeld) => isHeld,
    () => new LeaseLost()
  )
