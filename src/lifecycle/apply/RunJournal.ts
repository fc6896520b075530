import { Effect } from "effect"
import type { Change } from "../../domain/Plan.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { JournalEntry, JournalRun, JournalStatus, JournalStore } from "../../persistence/stores/JournalStore.ts"
import { type Lease, LeaseLost } from "./Leases.ts"

/** The page of one run in the journal, which only the holder of a lease writes. */
export interface RunJournal {
  readonly entries: Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
  readonly open: (changes: ReadonlyArray<Change>) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  readonly mark: (
    entries: ReadonlyArray<JournalEntry>,
    status: JournalStatus
  ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Fails what is not settled, and notes what is to be done instead. */
  readonly abandon: (instead: ReadonlyArray<Change>) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Fails once the lease may be another's. */
  readonly checkLease: Effect.Effect<void, LeaseLost>
}

export const runJournalOf = (
  journal: typeof JournalStore.Service,
  { guards, isHeld }: Lease,
  run: JournalRun
): RunJournal => ({
  entries: journal.findByRun(run.run),
  open: (changes) => orLost(journal.openRun(guards, run, changes)),
  mark: (entries, status) =>
    entries.length === 0
      ? Effect.void
      : orLost(
          journal.setStatus(
            guards,
            run.run,
            entries.map(({ step }) => step),
            status
          )
        ),
  abandon: (instead) => orLost(journal.replaceUnsettled(guards, run, instead)),
  checkLease: orLost(isHeld)
})

const orLost = <E>(held: Effect.Effect<boolean, E>): Effect.Effect<void, E | LeaseLost> =>
  Effect.filterOrFail(
    held,
    (isHeld) => isHeld,
    () => new LeaseLost()
  )
