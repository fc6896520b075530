import { toFqdn } from "../../domain/names/DomainName.ts"
import { isSpf, listSpfReferences, parseSpf } from "../../domain/records/SpfRecord.ts"
import { type DnsLookup, type LookupQuestion, maxAliases } from "../DnsLookup.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import type { HostDiff, PlanRow } from "../changes/diffZone.ts"
import { addressHostsOf, type IndexedZone } from "../zone/IndexedZone.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { countSpfLookups } from "./countSpfLookups.ts"

/** Warns where a changed SPF record breaks a policy that uses it: too many look-ups, or refused or doubted senders. */
export const warnAboutReferringPolicies = (
  indexed: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  { after, before }: LookupBeforeAndAfter
): { readonly locatedWarnings: ReadonlyArray<LocatedWarning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const { referringHosts, targets, zone } = indexed
  const changed = diffs.flatMap(({ host, rows }) => {
    const spfRows = rows.filter(changesSpf)
    return spfRows.length > 0 && targets.policies.hosts.has(host) ? [{ host, rows: spfRows }] : []
  })
  if (changed.length === 0) return { locatedWarnings: [], unanswered: [] }
  const referrers = indexReferrers(zone, referringHosts)
  const changedHosts = new Set(changed.map(({ host }) => host))
  const found = changed.flatMap(({ host: changedHost, rows }) =>
    findReferring(changedHost, referrers)
      .filter(({ host }) => !changedHosts.has(host))
      .map((referring) => ({ ...referring, rows }))
  )
  const counts = found.map(({ host, rows }) => ({ host, rows, ...compareCounts(zone, host, { after, before }) }))
  return {
    locatedWarnings: [
      ...found
        .filter(({ isNegated }) => isNegated)
        .map(({ rows }) => ({ warning: "mail_target_changed" as const, rows })),
      ...counts
        .filter(({ passesLimit }) => passesLimit)
        .map(({ host, rows }) => ({
          warning: "spf_lookup_limit_exceeded" as const,
          rows,
          finding: `The SPF record of ${toFqdn(host, zone.domain)}, which uses a changed one, passes the limit.`
        })),
      ...counts
        .filter(({ unanswered }) => unanswered.length > 0)
        .map(({ rows }) => ({ warning: "spf_lookup_unknown" as const, rows }))
    ],
    unanswered: counts.flatMap(({ unanswered }) => unanswered)
  }
}

/** The answers of the DNS before and after the plan. */
interface LookupBeforeAndAfter {
  readonly before: DnsLookup
  readonly after: DnsLookup
}

const changesSpf = ({ after, before }: PlanRow): boolean =>
  before?.value !== after?.value && [before, after].some((record) => record?.type === "TXT" && isSpf(record.value))

/** A host whose policy uses that of another; `isNegated` if it does not let pass whom the other one permits. */
interface Referrer {
  readonly host: string
  readonly isNegated: boolean
}

/** The hosts whose policies use that of a host, which may be behind an alias. */
const indexReferrers = (
  zone: LiveZone,
  referringHosts: ReadonlySet<string>
): ReadonlyMap<string, ReadonlyArray<Referrer>> => {
  const edges = [...referringHosts].flatMap((host) =>
    zone
      .recordsAt(host)
      .filter(({ type, value }) => type === "TXT" && isSpf(value))
      .flatMap(({ value }) => listSpfReferences(value))
      .flatMap(({ permits, target }) =>
        addressHostsOf(zone, target, maxAliases).map((used) => ({ used, host, isNegated: !permits }))
      )
  )
  return Map.groupBy(edges, ({ used }) => used)
}

/** The hosts whose policies use that of a host, directly or through others. */
const findReferring = (
  changedHost: string,
  referrers: ReadonlyMap<string, ReadonlyArray<Referrer>>
): ReadonlyArray<Referrer> => {
  const found = new Map<string, Referrer>()
  const open: Array<Referrer> = [{ host: changedHost, isNegated: false }]
  for (const { host: used, isNegated } of open) {
    for (const { host, isNegated: isNegatedHere } of referrers.get(used) ?? []) {
      const next = { host, isNegated: isNegated || isNegatedHere }
      const key = `${next.isNegated} ${host}`
      if (host === changedHost || found.has(key)) continue
      found.set(key, next)
      open.push(next)
    }
  }
  return [...found.values()]
}

/** Whether the policy of a host passes a limit of receivers only by the plan. */
const compareCounts = (zone: LiveZone, host: string, { after, before }: LookupBeforeAndAfter) => {
  const [policy, ...others] = zone.recordsAt(host).filter(({ type, value }) => type === "TXT" && isSpf(value))
  if (policy === undefined || others.length > 0) return { passesLimit: false, unanswered: [] }
  const name = toFqdn(host, zone.domain)
  const [countBefore, countAfter] = [before, after].map((lookup) =>
    countSpfLookups(parseSpf(policy.value, name), name, lookup)
  )
  return {
    passesLimit: countAfter?.isLimitExceeded === true && countBefore?.isLimitExceeded !== true,
    unanswered: countAfter?.unanswered ?? []
  }
}
