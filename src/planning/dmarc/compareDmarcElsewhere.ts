import { isDmarcHost } from "../../domain/DmarcRecord.ts"
import type { PlanContext } from "../PlanContext.ts"
import { applyDiffs, type HostDiff } from "../changes/diffZone.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { compareDmarcStrictness, compareInheritedStrictness } from "./DmarcStrictness.ts"

/**
 * Compares the DMARC policies that a plan changes without planning a record for them: of hosts that become aliases,
 * behind which another operator publishes the policy; and of names below a host with a policy of its own, for which the
 * highest record above counts (RFC 9989 section 4.10.2). `dmarcHosts` are the hosts of the zone with DMARC records.
 */
export const compareDmarcElsewhere = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>,
  { context, dmarcHosts }: { readonly context: PlanContext; readonly dmarcHosts: ReadonlySet<string> }
): ReturnType<typeof compareDmarcStrictness> => {
  const changed = diffs.filter(({ host, rows }) => isDmarcHost(host) && rows.length > 0)
  if (changed.length === 0) return { warnings: [], unanswered: [] }
  const aliases = changed.filter(({ roles }) => roles.has("CNAME")).map(({ host }) => host)
  const serve = (live: LiveZone) => ({ live, lookup: makeZoneLookup(live, context) })
  const states = [serve(zone), serve(applyDiffs(zone, diffs))] as const
  const comparisons = [
    ...aliases.map((host) => compareDmarcStrictness(host, states)),
    ...listHostsBelow(changed, dmarcHosts).map((host) => compareInheritedStrictness(host, states))
  ]
  return {
    warnings: comparisons.flatMap(({ warnings }) => warnings),
    unanswered: comparisons.flatMap(({ unanswered }) => unanswered)
  }
}

/** The hosts with a policy that lie below a changed policy. */
const listHostsBelow = (changed: ReadonlyArray<HostDiff>, dmarcHosts: ReadonlySet<string>): ReadonlyArray<string> => {
  const changedHosts = new Set(changed.map(({ host }) => policyHostOf(host)))
  return [...dmarcHosts]
    .map(policyHostOf)
    .filter((host) => listNamesAbove(host).some((above) => changedHosts.has(above)))
}

/** The host that the policy of a `_dmarc` host is for; empty for the domain. */
const policyHostOf = (host: string): string => host.slice("_dmarc.".length)

const listNamesAbove = (host: string): ReadonlyArray<string> =>
  host === "" ? [] : host.split(".").map((_, depth, labels) => labels.slice(depth + 1).join("."))
