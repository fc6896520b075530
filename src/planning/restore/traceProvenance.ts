import { Array, Option } from "effect"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import type { ScopedChange } from "./JournaledChange.ts"

/** Whose the records of a host are: of the entry that wrote one last, or nobody's that the journal knows of. */
export interface Provenance {
  /** Who had written what an entry took away. */
  readonly previousWriterOf: (entry: ScopedChange) => ScopedChange | undefined
  /** What the connection of an entry had written since and was served when the entry took something away. */
  readonly siblingWritesOf: (entry: ScopedChange) => ReadonlyArray<ScopedChange>
  /** Who wrote a record that is served now. */
  readonly writerOf: (record: LiveRecord) => ScopedChange | undefined
}

/** Follows the entries of a host, oldest first, to the records that it serves now. */
export const traceProvenance = (entries: ReadonlyArray<ScopedChange>, live: ReadonlyArray<LiveRecord>): Provenance => {
  const standing = new Map<string, ScopedChange>()
  const precursors = new Map<ScopedChange, ScopedChange>()
  const companions = new Map<ScopedChange, ReadonlyArray<ScopedChange>>()
  for (const entry of entries) {
    const precursor = entry.before === undefined ? undefined : writerAmong(standing, entry.before, entry.after)
    if (precursor !== undefined) precursors.set(entry, precursor)
    companions.set(entry, [...standing.values()].filter(isSince(entries, entry, precursor)))
    standing.delete(precursor?.after?.key ?? "")
    if (entry.after !== undefined) standing.set(entry.after.key, entry)
  }
  const writers = new Map([
    ...amended([...standing.values()], live),
    ...live.flatMap((record) => {
      const writer = standing.get(record.key)
      return writer === undefined ? [] : [[record, writer] as const]
    })
  ])
  return {
    previousWriterOf: (entry) => precursors.get(entry),
    siblingWritesOf: (entry) => companions.get(entry) ?? [],
    writerOf: (record) => writers.get(record)
  }
}

const isSince =
  (entries: ReadonlyArray<ScopedChange>, { connectionId }: ScopedChange, precursor: ScopedChange | undefined) =>
  (other: ScopedChange): boolean =>
    other.connectionId === connectionId &&
    (precursor === undefined || entries.indexOf(other) > entries.indexOf(precursor))

/** A policy is amended by others without becoming theirs; what is removed is meant as it is. */
const writerAmong = (
  standing: ReadonlyMap<string, ScopedChange>,
  before: LiveRecord,
  after?: LiveRecord
): ScopedChange | undefined =>
  standing.get(before.key) ?? (after === undefined ? undefined : [...standing.values()].find(hasPolicyLike(before)))

const hasPolicyLike =
  (record: LiveRecord) =>
  ({ after }: ScopedChange): boolean =>
    after !== undefined &&
    sharedPolicyKind(record) !== undefined &&
    sharedPolicyKind(after) === sharedPolicyKind(record)

/** The only policy of a kind that is served, where what was written of that kind is not served word by word. */
const amended = (
  standing: ReadonlyArray<ScopedChange>,
  live: ReadonlyArray<LiveRecord>
): ReadonlyArray<readonly [LiveRecord, ScopedChange]> =>
  standing.flatMap((entry) => {
    const [policy, ...others] = entry.after === undefined ? [] : live.filter((record) => hasPolicyLike(record)(entry))
    return policy === undefined || others.length > 0 ? [] : [[policy, entry] as const]
  })

/** The kinds of text that several connections write into together. */
export const sharedPolicyKind = (record: Pick<LiveRecord, "host" | "type" | "value">): "SPF" | "DMARC" | undefined =>
  Option.getOrUndefined(Array.findFirst(["SPF", "DMARC"] as const, (kind) => singletonTxtKind(record) === kind))
