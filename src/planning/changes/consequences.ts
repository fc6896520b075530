import { nameOf } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import type { ElsewhereWanted } from "../PlanContext.ts"
import { keyOf } from "../Role.ts"
import { addressPath } from "../zone/addressPath.ts"
import {
  answeringHost,
  type LiveZone,
  selfAndAbove,
  sendersOf,
  serves,
  targetsOf,
  wildcardFor
} from "../zone/LiveZone.ts"
import type { HostDiff, Row } from "./diff.ts"

/** Tells of a row what else it takes away from what is served today, beyond the record that it replaces. */
export const consequencesIn = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>,
  others: ReadonlyArray<ElsewhereWanted>
): ((row: Row) => ReadonlyArray<Warning>) => {
  const effects = [
    ["mail_target_changed", changesTarget(zone, targetsOf(zone, new Set(["MX", "SRV"])).union(sendersOf(zone)))],
    ["ns_target_changed", changesTarget(zone, targetsOf(zone, new Set(["NS"])))],
    ["wildcard_hidden", hidesWildcard(zone, diffs)],
    ["ns_delegation_hides_records", hidesRecords(zone, diffs)],
    ["other_connection_affected", takesFromOthers(others)]
  ] as const
  return (row) => effects.filter(([, happens]) => happens(row)).map(([warning]) => warning)
}

/** A change of what the addresses of a name depend on to which live records point. */
const changesTarget = (zone: LiveZone, targets: ReadonlySet<string>) => {
  const paths = [...targets].map((name) => addressPath(zone, name))
  const hosts = new Set(paths.flat())
  const lent = new Set(paths.flat().filter((host) => answeringHost(zone, host) !== host))
  const hides = ({ after, before, host }: Row): boolean =>
    lent.size > 0 && before === undefined && after !== undefined && selfAndAbove(host).some((above) => lent.has(above))
  const redirects = ({ host, role }: Row): boolean =>
    redirecting.has(role) && [...hosts].some((target) => target.endsWith(`.${host}`))
  return (row: Row): boolean => (locators.has(row.role) && hosts.has(row.host)) || hides(row) || redirects(row)
}

const locators: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"])

/** What sends everything below its host elsewhere. */
const redirecting: ReadonlySet<string> = new Set(["DELEGATION", "DNAME"])

/** A record that another living connection wants as it is. */
const takesFromOthers = (others: ReadonlyArray<ElsewhereWanted>) => {
  const keys = new Set(others.map((record) => `${record.host} ${keyOf(record.type, record)}`))
  return (row: Row): boolean =>
    row.dropsData && row.before !== undefined && keys.has(`${row.host} ${keyOf(row.before.type, row.before)}`)
}

/**
 * RFC 4592: a wildcard answers for a name only while nothing exists at or below that name, and a new record brings its
 * host and the empty names above it into being. Nothing is lost where the intent brings all that the wildcard served.
 */
const hidesWildcard = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>) => {
  const brought = new Map<string, ReadonlySet<string>>(diffs.map(({ host, roles }) => [host, roles]))
  return (row: Row): boolean => {
    const served = zone.recordsAt(wildcardFor(zone, row.host))
    const fresh = selfAndAbove(row.host).filter((name) => !zone.names.has(name))
    return fresh.some((name) => served.some(({ role }) => brought.get(name)?.has(role) !== true))
  }
}

/** A new delegation takes what the zone serves below it out of sight, the addresses of its name servers aside. */
const hidesRecords = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>) => {
  const cuts = new Set(
    diffs.filter(({ host, roles }) => roles.has("DELEGATION") && !serves(zone, host, "NS")).map(({ host }) => host)
  )
  const nameServers = new Set(
    diffs.flatMap(({ settled }) => settled.map(([record]) => (record.type === "NS" ? record.value : "")))
  )
  const isHidden = (host: string): boolean => {
    const mayBeGlue = nameServers.has(nameOf(host, zone.domain))
    return zone.recordsAt(host).some(({ role }) => !(mayBeGlue && (role === "A" || role === "AAAA")))
  }
  const hiding = new Set(
    (cuts.size === 0 ? [] : [...zone.byHost.keys()]).flatMap((host) =>
      selfAndAbove(host).filter((above) => above !== host && cuts.has(above) && isHidden(host))
    )
  )
  return ({ after, host, role }: Row): boolean => after !== undefined && role === "DELEGATION" && hiding.has(host)
}
