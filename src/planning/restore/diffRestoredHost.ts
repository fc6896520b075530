import { Array } from "effect"
import { toChangeRecord } from "../buildPlan.ts"
import { isConflicting, isSameSingletonKind, replacementScopeOf } from "../changes/conflicts.ts"
import { hasDataLoss, type HostDiff, pairRecords } from "../changes/diffZone.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import { findSharedPolicyKind } from "./revertPolicy.ts"
import { canCoexist } from "./undoChanges.ts"

/** The records of one host that a restore has to respect. */
interface HostRecords {
  /** The records that the leaving connection wrote, removed or desired. */
  readonly own: ReadonlyArray<LiveRecord>
  /** The served records that belong to the customer. */
  readonly remaining: ReadonlyArray<LiveRecord>
}

/**
 * Compares the live zone with the target of a restore at one host, as far as records are related to those of the
 * leaving connection. Records of the customer stay, even if a connection that stays would replace them.
 */
export const diffRestoredHost = (
  host: string,
  [live, target]: readonly [live: LiveZone, target: LiveZone],
  { own, remaining }: HostRecords
): HostDiff => {
  const isRelatedToOwn = (record: LiveRecord) => own.some((ownRecord) => isRelated(ownRecord, record))
  const liveRecords = live.recordsAt(host)
  const targetRecords = target.recordsAt(host)
  const kept = remaining.filter((record) => !targetRecords.some(isSuccessorOf(record)))
  const resulting = [
    ...targetRecords.filter(
      (record) => liveRecords.some(isSuccessorOf(record)) || kept.every((keptRecord) => canCoexist(record, keptRecord))
    ),
    ...kept
  ]
  const removed = liveRecords.filter((record) => !resulting.some(isEqualTo(record)) && isRelatedToOwn(record))
  const added = resulting.filter((record) => !liveRecords.some(isEqualTo(record)) && isRelatedToOwn(record))
  const pairs = Array.dedupe([...removed, ...added].map(({ role }) => role)).flatMap((role) =>
    pairRecords(
      removed.filter((record) => record.role === role),
      added.filter((record) => record.role === role).map(toChangeRecord)
    ).map((pair) => ({ role, ...pair }))
  )
  return {
    host,
    roles: new Set(resulting.map(({ role }) => role)),
    results: [],
    proxied: [],
    hasAdjustedTtl: false,
    rows: pairs.map((pair) => ({ host, ...pair, hasDataLoss: hasDataLoss(pair) }))
  }
}

/** Whether a record serves the same data, or, for a shared policy, is another version of it. */
const isSuccessorOf = (record: LiveRecord) => (other: LiveRecord) =>
  record.key === other.key ||
  (findSharedPolicyKind(record) !== undefined && findSharedPolicyKind(record) === findSharedPolicyKind(other))

const isEqualTo = (record: LiveRecord) => (other: LiveRecord) => record.key === other.key && record.ttl === other.ttl

/** Whether two records of a host are related: they belong to the same set, or cannot coexist. */
export const isRelated = (one: LiveRecord, other: LiveRecord): boolean =>
  one.key === other.key ||
  (one.role === other.role
    ? replacementScopeOf(one.role) === "set" || one.role === "CAA" || isSameSingletonKind(one, other)
    : isConflicting(one.role, other.role) || isConflicting(other.role, one.role))
