import { Array, Order } from "effect"
import { hasPriority, normalizeValue, nullTarget, type ZoneRecord } from "../../domain/DnsRecord.ts"
import { apexHost, type DomainName, normalizeTarget, toFqdn } from "../../domain/DomainName.ts"
import { anyTtl, type TtlRange } from "../../domain/Provider.ts"
import { isSpf, spfAddressNames } from "../../domain/SpfRecord.ts"
import type { Zone, ZoneBasis } from "../../domain/Zone.ts"
import { liveRoleOf, type RecordIdentity, recordKeyOf } from "../RecordRole.ts"

/** The records of a zone by host; hosts are relative to `domain`, at or above which the zone begins. */
export interface LiveZone {
  readonly name: DomainName
  readonly domain: DomainName
  readonly basis: ZoneBasis
  /** As they were read; hosts in lower case. */
  readonly byHost: ReadonlyMap<string, ReadonlyArray<ZoneRecord>>
  /** What a plan may touch at a host: each record once, in an order that does not depend on the zone's. */
  readonly recordsAt: (host: string) => ReadonlyArray<LiveRecord>
  /** Every host with the empty names above it, where the zone has wildcards, which answer for all others. */
  readonly names: ReadonlySet<string>
  readonly ttl: TtlRange
}

/** A record that is served today, in normal form. */
export interface LiveRecord extends ZoneRecord, RecordIdentity {}

/** Finds the records of a zone by host; hosts may come in any letter case. */
export const liveZone = ({ basis, name, records }: Zone, domain: DomainName, ttl: TtlRange = anyTtl): LiveZone =>
  zoneOf({ name, domain, basis, ttl, byHost: Map.groupBy(records, ({ host }) => host.toLowerCase()) })

/** The zone with other records at some hosts. */
export const replaceRecordsAt = (
  zone: LiveZone,
  hosts: Iterable<readonly [host: string, records: ReadonlyArray<ZoneRecord>]>
): LiveZone => zoneOf({ ...zone, byHost: new Map([...zone.byHost, ...hosts]) })

const zoneOf = (read: Omit<LiveZone, "recordsAt" | "names">): LiveZone => {
  const hosts = [...read.byHost.keys()]
  const hasWildcard = hosts.some((host) => host.startsWith("*"))
  const known = new Map<string, ReadonlyArray<LiveRecord>>()
  return {
    ...read,
    names: new Set(hasWildcard ? hosts.filter(isServable).flatMap(hostAndAncestors) : []),
    recordsAt: (host) => {
      const records = known.get(host) ?? normalRecords(read, host)
      known.set(host, records)
      return records
    }
  }
}

/** `@` is the apex of the zone only where the zone begins at the domain. */
export const isApex = (zone: Pick<LiveZone, "name" | "domain">, host: string): boolean =>
  host === apexHost && zone.name === zone.domain

/** Whether the host has a record of the type. */
export const hasRecordType = (zone: LiveZone, host: string, type: string): boolean =>
  (zone.byHost.get(host) ?? []).some((record) => typeOf(record) === type)

/** The names that the live records of the types point to. */
export const recordTargetsOf = (zone: LiveZone, types: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [...zone.byHost.values()].flatMap((records) =>
      records
        .filter((record) => types.has(typeOf(record)))
        .map((record) => valueOf(typeOf(record), record.value).split(" ").at(-1) ?? nullTarget)
    )
  )

/** The names whose addresses the SPF policies of the zone allow to send, by `a`; those of `mx` are targets of MX. */
export const spfAddressNamesOf = (zone: LiveZone): ReadonlySet<string> =>
  new Set(
    [...zone.byHost].flatMap(([host, records]) =>
      records
        .filter((record) => typeOf(record) === "TXT" && isSpf(record.value))
        .flatMap(({ value }) => spfAddressNames(value, toFqdn(host, zone.domain)))
    )
  )

/** The host whose records answer for a host: its own, or the wildcard's where nothing is at or below it (RFC 4592). */
export const findAnsweringHost = (zone: LiveZone, host: string): string =>
  zone.names.size === 0 || zone.names.has(host) ? host : findWildcard(zone, host)

/** The wildcard that answers for a host as long as nothing is at or below it: the one at its closest encloser. */
export const findWildcard = (zone: LiveZone, host: string): string => {
  const encloser = hostAndAncestors(host).find((above) => zone.names.has(above)) ?? apexHost
  return encloser === apexHost ? "*" : `*.${encloser}`
}

/** The host and those above it, up to the domain: `a.b` gives `a.b`, `b`, `@`. */
export const hostAndAncestors = (host: string): ReadonlyArray<string> => {
  if (host === apexHost) return [apexHost]
  const labels = host.split(".")
  return [...labels.map((_, depth) => labels.slice(depth).join(".")), apexHost]
}

/** No name of the DNS is longer (RFC 1035 section 2.3.4), whatever a zone says. */
const isServable = (host: string): boolean => host.length <= 253

const normalRecords = (
  zone: Pick<LiveZone, "byHost" | "domain" | "name" | "ttl">,
  host: string
): ReadonlyArray<LiveRecord> => {
  const records = (zone.byHost.get(host) ?? []).filter(isEditable).map((record) => normalRecord(record, host, zone))
  return records.length < 2
    ? records
    : Array.dedupeAdjacentWith(
        Array.sort(records, byDataThenTtl),
        (one, other) => one.type === other.type && one.key === other.key
      )
}

/** What signing and the zone itself need is nobody's to change, and private types belong to the provider. */
export const isEditable = (record: ZoneRecord): boolean => {
  const type = typeOf(record)
  const number = type.startsWith("TYPE") ? Number(type.slice("TYPE".length)) : 0
  return !reservedTypes.has(type) && !(number >= firstPrivateType && number <= lastPrivateType)
}

/** The types that the zone and its signing keep for themselves. */
export const reservedTypes: ReadonlySet<string> = new Set(
  "SOA RRSIG NSEC NSEC3 NSEC3PARAM DNSKEY CDS CDNSKEY".split(" ")
)

/** RFC 6895 section 3.1. */
const firstPrivateType = 65_280
const lastPrivateType = 65_534

const typeOf = ({ type }: ZoneRecord): string => type.toUpperCase()

const normalRecord = (
  record: ZoneRecord,
  host: string,
  zone: Pick<LiveZone, "domain" | "name" | "ttl">
): LiveRecord => {
  const data = normalizeData(record)
  const role = record.web === true ? "WEB" : liveRoleOf(data.type, isApex(zone, host))
  return {
    host,
    role,
    ttl: ttlOf(record, zone.ttl),
    ...data,
    ...(record.proxied === true ? { proxied: true } : {}),
    key: recordKeyOf(role, data)
  }
}

/** What a record says, in normal form. */
export const normalizeData = (record: ZoneRecord): Pick<ZoneRecord, "type" | "value" | "priority"> => {
  const type = typeOf(record)
  return {
    type,
    value: valueOf(type, record.value),
    ...(hasPriority(type) && record.priority !== undefined ? { priority: record.priority } : {})
  }
}

const valueOf = (type: string, value: string): string => {
  if (isName.has(type) && value !== nullTarget) return normalizeTarget(value)
  const normal = normalizeValue(type, value.toWellFormed())
  const places = namesIn.get(type)
  return places === undefined
    ? normal
    : normal
        .split(/\s+/)
        .map((field, place) => (places.includes(place) && field !== nullTarget ? normalizeTarget(field) : field))
        .join(" ")
}

const isName: ReadonlySet<string> = new Set(["CNAME", "ALIAS", "ANAME", "DNAME", "MX", "NS", "PTR"])

/** In which fields of the values of other types there are names. */
const namesIn: ReadonlyMap<string, ReadonlyArray<number>> = new Map([
  ["HTTPS", [1]],
  ["SVCB", [1]],
  ["AFSDB", [1]],
  ["KX", [1]],
  ["RP", [0, 1]],
  ["SRV", [2]],
  ["NAPTR", [5]]
])

/** RFC 2181 section 8: what is out of range counts as zero; what the provider calls automatic as what it serves. */
const ttlOf = ({ ttl }: ZoneRecord, { automatic }: TtlRange): number =>
  ttl === automatic?.written ? automatic.served : isTtl(ttl) ? ttl : 0

const isTtl = (ttl: number): boolean => Number.isInteger(ttl) && ttl >= 0 && ttl < 2 ** 31

const byDataThenTtl: Order.Order<LiveRecord> = Order.combineAll([
  Order.mapInput(Order.string, ({ type }) => type),
  Order.mapInput(Order.string, ({ key }) => key),
  Order.mapInput(Order.number, ({ ttl }) => ttl)
])
