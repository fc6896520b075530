import { isDmarc, isDmarcHost } from "../../domain/records/DmarcRecord.ts"
import { apexHost, isAtOrBelow, toFqdn } from "../../domain/names/DomainName.ts"
import { type LookupQuestion, maxAliases } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { type LocatedWarning, warnAboutUnanswered } from "../LocatedWarning.ts"
import type { HostDiff, PlanRow } from "../changes/diffZone.ts"
import { addressHostsOf, type IndexedZone } from "../zone/IndexedZone.ts"
import { isServiceHost, isWildcard, listHostAndAncestors, type LiveZone, typeOf } from "../zone/LiveZone.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { isSynthesized, listAnswers, listNewNames } from "../zone/wildcards.ts"
import { compareDmarcStrictness, compareInheritedStrictness } from "./DmarcStrictness.ts"

/** The effects of a plan on policies: its warnings, and the questions that they depend on. */
interface DmarcComparison {
  readonly locatedWarnings: ReadonlyArray<LocatedWarning>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Compares policies at the changed hosts that `shouldCompareDmarc` selects or a changed wildcard answers for, and of
 * names below with their own, for which the highest record above counts (RFC 9989 section 4.10.2).
 */
export const compareDmarc = (
  { dmarcHosts, zone }: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  { context, resulting, shouldCompareDmarc }: DmarcComparisonContext
): DmarcComparison => {
  const changed = [
    ...diffs.flatMap((diff) => toPolicyChange(diff, zone)),
    ...listAliasedChanges({ dmarcHosts, zone }, diffs, resulting),
    ...listHiddenPolicies(diffs, zone)
  ].filter(({ rows }) => rows.length > 0)
  if (changed.length === 0) return { locatedWarnings: [], unanswered: [] }
  const serve = (live: LiveZone) => ({ live, lookup: makeZoneLookup(live, context) })
  const states = [serve(zone), serve(resulting)] as const
  const rowsAt = new Map(changed.map(({ host, rows }) => [coveredHostOf(host), rows]))
  const comparisons = [
    ...changed
      .filter(
        ({ diff, host }) =>
          diff === undefined || host !== diff.host || shouldCompareDmarc(diff) || givesPolicyAway(diff, zone, resulting)
      )
      .map(({ host, rows }) => ({ rows, ...compareDmarcStrictness(host, states) })),
    ...[...dmarcHosts]
      .map(coveredHostOf)
      .map((host) => ({ host, rows: listRowsAbove(host, rowsAt) }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ host, rows }) => ({ rows, ...compareInheritedStrictness(host, states) }))
  ]
  return {
    locatedWarnings: comparisons.flatMap(({ isUnknown, rows, unanswered, warnings }) => [
      ...warnings.map((warning) => ({ warning, rows })),
      ...(isUnknown ? warnAboutUnanswered(rows, unanswered) : [])
    ]),
    unanswered: comparisons.flatMap(({ unanswered }) => unanswered)
  }
}

interface DmarcComparisonContext {
  readonly context: PlanContext
  readonly resulting: LiveZone
  readonly shouldCompareDmarc: (diff: HostDiff) => boolean
}

/** Changes of the policy at a `_dmarc` host: there, or at a wildcard that may answer for it. */
interface PolicyChange {
  readonly host: string
  readonly rows: ReadonlyArray<PlanRow>
  /** The difference at the host itself, or at the wildcard. */
  readonly diff?: HostDiff
}

/** Whether a host no longer answers with a policy, or with the alias to one, in whose place none is desired. */
const givesPolicyAway = ({ host, results }: HostDiff, zone: LiveZone, resulting: LiveZone): boolean => {
  if (results.some(([record]) => record.type === "TXT" && isDmarc(record.value))) return false
  const remaining = new Set(listAnswers(resulting, host).map(({ role, value }) => `${role} ${value}`))
  return listAnswers(zone, host).some(
    ({ role, value }) => (role === "CNAME" || isDmarc(value)) && !remaining.has(`${role} ${value}`)
  )
}

const toPolicyChange = (diff: HostDiff, { name }: LiveZone): ReadonlyArray<PolicyChange> => {
  const { host, rows } = diff
  if (isDmarcHost(host)) return [{ host, rows, diff }]
  if (!isWildcard(host)) return []
  const ofPolicies = rows.filter(({ after, before }) => mayBePolicy(before, name) || mayBePolicy(after, name))
  // It answers for the policy of the name above it, and for those of all names below that.
  return ["_dmarc", "_dmarc.below"].map((name) => ({ host: `${name}${host.slice(1)}`, rows: ofPolicies, diff }))
}

/** Whether a record of a wildcard is a policy, or an alias to a name of its zone, where one may be. */
const mayBePolicy = (record: PlanRow["before"] | PlanRow["after"], zoneName: string): boolean =>
  (record?.type === "TXT" && isDmarc(record.value)) || (record?.type === "CNAME" && isAtOrBelow(record.value, zoneName))

/** The changes of policies above a host. */
const listRowsAbove = (host: string, rowsAt: ReadonlyMap<string, ReadonlyArray<PlanRow>>): ReadonlyArray<PlanRow> =>
  listHostsAbove(host).flatMap((above) => rowsAt.get(above) ?? [])

/** The host that the policy of a `_dmarc` host is for; empty for the domain. */
const coveredHostOf = (host: string): string => host.slice("_dmarc.".length)

const listHostsAbove = (host: string): ReadonlyArray<string> =>
  host === "" ? [] : host.split(".").map((_, depth, labels) => labels.slice(depth + 1).join("."))

/** The changes of policies behind an alias: at the names that it leads to, or at names that a wildcard answers for. */
const listAliasedChanges = (
  { dmarcHosts, zone }: Pick<IndexedZone, "dmarcHosts" | "zone">,
  diffs: ReadonlyArray<HostDiff>,
  resulting: LiveZone
): ReadonlyArray<PolicyChange> => {
  const changedHosts = new Map(diffs.map(({ host, rows }) => [host, rows]))
  const aliased = [...dmarcHosts].filter((host) => !changedHosts.has(host) && hasAlias(zone, host))
  if (aliased.length === 0) return []
  const rowsByNewName = Map.groupBy(
    diffs.flatMap(({ host, rows }) => listNewNames(zone, host).map((name) => ({ name, rows }))),
    ({ name }) => name
  )
  return aliased.map((host) => {
    const name = toFqdn(host, zone.domain)
    const before = addressHostsOf(zone, name, maxAliases)
    const after = addressHostsOf(resulting, name, maxAliases)
    const reached = [...new Set([...before, ...after])].filter((reachedHost) => reachedHost !== host)
    const hidden = before
      .filter((reachedHost) => isSynthesized(zone, reachedHost))
      .flatMap(listHostAndAncestors)
      .flatMap((newName) => rowsByNewName.get(newName) ?? [])
    return {
      host,
      rows: [
        ...new Set([...reached.flatMap((each) => changedHosts.get(each) ?? []), ...hidden.flatMap(({ rows }) => rows)])
      ]
    }
  })
}

/** The policies by which a wildcard answers for names that come into being, and so lose them. */
const listHiddenPolicies = (diffs: ReadonlyArray<HostDiff>, zone: LiveZone): ReadonlyArray<PolicyChange> =>
  zone.hasWildcards
    ? diffs.flatMap(({ host, rows }) =>
        listNewNames(zone, host)
          .filter((name) => name !== apexHost && !isWildcard(name) && !isServiceHost(name))
          .map((name) => ({ host: `_dmarc.${name}`, rows: rows.filter(({ after }) => after !== undefined) }))
          .filter(({ host }) => listAnswers(zone, host).some((record) => mayBePolicy(record, zone.name)))
      )
    : []

/** Whether an alias answers for a host; of the many hosts with other records none is put in normal form for that. */
const hasAlias = (zone: LiveZone, host: string): boolean =>
  zone.byHost.get(host)?.some((record) => typeOf(record) === "CNAME") ??
  listAnswers(zone, host).some(({ role }) => role === "CNAME")
