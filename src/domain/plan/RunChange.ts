import { Schema } from "effect"
import { Change, type ChangeRecord } from "./Plan.ts"

/**
 * One change of its plan, or half of an update that takes two calls. `replacedByNext`: a deletion whose record the next
 * step replaces. `putsBack`: creates again the record that the run deleted in that step.
 */
export const RunChange = Schema.Struct({
  ...Change.fields,
  replacedByNext: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  putsBack: Schema.optionalWith(Schema.Int, { exact: true })
})
export type RunChange = typeof RunChange.Type

/** Makes a deletion and a creation of each update that cannot be written in one call. */
export const splitUpdates = (
  changes: ReadonlyArray<Change>,
  canUpdate: (before: ChangeRecord, after: ChangeRecord) => boolean
): ReadonlyArray<RunChange> =>
  changes.flatMap((change): ReadonlyArray<RunChange> => {
    const { after, before, destructive } = change
    return before === undefined || after === undefined || canUpdate(before, after)
      ? [change]
      : [
          { action: "delete", before, destructive, replacedByNext: true },
          { action: "create", after, destructive: false }
        ]
  })

/** Makes one update of each deletion and the creation that replaces its record, if both are among the entries. */
export const joinSplitUpdates = <Entry extends RunStep>(entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const creationOf = makeCreationLookup(entries)
  const joined = new Set<RunStep>()
  return entries.flatMap((entry) => {
    if (joined.has(entry)) return []
    const creation = creationOf(entry)
    if (creation === undefined) return [entry]
    joined.add(creation)
    const { after } = creation.change
    return [{ ...creation, change: { ...entry.change, ...(after === undefined ? {} : { after }), action: "update" } }]
  })
}

/** Makes a function that finds the creation which replaces the record that an entry deletes. */
export const makeCreationLookup = <Entry extends RunStep>(
  entries: ReadonlyArray<Entry>
): ((entry: RunStep) => Entry | undefined) => {
  const byStep = new Map(entries.map((entry) => [`${entry.step} ${entry.run}`, entry]))
  return ({ change, run, step }) => (change.replacedByNext === true ? byStep.get(`${step + 1} ${run}`) : undefined)
}

interface RunStep {
  readonly run: string
  readonly step: number
  readonly change: RunChange
}
