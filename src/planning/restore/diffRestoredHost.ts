import { Array } from "effect"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import { toChangeRecord } from "../buildPlan.ts"
import { isConflicting, replacementScope } from "../changes/conflicts.ts"
import { dropsData, type HostDiff } from "../changes/diffZone.ts"
import { pairRecords } from "../changes/pairRecords.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import { sharedPolicyKind } from "./traceProvenance.ts"
import { canCoexist } from "./undoChanges.ts"

/**
 * What becomes of a host on the way from one zone to another, where it has to do with one of the records of a
 * connection. What is the customer's stays, even if a connection that stays would not have it.
 */
export const diffRestoredHost = (
  host: string,
  [from, to]: readonly [from: LiveZone, to: LiveZone],
  { own, remaining }: Concern
): HostDiff => {
  const isConcerned = (record: LiveRecord) => own.some((other) => isRelated(other, record))
  const live = from.recordsAt(host)
  const wished = to.recordsAt(host)
  const spared = remaining.filter((record) => !wished.some(isHeirOf(record)))
  const target = [
    ...wished.filter((record) => live.some(isHeirOf(record)) || spared.every((_) => canCoexist(record, _))),
    ...spared
  ]
  const going = live.filter((record) => !target.some(isLike(record)) && isConcerned(record))
  const coming = target.filter((record) => !live.some(isLike(record)) && isConcerned(record))
  const pairs = Array.dedupe([...going, ...coming].map(({ role }) => role)).flatMap((role) => {
    const [leaving, arriving] = [going, coming].map((_) => _.filter((record) => record.role === role))
    return pairRecords(leaving ?? [], (arriving ?? []).map(toChangeRecord)).map((pair) => ({ role, ...pair }))
  })
  return {
    host,
    roles: new Set(target.map(({ role }) => role)),
    results: [],
    proxied: [],
    ttlAdjusted: false,
    rows: pairs.map((pair) => ({ host, ...pair, dropsData: dropsData(pair) }))
  }
}

/** The records that a connection has to do with at a host, and those that are the customer's. */
interface Concern {
  readonly own: ReadonlyArray<LiveRecord>
  readonly remaining: ReadonlyArray<LiveRecord>
}

/** A policy lives on in another of its kind. */
const isHeirOf = (one: LiveRecord) => (other: LiveRecord) =>
  one.key === other.key || (sharedPolicyKind(one) !== undefined && sharedPolicyKind(one) === sharedPolicyKind(other))

/** Whether one record has something to do with another of its host: it is of the same set, or cannot stand beside it. */
export const isRelated = (one: LiveRecord, other: LiveRecord): boolean =>
  one.key === other.key ||
  (one.role === other.role
    ? replacementScope(one.role) === "set" || one.role === "CAA" || isSameKind(one, other)
    : isConflicting(one.role, other.role) || isConflicting(other.role, one.role))

const isSameKind = (one: LiveRecord, other: LiveRecord): boolean =>
  singletonTxtKind(one) !== undefined && singletonTxtKind(one) === singletonTxtKind(other)

const isLike = (one: LiveRecord) => (other: LiveRecord) => one.key === other.key && one.ttl === other.ttl
