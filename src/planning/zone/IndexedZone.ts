import { Option } from "effect"
import { isDmarc, isDmarcHost } from "../../domain/records/DmarcRecord.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost, isAtOrBelow, type DomainName, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import { usesOtherSpf } from "../../domain/records/SpfRecord.ts"
import { computeAtOnce, type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { anyTtl, type TtlRange } from "../../domain/provider/Provider.ts"
import type { TargetsOutside, UnansweredRRset, Zone } from "../../domain/plan/Zone.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { maxAliases } from "../DnsLookup.ts"
import {
  aliasTypes,
  isServable,
  isWildcard,
  listHostAndAncestors,
  type LiveZone,
  makeLiveZone,
  typeOf
} from "./LiveZone.ts"
import { addTargets, makeTargetNames, type TargetNames } from "./zoneContext.ts"
import { findAnsweringHost, isExisting, isSynthesized } from "./wildcards.ts"

/**
 * A zone with everything that plans need to know of its records beyond the desired hosts. It is made once per zone and
 * shared by all plans from it, whose work then depends on the desired hosts and not on the size of the zone.
 */
export interface IndexedZone {
  readonly zone: LiveZone
  readonly recordCount: number
  readonly targets: ZoneTargets
  /** The targets of records of the zone outside the domain. */
  readonly targetsOutside: TargetsOutside | undefined
  /** The hosts whose certificate a TLSA record pins. */
  readonly pinnedHosts: ReadonlySet<string>
  /** The `_dmarc` hosts that have records or for which a wildcard has a policy. */
  readonly dmarcHosts: ReadonlySet<string>
  /** The hosts with SPF records that use other policies. */
  readonly referringHosts: ReadonlySet<string>
  /** The RRsets of the zone that no name server answered for. */
  readonly unansweredRRsets: ReadonlyArray<UnansweredRRset>
}

/** The hosts that live records of the zone point to, by the warning about their change. */
interface ZoneTargets {
  /** The targets of MX and SRV, and the names whose addresses SPF permits by `a`; those of `mx` are targets of MX. */
  readonly mail: AddressTargets
  readonly nameServers: AddressTargets
  /** The names of SPF policies that another one uses, and of DKIM keys and DMARC policies behind an alias. */
  readonly policies: AddressTargets
  /** The hosts to which aliases of hosts lead that may be visited. */
  readonly websites: AddressTargets
  /** The hosts whose certificate a TLSA record pins. */
  readonly pinned: AddressTargets
}

/** The hosts on which the addresses of some names depend. */
export interface AddressTargets {
  readonly hosts: ReadonlySet<string>
  /** The names for which a wildcard answers, by the host at or above them that does not exist so far. */
  readonly synthesizedNames: ReadonlyMap<string, ReadonlyArray<string>>
  /** The names above them, below the domain. */
  readonly namesAbove: ReadonlySet<string>
}

/** Indexes a zone whose hosts may be in any letter case; `desiredHosts` are those that plans may bring. */
export function* indexZone(
  {
    basis,
    flattenedAliases,
    name,
    otherHosts = [],
    records,
    targetsOutside,
    unansweredRRsets = [],
    wildcardAbove
  }: Zone,
  { desiredHosts = [], domain, ttl = anyTtl }: ZoneIndexOptions
): LongComputation<IndexedZone> {
  const byHost = new Map<string, Array<ZoneRecord>>()
  const names = makeTargetNames(targetsOutside)
  const pinnedHosts = new Set<string>()
  const dmarcHosts = new Set<string>()
  const referringHosts = new Set<string>()
  let hasWildcards = wildcardAbove !== undefined
  yield* visitEach(records, (record) => {
    const host = record.host.toLowerCase()
    const known = byHost.get(host)
    if (known === undefined) {
      byHost.set(host, [record])
      hasWildcards ||= isWildcard(host)
    } else known.push(record)
    addTargets(names, record, toFqdn(host, domain))
    if (usesOtherSpf(record.value)) referringHosts.add(host)
    if (isDmarcHost(host)) dmarcHosts.add(host)
    else if (isWildcard(host) && isDmarc(record.value)) dmarcHosts.add(`_dmarc${host.slice(1)}`)
    if (typeOf(record) === "TLSA") pinnedHosts.add(host.replace(servicePrefix, "") || apexHost)
  })
  const existing =
    hasWildcards || desiredHosts.some(isWildcard) ? yield* listNames([...byHost.keys(), ...otherHosts]) : undefined
  const zone = makeLiveZone(
    { name, domain, basis, flattenedAliases, ttl, hasWildcards, otherHosts, wildcardAbove },
    byHost,
    existing && (() => existing)
  )
  return {
    zone,
    recordCount: records.length,
    pinnedHosts,
    dmarcHosts,
    referringHosts,
    targetsOutside,
    unansweredRRsets,
    targets: yield* findTargets(zone, names, pinnedHosts)
  }
}

/** The port and protocol in front of the host of a TLSA record (RFC 6698 section 3). */
const servicePrefix = /^(_\d+|\*)\._[a-z]+(\.|$)/

/** The domain that hosts are relative to, the TTLs that the provider can store, and the hosts that plans may bring. */
interface ZoneIndexOptions {
  readonly domain: DomainName
  readonly ttl?: TtlRange
  readonly desiredHosts?: ReadonlyArray<string>
}

/** The same zone with other records at some of its hosts, which are few. */
export const reindexZone = (indexed: IndexedZone, zone: LiveZone): IndexedZone =>
  zone === indexed.zone ? indexed : { ...indexed, zone, targets: computeAtOnce(findAllTargets(zone, indexed)) }

function* listNames(hosts: Iterable<string>): LongComputation<ReadonlySet<string>> {
  const names = new Set<string>()
  yield* visitEach(hosts, (host) => {
    if (!isServable(host)) return
    for (const name of listHostAndAncestors(host)) names.add(name)
  })
  return names
}

function* findAllTargets(
  zone: LiveZone,
  { pinnedHosts, targetsOutside }: Pick<IndexedZone, "pinnedHosts" | "targetsOutside">
): LongComputation<ZoneTargets> {
  const names = makeTargetNames(targetsOutside)
  yield* visitEach(zone.byHost.keys(), (host) => {
    for (const record of zone.byHost.get(host) ?? []) addTargets(names, record, toFqdn(host, zone.domain))
  })
  return yield* findTargets(zone, names, pinnedHosts)
}

function* findTargets(
  zone: LiveZone,
  { mail, nameServers, policies, websites }: TargetNames,
  pinnedHosts: ReadonlySet<string>
): LongComputation<ZoneTargets> {
  return {
    mail: yield* toAddressTargets(zone, mail),
    nameServers: yield* toAddressTargets(zone, nameServers),
    policies: yield* toAddressTargets(zone, policies),
    websites: yield* toAddressTargets(zone, websites),
    pinned: yield* toAddressTargets(
      zone,
      pinnedHosts.values().map((host) => toFqdn(host, zone.domain))
    )
  }
}

function* toAddressTargets(zone: LiveZone, targets: Iterable<string>): LongComputation<AddressTargets> {
  const hosts = new Set<string>()
  const synthesizedNames = new Map<string, Array<string>>()
  const addSynthesized = (name: string, above: ReadonlyArray<string>) => {
    for (const host of above) {
      const known = synthesizedNames.get(host)
      if (known === undefined) synthesizedNames.set(host, [name])
      else known.push(name)
    }
  }
  const highest = highestSynthesizedName(zone)
  yield* visitEach(targets, (name) => {
    for (const host of addressHostsOf(zone, name, maxAliases)) hosts.add(host)
    if (highest !== undefined && isAtOrBelow(name, highest) && !isAtOrBelow(name, zone.domain)) {
      addSynthesized(name, [apexHost])
    }
  })
  const namesAbove = new Set<string>()
  yield* visitEach(hosts, (host) => {
    if (isSynthesized(zone, host)) {
      addSynthesized(
        toFqdn(host, zone.domain),
        listHostAndAncestors(host).filter((name) => !isExisting(zone, name))
      )
    }
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) namesAbove.add(host.slice(dot + 1))
  })
  return { hosts, synthesizedNames, namesAbove }
}

/** The name, of the domain or above it, below which a wildcard above answers for all while the domain does not exist. */
const highestSynthesizedName = ({ domain, wildcardAbove }: LiveZone): string | undefined => {
  const parent = wildcardAbove?.name.slice("*".length)
  return parent === undefined ? undefined : domain.slice(domain.lastIndexOf(".", domain.length - parent.length - 1) + 1)
}

/** The hosts that a name's addresses depend on, in order: its own, its wildcard, and those its aliases lead to. */
export const addressHostsOf = (zone: LiveZone, name: string, aliases: number): ReadonlyArray<string> =>
  Option.match(toRelativeHost(name, zone.domain), {
    onNone: () => [],
    onSome: (host) => {
      const answering = findAnsweringHost(zone, host)
      const alias = aliasAt(zone, answering)
      const aliasHosts =
        alias === undefined || alias === nullTarget || aliases === 0 ? [] : addressHostsOf(zone, alias, aliases - 1)
      return [host, answering, ...aliasHosts]
    }
  })

/** The target of an alias at a host, which most hosts are not: their records need not be put in normal form for that. */
const aliasAt = (zone: LiveZone, host: string): string | undefined =>
  (zone.byHost.get(host) ?? []).some((record) => aliasTypes.has(typeOf(record)))
    ? zone.recordsAt(host).find(({ role }) => role === "CNAME" || role === "ALIAS")?.value
    : undefined
