import { Array, Order } from "effect"
import { type DnsRecord, withData } from "../../domain/DnsRecord.ts"
import { toFqdn } from "../../domain/DomainName.ts"
import { isSpf } from "../../domain/SpfRecord.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import { type DesiredRecord, groupByHost } from "../DesiredRecord.ts"
import { isSpfAddition } from "../spf/mergeSpf.ts"
import { type LiveRecord, type LiveZone, replaceRecordsAt } from "../zone/LiveZone.ts"
import { type HostContext, shouldRemove } from "./conflicts.ts"
import { pairRecords, type RecordPair } from "./pairRecords.ts"

/** One row of a plan: a record that goes, one that comes, or one that takes the place of another. */
export interface PlanRow extends RecordPair {
  readonly host: string
  readonly role: string
  /** Whether something that is served today is served no more. */
  readonly dropsData: boolean
}

/** What becomes of one host; `settled` gives for each wanted record the one that results, with the TTL it will have. */
export interface HostDiff {
  readonly host: string
  readonly roles: ReadonlySet<string>
  readonly results: ReadonlyArray<readonly [wanted: DnsRecord, result: DnsRecord]>
  readonly rows: ReadonlyArray<PlanRow>
  /** What stays although the provider answers for it with addresses of its own. */
  readonly proxied: ReadonlyArray<LiveRecord>
  /** Whether a record that comes has another TTL than was asked for, because the provider cannot store that one. */
  readonly ttlAdjusted: boolean
}

/** Compares what is wanted with what is served, host by host. */
export const diffZone = (wanted: ReadonlyArray<DesiredRecord>, zone: LiveZone): ReadonlyArray<HostDiff> =>
  [...groupByHost(wanted)].map(([host, records]) =>
    diffHost(host, {
      name: toFqdn(host, zone.domain),
      desired: records,
      live: zone.recordsAt(host)
    })
  )

const diffHost = (host: string, meeting: HostContext): HostDiff => {
  const { live, desired: wanted } = meeting
  const keys = new Set(wanted.map(({ key }) => key))
  const mustGo = shouldRemove(meeting)
  const [staying, going] = Array.partition(live, (record) => !keys.has(record.key) && mustGo(record))
  const ttlOf = resultingTtl(wanted, staying, new Set(going.map(singletonTxtKind)))
  const results = wanted.map((_) => ({ ..._, result: withTtl(_.record, ttlOf(_)) }))
  const served = new Set(staying.map(({ key }) => key))
  const coming = results.filter(({ key }) => !served.has(key))
  return {
    host,
    roles: new Set(wanted.map(({ role }) => role)),
    results: results.map(({ record, result }) => [record, result]),
    proxied: staying.filter(({ proxied, role }) => proxied === true && wanted.some((one) => one.role === role)),
    ttlAdjusted: coming.some(({ source: asked, result }) => asked.adjustedTtl === result.ttl),
    rows: [...new Set([...going, ...coming].map(({ role }) => role))].flatMap((role) =>
      pairRecords(
        going.filter((record) => record.role === role),
        coming.filter((record) => record.role === role).map(({ result }) => result)
      ).map((pair) => ({ host, role, ...pair, dropsData: dropsData(pair) }))
    )
  }
}

/**
 * What is served keeps its TTL, what joins a set takes the TTL of the set, and only a new set has the wanted TTL; SPF and
 * DMARC, whose rules give them the TTL of the record that they follow, keep it.
 */
const resultingTtl = (
  wanted: ReadonlyArray<DesiredRecord>,
  staying: ReadonlyArray<LiveRecord>,
  goingKinds: ReadonlySet<string | undefined>
) => {
  const follows = (record: DnsRecord): boolean => {
    const kind = singletonTxtKind(record)
    return (kind === "SPF" || kind === "DMARC") && goingKinds.has(kind)
  }
  const served = new Map(staying.map(({ key, ttl }) => [key, ttl]))
  const members = wanted.map(({ record, role }) => ({ record, role, ttl: record.ttl }))
  const sets = new Map([
    ...lowestTtls(members),
    ...lowestTtls([...staying, ...members.filter(({ record }) => follows(record))])
  ])
  return ({ key, record, role }: DesiredRecord): number =>
    served.get(key) ?? (follows(record) ? record.ttl : (sets.get(role) ?? record.ttl))
}

const lowestTtls = (members: ReadonlyArray<{ readonly role: string; readonly ttl: number }>) =>
  new Map(Array.sortWith(members, ({ ttl }) => -ttl, Order.number).map(({ role, ttl }) => [role, ttl] as const))

const withTtl = (record: DnsRecord, ttl: number): DnsRecord => (record.ttl === ttl ? record : withData(record, { ttl }))

/** A new priority or TTL, or more SPF, takes nothing away. */
export const dropsData = ({ after, before }: RecordPair): boolean =>
  before !== undefined &&
  before.value !== after?.value &&
  !(after !== undefined && isSpf(before.value) && isSpfAddition(before.value, after.value))

/** The zone as a plan leaves it. */
export const applyDiffs = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>): LiveZone =>
  replaceRecordsAt(
    zone,
    diffs.map(({ host, rows }) => {
      const going = new Set(rows.map(({ before }) => before))
      const coming = rows.flatMap(({ after }) => (after === undefined ? [] : [after]))
      return [host, [...zone.recordsAt(host).filter((record) => !going.has(record)), ...coming]]
    })
  )
