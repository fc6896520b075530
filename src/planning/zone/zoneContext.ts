import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { isAtOrBelow } from "../../domain/names/DomainName.ts"
import { isSpf, listSpfAddressNames, listSpfPolicyNames } from "../../domain/records/SpfRecord.ts"
import { makeWildcardAboveFinder, type TargetsOutside, type Zone, type ZoneLocation } from "../../domain/plan/Zone.ts"
import { findRecordType } from "../../domain/records/recordTypes.ts"
import { maxAliases } from "../DnsLookup.ts"
import { isPolicyHost } from "../mailPolicies.ts"
import { aliasTypes, isServiceHost, targetOf, targetsOf, typeOf } from "./LiveZone.ts"

export type TargetNames = { readonly [_ in keyof TargetsOutside]: Set<string> }

/** Collects the names that some records point to, with those that are known already. */
export const makeTargetNames = (known?: TargetsOutside): TargetNames => ({
  mail: new Set(known?.mail),
  nameServers: new Set(known?.nameServers),
  policies: new Set(known?.policies),
  websites: new Set(known?.websites)
})

/** Adds the names that a record at `name`, which is absolute, points to. */
export const addTargets = (names: TargetNames, record: ZoneRecord, name: string): void => {
  const { mail, policies, websites } = names
  const type = typeOf(record)
  if (aliasTypes.has(type)) {
    if (isPolicyHost(name)) policies.add(targetOf(record))
    else if (!isServiceHost(name)) websites.add(targetOf(record))
  } else if (type === "TXT" && isSpf(record.value)) {
    for (const target of listSpfAddressNames(record.value, name)) mail.add(target)
    for (const target of listSpfPolicyNames(record.value)) policies.add(target)
  } else {
    const pointsTo = findRecordType(type)?.pointsTo
    if (pointsTo !== undefined) for (const target of targetsOf(record)) names[pointsTo].add(target)
  }
}

/** Finds the context of a domain in its zone: the wildcard above, and its names that records outside point to. */
interface ZoneContextFinder {
  /** Adds a record of the zone, in any order; `name` is absolute and in normal form. */
  readonly add: (name: string, record: Omit<ZoneRecord, "host">) => void
  readonly find: () => Pick<Zone, "wildcardAbove" | "targetsOutside">
}

/** Makes a finder that knows no record yet. A domain at the apex of its zone has no context. */
export const makeZoneContextFinder = (location: ZoneLocation): ZoneContextFinder => {
  const { domain, zone } = location
  if (domain === zone) return { add: () => {}, find: () => ({}) }
  const wildcards = makeWildcardAboveFinder(location)
  const targets = makeTargetNames()
  const aliases = new Map<string, string>()
  return {
    add: (name, data) => {
      wildcards.add(name, data)
      if (isAtOrBelow(name, domain) || !isAtOrBelow(name, zone)) return
      const record = { host: name, ...data }
      if (typeOf(record) === "CNAME") aliases.set(name, targetOf(record))
      addTargets(targets, record, name)
    },
    find: () => {
      const wildcardAbove = wildcards.find()
      const targetsOutside: TargetsOutside = {
        mail: listReachedNames(targets.mail, aliases, location),
        nameServers: listReachedNames(targets.nameServers, aliases, location),
        policies: listReachedNames(targets.policies, aliases, location),
        websites: listReachedNames(targets.websites, aliases, location)
      }
      return {
        ...(wildcardAbove === undefined ? {} : { wildcardAbove }),
        ...(Object.values(targetsOutside).every((names) => names.length === 0) ? {} : { targetsOutside })
      }
    }
  }
}

/** The names, and those that outside aliases lead to, whose answers records of the domain decide. */
const listReachedNames = (
  names: ReadonlySet<string>,
  aliases: ReadonlyMap<string, string>,
  { domain, zone }: ZoneLocation
): ReadonlyArray<string> => {
  // A new name of the domain hides wildcards at most for the names below the child of the apex that leads to it.
  const child = domain.slice(domain.lastIndexOf(".", domain.length - zone.length - 2) + 1)
  const reached = new Set<string>()
  for (let name of names) {
    for (let followed = 0; followed <= maxAliases; followed += 1) {
      if (isAtOrBelow(name, child)) reached.add(name)
      const alias = aliases.get(name)
      if (alias === undefined) break
      name = alias
    }
  }
  return [...reached]
}
