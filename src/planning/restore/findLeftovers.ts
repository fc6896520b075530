import { Array } from "effect"
import type { Leftover } from "../../domain/Plan.ts"
import { toChangeRecord } from "../buildPlan.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import type { ScopedChange } from "./JournaledChange.ts"
import type { StaleReason } from "./checkStaleness.ts"
import { hostKeyOf } from "./replayWithout.ts"
import { sharedPolicyKind } from "./traceProvenance.ts"

/**
 * Finds the records that a restore does not return to their state before the connection: its own records that stay or
 * have changed since, and records that it removed and that do not come back.
 */
export const findLeftovers = ({
  changedSince,
  doubts,
  entries,
  leaving,
  live,
  target
}: Restored): ReadonlyArray<Leftover> => {
  const isNobodys = ({ host, key }: LiveRecord) =>
    !entries.some((entry) => entry.host === host && entry.after?.key === key)
  const remains = (entry: ScopedChange): ReadonlyArray<Leftover> => {
    const { after, before } = entry
    if (after !== undefined && after.key === before?.key) return []
    const record = after ?? before
    if (changedSince.has(entry)) {
      const isBackAlready = after === undefined && before !== undefined && isServedIn(live, before)
      return record === undefined || isBackAlready ? [] : [{ record: toChangeRecord(record), reason: "changed_since" }]
    }
    const ours = after !== undefined && isServedIn(live, after) && isServedIn(target, after) ? [after] : []
    const theirs =
      before !== undefined &&
      isNobodys(before) &&
      sharedPolicyKind(before) === undefined &&
      !isServedIn(target, before) &&
      !doubts.has(hostKeyOf(before))
        ? [before]
        : []
    return [...ours, ...theirs].map((record) => ({
      record: toChangeRecord(record),
      reason: "wanted_by_another_connection"
    }))
  }
  return Array.dedupeWith(
    [
      ...[...doubts.values()]
        .filter(({ record }) => !isServedIn(target, record))
        .map(({ reason, record }) => ({ record: toChangeRecord(record), reason })),
      ...entries.filter(({ connectionId }) => connectionId === leaving).flatMap(remains)
    ],
    (one, other) =>
      one.reason === other.reason &&
      one.record.host === other.record.host &&
      one.record.type === other.record.type &&
      one.record.value === other.record.value &&
      one.record.priority === other.record.priority
  )
}

const isServedIn = (zone: LiveZone, { host, key }: LiveRecord): boolean =>
  zone.recordsAt(host).some((record) => record.key === key)

/** A record that is not put back, because something is held against it. */
export interface StaleRecord {
  readonly record: LiveRecord
  readonly reason: StaleReason
}

interface Restored {
  readonly leaving: string
  readonly entries: ReadonlyArray<ScopedChange>
  readonly live: LiveZone
  readonly target: LiveZone
  readonly changedSince: ReadonlySet<ScopedChange>
  /** By `placeOf`. */
  readonly doubts: ReadonlyMap<string, StaleRecord>
}
