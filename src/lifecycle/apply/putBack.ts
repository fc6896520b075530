import type { RunChange } from "../../domain/plan/RunChange.ts"
import { type JournalEntry, unsettledStatuses } from "../../persistence/stores/phases/JournalStore.ts"
import { findPrerequisiteDeletions } from "../../planning/changes/ChangeStatus.ts"

/** Finds deletions that made room for a change that did not happen, and that nothing has put back yet. */
export const findDeletionsToUndo = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<JournalEntry> => {
  const planned = entries.filter(({ change }) => change.putsBack === undefined)
  const changes = planned.map(({ change }) => change)
  const prerequisites = new Set(
    planned.flatMap(({ status }, index) => (status === "confirmed" ? [] : findPrerequisiteDeletions(changes, index)))
  )
  const triedSteps = findPutBackSteps(entries)
  return planned.filter(
    ({ change, status, step }) => status === "confirmed" && prerequisites.has(change) && !triedSteps.has(step)
  )
}

/** Makes the change that puts back what an entry has deleted. */
export const undoDeletion = ({ change: { before }, step }: JournalEntry): ReadonlyArray<RunChange> =>
  before === undefined ? [] : [{ action: "create", after: before, destructive: false, putsBack: step }]

/** The changes of a run that still have to put records back; refused ones are not tried again. */
export const findOpenPutBacks = (
  entries: ReadonlyArray<JournalEntry>,
  refused: ReadonlyArray<JournalEntry>
): ReadonlyArray<RunChange> => {
  const refusedSteps = new Set(refused.map(({ step }) => step))
  return entries
    .filter(
      ({ change, status, step }) => isPutBack(change) && unsettledStatuses.includes(status) && !refusedSteps.has(step)
    )
    .map(({ change }) => change)
}

export const findPutBackSteps = (entries: ReadonlyArray<JournalEntry>): ReadonlySet<number> =>
  new Set(entries.flatMap(({ change }) => change.putsBack ?? []))

export const isPutBack = ({ putsBack }: RunChange): boolean => putsBack !== undefined
