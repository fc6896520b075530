import type { OtherDesiredRecord } from "../PlanContext.ts"
import { addressOrAliasRoles, recordKeyOf } from "../RecordRole.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import type { AddressTargets, IndexedZone } from "../zone/IndexedZone.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { listNewNames } from "../zone/wildcards.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"
import { makeDelegationCheck, makeWildcardCheck, makeWildcardKeyCheck } from "./hiddenRecords.ts"

/** Makes a function that finds what stops being served because of a row, beyond the record that the row replaces. */
export const findConsequences = (
  { targets, zone }: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  others: ReadonlyArray<OtherDesiredRecord>
): ((row: PlanRow) => ReadonlyArray<LocatedWarning>) => {
  const findHidden = [
    makeWildcardCheck(zone, diffs),
    makeWildcardKeyCheck(zone, diffs),
    makeDelegationCheck(zone, diffs)
  ]
  const consequences = [
    ["mail_target_changed", changesTarget(targets.mail, zone)],
    ["ns_target_changed", changesTarget(targets.nameServers, zone)],
    ["other_connection_affected", removesDesiredByOthers(others)]
  ] as const
  return (row) => [
    ...consequences.filter(([, applies]) => applies(row)).map(([warning]) => ({ warning, rows: [row] })),
    ...findHidden.flatMap((find) => find(row))
  ]
}

/** Whether a row changes the addresses of one of the names that live records point to. */
const changesTarget = ({ hosts, namesAbove, wildcardNames }: AddressTargets, zone: LiveZone) => {
  const hidesWildcardAnswer = ({ after, host }: PlanRow): boolean =>
    wildcardNames.size > 0 && after !== undefined && listNewNames(zone, host).some((name) => wildcardNames.has(name))
  return (row: PlanRow): boolean =>
    (resolving.has(row.role) && hosts.has(row.host)) ||
    hidesWildcardAnswer(row) ||
    (redirecting.has(row.role) && namesAbove.has(row.host))
}

/** The roles that lead to the addresses of their host. */
const resolving: ReadonlySet<string> = new Set([...addressOrAliasRoles, "CNAME"])

/** The roles that redirect every name below their host. */
const redirecting: ReadonlySet<string> = new Set(["DELEGATION", "DNAME"])

/** Whether a row removes a record that another active connection desires. */
const removesDesiredByOthers = (others: ReadonlyArray<OtherDesiredRecord>) => {
  const keys = new Set(others.map((record) => `${record.host} ${recordKeyOf(record.type, record)}`))
  return (row: PlanRow): boolean =>
    row.hasDataLoss && row.before !== undefined && keys.has(`${row.host} ${recordKeyOf(row.before.type, row.before)}`)
}
