import { Array, Order } from "effect"
import type { FailureDetail } from "../../domain/Connection.ts"
import type { ChangeRecord } from "../../domain/Plan.ts"
import type { JournalEntry } from "../../persistence/stores/JournalStore.ts"
import { isPutBack } from "./putBack.ts"

/** How far a change has come; the worst first, because a failure has a limited number of details. */
const standings = ["lost", "unknown", "missing", "put_back", "written"] as const
type Standing = (typeof standings)[number]

/**
 * Says of each change of a run whether the zone has it: after a failure, somebody may have to finish or undo it by hand.
 * Empty if the run has changed nothing.
 */
export const describeRun = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<FailureDetail> => {
  const planned = entries.filter(({ change }) => !isPutBack(change))
  const changes = planned.map((entry) => ({ entry, standing: standingOf(entry, entries) }))
  if (changes.every(({ standing }) => standing === "missing")) return []
  const sorted = Array.sortWith(changes, ({ standing }) => standings.indexOf(standing), Order.number)
  const counts = standings.flatMap((standing) => {
    const count = changes.filter((change) => change.standing === standing).length
    return count === 0 ? [] : [`${count} ${summaries[standing]}`]
  })
  return [
    { message: `Of ${changes.length} changes of the plan: ${counts.join(", ")}` },
    ...sorted.map(({ entry, standing }) => describeChange(entry, standing))
  ]
}

const standingOf = ({ status, step }: JournalEntry, entries: ReadonlyArray<JournalEntry>): Standing => {
  if (status === "sent" || status === "unknown") return "unknown"
  if (status !== "confirmed") return "missing"
  const putBacks = entries.filter(({ change }) => change.putsBack === step)
  if (putBacks.length === 0) return "written"
  return putBacks.some(({ status }) => status === "confirmed") ? "put_back" : "lost"
}

const summaries: { readonly [_ in Standing]: string } = {
  lost: "made in vain and not undone",
  unknown: "perhaps made",
  missing: "not made",
  put_back: "undone",
  written: "made"
}

const describeChange = ({ change: { action, after, before } }: JournalEntry, standing: Standing): FailureDetail => {
  const record = after ?? before
  return {
    message: `${verbs[action]} ${[before, after].flatMap(formatRecord).join(" by ")}: ${summaries[standing]}`,
    ...(record === undefined ? {} : { host: record.host, type: record.type }),
    ...(after === undefined ? {} : { expected: after.value })
  }
}

const verbs = { create: "Add", update: "Replace", delete: "Delete" } as const

const formatRecord = (record: ChangeRecord | undefined): ReadonlyArray<string> =>
  record === undefined ? [] : [`${record.type} at ${record.host} (${record.value})`]
