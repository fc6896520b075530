import type { ChangeDocument, ChangeRecordDocument } from "./ConnectionDocument.ts"
import { type ConsentDraft, keyOfChange } from "./ConsentDraft.ts"
import { topicOf } from "./reviewTiles.ts"

/** A change that the customer has not looked at, and what is new: the change, what stands there or is gone, or the plan. */
export interface NewChange {
  readonly change: ChangeDocument
  readonly news: "added" | "before" | "planned" | "removed"
}

/** The changes of a plan that are new since the customer looked at another one; none before that. */
export const listNewChanges = (
  changes: ReadonlyArray<ChangeDocument>,
  { seen }: ConsentDraft
): ReadonlyArray<NewChange> => {
  if (seen.length === 0) return []
  const known = new Set(seen.map(keyOfChange))
  const found = changes
    .filter((change) => !known.has(keyOfChange(change)))
    .map((change) => ({ change, news: compareWith(seen, change, changes) }))
  // Where something else takes its place, that says it.
  const isSaid = ({ after, before }: ChangeDocument) =>
    after === undefined && found.some(({ change }) => isAtSamePlace(change.after, before))
  return found.filter(({ change, news }) => news !== "planned" || !isSaid(change))
}

const compareWith = (
  seen: ReadonlyArray<ChangeDocument>,
  { after, before }: ChangeDocument,
  changes: ReadonlyArray<ChangeDocument>
): NewChange["news"] => {
  if (before !== undefined) return seen.some((known) => isSame(known.before, before)) ? "planned" : "before"
  const known = seen.find((each) => isSame(each.after, after))
  if (known !== undefined) return changes.some((change) => isSame(change.before, known.before)) ? "planned" : "removed"
  const isGivenUp = ({ after: former }: ChangeDocument) =>
    isAtSamePlace(former, after) && !changes.some((change) => isSame(change.after, former))
  return seen.some(isGivenUp) ? "planned" : "added"
}

type RecordOrNone = ChangeRecordDocument | undefined

/** Whether one of two records can take the place of the other: those of a website and of mail stand beside each other. */
const isAtSamePlace = (one: RecordOrNone, other: RecordOrNone): boolean =>
  one !== undefined && other !== undefined && one.name === other.name && topicOf(one) === topicOf(other)

const isSame = (one: RecordOrNone, other: RecordOrNone): boolean =>
  one?.name === other?.name && one?.type === other?.type && one?.value === other?.value
