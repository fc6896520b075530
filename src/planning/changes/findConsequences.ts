import { toFqdn } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import type { OtherDesiredRecord } from "../PlanContext.ts"
import { recordKeyOf } from "../RecordRole.ts"
import type { AddressTargets, IndexedZone } from "../zone/IndexedZone.ts"
import { findWildcard, hasRecordType, listHostAndAncestors, type LiveZone } from "../zone/LiveZone.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** Makes a function that finds the side effects of a row on served data, beyond the record that the row replaces. */
export const findConsequences = (
  { targets, zone }: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  others: ReadonlyArray<OtherDesiredRecord>
): ((row: PlanRow) => ReadonlyArray<Warning>) => {
  const consequences = [
    ["mail_target_changed", changesTarget(targets.mail)],
    ["ns_target_changed", changesTarget(targets.nameServers)],
    ["wildcard_hidden", hidesWildcard(zone, diffs)],
    ["ns_delegation_hides_records", hidesDelegatedRecords(zone, diffs)],
    ["other_connection_affected", removesDesiredByOthers(others)]
  ] as const
  return (row) => consequences.filter(([, applies]) => applies(row)).map(([warning]) => warning)
}

/** Whether a row changes the addresses of one of the names that live records point to. */
const changesTarget = ({ hosts, namesAbove, wildcardHosts }: AddressTargets) => {
  const hidesWildcardAnswer = ({ after, before, host }: PlanRow): boolean =>
    wildcardHosts.size > 0 &&
    before === undefined &&
    after !== undefined &&
    listHostAndAncestors(host).some((above) => wildcardHosts.has(above))
  return (row: PlanRow): boolean =>
    (addressRoles.has(row.role) && hosts.has(row.host)) ||
    hidesWildcardAnswer(row) ||
    (redirecting.has(row.role) && namesAbove.has(row.host))
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
    if (!zone.hasWildcards) return false
    const served = zone.recordsAt(findWildcard(zone, row.host))
    const newNames = listHostAndAncestors(row.host).filter((name) => !zone.hasName(name))
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
  const hiding = new Set<string>()
  for (const host of cuts.size === 0 ? [] : zone.byHost.keys()) {
    // A large zone has hundreds of thousands of hosts, few of them below a cut.
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      const above = host.slice(dot + 1)
      if (cuts.has(above) && !hiding.has(above) && isHidden(host)) hiding.add(above)
    }
  }
  return ({ after, host, role }: PlanRow): boolean => after !== undefined && role === "DELEGATION" && hiding.has(host)
}
