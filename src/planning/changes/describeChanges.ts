import { Array, Order, Struct } from "effect"
import { apexHost } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import { findRecordType, recordTypes } from "../../domain/records/recordTypes.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import { isPolicyHost, isPolicyText } from "../mailPolicies.ts"
import type { OtherDesiredRecord, PlanContext } from "../PlanContext.ts"
import { addressOrAliasRoles } from "../RecordRole.ts"
import { compareDmarc } from "../dmarc/compareDmarc.ts"
import { compareNewNames } from "../dmarc/compareNewNames.ts"
import { warnAboutReferringPolicies } from "../spf/referringPolicies.ts"
import type { AddressTargets, IndexedZone } from "../zone/IndexedZone.ts"
import { isWildcard, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { listNewNames } from "../zone/wildcards.ts"
import { makeServedKey } from "./ChangeStatus.ts"
import { toPlainRecord } from "./computeResultingRecords.ts"
import { isBlocking } from "./conflicts.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"
import {
  makeDelegationCheck,
  makeWildcardCheck,
  makeWildcardKeyCheck,
  makeWildcardReplacementCheck
} from "./hiddenRecords.ts"
import { makeHiddenTargetCheck } from "./hiddenTargets.ts"
import { listServedHosts, warnAboutReplacedServices } from "./replacedServices.ts"
import { warnAboutTlsPolicies } from "./tlsPolicies.ts"
import { warnAboutUnansweredRRsets } from "./unansweredRRsets.ts"
import { warnAboutHost, warnAboutPlan } from "./warnings.ts"

interface DescribedChanges {
  /** In the order of `changes`. */
  readonly rows: ReadonlyArray<PlanRow>
  /** In an order that is safe to apply. */
  readonly changes: ReadonlyArray<Change>
  readonly locatedWarnings: ReadonlyArray<LocatedWarning>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Describes differences as changes; `shouldCompareDmarc` selects changed hosts whose DMARC is not compared yet. */
export const describeChanges = (
  indexed: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  { context, resulting, shouldCompareDmarc }: ChangeContext
): DescribedChanges => {
  const { zone } = indexed
  const servedHosts = listServedHosts(zone, resulting, diffs)
  const consequencesOf = findConsequences(indexed, diffs, resulting, context.others)
  const replacesWildcard = makeWildcardReplacementCheck(zone, diffs)
  const described = orderChanges(diffs).map((row) => {
    const consequences = consequencesOf(row)
    return { row, consequences, destructive: row.hasDataLoss || consequences.length > 0 || replacesWildcard(row) }
  })
  const lookup = makeZoneLookup(zone, context)
  const tlsPolicies = warnAboutTlsPolicies(indexed, { servedHosts, resulting, lookup })
  const dmarc = compareDmarc(indexed, diffs, { context, resulting, shouldCompareDmarc })
  const resultingLookup = makeZoneLookup(resulting, context)
  const referring = warnAboutReferringPolicies(indexed, diffs, { before: lookup, after: resultingLookup })
  const newNames = compareNewNames(diffs, { live: zone, lookup }, { live: resulting, lookup: resultingLookup })
  const destructiveRows = described.filter(({ destructive }) => destructive).map(({ row }) => row)
  return {
    rows: described.map(({ row }) => row),
    changes: described.map(({ destructive, row }) => toChange(row, destructive)),
    locatedWarnings: [
      ...diffs.flatMap((diff) => warnAboutHost(diff, zone.domain)),
      ...warnAboutReplacedServices(indexed, servedHosts),
      ...tlsPolicies.locatedWarnings,
      ...dmarc.locatedWarnings,
      ...newNames.locatedWarnings,
      ...referring.locatedWarnings,
      ...described.flatMap(({ consequences }) => consequences),
      ...warnAboutUnansweredRRsets(indexed, diffs),
      ...warnAboutPlan(indexed, destructiveRows)
    ],
    unanswered: [tlsPolicies, dmarc, newNames, referring].flatMap(({ unanswered }) => unanswered)
  }
}

interface ChangeContext {
  readonly context: PlanContext
  readonly resulting: LiveZone
  readonly shouldCompareDmarc: (diff: HostDiff) => boolean
}

const toChange = ({ after, before }: PlanRow, destructive: boolean): Change => ({
  action: before === undefined ? "create" : after === undefined ? "delete" : "update",
  // The public DNS does not show who chose a TTL, and both plans must have the same digest: the journal notes it.
  ...(before === undefined ? {} : { before: Struct.omit(toChangeRecord(before), "automaticTtl") }),
  ...(after === undefined ? {} : { after: { ...after } }),
  destructive
})

export const toChangeRecord = (record: LiveRecord): ChangeRecord => ({ ...toPlainRecord(record), optional: false })

/** Makes a function that finds what stops being served because of a row, beyond the record that the row replaces. */
const findConsequences = (
  indexed: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  resulting: LiveZone,
  others: ReadonlyArray<OtherDesiredRecord>
): ((row: PlanRow) => ReadonlyArray<LocatedWarning>) => {
  const { targets, zone } = indexed
  const findHidden = [
    makeWildcardCheck(zone, diffs),
    makeWildcardKeyCheck(zone, diffs),
    makeDelegationCheck(zone, diffs),
    makeHiddenTargetCheck(indexed, resulting)
  ]
  const consequences = [
    ["mail_target_changed", changesTarget(targets.mail, zone)],
    ["mail_target_changed", changesPolicy(targets.policies)],
    ["ns_target_changed", changesTarget(targets.nameServers, zone)],
    ["other_connection_affected", removesDesiredByOthers(others, zone)]
  ] as const
  return (row) => [
    ...consequences.filter(([, applies]) => applies(row)).map(([warning]) => ({ warning, rows: [row] })),
    ...findHidden.flatMap((find) => find(row))
  ]
}

/** Whether a row changes the addresses of one of the names that live records point to. */
const changesTarget = ({ hosts, namesAbove, synthesizedNames }: AddressTargets, zone: LiveZone) => {
  const hidesWildcardAnswer = ({ after, host }: PlanRow): boolean =>
    synthesizedNames.size > 0 &&
    after !== undefined &&
    listNewNames(zone, host).some((name) => synthesizedNames.has(name))
  // A new wildcard answers for targets that do not exist so far, which an SPF record may reject.
  const answersTarget = ({ after, host, role }: PlanRow): boolean =>
    after !== undefined &&
    isWildcard(host) &&
    resolving.has(role) &&
    [...hosts].some((target) => isBelowWildcard(target, host) && !zone.hasName(target))
  return (row: PlanRow): boolean =>
    (resolving.has(row.role) && hosts.has(row.host)) ||
    answersTarget(row) ||
    hidesWildcardAnswer(row) ||
    (redirecting.has(row.role) && namesAbove.has(row.host))
}

/** Whether a row changes a policy that mail needs under another name, by an alias. Own names have other warnings. */
const changesPolicy =
  ({ hosts }: AddressTargets) =>
  ({ after, before, hasDataLoss, host, role }: PlanRow): boolean =>
    hosts.has(host) &&
    !isPolicyHost(host) &&
    ((role === "CNAME" && hasDataLoss) ||
      (before?.value !== after?.value &&
        [before, after].some((record) => record !== undefined && isPolicyText(record))))

const isBelowWildcard = (host: string, wildcard: string): boolean =>
  host !== apexHost && (wildcard === "*" || host.endsWith(wildcard.slice(1)))

/** The roles that lead to the addresses of their host. */
const resolving: ReadonlySet<string> = new Set([...addressOrAliasRoles, "CNAME"])

/** The roles that redirect every name below their host. */
const redirecting: ReadonlySet<string> = new Set(["DELEGATION", "DNAME"])

/** Whether a row removes a record that another active connection desires. */
const removesDesiredByOthers = (others: ReadonlyArray<OtherDesiredRecord>, zone: LiveZone) => {
  const servedKeyOf = makeServedKey(zone)
  const keys = new Set(others.map(servedKeyOf))
  return ({ before, hasDataLoss }: PlanRow): boolean =>
    hasDataLoss && before !== undefined && keys.has(servedKeyOf(before))
}

/**
 * A safe order: additions first, then by host removals that make room with their additions, then other removals. A name
 * exists before a record points to it, and is removed after it.
 */
const orderChanges = (diffs: ReadonlyArray<HostDiff>): ReadonlyArray<PlanRow> => {
  const hosts = Array.sortWith(diffs, ({ host }) => host, Order.string).map(stepsAt)
  const step = (name: keyof Steps) => hosts.flatMap((steps) => steps[name])
  return [
    ...Array.sort(step("additions"), targetsFirst),
    ...step("replacements"),
    ...Array.sort(step("removals"), Order.reverse(targetsFirst))
  ]
}

interface Steps {
  readonly additions: ReadonlyArray<PlanRow>
  readonly replacements: ReadonlyArray<PlanRow>
  readonly removals: ReadonlyArray<PlanRow>
}

const stepsAt = ({ roles, rows }: HostDiff): Steps => {
  const [removals, arrivals] = Array.partition(rows, ({ after }) => after !== undefined)
  const arrivingRoles = [...roles].filter((role) => arrivals.some((row) => row.role === role))
  const desiredRoles: ReadonlySet<string> = roles
  const [otherRemovals, blockingRemovals] = Array.partition(
    removals,
    (row) => !desiredRoles.has(row.role) && arrivingRoles.some((role) => isBlocking(role, row.role))
  )
  const blockedRoles = new Set<string>(
    arrivingRoles.filter((role) => blockingRemovals.some((row) => isBlocking(role, row.role)))
  )
  const [additions, blockedAdditions] = Array.partition(arrivals, ({ role }) => blockedRoles.has(role))
  return {
    additions,
    replacements: [...Array.sort(blockingRemovals, targetsFirst), ...Array.sort(blockedAdditions, targetsFirst)],
    removals: otherRemovals
  }
}

/** The places of roles and types that no intent can contain; those without one point to nothing, as texts do. */
const orderOfOthers: ReadonlyMap<string, number> = new Map([
  ["WEB", 2],
  ["ALIAS", 3],
  ["DNAME", 5],
  ["PTR", 10],
  ["DELEGATION", 14]
])

const orderOf = (role: string): number =>
  findRecordType(role)?.order ?? orderOfOthers.get(role) ?? recordTypes.TXT.order

const targetsFirst: Order.Order<PlanRow> = Order.combineAll([
  Order.mapInput(Order.number, ({ role }) => orderOf(role)),
  Order.mapInput(Order.string, ({ host }) => host),
  Order.mapInput(Order.string, ({ after, before }) => after?.value ?? before?.key ?? "")
])
