import { Array, DateTime, Effect, Option } from "effect"
import type { RunChange } from "../../domain/plan/RunChange.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type {
  JournalEntry,
  JournalRun,
  JournalStatus,
  JournalStore
} from "../../persistence/stores/phases/JournalStore.ts"
import { type Lease, LeaseLost } from "../commit/Leases.ts"

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

/** Reads the entries once: no other process writes them while the lease is held. */
export const makeRunJournal = (
  journal: typeof JournalStore.Service,
  { guards, isHeld }: Lease,
  run: JournalRun
): RunJournal => {
  let known = Option.none<ReadonlyArray<JournalEntry>>()
  const keep = (entries: Option.Option<ReadonlyArray<JournalEntry>>) => Effect.sync(() => void (known = entries))
  return {
    entries: Effect.suspend(() =>
      Option.isSome(known)
        ? Effect.succeed(known.value)
        : Effect.tap(journal.findByRun(run.run), (entries) => keep(Option.some(entries)))
    ),
    open: (changes) =>
      Effect.flatMap(journal.openRun(guards, run, changes), (entries) =>
        Effect.zipRight(keep(entries), requireLease(Effect.succeed(Option.isSome(entries))))
      ),
    mark: (entries, status) => {
      if (entries.length === 0) return Effect.void
      const steps = entries.map(({ step }) => step)
      return Effect.zipRight(
        requireLease(journal.setStatus(guards, run.run, steps, status)),
        Effect.flatMap(DateTime.now, (now) => keep(Option.map(known, Array.map(setStatus(steps, status, now)))))
      )
    },
    abandon: (instead) =>
      Effect.zipLeft(requireLease(journal.replaceUnsettled(guards, run, instead)), keep(Option.none())),
    checkLease: requireLease(isHeld)
  }
}

const setStatus =
  (steps: ReadonlyArray<number>, status: JournalStatus, now: DateTime.Utc) =>
  (entry: JournalEntry): JournalEntry =>
    steps.includes(entry.step) && entry.status !== status
      ? { ...entry, status, settledAt: status === "sent" ? Option.none() : Option.some(now) }
      : entry

const requireLease = <E>(guarded: Effect.Effect<boolean, E>): Effect.Effect<void, E | LeaseLost> =>
  Effect.filterOrFail(
    guarded,
    (isHeld) => isHeld,
    () => new LeaseLost()
  )
