import { closestEnclosingZone, isSubdomainOf, parseZone, recordsOf, withRecords, type LabZone } from "./Zone.ts"
import { absolute, labelsOf } from "./wireFormat.ts"

/** The zones and hosts of an internet. Names have no final dot; the root and the top-level domains are added, `com` always. */
export interface InternetSpec {
  readonly zones: Readonly<Record<string, ZoneSpec>>
  /** Addresses of hosts; empty for a host without an address. Other name servers get 11.0.1.1, 11.0.1.2 … */
  readonly hosts?: Readonly<Record<string, ReadonlyArray<string>>>
}

interface ZoneSpec {
  /** The name servers of the zone; also its NS set, unless `records` has one at `@`. */
  readonly nameServers: ReadonlyArray<string>
  /** The lines of a zone file, see `parseZone`. */
  readonly records: string
  /** The NS set at the parent, if it differs; empty if the zone is not delegated. */
  readonly delegatedTo?: ReadonlyArray<string>
}

export const root = { host: "a.root.test", address: "11.0.0.1" }
const tld = { host: "a.gtld.test", address: "11.0.0.2" }
export const resolver = { host: "resolver.test", address: "11.0.0.53" }

/** The addresses of hosts, the zones by absolute name, and the zones that each host serves. */
export interface Topology {
  readonly addresses: ReadonlyMap<string, ReadonlyArray<string>>
  readonly zones: ReadonlyMap<string, LabZone>
  readonly served: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Adds root, top-level domains, delegations and glue to the zones of a test. */
export const topologyOf = (spec: InternetSpec): Topology => {
  const addresses = addressesOf(spec)
  const zones = zonesOf(spec, addresses)
  for (const [name, { nameServers, delegatedTo = nameServers }] of Object.entries(spec.zones))
    delegate(zones, name, delegatedTo)
  for (const [host, hostAddresses] of addresses) addHost(zones, host, hostAddresses)
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

const zonesOf = (spec: InternetSpec, addresses: Topology["addresses"]): Map<string, LabZone> => {
  const last = [...Object.keys(spec.zones), ...addresses.keys()].map((name) => labelsOf(name).at(-1) ?? "")
  const tlds = new Set(["com", ...last].filter((name) => spec.zones[name] === undefined))
  const above = [parseZone(".", `@ NS ${root.host}.`), ...[...tlds].map((name) => parseZone(name, `@ NS ${tld.host}.`))]
  const specified = Object.entries(spec.zones).map(([name, { nameServers, records }]) => {
    const zone = parseZone(name, records)
    return hasNs(zone, name) ? zone : withRecords(zone, nsRecords(name, nameServers))
  })
  const zones = new Map([...above, ...specified].map((zone) => [zone.origin, zone]))
  for (const name of tlds) delegate(zones, name, [tld.host])
  return zones
}

const delegate = (zones: Map<string, LabZone>, name: string, nameServers: ReadonlyArray<string>): void => {
  const origin = absolute(name).toLowerCase()
  const parent = closestEnclosingZone(
    [...zones.values()].filter((zone) => zone.origin !== origin),
    name
  )
  if (parent !== undefined && !hasNs(parent, name))
    zones.set(parent.origin, withRecords(parent, nsRecords(name, nameServers)))
}

/** Adds a host's addresses to every zone above it: as data in the deepest, as glue above a delegation. */
const addHost = (zones: Map<string, LabZone>, host: string, addresses: ReadonlyArray<string>): void => {
  const records = addresses.map((data) => record(host, data.includes(":") ? "AAAA" : "A", data))
  for (const zone of zones.values())
    if (
      isSubdomainOf(zone.origin, host) &&
      !recordsOf(zone).some(({ name, type }) => name === absolute(host) && type.startsWith("A"))
    )
      zones.set(zone.origin, withRecords(zone, records))
}

const servedOf = (spec: InternetSpec, zones: ReadonlyMap<string, LabZone>): Topology["served"] => {
  const specified = Object.entries(spec.zones).flatMap(([name, { nameServers }]) =>
    nameServers.map((host) => ({ host, name: absolute(name).toLowerCase() }))
  )
  const above = [...zones.keys()]
    .filter((name) => !specified.some((served) => served.name === name))
    .map((name) => ({ host: name === "." ? root.host : tld.host, name }))
  return new Map(
    [...Map.groupBy([...above, ...specified], ({ host }) => host)].map(([host, served]) => [
      host,
      served.map(({ name }) => name)
    ])
  )
}

const hasNs = (zone: LabZone, name: string): boolean =>
  recordsOf(zone).some((record) => record.type === "NS" && record.name.toLowerCase() === absolute(name).toLowerCase())

const nsRecords = (name: string, hosts: ReadonlyArray<string>) =>
  hosts.map((host) => record(name, "NS", absolute(host)))

const record = (name: string, type: string, data: string) => ({ name: absolute(name), type, ttl: 300, data })
