import { Array, Order, String } from "effect"
import { ChangeOutcome, type FailureDetail } from "../../domain/connection/Connection.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { JournalEntry } from "../../persistence/stores/phases/JournalStore.ts"
import { describeRecord, formatChange } from "../state/failureDetails.ts"
import { isPutBack } from "./putBack.ts"

/** Reports whether the zone has each change, for an operator to finish or undo it; empty if the run changed nothing. */
export const describeRun = (entries: ReadonlyArray<JournalEntry>, domain: DomainName): ReadonlyArray<FailureDetail> => {
  const planned = entries.filter(({ change }) => !isPutBack(change))
  const changes = planned.map((entry) => ({ entry, outcome: outcomeOf(entry, entries) }))
  if (changes.every(({ outcome }) => outcome === "not_made")) return []
  // The worst first, because a failure has a limited number of details.
  const sorted = Array.sortWith(changes, ({ outcome }) => ChangeOutcome.literals.indexOf(outcome), Order.number)
  const counts = ChangeOutcome.literals.flatMap((outcome) => {
    const count = changes.filter((change) => change.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${summaries[outcome]}`]
  })
  return [
    { message: `Of ${changes.length} changes of the plan: ${counts.join(", ")}` },
    ...sorted.map(({ entry: { change }, outcome }) => ({
      message: `${String.capitalize(formatChange(change, domain))}: ${summaries[outcome]}`,
      ...describeRecord(change),
      outcome
    }))
  ]
}

const outcomeOf = ({ status, step }: JournalEntry, entries: ReadonlyArray<JournalEntry>): ChangeOutcome => {
  if (status === "sent" || status === "unknown") return "unknown"
  if (status !== "confirmed") return "not_made"
  const putBacks = entries.filter(({ change }) => change.putsBack === step)
  if (putBacks.length === 0) return "made"
  return putBacks.some(({ status }) => status === "confirmed") ? "undone" : "lost"
}

const summaries: { readonly [_ in ChangeOutcome]: string } = {
  lost: "made in vain and not undone",
  unknown: "perhaps made",
  not_made: "not made",
  undone: "undone",
  made: "made"
}
