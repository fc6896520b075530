import { Array } from "effect"
import { onceOnlyKind } from "../../domain/onceOnlyKind.ts"
import { recordOf } from "../buildPlan.ts"
import { excludes, replaces } from "../changes/conflicts.ts"
import { dropsData, type HostDiff } from "../changes/diff.ts"
import { pairUp } from "../changes/pairUp.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import { policyKind } from "./provenance.ts"
import { canStandBeside } from "./undo.ts"

/**
 * What becomes of a host on the way from one zone to another, where it has to do with one of the records of a
 * connection. What is the customer's stays, even if a connection that stays would not have it.
 */
export const hostDiff = (
  host: string,
  [from, to]: readonly [from: LiveZone, to: LiveZone],
  { own, remaining }: Concern
): HostDiff => {
  const isConcerned = (record: LiveRecord) => own.some((other) => concern(other, record))
  const live = from.recordsAt(host)
  const wished = to.recordsAt(host)
  const spared = remaining.filter((record) => !wished.some(isHeirOf(record)))
  const target = [
    ...wished.filter((record) => live.some(isHeirOf(record)) || spared.every((_) => canStandBeside(record, _))),
    ...spared
  ]
  const going = live.filter((record) => !target.some(isLike(record)) && isConcerned(record))
  const coming = target.filter((record) => !live.some(isLike(record)) && isConcerned(record))
  const pairs = Array.dedupe([...going, ...coming].map(({ role }) => role)).flatMap((role) => {
    const [leaving, arriving] = [going, coming].map((_) => _.filter((record) => record.role === role))
    return pairUp(leaving ?? [], (arriving ?? []).map(recordOf)).map((pair) => ({ role, ...pair }))
  })
  return {
    host,
    roles: new Set(target.map(({ role }) => role)),
    settled: [],
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
  one.key === other.key || (policyKind(one) !== undefined && policyKind(one) === policyKind(other))

/** Whether one record has something to do with another of its host: it is of the same set, or cannot stand beside it. */
export const concern = (one: LiveRecord, other: LiveRecord): boolean =>
  one.key === other.key ||
  (one.role === other.role
    ? replaces(one.role) === "set" || one.role === "CAA" || isSameKind(one, other)
    : excludes(one.role, other.role) || excludes(other.role, one.role))

const isSameKind = (one: LiveRecord, other: LiveRecord): boolean =>
  onceOnlyKind(one) !== undefined && onceOnlyKind(one) === onceOnlyKind(other)

const isLike = (one: LiveRecord) => (other: LiveRecord) => one.key === other.key && one.ttl === other.ttl
