import { Effect } from "effect"
import type { Change } from "../../domain/Plan.ts"
import type { Journal, JournalEntry, JournalStatus, Run } from "../../persistence/Journal.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type Lease, LeaseLost } from "./Leases.ts"

/** The page of one run in the journal, which only the holder of a lease writes. */
export interface Ledger {
  readonly entries: Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
  readonly open: (changes: ReadonlyArray<Change>) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  readonly mark: (
    entries: ReadonlyArray<JournalEntry>,
    status: JournalStatus
  ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Fails what is not settled, and notes what is to be done instead. */
  readonly giveUp: (instead: ReadonlyArray<Change>) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Fails once the lease may be another's. */
  readonly mayCall: Effect.Effect<void, LeaseLost>
}

export const ledgerOf = (journal: typeof Journal.Service, { guards, isHeld }: Lease, run: Run): Ledger => ({
  entries: journal.ofRun(run.run),
  open: (changes) => orLost(journal.open(guards, run, changes)),
  mark: (entries, status) =>
    entries.length === 0
      ? Effect.void
      : orLost(
          journal.mark(
            guards,
            run.run,
            entries.map(({ step }) => step),
            status
          )
        ),
  giveUp: (instead) => orLost(journal.giveUp(guards, run, instead)),
  mayCall: orLost(isHeld)
})

const orLost = <E>(held: Effect.Effect<boolean, E>): Effect.Effect<void, E | LeaseLost> =>
  Effect.filterOrFail(
    held,
    (isHeld) => isHeld,
    () => new LeaseLost()
  )
