import { Array } from "effect"
import { toFqdn } from "../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { toStorableTtl } from "../../domain/provider/Provider.ts"
import { toChangeRecord } from "../changes/describeChanges.ts"
import { isConflicting, isSameSingletonKind, replacementScopeOf } from "../changes/conflicts.ts"
import { hasDataLoss, type HostDiff, pairRecords } from "../changes/diffZone.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import { findSharedPolicyKind } from "./revertPolicy.ts"

interface HostRecords {
  /** The records that the leaving connection wrote, removed or desired. */
  readonly own: ReadonlyArray<LiveRecord>
  /** The served records that belong to the customer. */
  readonly remaining: ReadonlyArray<LiveRecord>
  readonly canStore: CanStore
}

/** Says whether the provider can store a record, as far as that is known without asking it. */
export type CanStore = (record: ChangeRecord) => boolean

/** The difference at one host, and the records that do not come back because the provider cannot store them. */
interface RestoredHostDiff {
  readonly diff: HostDiff
  readonly refused: ReadonlyArray<LiveRecord>
}

/**
 * Compares the live zone with the target of a restore, for records related to the leaving connection. Records of the
 * customer stay, even against remaining connections; so do older versions that the provider cannot store.
 */
export const diffRestoredHost = (
  host: string,
  [live, target]: readonly [live: LiveZone, target: LiveZone],
  { canStore, own, remaining }: HostRecords
): RestoredHostDiff => {
  const isRelatedToOwn = (record: LiveRecord) => own.some((ownRecord) => isRelated(ownRecord, record))
  const liveRecords = live.recordsAt(host)
  const targetRecords = target.recordsAt(host).map(makeTtlStorable(live, host))
  const hasTarget = makeSuccessorCheck(targetRecords)
  const isServed = makeSuccessorCheck(liveRecords)
  const kept = remaining.filter((record) => !hasTarget(record))
  const keepsAlias = kept.some(({ role }) => role === "CNAME")
  const resulting = [
    ...targetRecords.filter(
      (record) => isServed(record) || kept.length === 0 || (record.role !== "CNAME" && !keepsAlias)
    ),
    ...kept
  ]
  const [liveKeys, resultingKeys] = [new Set(liveRecords.map(dataAndTtlKeyOf)), new Set(resulting.map(dataAndTtlKeyOf))]
  const [refused, added] = Array.partition(
    resulting.filter((record) => !liveKeys.has(dataAndTtlKeyOf(record)) && isRelatedToOwn(record)),
    (record) => canStore(toChangeRecord(record))
  )
  const isRefused = makeSuccessorCheck(refused)
  const removed = liveRecords.filter(
    (record) => !resultingKeys.has(dataAndTtlKeyOf(record)) && isRelatedToOwn(record) && !isRefused(record)
  )
  const pairs = Array.dedupe([...removed, ...added].map(({ role }) => role)).flatMap((role) =>
    pairRecords(
      removed.filter((record) => record.role === role),
      added.filter((record) => record.role === role).map(toChangeRecord)
    ).map((pair) => ({ role, ...pair }))
  )
  return {
    refused,
    diff: {
      host,
      roles: new Set(resulting.filter((record) => !refused.includes(record)).map(({ role }) => role)),
      results: [],
      proxied: [],
      adjusted: new Set(),
      rows: pairs.map((pair) => ({ host, ...pair, hasDataLoss: hasDataLoss(toFqdn(host, live.domain), pair) }))
    }
  }
}

/** Makes TTLs of the target storable. If a live record of the same set has one, that stays. */
const makeTtlStorable = (live: LiveZone, host: string): ((record: LiveRecord) => LiveRecord) => {
  const stored = new Set(live.recordsAt(host).map(({ role, ttl }) => `${role} ${ttl}`))
  return (record) => {
    const ttl = stored.has(`${record.role} ${record.ttl}`) ? record.ttl : toStorableTtl(record.ttl, live.ttl)
    return ttl === record.ttl ? record : { ...record, ttl }
  }
}

/** Whether one of the records serves the same data as a record, or, for a shared policy, is another version of it. */
const makeSuccessorCheck = (records: ReadonlyArray<LiveRecord>): ((record: LiveRecord) => boolean) => {
  const keys = new Set(records.map(({ key }) => key))
  const kinds = new Set(records.flatMap((record) => findSharedPolicyKind(record) ?? []))
  return (record) => {
    const kind = findSharedPolicyKind(record)
    return keys.has(record.key) || (kind !== undefined && kinds.has(kind))
  }
}

/** Equal for records that serve the same data with the same TTL. */
export const dataAndTtlKeyOf = ({ key, ttl }: LiveRecord): string => `${ttl} ${key}`

/** Whether two records of a host are related: they belong to the same set, or cannot coexist. */
export const isRelated = (one: LiveRecord, other: LiveRecord): boolean =>
  one.key === other.key ||
  (one.role === other.role
    ? replacementScopeOf(one.role) === "set" || one.role === "CAA" || isSameSingletonKind(one, other)
    : isConflicting(one.role, other.role) || isConflicting(other.role, one.role))
