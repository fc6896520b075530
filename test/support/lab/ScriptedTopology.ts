import { closestEnclosingZone, isSubdomainOf, parseZone, recordsOf, withRecords, type Zone } from "./Zone.ts"
import { absolute, labelsOf } from "./wireFormat.ts"

/** Names are written without the dot at their end; the root and the top-level domains come by themselves. */
export interface InternetSpec {
  readonly zones: Readonly<Record<string, ZoneSpec>>
  /** Addresses of hosts, none for a host that has no address; name servers not named here get 11.0.1.1, 11.0.1.2 … */
  readonly hosts?: Readonly<Record<string, ReadonlyArray<string>>>
}

export interface ZoneSpec {
  /** Who serves the zone; also its NS set, where `records` writes none at `@`. */
  readonly nameServers: ReadonlyArray<string>
  /** The lines of a zone file, see `parseZone`. */
  readonly records: string
  /** The NS set at the parent where it differs; none of them: not delegated. */
  readonly delegatedTo?: ReadonlyArray<string>
}

export const root = { host: "a.root.test", address: "11.0.0.1" }
export const tld = { host: "a.gtld.test", address: "11.0.0.2" }
export const resolver = { host: "resolver.test", address: "11.0.0.53" }

/** Who has which addresses, what the zones hold, and which host serves which zones (by absolute name). */
export interface Topology {
  readonly addresses: ReadonlyMap<string, ReadonlyArray<string>>
  readonly zones: ReadonlyMap<string, Zone>
  readonly served: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Adds to the zones of a test what an internet has above them: root, top-level domains, delegations and glue. */
export const topologyOf = (spec: InternetSpec): Topology => {
  const addresses = addressesOf(spec)
  const zones = zonesOf(spec, addresses)
  for (const [name, { nameServers, delegatedTo = nameServers }] of Object.entries(spec.zones))
    delegate(zones, name, delegatedTo)
  for (const [host, known] of addresses) addHost(zones, host, known)
  return { addresses, zones, served: servedOf(spec, zones) }
}

const addressesOf = (spec: InternetSpec): Topology["addresses"] => {
  const servers = Object.values(spec.zones).flatMap(({ nameServers, delegatedTo = [] }) => [
    ...nameServers,
    ...delegatedTo
  ])
  const unnamed = [...new Set(servers)].filter((host) => spec.hosts?.[host] === undefined)
  return new Map([
    ...[root, tld, resolver].map(({ host, address }) => [host, [address]] as const),
    ...unnamed.map((host, index) => [host, [`11.0.1.${index + 1}`]] as const),
    ...Object.entries(spec.hosts ?? {})
  ])
}

const zonesOf = (spec: InternetSpec, addresses: Topology["addresses"]): Map<string, Zone> => {
  const last = [...Object.keys(spec.zones), ...addresses.keys()].map((name) => labelsOf(name).at(-1) ?? "")
  const tlds = new Set(last.filter((name) => spec.zones[name] === undefined))
  const above = [parseZone(".", `@ NS ${root.host}.`), ...[...tlds].map((name) => parseZone(name, `@ NS ${tld.host}.`))]
  const given = Object.entries(spec.zones).map(([name, { nameServers, records }]) => {
    const zone = parseZone(name, records)
    return hasNs(zone, name) ? zone : withRecords(zone, nsRecords(name, nameServers))
  })
  const zones = new Map([...above, ...given].map((zone) => [zone.origin, zone]))
  for (const name of tlds) delegate(zones, name, [tld.host])
  return zones
}

const delegate = (zones: Map<string, Zone>, name: string, nameServers: ReadonlyArray<string>): void => {
  const origin = absolute(name).toLowerCase()
  const parent = closestEnclosingZone(
    [...zones.values()].filter((zone) => zone.origin !== origin),
    name
  )
  if (parent !== undefined && !hasNs(parent, name))
    zones.set(parent.origin, withRecords(parent, nsRecords(name, nameServers)))
}

/** The host's addresses in every zone above it: data in the deepest, glue in those above a delegation. */
const addHost = (zones: Map<string, Zone>, host: string, addresses: ReadonlyArray<string>): void => {
  const records = addresses.map((data) => record(host, data.includes(":") ? "AAAA" : "A", data))
  for (const zone of zones.values())
    if (
      isSubdomainOf(zone.origin, host) &&
      !recordsOf(zone).some(({ name, type }) => name === absolute(host) && type.startsWith("A"))
    )
      zones.set(zone.origin, withRecords(zone, records))
}

const servedOf = (spec: InternetSpec, zones: ReadonlyMap<string, Zone>): Topology["served"] => {
  const given = Object.entries(spec.zones).flatMap(([name, { nameServers }]) =>
    nameServers.map((host) => ({ host, name: absolute(name).toLowerCase() }))
  )
  const above = [...zones.keys()]
    .filter((name) => !given.some((served) => served.name === name))
    .map((name) => ({ host: name === "." ? root.host : tld.host, name }))
  return new Map(
    [...Map.groupBy([...above, ...given], ({ host }) => host)].map(([host, served]) => [
      host,
      served.map(({ name }) => name)
    ])
  )
}

const hasNs = (zone: Zone, name: string): boolean =>
  recordsOf(zone).some((record) => record.type === "NS" && record.name.toLowerCase() === absolute(name).toLowerCase())

const nsRecords = (name: string, hosts: ReadonlyArray<string>) =>
  hosts.map((host) => record(name, "NS", absolute(host)))

const record = (name: string, type: string, data: string) => ({ name: absolute(name), type, ttl: 300, data })
