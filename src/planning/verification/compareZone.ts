import { Array, Either } from "effect"
import { isIssuanceTag } from "../../domain/records/CaaProperty.ts"
import type { FailureCode } from "../../domain/connection/Connection.ts"
import { parseDmarc } from "../../domain/records/DmarcRecord.ts"
import { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { DomainName, HostName, toFqdn } from "../../domain/names/DomainName.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { EffectiveIntent, Intent, type IntentRecord, type ResolvedIntent } from "../../domain/connection/Intent.ts"
import { type Change, type ChangeRecord, hostOfChange } from "../../domain/plan/Plan.ts"
import { anyTtl, type ProviderLimits } from "../../domain/provider/Provider.ts"
import type { ObservationReason, ObservationStatus } from "../../domain/plan/RecordObservation.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { isBasicType } from "../../domain/records/dnsTypes.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { type DesiredRecord, desiredRecordsOf } from "../DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { liveRoleOf, recordKeyOf } from "../RecordRole.ts"
import { buildPlan, type PlanRefused, type PlanResult } from "../buildPlan.ts"
import { equivalenceKeyOf, parseCaaEntries } from "../caa/CaaSet.ts"
import { isConflicting, listRelevantTypes, replacementScopeOf } from "../changes/conflicts.ts"
import { indexZone } from "../zone/IndexedZone.ts"
import { isApex, listHostAndAncestors, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"
import { type AliasFlattening, unflattenAliases } from "../zone/unflattenAliases.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { checkSpfPermission, type SpfPermission } from "./checkSpfPermission.ts"

/** A zone as one server serves it; nothing is known of the RRsets in `unknownRRsets`. */
export interface PartialZone {
  readonly zone: Zone
  readonly unknownRRsets: ReadonlyArray<{ readonly host: string; readonly type: string }>
  /** Given where its provider may flatten aliases below the apex, too. */
  readonly flattening?: AliasFlattening | undefined
}

/** The status of a record of the effective intent at one server, and the records that are in its place there. */
export interface RecordComparison {
  readonly record: DnsRecord
  readonly status: ObservationStatus
  readonly observed: ReadonlyArray<LiveRecord>
  /** Whether the server shows the record itself: the same type, priority and value at the same host. */
  readonly isExact: boolean
  /** Why the server does not show the record as it is stored. */
  readonly reason?: ObservationReason
}

/** The comparison of all records; `unanswered` has the questions beyond the zone whose answers could change it. */
export interface ZoneComparison {
  readonly records: ReadonlyArray<RecordComparison>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Compares an intent with the zone of one server: a record is present if a plan would change nothing in its place. SPF
 * also counts if used policies permit the same senders, and an alias if it is flattened.
 */
export function* compareZone(
  effectiveIntent: EffectiveIntent,
  server: PartialZone,
  context: PlanContext
): LongComputation<ZoneComparison> {
  const intent = toExactIntent(withOptionalRecords(effectiveIntent))
  yield
  const indexed = yield* indexZone(server.zone, { domain: intent.domain })
  const { zone } = indexed
  const lookup = makeZoneLookup(zone, context)
  const desired = desiredRecordsOf(intent, zone)
  const { flattening } = server
  const aliases = unflattenAliases(zone, desired, lookup, flattening)
  const comparison = {
    zone,
    lookup,
    plan: summarizePlan(yield* buildPlan({ intent, zone: indexed, limits: noLimits, context, flattening })),
    aliasQuestions: aliases.unanswered
  }
  const results: Array<OpenComparison> = []
  yield* visitEach(Array.zip(effectiveIntent.records, desired), ([record, desiredRecord]) => {
    const placement = findPlacement(desiredRecord, desired, zone)
    const { status, unanswered } = isUnknown(desiredRecord, server.unknownRRsets, zone)
      ? makeUnknownStatus([])
      : statusOf(desiredRecord, placement, comparison)
    const observed = placement.liveRecords
    const isExact = status === "present" && observed.some(({ key }) => key === desiredRecord.key)
    const reason = aliases.reasons.get(desiredRecord)
    results.push({
      comparison: { record, status, observed, isExact, ...(reason === undefined ? {} : { reason }) },
      unanswered
    })
  })
  return {
    records: results.map(({ comparison }) => comparison),
    unanswered: results.flatMap(({ unanswered }) => unanswered)
  }
}

interface OpenComparison {
  readonly comparison: RecordComparison
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Makes every record optional, so that one that cannot be planned does not hide the status of the others. */
const withOptionalRecords = (effectiveIntent: EffectiveIntent): EffectiveIntent =>
  EffectiveIntent.make({
    ...effectiveIntent,
    records: effectiveIntent.records.map((record) => DnsRecord.make({ ...record, optional: true }))
  })

/** A record that a server serves exists, whether or not its provider is known to be able to store it. */
const noLimits: ProviderLimits = {
  ttl: anyTtl,
  capabilities: {
    rootNSModification: "supported",
    subdomainNSModification: "supported",
    wwwRedirect: "supported",
    cnameFlattening: "supported",
    wildcardRecords: "supported",
    caaRecords: "supported",
    spfRecords: "supported",
    socialLogin: "supported"
  }
}

interface PlanSummary {
  readonly changesAt: (host: string) => ReadonlyArray<Change>
  readonly unanswered: ReadonlyArray<LookupQuestion>
  readonly refusalOf: (record: DnsRecord) => FailureCode | undefined
}

const summarizePlan = (plan: Either.Either<PlanResult, PlanRefused>): PlanSummary =>
  Either.match(plan, {
    onLeft: ({ code, unanswered }) => ({ changesAt: () => [], unanswered, refusalOf: () => code }),
    onRight: ({ changes, optionalFailures, unanswered }) => {
      const byHost = Map.groupBy(changes, hostOfChange)
      return {
        changesAt: (host) => byHost.get(host) ?? [],
        unanswered,
        refusalOf: ({ host, type }) =>
          optionalFailures.find((failure) => failure.type === type && failure.host === host)?.code
      }
    }
  })

interface ComparisonContext {
  readonly zone: LiveZone
  readonly lookup: DnsLookup
  readonly plan: PlanSummary
  /** The questions whose answers tell whether the addresses of hosts are those of desired aliases. */
  readonly aliasQuestions: ReadonlyArray<LookupQuestion>
}

interface RecordStatus {
  readonly status: ObservationStatus
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

const statusOf = (desired: DesiredRecord, placement: RecordPlacement, context: ComparisonContext): RecordStatus => {
  const { aliasQuestions, plan } = context
  const refusal = plan.refusalOf(desired.record)
  if (refusal === "discovery_timeout") return makeUnknownStatus(plan.unanswered)
  if (refusal === undefined && !plan.changesAt(desired.record.host).some(placement.isAffectedBy)) return present
  const ownQuestions = aliasQuestions.filter(({ name }) => name === desired.record.value)
  if (desired.record.type === "CNAME" && ownQuestions.length > 0) return makeUnknownStatus(ownQuestions)
  return Either.match(spfPermission(desired, placement, context), {
    onLeft: makeUnknownStatus,
    onRight: (isPermitted) =>
      isPermitted ? present : { status: placement.hasUndesiredRecord ? "different" : "missing", unanswered: [] }
  })
}

const present: RecordStatus = { status: "present", unanswered: [] }

const makeUnknownStatus = (unanswered: ReadonlyArray<LookupQuestion>): RecordStatus => ({
  status: "unknown",
  unanswered
})

const spfPermission = (
  { record }: DesiredRecord,
  { liveRecords }: RecordPlacement,
  { lookup, zone }: ComparisonContext
): SpfPermission =>
  findSingletonTxtKind(record) === "SPF"
    ? checkSpfPermission(
        record.value,
        liveRecords.map(({ value }) => value),
        toFqdn(HostName.make(record.host), zone.domain),
        lookup
      )
    : Either.right(false)

/** The place of a desired record at its host: the live records that are there instead of it or together with it. */
interface RecordPlacement {
  /** The live records in that place: its set, those of its kind, or those that exclude it. */
  readonly liveRecords: ReadonlyArray<LiveRecord>
  /** Whether any of them is not desired itself. */
  readonly hasUndesiredRecord: boolean
  /** Whether a change makes room for the record, adds it, or removes foreign records from its set. */
  readonly isAffectedBy: (change: Change) => boolean
}

/** Finds the place of a desired record among all desired records. */
const findPlacement = (
  desired: DesiredRecord,
  allDesired: ReadonlyArray<DesiredRecord>,
  zone: LiveZone
): RecordPlacement => {
  const { host } = desired.record
  const desiredAtHost = allDesired.filter(({ record }) => record.host === host)
  const roles = new Set<string>(desiredAtHost.map(({ role }) => role))
  const keys = new Set(desiredAtHost.map(({ key }) => key))
  // A CNAME that a server shows at the apex answers for every type there: its provider does not flatten it.
  const isHiding = ({ type }: RecordAtHost): boolean =>
    type === "CNAME" && desired.record.type !== "CNAME" && isApex(zone, host)
  const isInPlace = (record: RecordAtHost): boolean =>
    isHiding(record) ||
    (record.role === desired.role
      ? isReplacedBy(desired, record)
      : isConflicting(desired.role, record.role) && !roles.has(record.role))
  const liveRecords = zone.recordsAt(host).filter(isInPlace)
  return {
    liveRecords,
    hasUndesiredRecord: liveRecords.some(({ key }) => !keys.has(key)),
    isAffectedBy: ({ after, before }) =>
      (before?.host === host && isInPlace(toRecordAtHost(before, zone))) ||
      (after?.host === host && isVersionOf(desired, toRecordAtHost(after, zone)))
  }
}

type RecordAtHost = Pick<LiveRecord, "host" | "type" | "value" | "role" | "key">

const toRecordAtHost = (record: ChangeRecord, zone: LiveZone): RecordAtHost => {
  const role = liveRoleOf(record.type, isApex(zone, record.host))
  return { ...record, role, key: recordKeyOf(role, record) }
}

/** Whether a desired record replaces a record of its role: any of a set, one of its kind, else only the same one. */
const isReplacedBy = (desired: DesiredRecord, record: RecordAtHost): boolean =>
  replacementScopeOf(desired.role) === "set" || isVersionOf(desired, record)

/** Whether a record is the desired one in any spelling, or another version if a host can have only one. */
const isVersionOf = (desired: DesiredRecord, record: RecordAtHost): boolean => {
  const kind = findSingletonTxtKind(desired.record)
  if (record.role !== desired.role) return false
  if (kind !== undefined) return findSingletonTxtKind(record) === kind
  return record.key === desired.key || (desired.role === "CAA" && isSameCaa(desired.record.value, record.value))
}

/** Whether CAA planning treats two values as the same, which it does only if they name issuers. */
const isSameCaa = (one: string, other: string): boolean => {
  const entries = parseCaaEntries([one, other])
  return entries.every(({ tag }) => isIssuanceTag(tag)) && new Set(entries.map(equivalenceKeyOf)).size === 1
}

/** Whether a relevant RRset is unknown: its own type, a basic one, a delegation. Others may never be answered. */
const isUnknown = (
  { record: { host, type } }: DesiredRecord,
  unknownRRsets: PartialZone["unknownRRsets"],
  zone: LiveZone
): boolean => {
  const relevant = listRelevantTypes(type, isApex(zone, host))
  const types: ReadonlySet<string> = new Set(relevant.filter((each) => each === type || isBasicType(each)))
  const delegationHosts = new Set(listHostAndAncestors(host).filter((above) => !isApex(zone, above)))
  return unknownRRsets.some(
    (rrset) =>
      (rrset.host === host && types.has(rrset.type)) || (rrset.type === "NS" && delegationHosts.has(rrset.host))
  )
}

/** Makes an intent of exactly these records, so that merged ones are not merged again; DMARC by its tags and values. */
export const toExactIntent = (effectiveIntent: EffectiveIntent): ResolvedIntent => ({
  domain: DomainName.make(effectiveIntent.domain),
  effectiveIntent,
  intent: Intent.make({
    domain: effectiveIntent.domain,
    records: effectiveIntent.records.map(toExactRecord),
    existingRecordPolicy: { validateDmarc: false, validateCAA: false }
  })
})

/** A duplicate tag is not requested: receivers do not agree on its value. */
const toExactRecord = (record: DnsRecord): IntentRecord => {
  if (findSingletonTxtKind(record) !== "DMARC") return record
  const { duplicates, tags } = parseDmarc(record.value)
  const overrideTags = Object.fromEntries([...tags].filter(([name]) => !duplicates.includes(name)))
  return { ...record, advancedDmarcOptions: { overrideTags } }
}
