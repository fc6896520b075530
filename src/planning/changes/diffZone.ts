import { Array, Order } from "effect"
import { isSameDkimKey } from "../../domain/records/DkimRecord.ts"
import { type DnsRecord, withData } from "../../domain/records/DnsRecord.ts"
import { apexHost, type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { isSpf } from "../../domain/records/SpfRecord.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { type DesiredRecord, groupByHost } from "../DesiredRecord.ts"
import { isDkimKey } from "../mailPolicies.ts"
import { isSpfAddition } from "../spf/mergeSpf.ts"
import { aliasTypes, type LiveRecord, type LiveZone, replaceRecordsAt } from "../zone/LiveZone.ts"
import { type HostContext, shouldRemove } from "./conflicts.ts"

/** One row of a plan: a record that is removed, one that is added, or one that replaces another. */
export interface PlanRow extends RecordPair {
  readonly host: string
  readonly role: string
  /** Whether data that is served now will no longer be served. */
  readonly hasDataLoss: boolean
}

/** The difference between the desired and the live records of one host. */
export interface HostDiff {
  readonly host: string
  readonly roles: ReadonlySet<string>
  /** Each desired record with the resulting one, which has the TTL that will be served. */
  readonly results: ReadonlyArray<readonly [desired: DnsRecord, result: DnsRecord]>
  readonly rows: ReadonlyArray<PlanRow>
  /** The remaining records for which the provider answers with addresses of its own. */
  readonly proxied: ReadonlyArray<LiveRecord>
  /** The added records with another TTL than requested: their set has one, or the provider cannot store it. */
  readonly adjusted: ReadonlySet<ChangeRecord>
}

/** Compares the desired with the live records, host by host. */
export const diffZone = (desired: ReadonlyArray<DesiredRecord>, zone: LiveZone): ReadonlyArray<HostDiff> =>
  [...groupByHost(desired)].map(([host, records]) =>
    diffHost(host, {
      name: toFqdn(host, zone.domain),
      desired: records,
      live: zone.recordsAt(host)
    })
  )

const diffHost = (host: string, context: HostContext): HostDiff => {
  const { desired, live, name } = context
  const keys = new Set(desired.map(({ key }) => key))
  const mustRemove = shouldRemove(context)
  const [kept, removed] = Array.partition(live, (record) => !keys.has(record.key) && mustRemove(record))
  const ttlOf = makeTtlLookup(desired, kept, new Set(removed.map(findSingletonTxtKind)))
  const proxied = new Set(kept.flatMap(({ key, proxied }) => (proxied === true ? [key] : [])))
  const results = desired.map((item) => {
    const result = withTtl(item.record, ttlOf(item))
    return { ...item, result: proxied.has(item.key) ? withData(result, { proxied: true }) : result }
  })
  const keptKeys = new Set(kept.map(({ key }) => key))
  const added = results.filter(({ key }) => !keptKeys.has(key))
  return {
    host,
    roles: new Set(desired.map(({ role }) => role)),
    results: results.map(({ record, result }) => [record, result]),
    proxied: kept.filter(({ proxied, role }) => proxied === true && desired.some((item) => item.role === role)),
    adjusted: new Set(added.flatMap((item) => (isAdjusted(item) ? [item.result] : []))),
    rows: pairByRole(removed, added).map((pair) => ({ host, ...pair, hasDataLoss: hasDataLoss(name, pair) }))
  }
}

type ResultingRecord = DesiredRecord & { readonly result: DnsRecord }

/** Whether a record gets another TTL than requested: that of its set (RFC 2181 section 5.2), or one that can be stored. */
const isAdjusted = ({ record, result, source }: ResultingRecord): boolean =>
  source.adjustedTtl === result.ttl || result.ttl !== record.ttl

/** Pairs the removed with the added records of each role, which may be thousands; a CNAME follows one that was proxied. */
export const pairByRole = (
  removed: ReadonlyArray<LiveRecord>,
  added: ReadonlyArray<{ readonly role: string; readonly result: ChangeRecord }>
): ReadonlyArray<RecordPair & { readonly role: string }> => {
  const removedAt = Map.groupBy(removed, (record) => pairedRoleOf(record.role, record))
  const addedAt = Map.groupBy(added, ({ result, role }) => pairedRoleOf(role, result))
  return [...new Set([...removedAt.keys(), ...addedAt.keys()])].flatMap((paired) => {
    const [before, after] = [removedAt.get(paired) ?? [], addedAt.get(paired) ?? []]
    const role = (after[0] ?? before[0])?.role ?? paired
    const pairs = pairRecords(
      before,
      after.map(({ result }) => result)
    )
    return pairs.map((pair) => ({ role, ...pair }))
  })
}

/** A type of the provider's own follows a CNAME at the apex alone. */
const pairedRoleOf = (role: string, { host, type }: ChangeRecord | LiveRecord): string =>
  role === "ALIAS" && (type === "CNAME" || host === apexHost) ? "CNAME" : role

/**
 * The TTL of each desired record: a served record keeps its own, one that joins a set takes that of the set. SPF and
 * DMARC records that replace one of their kind have its TTL already.
 */
const makeTtlLookup = (
  desired: ReadonlyArray<DesiredRecord>,
  kept: ReadonlyArray<LiveRecord>,
  removedKinds: ReadonlySet<string | undefined>
) => {
  const replacesPolicy = (record: DnsRecord): boolean => {
    const kind = findSingletonTxtKind(record)
    return (kind === "SPF" || kind === "DMARC") && removedKinds.has(kind)
  }
  const keptTtls = new Map(kept.map(({ key, ttl }) => [key, ttl]))
  const members = desired.map(({ record, role }) => ({ record, role, ttl: record.ttl }))
  const setTtls = new Map([
    ...findLowestTtls(members),
    ...findLowestTtls([...kept, ...members.filter(({ record }) => replacesPolicy(record))])
  ])
  return ({ key, record, role }: DesiredRecord): number =>
    keptTtls.get(key) ?? (replacesPolicy(record) ? record.ttl : (setTtls.get(role) ?? record.ttl))
}

const findLowestTtls = (members: ReadonlyArray<{ readonly role: string; readonly ttl: number }>) =>
  new Map(Array.sortWith(members, ({ ttl }) => -ttl, Order.number).map(({ role, ttl }) => [role, ttl] as const))

const withTtl = (record: DnsRecord, ttl: number): DnsRecord => (record.ttl === ttl ? record : withData(record, { ttl }))

/** Whether the pair removes data of the host; a new priority, TTL or spelling and additions to SPF do not. */
export const hasDataLoss = (name: DomainName, { after, before }: RecordPair): boolean =>
  before !== undefined &&
  before.value !== after?.value &&
  !(after !== undefined && isSpf(before.value) && isSpfAddition(name, before.value, after.value)) &&
  !(after !== undefined && isDkimKey(before) && isDkimKey(after) && isSameDkimKey(before.value, after.value))

/** The zone with the rows of some hosts applied. */
export const applyDiffs = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>): LiveZone =>
  replaceRecordsAt(
    zone,
    diffs.map(({ host, rows }) => {
      const removed = new Set(rows.map(({ before }) => before))
      const added = rows.flatMap(({ after }) => (after === undefined ? [] : [after]))
      return [host, [...zone.recordsAt(host).filter((record) => !removed.has(record)), ...added]]
    })
  )

/** A removed record and the one that replaces it; one of them may be missing. */
interface RecordPair {
  readonly before?: LiveRecord
  readonly after?: ChangeRecord
}

/**
 * Pairs removed with added members of a set: by value, then by kind if a host has only one of it, then the last ones,
 * unless one of the two is of such a kind. The rest remains unpaired.
 */
export const pairRecords = (
  removed: ReadonlyArray<LiveRecord>,
  added: ReadonlyArray<ChangeRecord>
): ReadonlyArray<RecordPair> => {
  const byValue = pairByIdentity(({ value }) => value, { pairs: [], removed, added })
  const byKind = pairByIdentity(kindOf, byValue)
  const [removedKinds, addedKinds] = [byKind.removed, byKind.added].map((records) => records.map(kindOf).join())
  const isLastPair = byKind.removed.length === 1 && byKind.added.length === 1 && removedKinds === addedKinds
  const { pairs, ...rest } = isLastPair ? pairByIdentity(() => "last", byKind) : byKind
  return [...pairs, ...rest.removed.map((before) => ({ before })), ...rest.added.map((after) => ({ after }))]
}

interface RecordMatch {
  readonly pairs: ReadonlyArray<Required<RecordPair>>
  readonly removed: ReadonlyArray<LiveRecord>
  readonly added: ReadonlyArray<ChangeRecord>
}

/** Pairs records with equal identities, in their order; records without an identity stay unpaired. */
const pairByIdentity = (
  identityOf: (record: LiveRecord | ChangeRecord) => string | undefined,
  matching: RecordMatch
): RecordMatch => {
  const { added, pairs, removed } = matching
  if (removed.length === 0 || added.length === 0) return matching
  const replacements = Map.groupBy(added, identityOf)
  const found = [...Map.groupBy(removed, identityOf)].flatMap(([identity, records]) =>
    identity === undefined
      ? []
      : Array.zipWith(records, replacements.get(identity) ?? [], (before, after) => ({ before, after }))
  )
  const paired = new Set<LiveRecord | ChangeRecord>(found.flatMap(({ after, before }) => [before, after]))
  return {
    pairs: [...pairs, ...found],
    removed: removed.filter((record) => !paired.has(record)),
    added: added.filter((record) => !paired.has(record))
  }
}

/** The kind of a record that a host can have only one of: an alias, or a kind of TXT record. */
const kindOf = (record: LiveRecord | ChangeRecord): string | undefined =>
  aliasTypes.has(record.type) ? "alias" : findSingletonTxtKind(record)
