import { isShownAs } from "../domain/plan/isShownAs.ts"
import type { ManualGuide } from "../domain/plan/ManualGuide.ts"
import {
  type ChangeDocument,
  type ChangeRecordDocument,
  isSameRecord,
  nameOf,
  type ObservationsDocument,
  relativeNameOf
} from "./ConnectionDocument.ts"
import type { ViewModel } from "./ViewModel.ts"

type Observation = ObservationsDocument["records"][number]
type Observed = NonNullable<Observation["diagnosis"]>["seen"][number]
export type TaskField = ManualGuide["tasks"][number]["fields"][number]

/** One thing to do at a provider, with what the servers show of it. */
export interface Task extends Omit<ManualGuide["tasks"][number], "hints"> {
  /** What stays the same of a task while the list of tasks changes. */
  readonly key: string
  readonly hints: ReadonlyArray<ManualGuide["hints"][number]["code"]>
  /** The provider at which it is to be done, and how to get there; `undefined` before the service has said it. */
  readonly guide: ManualGuide | undefined
  readonly observation: Observation | undefined
  /** The records in its way that servers may still show. */
  readonly remaining: ReadonlyArray<ChangeRecordDocument>
  /** The records that go by any of the tasks. */
  readonly old: ReadonlyArray<ChangeRecordDocument>
}

/** Every task of a setup by hand, in an order in which they are safe to do. */
export const listTasks = ({
  connection,
  observations
}: Pick<ViewModel, "connection" | "observations">): ReadonlyArray<Task> => {
  const { guides = [], records = [], toRemove = [] } = observations ?? {}
  const guided = guides.flatMap((guide) =>
    guide.tasks.map((task) => ({ ...task, guide, hints: task.hints.map(({ code }) => code) }))
  )
  const tasks = guided.length > 0 ? guided : toGeneralTasks(connection.plan?.changes ?? [], observations)
  const old = tasks.flatMap(({ action, record, removes }) => (action === "remove" ? [record] : removes))
  return tasks.map((task) => {
    const observation =
      task.action === "remove" ? undefined : records.find(({ expected }) => isSameRecord(expected, task.record))
    const remains = (removed: ChangeRecordDocument) =>
      toRemove.some((other) => isSameRecord(other, removed)) || mayBeShown(removed, observation)
    return {
      ...task,
      key: [task.action, task.guide?.provider?.id, task.record.name, task.record.type, task.record.value].join(" "),
      remaining: task.removes.filter(remains),
      old,
      observation
    }
  })
}

/** Whether somebody has made a change at every provider: one of two may have shown the record all the time. */
export const hasBegun = (tasks: ReadonlyArray<Task>): boolean =>
  tasks.some(({ record }) => tasks.every((other) => other.isDone || !isSameRecord(other.record, record)))

/** Whether a server shows the record in the place of another one, or none has answered. */
const mayBeShown = ({ type, value }: ChangeRecordDocument, observation: Observation | undefined): boolean => {
  const answers = observation?.observed.filter(({ status }) => status !== "unknown") ?? []
  const isShown = (seen: { readonly type: string; readonly value: string }) =>
    seen.type === type && seen.value.endsWith(value)
  return answers.length === 0 || answers.some(({ seen }) => seen.some(isShown))
}

/** Whether servers show something wrong in place of the record of a task. What goes by a task is wrong once it is saved. */
export const hasSlip = (task: Task, saved: ReadonlySet<string>): boolean => {
  const diagnosis = task.observation?.diagnosis
  if (task.isDone || diagnosis === undefined || awaitedCodes.has(diagnosis.code)) return false
  return saved.has(task.key) || !showsOldAlone(task)
}

/** Whether what servers show has to be corrected, rather than an old value that they may show for a while. */
export const isMistake = (task: Task, saved: ReadonlySet<string>): boolean =>
  hasSlip(task, saved) && !(oldCodes.has(task.observation?.diagnosis?.code) && showsOldAlone(task))

/** The diagnoses of a value in the place of the desired one. */
const oldCodes: ReadonlySet<string | undefined> = new Set(["old_value_remains", "parking"])

const showsOldAlone = ({ observation, old }: Task): boolean =>
  observation?.diagnosis?.seen.every((seen) => old.some((record) => isSeen(record, seen))) === true

const isSeen = (record: ChangeRecordDocument, seen: Observed): boolean =>
  nameOf(record) === nameOf(seen) && isShownAs(record, seen)

/** The diagnoses that only time cures: nothing is wrong. */
const awaitedCodes: ReadonlySet<string> = new Set(["not_yet", "on_its_way", "only_some_servers"])

/** Tasks in the general form, until the service has said what the provider's page wants. */
const toGeneralTasks = (changes: ReadonlyArray<ChangeDocument>, observations: ObservationsDocument | undefined) => {
  const taken = new Set<ChangeDocument>()
  const withRemovals = changes.map((change) => ({ change, removes: takeReplaced(change, changes, taken) }))
  return withRemovals.flatMap(({ change, removes }) => {
    const record = change.after ?? change.before
    if (record === undefined || taken.has(change)) return []
    // The addresses of a proxy are no entries: they go with the entry that is proxied.
    if (change.after === undefined && record.proxied === true) return []
    return [
      {
        action:
          change.after === undefined ? ("remove" as const) : change.before ? ("change" as const) : ("add" as const),
        record,
        removes,
        fields: toGeneralFields(record),
        hints: [],
        guide: undefined,
        isDone: isDone(change, removes, observations)
      }
    ]
  })
}

/** The records that a new one replaces; each of them is replaced once. */
const takeReplaced = (
  { after, before }: ChangeDocument,
  changes: ReadonlyArray<ChangeDocument>,
  taken: Set<ChangeDocument>
): ReadonlyArray<ChangeRecordDocument> => {
  if (after === undefined) return []
  if (before !== undefined) return [before]
  const replaced = changes.filter(
    (other) => other.after === undefined && other.before && !taken.has(other) && isReplaced(other.before, after)
  )
  replaced.forEach((other) => taken.add(other))
  return replaced.flatMap(({ before: old }) => (old === undefined ? [] : [old]))
}

const isReplaced = (old: ChangeRecordDocument, next: ChangeRecordDocument): boolean =>
  old.name === next.name &&
  (old.type === next.type || [old.type, next.type].includes("CNAME")) &&
  // Notes for other services stand beside each other.
  (next.type !== "TXT" || old.type === "CNAME")

const isDone = (
  { after, before }: ChangeDocument,
  removes: ReadonlyArray<ChangeRecordDocument>,
  observations: ObservationsDocument | undefined
): boolean => {
  const { records = [], toRemove } = observations ?? {}
  const isGone = (record: ChangeRecordDocument) => toRemove?.every((present) => !isSameRecord(present, record)) === true
  if (after === undefined) return before !== undefined && isGone(before)
  const isShown = records.some(({ expected, status }) => status === "present" && isSameRecord(expected, after))
  return isShown && (before !== undefined || removes.every(isGone))
}

const toGeneralFields = (record: ChangeRecordDocument): ReadonlyArray<TaskField> => {
  const host = relativeNameOf(record)
  return [
    { field: "type", value: record.type, isChoice: true },
    { field: "host", value: host, ...(host === record.name ? {} : { alternative: host === "@" ? "" : record.name }) },
    { field: "value", value: record.value },
    ...(record.priority === undefined ? [] : [{ field: "priority" as const, value: `${record.priority}` }])
  ]
}
