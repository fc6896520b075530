import { Array, Option } from "effect"
import { nullTarget } from "../../domain/DnsRecord.ts"
import { toFqdn, toRelativeHost } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import { maxAliases } from "../DnsLookup.ts"
import type { OtherDesiredRecord } from "../PlanContext.ts"
import { recordKeyOf } from "../RecordRole.ts"
import {
  findAnsweringHost,
  findWildcard,
  hasRecordType,
  hostAndAncestors,
  type LiveZone,
  recordTargetsOf,
  spfAddressNamesOf
} from "../zone/LiveZone.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** Tells of a row what else it takes away from what is served today, beyond the record that it replaces. */
export const findConsequences = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>,
  others: ReadonlyArray<OtherDesiredRecord>
): ((row: PlanRow) => ReadonlyArray<Warning>) => {
  const effects = [
    [
      "mail_target_changed",
      changesTarget(zone, recordTargetsOf(zone, new Set(["MX", "SRV"])).union(spfAddressNamesOf(zone)))
    ],
    ["ns_target_changed", changesTarget(zone, recordTargetsOf(zone, new Set(["NS"])))],
    ["wildcard_hidden", hidesWildcard(zone, diffs)],
    ["ns_delegation_hides_records", hidesRecords(zone, diffs)],
    ["other_connection_affected", takesFromOthers(others)]
  ] as const
  return (row) => effects.filter(([, happens]) => happens(row)).map(([warning]) => warning)
}

/** A change of what the addresses of a name depend on to which live records point. */
const changesTarget = (zone: LiveZone, targets: ReadonlySet<string>) => {
  const paths = [...targets].map((name) => addressHostsOf(zone, name))
  const hosts = new Set(paths.flat())
  const lent = new Set(paths.flat().filter((host) => findAnsweringHost(zone, host) !== host))
  const hides = ({ after, before, host }: PlanRow): boolean =>
    lent.size > 0 &&
    before === undefined &&
    after !== undefined &&
    hostAndAncestors(host).some((above) => lent.has(above))
  const redirects = ({ host, role }: PlanRow): boolean =>
    redirecting.has(role) && [...hosts].some((target) => target.endsWith(`.${host}`))
  return (row: PlanRow): boolean => (locators.has(row.role) && hosts.has(row.host)) || hides(row) || redirects(row)
}

const locators: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"])

/** What sends everything below its host elsewhere. */
const redirecting: ReadonlySet<string> = new Set(["DELEGATION", "DNAME"])

/** A record that another living connection wants as it is. */
const takesFromOthers = (others: ReadonlyArray<OtherDesiredRecord>) => {
  const keys = new Set(others.map((record) => `${record.host} ${recordKeyOf(record.type, record)}`))
  return (row: PlanRow): boolean =>
    row.dropsData && row.before !== undefined && keys.has(`${row.host} ${recordKeyOf(row.before.type, row.before)}`)
}

/**
 * RFC 4592: a wildcard answers for a name only while nothing exists at or below that name, and a new record brings its
 * host and the empty names above it into being. Nothing is lost where the intent brings all that the wildcard served.
 */
const hidesWildcard = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>) => {
  const brought = new Map<string, ReadonlySet<string>>(diffs.map(({ host, roles }) => [host, roles]))
  return (row: PlanRow): boolean => {
    const served = zone.recordsAt(findWildcard(zone, row.host))
    const fresh = hostAndAncestors(row.host).filter((name) => !zone.names.has(name))
    return fresh.some((name) => served.some(({ role }) => brought.get(name)?.has(role) !== true))
  }
}

/** A new delegation takes what the zone serves below it out of sight, the addresses of its name servers aside. */
const hidesRecords = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>) => {
  const cuts = new Set(
    diffs
      .filter(({ host, roles }) => roles.has("DELEGATION") && !hasRecordType(zone, host, "NS"))
      .map(({ host }) => host)
  )
  const nameServers = new Set(
    diffs.flatMap(({ results: settled }) => settled.map(([record]) => (record.type === "NS" ? record.value : "")))
  )
  const isHidden = (host: string): boolean => {
    const mayBeGlue = nameServers.has(toFqdn(host, zone.domain))
    return zone.recordsAt(host).some(({ role }) => !(mayBeGlue && (role === "A" || role === "AAAA")))
  }
  const hiding = new Set(
    (cuts.size === 0 ? [] : [...zone.byHost.keys()]).flatMap((host) =>
      hostAndAncestors(host).filter((above) => above !== host && cuts.has(above) && isHidden(host))
    )
  )
  return ({ after, host, role }: PlanRow): boolean => after !== undefined && role === "DELEGATION" && hiding.has(host)
}

/**
 * The hosts of the zone on which the addresses of a name depend, in order: its own, a wildcard that answers for it, and
 * those of the aliases on the way.
 */
export const addressHostsOf = (zone: LiveZone, name: string): ReadonlyArray<string> => pathOf(zone, name, maxAliases)

const pathOf = (zone: LiveZone, name: string, aliases: number): ReadonlyArray<string> =>
  Option.match(toRelativeHost(name, zone.domain), {
    onNone: () => [],
    onSome: (host) => {
      const answering = findAnsweringHost(zone, host)
      const alias = zone.recordsAt(answering).find(({ role }) => role === "CNAME" || role === "ALIAS")?.value
      const further =
        alias === undefined || alias === nullTarget || aliases === 0 ? [] : pathOf(zone, alias, aliases - 1)
      return Array.dedupe([host, answering, ...further])
    }
  })
