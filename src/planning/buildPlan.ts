import { Data, Either } from "effect"
import type { OptionalFailure } from "../domain/connection/Connection.ts"
import { apexHost, type DomainName } from "../domain/names/DomainName.ts"
import { toIntentRecordPointer } from "../domain/error/ErrorDetail.ts"
import { EffectiveIntent, type ResolvedIntent } from "../domain/connection/Intent.ts"
import type { Change, ChangeRecord, PlanDigest } from "../domain/plan/Plan.ts"
import type { ProviderLimits } from "../domain/provider/Provider.ts"
import type { Warning, WarningDetail } from "../domain/plan/Warning.ts"
import { withoutValidation } from "../domain/values/boundedSchemas.ts"
import type { RecordType } from "../domain/records/recordTypes.ts"
import { findSingletonTxtKind } from "../domain/records/txt.ts"
import { type DesiredRecord, desiredRecordsOf, separateRepeated } from "./DesiredRecord.ts"
import { dedupeQuestions, describeUnanswered, type LookupQuestion } from "./DnsLookup.ts"
import { collectWarnings, type LocatedWarning } from "./LocatedWarning.ts"
import type { PlanContext } from "./PlanContext.ts"
import { type RecordRefusal, type RefusalCode, refusalRules } from "./RecordRefusal.ts"
import { checkIssuance, type IssuanceCheck } from "./caa/checkIssuance.ts"
import { computeDigest } from "./changes/computeDigest.ts"
import { describeChanges } from "./changes/describeChanges.ts"
import { applyDiffs, diffZone, type HostDiff, type PlanRow } from "./changes/diffZone.ts"
import { warnAboutMailDelivery } from "./changes/mailDelivery.ts"
import { warnAboutIntent, warnAboutRepeated, warnAboutUnserved } from "./changes/warnings.ts"
import { type PlannedRecords, planPolicies, type PolicyKind, type PolicyWarning } from "./planPolicies.ts"
import { separateCnameLoops } from "./separateCnameLoops.ts"
import { separateAtAliases, separatePlannable } from "./separatePlannable.ts"
import { takeAlternatives } from "./takeAlternatives.ts"
import { type IndexedZone, reindexZone } from "./zone/IndexedZone.ts"
import type { LiveZone } from "./zone/LiveZone.ts"
import { makeLazyZoneLookup, makeZoneLookup } from "./zone/makeZoneLookup.ts"
import { type AliasFlattening, unflattenAliases } from "./zone/unflattenAliases.ts"
import type { LongComputation } from "../runtime/LongComputation.ts"

/** Everything that a plan depends on: equal input gives an equal plan, whatever the order of the zone's records. */
export interface PlanInput {
  readonly intent: ResolvedIntent
  /** Indexed for the domain of the intent and the TTLs of the provider. */
  readonly zone: IndexedZone
  readonly limits: ProviderLimits
  readonly context: PlanContext
  /** Given where the provider may flatten the aliases of the intent, which it has already. */
  readonly flattening?: AliasFlattening | undefined
}

export interface PlanResult {
  /** The records that the zone must contain at the desired hosts once the plan is applied. */
  readonly effectiveIntent: EffectiveIntent
  readonly changes: ReadonlyArray<Change>
  readonly warnings: ReadonlyArray<Warning>
  /** The same warnings, with the changes that they are about. */
  readonly warningDetails: ReadonlyArray<WarningDetail>
  readonly digest: PlanDigest
  readonly zone: DomainName
  readonly optionalFailures: ReadonlyArray<OptionalFailure>
  /** The questions that the context does not answer, each once. */
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** A required record cannot be planned: its JSON pointer in the intent, and the rule that refuses it. */
export class PlanRefused extends Data.TaggedError("PlanRefused")<{
  readonly code: RefusalCode
  readonly pointer: string
  readonly host: string
  readonly type: RecordType
  readonly rule: string
  readonly unanswered: ReadonlyArray<LookupQuestion>
}> {}

/** Plans the changes that bring a zone to an intent, in an order that is safe to apply. */
export function* buildPlan(input: PlanInput): LongComputation<Either.Either<PlanResult, PlanRefused>> {
  const planned = planHosts({ ...input, zone: input.zone.zone })
  yield
  return Either.map(planned, (hosts) => describePlan(hosts, { ...input, shouldCompareDmarc }))
}

export interface PlannedHosts extends PlannedRecords {
  /** The zone that the differences start from. */
  readonly zone: LiveZone
  readonly diffs: ReadonlyArray<HostDiff>
  readonly resulting: LiveZone
  readonly issuance: IssuanceCheck
  /** The records of the intent that repeat an earlier one. */
  readonly repeated: ReadonlyArray<DesiredRecord>
}

/** Plans the desired hosts of a zone: the whole of a plan but its warnings, order and digest. */
export const planHosts = (
  input: Omit<PlanInput, "zone"> & { readonly zone: LiveZone }
): Either.Either<PlannedHosts, PlanRefused> => {
  const { context, limits, zone: servedZone } = input
  const intent = takeAlternatives(input.intent, { zone: servedZone.name, capabilities: limits.capabilities })
  const lookup = makeZoneLookup(servedZone, context)
  const { unanswered, zone } = unflattenAliases(
    servedZone,
    desiredRecordsOf(intent, servedZone),
    lookup,
    input.flattening
  )
  const [repeated, requested] = separateRepeated(desiredRecordsOf(intent, zone), zone.domain)
  const [unplannable, plannable] = separatePlannable(requested, zone, limits.capabilities)
  const policies = planPolicies(plannable, {
    zone,
    policy: intent.intent.existingRecordPolicy,
    lookup,
    lookupAfter: (desired) => makeLazyZoneLookup(zone.domain, () => applyDiffs(zone, diffZone(desired, zone)), context)
  })
  const [atAliases, withoutCaaAtAliases] = separateAtAliases(policies.desired, zone)
  const loops = separateCnameLoops(withoutCaaAtAliases, zone, context)
  const planned: PlannedRecords = {
    desired: loops.desired,
    refusals: [...unplannable, ...policies.refusals, ...atAliases, ...loops.refusals],
    warnings: [...policies.warnings, ...loops.unanswered.map(warnAboutUnknownLoop)],
    unanswered: [...unanswered, ...policies.unanswered, ...loops.unanswered]
  }
  const refusal = planned.refusals.find(({ desired: { record } }) => !record.optional)
  if (refusal !== undefined) return Either.left(toPlanRefused(refusal, planned.unanswered))
  const diffs = diffZone(planned.desired, zone)
  const resulting = applyDiffs(zone, diffs)
  const issuance = checkResultingIssuance(resulting, planned, { context, intent })
  return Either.right({ ...planned, zone, diffs, resulting, issuance, repeated })
}

const warnAboutUnknownLoop = (question: LookupQuestion): PolicyWarning => ({
  warning: "lookup_unknown",
  finding: describeUnanswered(question),
  host: apexHost,
  kind: "other"
})

const toPlanRefused = (
  { code, desired: { record, source } }: RecordRefusal,
  unanswered: ReadonlyArray<LookupQuestion>
): PlanRefused =>
  new PlanRefused({
    code,
    pointer: toIntentRecordPointer(source.index),
    host: record.host,
    type: record.type,
    rule: refusalRules[code],
    unanswered: dedupeQuestions(unanswered)
  })

/** The input of a plan's description besides its hosts. */
interface DescribedPlan extends Pick<PlanInput, "context" | "limits" | "zone"> {
  /** Selects the changed hosts whose DMARC policy was not compared when it was planned. */
  readonly shouldCompareDmarc: (diff: HostDiff) => boolean
}

/** Describes the effects of a plan on the hosts of a zone: its changes in a safe order, warnings and digest. */
export const describePlan = (
  planned: PlannedHosts,
  { context, limits, shouldCompareDmarc, zone: served }: DescribedPlan
): PlanResult => {
  const { desired, diffs, issuance, refusals, repeated, resulting, zone } = planned
  const described = describeChanges(reindexZone(served, zone), diffs, { context, resulting, shouldCompareDmarc })
  const { changes, rows } = described
  const results = new Map(diffs.flatMap((host) => host.results))
  const requestedRows = selectRowsOf(new Set(results.values()), diffs)
  const delivery = warnAboutMailDelivery(requestedRows, resulting, makeZoneLookup(resulting, context))
  const locatedWarnings: ReadonlyArray<LocatedWarning> = [
    ...locatePolicyWarnings([...planned.warnings, ...warnAboutIssuance(issuance)], diffs),
    ...warnAboutIntent(zone.domain, diffs),
    ...delivery.locatedWarnings,
    ...warnAboutUnserved(requestedRows, {
      served: served.zone,
      resulting,
      flattening: limits.capabilities.cnameFlattening
    }),
    ...warnAboutRepeated(repeated, zone.domain, diffs),
    ...described.locatedWarnings,
    ...refusals.map(() => ({ warning: "optional_record_skipped" as const, rows: [] }))
  ]
  const warnings = collectWarnings(locatedWarnings, rows)
  return {
    // Every record was validated when it was created; validating them again would be a tenth of all work.
    effectiveIntent: EffectiveIntent.make(
      { domain: zone.domain, records: desired.flatMap(({ record }) => results.get(record) ?? []) },
      withoutValidation
    ),
    changes,
    ...warnings,
    digest: computeDigest({ domain: zone.domain, zone: zone.name, changes }),
    zone: zone.name,
    optionalFailures: refusals.map(({ code, desired: { record } }) => ({ type: record.type, host: record.host, code })),
    unanswered: dedupeQuestions([planned, issuance, described, delivery].flatMap(({ unanswered }) => unanswered))
  }
}

const selectRowsOf = (records: ReadonlySet<ChangeRecord>, diffs: ReadonlyArray<HostDiff>): ReadonlyArray<PlanRow> =>
  diffs.flatMap(({ rows }) => rows.filter(({ after }) => after !== undefined && records.has(after)))

/** Planned policies are compared when they are planned; a policy behind a desired alias is that of another operator. */
export const shouldCompareDmarc = ({ roles }: HostDiff): boolean => roles.has("CNAME")

const warnAboutIssuance = ({ blockedHosts, unknownHosts }: IssuanceCheck): ReadonlyArray<PolicyWarning> => [
  ...[...blockedHosts].map((host) => ({ warning: "caa_blocks_issuance" as const, host, kind: "CAA" as const })),
  ...[...unknownHosts].map((host) => ({ warning: "caa_lookup_unknown" as const, host, kind: "CAA" as const }))
]

/** Checks whether the desired issuers are allowed by the CAA records that count once the plan is applied. */
const checkResultingIssuance = (
  resulting: LiveZone,
  { desired, refusals }: PlannedRecords,
  { context, intent }: Pick<PlanInput, "context" | "intent">
): IssuanceCheck => {
  const refused = new Set(refusals.map(({ desired: { source } }) => source.index))
  const issuers = intent.effectiveIntent.records.filter(({ type }, index) => type === "CAA" && !refused.has(index))
  const records = desired.map(({ record }) => record)
  return checkIssuance({
    domain: resulting.domain,
    issuers,
    desired: records,
    lookup: makeZoneLookup(resulting, context)
  })
}

/** Finds the rows that warnings about policies are about: those of the policy at its host, or none if it stays. */
const locatePolicyWarnings = (
  warnings: ReadonlyArray<PolicyWarning>,
  diffs: ReadonlyArray<HostDiff>
): ReadonlyArray<LocatedWarning> => {
  const rowsAt = new Map(diffs.map(({ host, rows }) => [host, rows]))
  const groups = Map.groupBy(warnings, ({ host, kind }) => `${kind} ${host}`).values()
  return [...groups].flatMap((group) => {
    const [{ host, kind } = { host: apexHost, kind: "other" as const }] = group
    const rows = (rowsAt.get(host) ?? []).filter((row) => isOfKind(row, kind))
    return group.map(({ finding, warning }) => ({
      warning,
      rows: addsNothing.has(warning) ? [] : rows,
      ...(finding === undefined ? {} : { finding })
    }))
  })
}

/** The warnings about desired issuers for whom no record is added; other changes of the set do not matter. */
const addsNothing: ReadonlySet<Warning> = new Set(["caa_existing_sufficient", "caa_not_needed"])

/** Whether a row is about records of a kind; an alias counts as the policy or key that it leads to. */
export const isOfKind = ({ after, before, role }: PlanRow, kind: PolicyKind): boolean =>
  role === kind ||
  ((kind === "DMARC" || kind === "DKIM") && role === "CNAME") ||
  [before, after].some((record) => record !== undefined && findSingletonTxtKind(record) === kind)
