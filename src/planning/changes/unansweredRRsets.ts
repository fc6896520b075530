import { Option } from "effect"
import { apexHost, toRelativeHost } from "../../domain/names/DomainName.ts"
import type { UnansweredRRset } from "../../domain/plan/Zone.ts"
import { describeUnanswered } from "../DnsLookup.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import { liveRoleOf } from "../RecordRole.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import { hasRecordType, isApex, listHostAndAncestors, type LiveZone } from "../zone/LiveZone.ts"
import { findWildcard, listNewNames } from "../zone/wildcards.ts"
import { isConflicting } from "./conflicts.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** Warns of unanswered RRsets: serious where a row could replace or hide one, by an alias, delegation or new name. */
export const warnAboutUnansweredRRsets = (
  { unansweredRRsets, zone }: IndexedZone,
  diffs: ReadonlyArray<HostDiff>
): ReadonlyArray<LocatedWarning> => {
  if (unansweredRRsets.length === 0) return []
  const findRows = makeRowFinder(zone, diffs)
  return unansweredRRsets.map((rrset) => {
    const rows = findRows(rrset)
    const [question, answers] = [describeUnanswered(rrset), rrset.answers.join("; ")]
    return {
      warning: "lookup_unknown",
      rows,
      finding: answers === "" ? question : `${question.slice(0, -1)}: ${answers}.`,
      ...(rows.length === 0 ? {} : { severity: "serious" })
    }
  })
}

/** Makes a function that finds the rows by which a record of an unanswered RRset would stop being served. */
const makeRowFinder = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>
): ((rrset: UnansweredRRset) => ReadonlyArray<PlanRow>) => {
  const rows = diffs.flatMap((diff) => diff.rows).filter(bringsData)
  const rowsAt = Map.groupBy(rows, ({ host }) => host)
  const delegatingRowsAt = Map.groupBy(
    rows.filter(({ host, role }) => role === "DELEGATION" && !hasRecordType(zone, host, "NS")),
    ({ host }) => host
  )
  const hidingRows = new Map<string, Array<PlanRow>>()
  for (const row of rows) {
    const wildcards = new Set(listNewNames(zone, row.host).map((name) => findWildcard(zone, name) ?? wildcardsAbove))
    for (const wildcard of wildcards) hidingRows.set(wildcard, [...(hidingRows.get(wildcard) ?? []), row])
  }
  return ({ name, type }) =>
    Option.match(toRelativeHost(name, zone.domain), {
      onNone: () => (name.startsWith("*.") ? (hidingRows.get(wildcardsAbove) ?? []) : []),
      onSome: (host) => [
        ...(rowsAt.get(host) ?? []).filter(({ role }) => isConflicting(role, liveRoleOf(type, isApex(zone, host)))),
        ...listHostAndAncestors(host)
          .filter((above) => above !== host && above !== apexHost)
          .flatMap((above) => delegatingRowsAt.get(above) ?? []),
        ...(hidingRows.get(host) ?? [])
      ]
    })
}

/** Stands for every wildcard above the domain. */
const wildcardsAbove = ""

/** A new TTL or priority hides nothing. */
const bringsData = ({ after, before }: PlanRow): boolean => after !== undefined && after.value !== before?.value
