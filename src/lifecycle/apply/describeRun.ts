import { Array, Order, String } from "effect"
import type { FailureDetail } from "../../domain/connection/Connection.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { JournalEntry } from "../../persistence/stores/phases/JournalStore.ts"
import { describeRecord, formatChange } from "../state/failureDetails.ts"
import { isPutBack } from "./putBack.ts"

/** The outcomes of a change, the worst first, because a failure has a limited number of details. */
const changeOutcomes = ["lost", "unknown", "missing", "put_back", "written"] as const
type ChangeOutcome = (typeof changeOutcomes)[number]

/**
 * Reports for each change of a run whether the zone has it: after a failure, an operator may have to finish or undo
 * it by hand. Empty if the run has changed nothing.
 */
export const describeRun = (entries: ReadonlyArray<JournalEntry>, domain: DomainName): ReadonlyArray<FailureDetail> => {
  const planned = entries.filter(({ change }) => !isPutBack(change))
  const changes = planned.map((entry) => ({ entry, outcome: outcomeOf(entry, entries) }))
  if (changes.every(({ outcome }) => outcome === "missing")) return []
  const sorted = Array.sortWith(changes, ({ outcome }) => changeOutcomes.indexOf(outcome), Order.number)
  const counts = changeOutcomes.flatMap((outcome) => {
    const count = changes.filter((change) => change.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${summaries[outcome]}`]
  })
  return [
    { message: `Of ${changes.length} changes of the plan: ${counts.join(", ")}` },
    ...sorted.map(({ entry: { change }, outcome }) => ({
      message: `${String.capitalize(formatChange(change, domain))}: ${summaries[outcome]}`,
      ...describeRecord(change)
    }))
  ]
}

const outcomeOf = ({ status, step }: JournalEntry, entries: ReadonlyArray<JournalEntry>): ChangeOutcome => {
  if (status === "sent" || status === "unknown") return "unknown"
  if (status !== "confirmed") return "missing"
  const putBacks = entries.filter(({ change }) => change.putsBack === step)
  if (putBacks.length === 0) return "written"
  return putBacks.some(({ status }) => status === "confirmed") ? "put_back" : "lost"
}

const summaries: { readonly [_ in ChangeOutcome]: string } = {
  lost: "made in vain and not undone",
  unknown: "perhaps made",
  missing: "not made",
  put_back: "undone",
  written: "made"
}
