import { Array, Either, Order } from "effect"
import { hasPriority, normalValue, noTarget, type ZoneRecord } from "../domain/DnsRecord.ts"
import { apexHost, type DomainName, parseTarget } from "../domain/DomainName.ts"
import type { Zone } from "../domain/Zone.ts"
import { type Keyed, keyOf, liveRoleOf } from "./Role.ts"

/** The records of a zone by host; hosts are relative to `domain`, at or above which the zone begins. */
export interface LiveZone {
  readonly name: DomainName
  readonly domain: DomainName
  readonly byHost: ReadonlyMap<string, ReadonlyArray<ZoneRecord>>
}

/** A record that is served today, in normal form. */
export interface LiveRecord extends ZoneRecord, Keyed {}

/** Finds the records of a zone by host; hosts may come in any letter case. */
export const liveZone = (zone: Zone, domain: DomainName): LiveZone => ({
  name: zone.name,
  domain,
  byHost: Map.groupBy(zone.records, ({ host }) => host.toLowerCase())
})

/** `@` is the apex of the zone only where the zone begins at the domain. */
export const isApex = (zone: LiveZone, host: string): boolean => host === apexHost && zone.name === zone.domain

/** What a plan may touch at the host: each record once, in an order that does not depend on the zone's. */
export const recordsAt = (zone: LiveZone, host: string): ReadonlyArray<LiveRecord> => {
  const records = (zone.byHost.get(host) ?? []).filter(isTouchable)
  return Array.dedupeAdjacentWith(
    Array.sort(
      records.map((record) => normalRecord(record, host, isApex(zone, host))),
      byDataThenTtl
    ),
    (one, other) => one.type === other.type && one.key === other.key
  )
}

/** Whether the host has a record of the type. */
export const serves = (zone: LiveZone, host: string, type: string): boolean =>
  (zone.byHost.get(host) ?? []).some((record) => typeOf(record) === type)

/** The names that the live records of the types point to. */
export const targetsOf = (zone: LiveZone, types: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [...zone.byHost.values()].flatMap((records) =>
      records
        .filter((record) => types.has(typeOf(record)))
        .map((record) => valueOf(typeOf(record), record.value).split(" ").at(-1) ?? noTarget)
    )
  )

/** The host and those above it, up to the domain: `a.b` gives `a.b`, `b`, `@`. */
export const selfAndAbove = (host: string): ReadonlyArray<string> => {
  if (host === apexHost) return [apexHost]
  const labels = host.split(".")
  return [...labels.map((_, depth) => labels.slice(depth).join(".")), apexHost]
}

/** What signing and the zone itself need is nobody's to change, and private types belong to the provider. */
const isTouchable = (record: ZoneRecord): boolean => {
  const type = typeOf(record)
  const number = Number(/^TYPE(\d+)$/.exec(type)?.[1])
  return !untouchable.has(type) && !(number >= firstPrivateType && number <= lastPrivateType)
}

const untouchable = new Set(["SOA", "RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY"])

/** RFC 6895 section 3.1. */
const firstPrivateType = 65_280
const lastPrivateType = 65_534

const typeOf = ({ type }: ZoneRecord): string => type.toUpperCase()

const normalRecord = (record: ZoneRecord, host: string, atApex: boolean): LiveRecord => {
  const type = typeOf(record)
  const role = liveRoleOf(type, atApex)
  const data = {
    value: valueOf(type, record.value),
    ...(hasPriority(type) && record.priority !== undefined ? { priority: record.priority } : {})
  }
  return { host, type, role, ttl: ttlOf(record), ...data, key: keyOf(role, data) }
}

const valueOf = (type: string, value: string): string =>
  holdsName.has(type) && value !== noTarget ? nameFrom(value) : normalValue(type, value.toWellFormed())

const holdsName = new Set(["CNAME", "ALIAS", "ANAME", "DNAME", "MX", "NS", "PTR"])

const nameFrom = (value: string): string =>
  Either.getOrElse(parseTarget(value), () => value.toWellFormed().toLowerCase().replace(/\.$/, ""))

/** RFC 2181 section 8: what is out of range counts as zero. */
const ttlOf = ({ ttl }: ZoneRecord): number => (isTtl(ttl) ? ttl : 0)

const isTtl = (ttl: number): boolean => Number.isInteger(ttl) && ttl >= 0 && ttl < 2 ** 31

const byDataThenTtl: Order.Order<LiveRecord> = Order.combineAll([
  Order.mapInput(Order.string, ({ type }) => type),
  Order.mapInput(Order.string, ({ key }) => key),
  Order.mapInput(Order.number, ({ ttl }) => ttl)
])
