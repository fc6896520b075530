import type { LiveRecord } from "../zone/LiveZone.ts"
import type { ChangeInDomain } from "./JournaledChange.ts"
import { findSharedPolicyKind } from "./revertPolicy.ts"

/** Which entry of the journal wrote each record of a host; a record that none wrote belongs to the customer. */
export interface Provenance {
  /** The entry that had written the record which an entry removed or replaced. */
  readonly previousWriterOf: (entry: ChangeInDomain) => ChangeInDomain | undefined
  /** The entries of the same connection that were written since then and still served at the time of the entry. */
  readonly siblingWritesOf: (entry: ChangeInDomain) => ReadonlyArray<ChangeInDomain>
  /** The entry that wrote a record that is served now. */
  readonly writerOf: (record: LiveRecord) => ChangeInDomain | undefined
}

/** Follows the entries of a host, oldest first, to the records that it serves now. */
export const traceProvenance = (
  entries: ReadonlyArray<ChangeInDomain>,
  live: ReadonlyArray<LiveRecord>
): Provenance => {
  const positions = new Map(entries.map((entry, position) => [entry, position]))
  const writersByKey = new Map<string, ChangeInDomain>()
  const previousWriters = new Map<ChangeInDomain, ChangeInDomain>()
  const siblingWrites = new Map<ChangeInDomain, ReadonlyArray<ChangeInDomain>>()
  for (const entry of entries) {
    const previous = entry.before === undefined ? undefined : findWriter(writersByKey, entry.before, entry.after)
    if (previous !== undefined) previousWriters.set(entry, previous)
    siblingWrites.set(entry, [...writersByKey.values()].filter(isSiblingSince(positions, entry, previous)))
    writersByKey.delete(previous?.after?.key ?? "")
    if (entry.after !== undefined) writersByKey.set(entry.after.key, entry)
  }
  const writers = new Map([
    ...writersOfEditedPolicies([...writersByKey.values()], live),
    ...live.flatMap((record) => {
      const writer = writersByKey.get(record.key)
      return writer === undefined ? [] : [[record, writer] as const]
    })
  ])
  return {
    previousWriterOf: (entry) => previousWriters.get(entry),
    siblingWritesOf: (entry) => siblingWrites.get(entry) ?? [],
    writerOf: (record) => writers.get(record)
  }
}

const isSiblingSince =
  (
    positions: ReadonlyMap<ChangeInDomain, number>,
    { connectionId }: ChangeInDomain,
    previous: ChangeInDomain | undefined
  ) =>
  (other: ChangeInDomain): boolean =>
    other.connectionId === connectionId &&
    (previous === undefined || (positions.get(other) ?? -1) > (positions.get(previous) ?? -1))

/** The writer of a record. An edited policy remains that of its writer; a removal names the exact record. */
const findWriter = (
  writersByKey: ReadonlyMap<string, ChangeInDomain>,
  before: LiveRecord,
  after?: LiveRecord
): ChangeInDomain | undefined =>
  writersByKey.get(before.key) ??
  (after === undefined ? undefined : [...writersByKey.values()].find(wrotePolicyLike(before)))

const wrotePolicyLike =
  (record: LiveRecord) =>
  ({ after }: ChangeInDomain): boolean =>
    after !== undefined &&
    findSharedPolicyKind(record) !== undefined &&
    findSharedPolicyKind(after) === findSharedPolicyKind(record)

/** Each written policy with the only one of its kind that is served now, whose text may have been edited since. */
const writersOfEditedPolicies = (
  writers: ReadonlyArray<ChangeInDomain>,
  live: ReadonlyArray<LiveRecord>
): ReadonlyArray<readonly [LiveRecord, ChangeInDomain]> =>
  writers.flatMap((entry) => {
    const [policy, ...others] = entry.after === undefined ? [] : live.filter((record) => wrotePolicyLike(record)(entry))
    return policy === undefined || others.length > 0 ? [] : [[policy, entry] as const]
  })
