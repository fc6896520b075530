import { Array } from "effect"
import type { Leftover } from "../../domain/Plan.ts"
import { toChangeRecord } from "../buildPlan.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import type { ScopedChange } from "./JournaledChange.ts"
import type { StaleRecords } from "./excludeStaleRecords.ts"
import { hostKeyOf } from "./replayWithout.ts"
import { findSharedPolicyKind } from "./revertPolicy.ts"

/** The zone before and after a restore, and what the restore found in the journal. */
interface RestoredZone {
  /** The id of the leaving connection. */
  readonly leaving: string
  readonly entries: ReadonlyArray<ScopedChange>
  readonly live: LiveZone
  readonly target: LiveZone
  readonly changedSince: ReadonlySet<ScopedChange>
  readonly staleRecords: StaleRecords
}

/**
 * Finds the records that a restore does not return to their state before the connection: its own records that stay or
 * have changed since, and records that it removed and that do not come back.
 */
export const findLeftovers = (restored: RestoredZone): ReadonlyArray<Leftover> => {
  const { entries, leaving, staleRecords, target } = restored
  return Array.dedupeWith(
    [
      ...[...staleRecords.values()]
        .filter(({ record }) => !isServedIn(target, record))
        .map(({ reason, record }) => ({ record: toChangeRecord(record), reason })),
      ...entries.filter(({ connectionId }) => connectionId === leaving).flatMap((entry) => leftoversOf(entry, restored))
    ],
    isSameLeftover
  )
}

const leftoversOf = (
  entry: ScopedChange,
  { changedSince, entries, live, staleRecords, target }: RestoredZone
): ReadonlyArray<Leftover> => {
  const { after, before } = entry
  if (after !== undefined && after.key === before?.key) return []
  if (changedSince.has(entry)) {
    const record = after ?? before
    const isBackAlready = after === undefined && before !== undefined && isServedIn(live, before)
    return record === undefined || isBackAlready ? [] : [{ record: toChangeRecord(record), reason: "changed_since" }]
  }
  const isWritten = ({ host, key }: LiveRecord) =>
    entries.some((other) => other.host === host && other.after?.key === key)
  const staying = after !== undefined && isServedIn(live, after) && isServedIn(target, after) ? [after] : []
  const missing =
    before !== undefined &&
    !isWritten(before) &&
    findSharedPolicyKind(before) === undefined &&
    !isServedIn(target, before) &&
    !staleRecords.has(hostKeyOf(before))
      ? [before]
      : []
  return [...staying, ...missing].map((record) => ({
    record: toChangeRecord(record),
    reason: "wanted_by_another_connection"
  }))
}

const isServedIn = (zone: LiveZone, { host, key }: LiveRecord): boolean =>
  zone.recordsAt(host).some((record) => record.key === key)

const isSameLeftover = (one: Leftover, other: Leftover): boolean =>
  one.reason === other.reason &&
  one.record.host === other.record.host &&
  one.record.type === other.record.type &&
  one.record.value === other.record.value &&
  one.record.priority === other.record.priority
