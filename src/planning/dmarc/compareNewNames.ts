import { toFqdn } from "../../domain/DomainName.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import type { HostDiff, PlanRow } from "../changes/diffZone.ts"
import { isServiceHost, isWildcard, type LiveZone } from "../zone/LiveZone.ts"
import { isSynthesized, listNewNames } from "../zone/wildcards.ts"
import { compareNewName, type ServedZone } from "./DmarcStrictness.ts"

/**
 * Warns where a name comes into being, so that the policy for names that do not exist (`np`, RFC 9989 section 4.7) no
 * longer applies to it. Nobody sends mail from such a name, so that this needs no acknowledgement. Only a provider's
 * zone tells for sure which names exist.
 */
export const compareNewNames = (
  diffs: ReadonlyArray<HostDiff>,
  before: ServedZone,
  after: ServedZone
): { readonly locatedWarnings: ReadonlyArray<LocatedWarning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const names = before.live.basis === "provider" ? diffs.flatMap((diff) => listCreated(diff, before.live)) : []
  const comparisons = names.map(({ host, rows }) => ({ host, rows, ...compareNewName(host, [before, after]) }))
  return {
    locatedWarnings: comparisons.flatMap(({ host, rows, warnings }) =>
      warnings.map((warning) => ({
        warning,
        rows,
        severity: "caution" as const,
        finding: `${toFqdn(host, before.live.domain)} exists from now on, so that sp applies to its mail and no longer np.`
      }))
    ),
    unanswered: comparisons.flatMap(({ isUnknown, unanswered }) => (isUnknown ? unanswered : []))
  }
}

/** The names that may send mail and exist only by the added records of a host, with these; one below a wildcard. */
const listCreated = (
  { host, rows }: HostDiff,
  live: LiveZone
): ReadonlyArray<{ readonly host: string; readonly rows: ReadonlyArray<PlanRow> }> => {
  const added = rows.filter(({ after }) => after !== undefined)
  return added.length === 0
    ? []
    : listNewNames(live, host)
        .map((name) => (isWildcard(name) ? `below${name.slice(1)}` : name))
        .filter((name) => !isServiceHost(name) && !isSynthesized(live, name))
        .map((name) => ({ host: name, rows: added }))
}
