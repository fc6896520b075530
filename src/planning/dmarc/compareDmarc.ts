import { isDmarc, isDmarcHost } from "../../domain/DmarcRecord.ts"
import { isAtOrBelow } from "../../domain/DomainName.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { type LocatedWarning, warnAboutUnanswered } from "../LocatedWarning.ts"
import type { HostDiff, PlanRow } from "../changes/diffZone.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import { isWildcard, type LiveZone } from "../zone/LiveZone.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { compareDmarcStrictness, compareInheritedStrictness } from "./DmarcStrictness.ts"

/** The policies that a plan changes: what it warns of, and what has to be known for that. */
interface DmarcComparison {
  readonly locatedWarnings: ReadonlyArray<LocatedWarning>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Compares the DMARC policies at the changed hosts that `shouldCompareDmarc` selects, or that a changed wildcard answers
 * for; and of names below a changed host
 * with a policy of their own, for which the highest record above counts (RFC 9989 section 4.10.2).
 */
export const compareDmarc = (
  { dmarcHosts, zone }: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  { context, resulting, shouldCompareDmarc }: DmarcComparisonContext
): DmarcComparison => {
  const changed = diffs.flatMap((diff) => toPolicyChange(diff, zone)).filter(({ rows }) => rows.length > 0)
  if (changed.length === 0) return { locatedWarnings: [], unanswered: [] }
  const serve = (live: LiveZone) => ({ live, lookup: makeZoneLookup(live, context) })
  const states = [serve(zone), serve(resulting)] as const
  const rowsAt = new Map(changed.map(({ host, rows }) => [coveredHostOf(host), rows]))
  const comparisons = [
    ...changed
      .filter(({ diff, host }) => host !== diff.host || shouldCompareDmarc(diff))
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
  /** The zone with the differences applied. */
  readonly resulting: LiveZone
  readonly shouldCompareDmarc: (diff: HostDiff) => boolean
}

/** Changes of the policy at a `_dmarc` host: there, or at a wildcard that may answer for it. */
interface PolicyChange {
  readonly host: string
  readonly rows: ReadonlyArray<PlanRow>
  readonly diff: HostDiff
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
  listNamesAbove(host).flatMap((above) => rowsAt.get(above) ?? [])

/** The host that the policy of a `_dmarc` host is for; empty for the domain. */
const coveredHostOf = (host: string): string => host.slice("_dmarc.".length)

const listNamesAbove = (host: string): ReadonlyArray<string> =>
  host === "" ? [] : host.split(".").map((_, depth, labels) => labels.slice(depth + 1).join("."))
