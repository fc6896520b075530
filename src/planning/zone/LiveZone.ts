import { Array, Order } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost, type DomainName, isAtOrBelow, normalizeTarget } from "../../domain/names/DomainName.ts"
import { anyTtl, type TtlRange } from "../../domain/provider/Provider.ts"
import type { WildcardAbove, Zone, ZoneBasis } from "../../domain/plan/Zone.ts"
import { isNameType, mapNames, namesIn } from "../../domain/records/dnsTypes.ts"
import { hasPriority, normalizeValue } from "../../domain/records/recordTypes.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { liveRoleOf, type RecordIdentity, recordKeyOf } from "../RecordRole.ts"

/** The records of a zone by host; hosts are relative to `domain`, which is the apex of the zone or below it. */
export interface LiveZone {
  readonly name: DomainName
  readonly domain: DomainName
  readonly basis: ZoneBasis
  readonly flattenedAliases: Zone["flattenedAliases"]
  /** The records as they were read; hosts in lower case. */
  readonly byHost: ZoneHosts
  /** Hosts that exist, whose records are not known. */
  readonly otherHosts: Iterable<string>
  /** The records of a host that a plan may change, each once, in an order that does not depend on the zone's. */
  readonly recordsAt: (host: string) => ReadonlyArray<LiveRecord>
  /** Whether the zone has wildcards, which answer for all names that do not exist. */
  readonly hasWildcards: boolean
  /** The wildcard above the domain that answers for it as long as it does not exist. */
  readonly wildcardAbove: WildcardAbove | undefined
  /** Whether the name exists, as a host or as an empty name above one; the first question costs time for each host. */
  readonly hasName: (name: string) => boolean
  readonly ttl: TtlRange
}

type ZoneHosts = Pick<ReadonlyMap<string, ReadonlyArray<ZoneRecord>>, "get" | "keys">

/** A record that is served now, in normal form. */
export interface LiveRecord extends ZoneRecord, RecordIdentity {}

/** Indexes the records of a zone by host; hosts may be in any letter case. */
export const toLiveZone = (zone: Zone, domain: DomainName, ttl: TtlRange = anyTtl): LiveZone =>
  makeLiveZone(
    { ...zone, domain, ttl },
    Map.groupBy(zone.records, ({ host }) => host.toLowerCase())
  )

/** Indexes the records at some hosts only, which is quick in a large zone too. */
export const toLiveZoneAt = (zone: Zone, domain: DomainName, hosts: ReadonlySet<string>): LiveZone =>
  toLiveZone({ ...zone, records: selectRecordsAt(zone, hosts) }, domain)

/** The records at some hosts, which are in lower case. */
export const selectRecordsAt = ({ records }: Zone, hosts: ReadonlySet<string>): ReadonlyArray<ZoneRecord> =>
  records.filter(({ host }) => hosts.has(host.toLowerCase()))

/** Makes the live zone of records that are grouped by host in lower case; `names` are its hosts and the names above. */
export const makeLiveZone = (
  {
    basis,
    domain,
    flattenedAliases,
    hasWildcards,
    name,
    otherHosts = [],
    ttl,
    wildcardAbove
  }: Pick<LiveZone, "name" | "domain" | "basis" | "ttl"> &
    Partial<Pick<LiveZone, "flattenedAliases" | "hasWildcards" | "otherHosts" | "wildcardAbove">>,
  byHost: ZoneHosts,
  names: () => ReadonlySet<string> = lazy(() => listNames(byHost.keys()))
): LiveZone => {
  const zone = { name, domain, basis, flattenedAliases, ttl, byHost, otherHosts, wildcardAbove }
  return {
    ...zone,
    hasWildcards: wildcardAbove !== undefined || (hasWildcards ?? byHost.keys().some(isWildcard)),
    hasName: (host) => names().has(host),
    recordsAt: memoize((host) => normalRecords(zone, host))
  }
}

/** The zone with the records of some hosts replaced; takes time for these hosts only, unless one of them is emptied. */
export const replaceRecordsAt = (
  zone: LiveZone,
  hosts: Iterable<readonly [host: string, records: ReadonlyArray<ZoneRecord | LiveRecord>]>
): LiveZone => {
  const { byHost } = zone
  const replaced = new Map(hosts)
  const [base, changes] =
    byHost instanceof ChangedHosts ? [byHost.base, new Map([...byHost.changes, ...replaced])] : [zone, replaced]
  const changed = { ...base, byHost: new ChangedHosts(base, changes) }
  // A host that is left without records no longer exists, unless one below it does.
  const isEmptied = changes.values().some((records) => records.length === 0)
  const names = lazy(() =>
    listNames(isEmptied ? [...changed.byHost.withRecords(), ...base.otherHosts] : changes.keys())
  )
  const changedRecordsAt = memoize((host) => normalRecords(changed, host))
  return {
    ...changed,
    hasWildcards: base.hasWildcards || changes.keys().some(isWildcard),
    hasName: (host) => names().has(host) || (!isEmptied && base.hasName(host)),
    recordsAt: (host) => (changes.has(host) ? changedRecordsAt(host) : base.recordsAt(host))
  }
}

/** The hosts of a zone, some of them with other records. */
class ChangedHosts implements ZoneHosts {
  readonly base: LiveZone
  readonly changes: ReadonlyMap<string, ReadonlyArray<ZoneRecord>>

  constructor(base: LiveZone, changes: ReadonlyMap<string, ReadonlyArray<ZoneRecord>>) {
    this.base = base
    this.changes = changes
  }

  get(host: string): ReadonlyArray<ZoneRecord> | undefined {
    return this.changes.get(host) ?? this.base.byHost.get(host)
  }

  keys(): MapIterator<string> {
    return new Set([...this.base.byHost.keys(), ...this.changes.keys()]).values()
  }

  withRecords(): Iterable<string> {
    return this.keys().filter((host) => (this.get(host) ?? []).length > 0)
  }
}

export const isWildcard = (host: string): boolean => host.startsWith("*")

/** The types of records that lead to another name. */
export const aliasTypes: ReadonlySet<string> = new Set(["CNAME", "ALIAS", "ANAME"])

/** Hosts with underscores belong to other services (RFC 8552); nobody visits them or sends mail to them. */
export const isServiceHost = (host: string): boolean => /(^|\.)_/.test(host)

const listNames = (hosts: Iterable<string>): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const host of hosts) {
    if (!isServable(host)) continue
    for (const name of listHostAndAncestors(host)) {
      // The names above a known one are known.
      if (names.has(name)) break
      names.add(name)
    }
  }
  return names
}

const lazy = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

const memoize = (recordsAt: LiveZone["recordsAt"]): LiveZone["recordsAt"] => {
  const known = new Map<string, ReadonlyArray<LiveRecord>>()
  return (host) => {
    const records = known.get(host) ?? recordsAt(host)
    known.set(host, records)
    return records
  }
}

/** Whether a host is the apex of the zone, which `@` is only if the zone begins at the domain. */
export const isApex = (zone: Pick<LiveZone, "name" | "domain">, host: string): boolean =>
  host === apexHost && zone.name === zone.domain

/** A zone, as far as the roles of its records depend on it. */
export type ServingZone = Pick<LiveZone, "name" | "domain"> & Partial<Pick<LiveZone, "flattenedAliases">>

/** The role of a record as its provider serves it: a CNAME that is proxied or flattened does not show in DNS. */
export const servedRoleOf = (
  record: Pick<ZoneRecord, "flattened" | "host" | "proxied" | "type" | "value">,
  zone: ServingZone
): string =>
  record.type === "CNAME" && (record.proxied === true || record.flattened === true || isFlattenedByZone(record, zone))
    ? "ALIAS"
    : liveRoleOf(record.type, isApex(zone, record.host))

/** Whether the zone flattens a CNAME by itself; not that of a service, whose target others look for. */
export const isFlattenedByZone = (
  { host, value }: Pick<ZoneRecord, "host" | "value">,
  { flattenedAliases, name }: ServingZone
): boolean =>
  !isServiceHost(host) &&
  (flattenedAliases === "all" || (flattenedAliases === "in_zone" && isAtOrBelow(normalizeTarget(value), name)))

export const hasRecordType = (zone: LiveZone, host: string, type: string): boolean =>
  (zone.byHost.get(host) ?? []).some((record) => typeOf(record) === type)

/** The name that an alias points to. */
export const targetOf = (record: ZoneRecord): string => valueOf(typeOf(record), record.value)

export const targetsOf = (record: ZoneRecord): ReadonlyArray<string> =>
  namesIn(typeOf(record), valueOf(typeOf(record), record.value))

/** The host and all hosts above it up to the domain: `a.b` gives `a.b`, `b`, `@`. */
export const listHostAndAncestors = (host: string): ReadonlyArray<string> => {
  if (host === apexHost) return [apexHost]
  const hosts = [host]
  for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) hosts.push(host.slice(dot + 1))
  return [...hosts, apexHost]
}

/** A DNS name has at most 253 characters (RFC 1035 section 2.3.4), whatever a zone contains. */
export const isServable = (host: string): boolean => host.length <= 253

const normalRecords = (
  zone: ServingZone & Pick<LiveZone, "byHost" | "ttl">,
  host: string
): ReadonlyArray<LiveRecord> => {
  const records = (zone.byHost.get(host) ?? [])
    .filter(isEditable)
    .map((record) => (isLive(record) ? record : normalRecord(record, host, zone)))
  return records.length < 2
    ? records
    : Array.dedupeAdjacentWith(
        Array.sort(records, byDataThenTtl),
        (one, other) => one.type === other.type && one.key === other.key
      )
}

/** A record that stays at its host while others are replaced is in normal form already. */
const isLive = (record: ZoneRecord | LiveRecord): record is LiveRecord => "key" in record

/** Whether a record counts for a plan: not if the zone, its signing or the provider needs it, or if it gives way. */
export const isEditable = (record: ZoneRecord): boolean => {
  if (record.locked === "overridable") return false
  const type = typeOf(record)
  const number = type.startsWith("TYPE") ? Number(type.slice("TYPE".length)) : 0
  return !reservedTypes.has(type) && !(number >= firstPrivateType && number <= lastPrivateType)
}

/** The types that the zone and its signing need. */
export const reservedTypes: ReadonlySet<string> = new Set(
  "SOA RRSIG NSEC NSEC3 NSEC3PARAM DNSKEY CDS CDNSKEY".split(" ")
)

/** The range of private types (RFC 6895 section 3.1). */
const firstPrivateType = 65_280
const lastPrivateType = 65_534

export const typeOf = ({ type }: ZoneRecord): string => type.toUpperCase()

export const normalRecord = (
  record: ZoneRecord,
  host: string,
  zone: ServingZone & Pick<LiveZone, "ttl">
): LiveRecord => {
  const data = normalizeData(record)
  const keyRole = record.web === true ? "WEB" : liveRoleOf(data.type, isApex(zone, host))
  const role = record.web === true ? "WEB" : servedRoleOf({ ...record, ...data, host }, zone)
  return {
    host,
    role,
    ttl: ttlOf(record, zone.ttl),
    ...data,
    ...(record.proxied === true ? { proxied: true } : {}),
    ...(record.flattened === true ? { flattened: true } : {}),
    ...(record.automaticTtl === true ? { automaticTtl: true } : {}),
    key: recordKeyOf(keyRole, data)
  }
}

/** The type, value and priority of a record in normal form. */
export const normalizeData = (record: ZoneRecord): Pick<ZoneRecord, "type" | "value" | "priority"> => {
  const type = typeOf(record)
  return {
    type,
    value: valueOf(type, record.value),
    ...(hasPriority(type) && record.priority !== undefined ? { priority: record.priority } : {})
  }
}

const valueOf = (type: string, value: string): string => {
  if (isNameType(type) && value !== nullTarget) return normalizeTarget(value)
  return mapNames(type, normalizeValue(type, value.toWellFormed()), normalizeTarget)
}

/** A TTL out of range counts as zero (RFC 2181 section 8), the automatic TTL of a provider as the one it serves. */
const ttlOf = ({ ttl }: ZoneRecord, { automatic }: TtlRange): number =>
  ttl === automatic?.written ? automatic.served : isTtl(ttl) ? ttl : 0

const isTtl = (ttl: number): boolean => Number.isInteger(ttl) && ttl >= 0 && ttl < 2 ** 31

const byDataThenTtl: Order.Order<LiveRecord> = Order.combineAll([
  Order.mapInput(Order.string, ({ type }) => type),
  Order.mapInput(Order.string, ({ key }) => key),
  Order.mapInput(Order.number, ({ ttl }) => ttl)
])
