import type { Leftover } from "../../domain/Plan.ts"
import { toChangeRecord } from "../changes/describeChanges.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import type { ChangeInDomain } from "./JournaledChange.ts"
import type { StaleRecords } from "./excludeStaleRecords.ts"
import { hostKeyOf } from "./replayWithout.ts"
import { findSharedPolicyKind } from "./revertPolicy.ts"

/** The zone before and after a restore, and what the restore found in the journal. */
interface RestoredZone {
  /** The id of the leaving connection. */
  readonly leaving: string
  readonly entries: ReadonlyArray<ChangeInDomain>
  readonly live: LiveZone
  readonly target: LiveZone
  readonly changedSince: ReadonlySet<ChangeInDomain>
  readonly staleRecords: StaleRecords
}

/**
 * Finds the records that a restore does not return to their state before the connection: its own records that stay or
 * have changed since, and records that it removed and that do not come back.
 */
export const findLeftovers = (restored: RestoredZone): ReadonlyArray<Leftover> => {
  const { entries, leaving, staleRecords, target } = restored
  const written = new Set(
    entries.flatMap(({ after, host }) => (after === undefined ? [] : [hostKeyOf({ host, key: after.key })]))
  )
  const leftovers = [
    ...[...staleRecords.values()]
      .filter(({ record }) => !isServedIn(target, record))
      .map(({ reason, record }) => ({ record: toChangeRecord(record), reason })),
    ...entries
      .filter(({ connectionId }) => connectionId === leaving)
      .flatMap((entry) => leftoversOf(entry, restored, written))
  ]
  return [...Map.groupBy(leftovers, identityOf).values()].flatMap((same) => same.slice(0, 1))
}

const leftoversOf = (
  entry: ChangeInDomain,
  { changedSince, live, staleRecords, target }: RestoredZone,
  written: ReadonlySet<string>
): ReadonlyArray<Leftover> => {
  const { after, before } = entry
  if (after !== undefined && after.key === before?.key) return []
  if (changedSince.has(entry)) {
    const record = after ?? before
    const isBackAlready = after === undefined && before !== undefined && isServedIn(live, before)
    return record === undefined || isBackAlready ? [] : [{ record: toChangeRecord(record), reason: "changed_since" }]
  }
  const staying = after !== undefined && isServedIn(live, after) && isServedIn(target, after) ? [after] : []
  const missing =
    before !== undefined &&
    !written.has(hostKeyOf(before)) &&
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

const identityOf = ({ reason, record: { host, priority, type, value } }: Leftover): string =>
  [reason, host, type, priority ?? "", value].join(" ")
