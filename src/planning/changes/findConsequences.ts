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
  listHostAndAncestors,
  type LiveZone,
  recordTargetsOf,
  spfAddressNamesOf
} from "../zone/LiveZone.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** Makes a function that finds the side effects of a row on served data, beyond the record that the row replaces. */
export const findConsequences = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>,
  others: ReadonlyArray<OtherDesiredRecord>
): ((row: PlanRow) => ReadonlyArray<Warning>) => {
  const consequences = [
    [
      "mail_target_changed",
      changesTarget(zone, recordTargetsOf(zone, new Set(["MX", "SRV"])).union(spfAddressNamesOf(zone)))
    ],
    ["ns_target_changed", changesTarget(zone, recordTargetsOf(zone, new Set(["NS"])))],
    ["wildcard_hidden", hidesWildcard(zone, diffs)],
    ["ns_delegation_hides_records", hidesDelegatedRecords(zone, diffs)],
    ["other_connection_affected", removesDesiredByOthers(others)]
  ] as const
  return (row) => consequences.filter(([, applies]) => applies(row)).map(([warning]) => warning)
}

/** Whether a row changes the addresses of one of the names that live records point to. */
const changesTarget = (zone: LiveZone, targets: ReadonlySet<string>) => {
  const paths = [...targets].map((name) => addressHostsOf(zone, name))
  const hosts = new Set(paths.flat())
  const wildcardHosts = new Set(paths.flat().filter((host) => findAnsweringHost(zone, host) !== host))
  const hidesWildcardAnswer = ({ after, before, host }: PlanRow): boolean =>
    wildcardHosts.size > 0 &&
    before === undefined &&
    after !== undefined &&
    listHostAndAncestors(host).some((above) => wildcardHosts.has(above))
  const redirects = ({ host, role }: PlanRow): boolean =>
    redirecting.has(role) && [...hosts].some((target) => target.endsWith(`.${host}`))
  return (row: PlanRow): boolean =>
    (addressRoles.has(row.role) && hosts.has(row.host)) || hidesWildcardAnswer(row) || redirects(row)
}

const addressRoles: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"])

/** The roles that redirect every name below their host. */
const redirecting: ReadonlySet<string> = new Set(["DELEGATION", "DNAME"])

/** Whether a row removes a record that another active connection desires. */
const removesDesiredByOthers = (others: ReadonlyArray<OtherDesiredRecord>) => {
  const keys = new Set(others.map((record) => `${record.host} ${recordKeyOf(record.type, record)}`))
  return (row: PlanRow): boolean =>
    row.hasDataLoss && row.before !== undefined && keys.has(`${row.host} ${recordKeyOf(row.before.type, row.before)}`)
}

/**
 * Whether a row hides records of a wildcard. A wildcard answers for a name only while nothing exists at or below that
 * name, and a new record creates its host and the empty names above it (RFC 4592). Nothing is lost if the intent brings
 * all roles that the wildcard served.
 */
const hidesWildcard = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>) => {
  const desiredRoles = new Map<string, ReadonlySet<string>>(diffs.map(({ host, roles }) => [host, roles]))
  return (row: PlanRow): boolean => {
    const served = zone.recordsAt(findWildcard(zone, row.host))
    const newNames = listHostAndAncestors(row.host).filter((name) => !zone.names.has(name))
    return newNames.some((name) => served.some(({ role }) => desiredRoles.get(name)?.has(role) !== true))
  }
}

/** Whether a row is a new delegation that hides records below it, other than the addresses of its name servers. */
const hidesDelegatedRecords = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>) => {
  const cuts = new Set(
    diffs
      .filter(({ host, roles }) => roles.has("DELEGATION") && !hasRecordType(zone, host, "NS"))
      .map(({ host }) => host)
  )
  const nameServers = new Set(
    diffs.flatMap(({ results }) => results.map(([record]) => (record.type === "NS" ? record.value : "")))
  )
  const isHidden = (host: string): boolean => {
    const mayBeGlue = nameServers.has(toFqdn(host, zone.domain))
    return zone.recordsAt(host).some(({ role }) => !(mayBeGlue && (role === "A" || role === "AAAA")))
  }
  const hiding = new Set(
    (cuts.size === 0 ? [] : [...zone.byHost.keys()]).flatMap((host) =>
      listHostAndAncestors(host).filter((above) => above !== host && cuts.has(above) && isHidden(host))
    )
  )
  return ({ after, host, role }: PlanRow): boolean => after !== undefined && role === "DELEGATION" && hiding.has(host)
}

/**
 * The hosts of the zone on which the addresses of a name depend, in order: its own, the wildcard that answers for it,
 * and those of the aliases that it leads to.
 */
const addressHostsOf = (zone: LiveZone, name: string): ReadonlyArray<string> => pathOf(zone, name, maxAliases)

const pathOf = (zone: LiveZone, name: string, aliases: number): ReadonlyArray<string> =>
  Option.match(toRelativeHost(name, zone.domain), {
    onNone: () => [],
    onSome: (host) => {
      const answering = findAnsweringHost(zone, host)
      const alias = zone.recordsAt(answering).find(({ role }) => role === "CNAME" || role === "ALIAS")?.value
      const aliasHosts =
        alias === undefined || alias === nullTarget || aliases === 0 ? [] : pathOf(zone, alias, aliases - 1)
      return Array.dedupe([host, answering, ...aliasHosts])
    }
  })
