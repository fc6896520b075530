import { type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import type { HostDiff } from "../changes/diffZone.ts"
import { isServiceHost, isWildcard, listHostAndAncestors } from "../zone/LiveZone.ts"
import { isExisting, isSynthesized } from "../zone/wildcards.ts"
import { compareNewName, type ServedZone } from "./DmarcStrictness.ts"

/** Warns where a new name leaves `np` (RFC 9989 section 4.7). No acknowledgement: nobody sends from such a name yet. */
export const compareNewNames = (
  diffs: ReadonlyArray<HostDiff>,
  before: ServedZone,
  after: ServedZone
): { readonly locatedWarnings: ReadonlyArray<LocatedWarning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const comparisons =
    before.live.basis === "provider" ? diffs.flatMap((diff) => compareCreated(diff, before, after)) : []
  return {
    locatedWarnings: comparisons.flatMap(({ host, leavesNp, rows, warnings }) =>
      warnings.map((warning) => ({
        warning,
        rows,
        severity: "caution" as const,
        ...(leavesNp ? { finding: describeNewName(toFqdn(host, before.live.domain)) } : {})
      }))
    ),
    unanswered: comparisons.flatMap(({ isUnknown, unanswered }) => (isUnknown ? unanswered : []))
  }
}

const describeNewName = (name: DomainName): string =>
  `${name} exists from now on, so that sp applies to its mail and no longer np.`

/** Compares new names that may send mail, one below a wildcard. `hasName` comes last: the first call is slow. */
const compareCreated = ({ host, rows }: HostDiff, before: ServedZone, after: ServedZone) => {
  const added = rows.filter(({ after }) => after !== undefined)
  if (added.length === 0) return []
  return listHostAndAncestors(host)
    .map((name) => ({ name, sender: isWildcard(name) ? `below${name.slice(1)}` : name }))
    .filter(({ sender }) => !isServiceHost(sender))
    .map(({ name, sender }) => ({ name, host: sender, rows: added, ...compareNewName(sender, [before, after]) }))
    .filter(({ isUnknown, warnings }) => isUnknown || warnings.length > 0)
    .filter(({ host, name }) => !isExisting(before.live, name) && !isSynthesized(before.live, host))
}
