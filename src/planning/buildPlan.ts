import { Array, Data, Either, Option } from "effect"
import type { OptionalFailure } from "../domain/Connection.ts"
import type { RecordType } from "../domain/DnsRecord.ts"
import type { DomainName } from "../domain/DomainName.ts"
import { intentRecordPointer } from "../domain/ErrorDetail.ts"
import { EffectiveIntent, type ResolvedIntent } from "../domain/Intent.ts"
import type { Change, ChangeRecord, PlanDigest, Warning } from "../domain/Plan.ts"
import type { ProviderLimits } from "../domain/Provider.ts"
import type { Zone } from "../domain/Zone.ts"
import { desiredRecordsOf } from "./DesiredRecord.ts"
import { distinctQuestions, type LookupQuestion } from "./DnsLookup.ts"
import type { PlanContext } from "./PlanContext.ts"
import { type RecordRefusal, type RefusalCode, refusalRules } from "./RecordRefusal.ts"
import { checkIssuance } from "./caa/checkIssuance.ts"
import { computeDigest } from "./changes/computeDigest.ts"
import { applyDiffs, diffZone, type HostDiff, type PlanRow } from "./changes/diffZone.ts"
import { findConsequences } from "./changes/findConsequences.ts"
import { orderChanges } from "./changes/orderChanges.ts"
import { hostWarnings, planWarnings, sortWarnings } from "./changes/warnings.ts"
import { type PlannedRecords, planPolicies } from "./planPolicies.ts"
import { separateAtAliases, separatePlannable } from "./separatePlannable.ts"
import { type LiveRecord, type LiveZone, liveZone } from "./zone/LiveZone.ts"
import { unflattenApex } from "./zone/unflattenApex.ts"
import { lazyZoneLookup, zoneLookup } from "./zone/zoneLookup.ts"

/** All that a plan depends on: the same input gives the same plan, whatever the order of the zone's records. */
export interface PlanInput {
  readonly intent: ResolvedIntent
  readonly zone: Zone
  readonly limits: ProviderLimits
  readonly context: PlanContext
}

/**
 * `zone` is its name; `effectiveIntent` is what the zone must contain afterwards at the wanted hosts; `optionalFailures` names each
 * optional record that was left out; `unanswered` is what the context did not tell, each once.
 */
export interface PlanResult {
  readonly effectiveIntent: EffectiveIntent
  readonly changes: ReadonlyArray<Change>
  readonly warnings: ReadonlyArray<Warning>
  readonly digest: PlanDigest
  readonly zone: DomainName
  readonly optionalFailures: ReadonlyArray<OptionalFailure>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** A required record that cannot be planned: where it stands in the intent, and by which rule. */
export class PlanRefused extends Data.TaggedError("PlanRefused")<{
  readonly code: RefusalCode
  readonly pointer: string
  readonly host: string
  readonly type: RecordType
  readonly rule: string
  readonly unanswered: ReadonlyArray<LookupQuestion>
}> {}

/** The changes that bring the zone to what is wanted, in an order that is safe to apply. */
export const buildPlan = (input: PlanInput): Either.Either<PlanResult, PlanRefused> => {
  const { context, intent, limits } = input
  const served = liveZone(input.zone, intent.domain, limits.ttl)
  const lookup = zoneLookup(served, context)
  const wanted = desiredRecordsOf(intent, served)
  const { unanswered, zone } = unflattenApex(served, wanted, lookup)
  const [refused, remaining] = separatePlannable(wanted, zone, limits.capabilities)
  const ruled = planPolicies(remaining, {
    zone,
    policy: intent.intent.existingRecordPolicy,
    lookup,
    lookupAfter: (wanted) => lazyZoneLookup(zone.domain, () => applyDiffs(zone, diffZone(wanted, zone)), context)
  })
  const [atAliases, planned] = separateAtAliases(ruled.desired, zone)
  const outcome = {
    ...ruled,
    wanted: planned,
    refusals: [...refused, ...ruled.refusals, ...atAliases],
    unanswered: [...unanswered, ...ruled.unanswered]
  }
  return Option.match(
    Array.findFirst(outcome.refusals, ({ desired: wanted }) => !wanted.record.optional),
    {
      onNone: () => Either.right(planFor(outcome, zone, input)),
      onSome: (refusal) => Either.left(planRefused(refusal, outcome.unanswered))
    }
  )
}

const planRefused = (
  { code, desired: { source: asked, record } }: RecordRefusal,
  unanswered: ReadonlyArray<LookupQuestion>
): PlanRefused =>
  new PlanRefused({
    code,
    pointer: intentRecordPointer(asked.index),
    host: record.host,
    type: record.type,
    rule: refusalRules[code],
    unanswered: distinctQuestions(unanswered)
  })

const planFor = (outcome: PlannedRecords, zone: LiveZone, input: PlanInput): PlanResult => {
  const { refusals, desired: wanted } = outcome
  const diffs = diffZone(wanted, zone)
  const consequencesOf = findConsequences(zone, diffs, input.context.others)
  const rows = orderChanges(diffs).map((row) => ({ row, consequences: consequencesOf(row) }))
  const changes = rows.map(({ consequences, row }) => toChange(row, row.dropsData || consequences.length > 0))
  const settled = new Map(diffs.flatMap((host) => host.results))
  const issuance = issuanceAfter(diffs, outcome, zone, input)
  return {
    // Each of the records was checked when it was made; to check them again would be a tenth of all work.
    effectiveIntent: EffectiveIntent.make(
      { domain: zone.domain, records: wanted.flatMap(({ record }) => settled.get(record) ?? []) },
      { disableValidation: true }
    ),
    changes,
    warnings: sortWarnings([
      ...outcome.warnings,
      ...(issuance.blocked ? ["caa_blocks_issuance" as const] : []),
      ...(issuance.unanswered.length > 0 ? ["caa_lookup_unknown" as const] : []),
      ...diffs.flatMap(hostWarnings),
      ...rows.flatMap(({ consequences }) => consequences),
      ...planWarnings(input.zone, changes),
      ...refusals.map(() => "optional_record_skipped" as const)
    ]),
    digest: computeDigest({ domain: zone.domain, zone: zone.name, changes }),
    zone: zone.name,
    optionalFailures: refusals.map(({ code, desired: { record } }) => ({ type: record.type, host: record.host, code })),
    unanswered: distinctQuestions([...outcome.unanswered, ...issuance.unanswered])
  }
}

/** Whether the wanted issuers will be let by the CAA records that count once the plan is applied. */
const issuanceAfter = (
  diffs: ReadonlyArray<HostDiff>,
  { refusals, desired: wanted }: PlannedRecords,
  zone: LiveZone,
  { context, intent }: PlanInput
): ReturnType<typeof checkIssuance> => {
  const refused = new Set(refusals.map(({ desired: { source: asked } }) => asked.index))
  const issuers = intent.effectiveIntent.records.filter(({ type }, index) => type === "CAA" && !refused.has(index))
  const records = wanted.map(({ record }) => record)
  const lookup = lazyZoneLookup(zone.domain, () => applyDiffs(zone, diffs), context)
  return checkIssuance({ domain: zone.domain, issuers, desired: records, lookup })
}

/** The row of a plan in the words of the contract. */
export const toChange = ({ after, before }: PlanRow, destructive: boolean): Change => ({
  action: before === undefined ? "create" : after === undefined ? "delete" : "update",
  ...(before === undefined ? {} : { before: toChangeRecord(before) }),
  ...(after === undefined ? {} : { after: { ...after } }),
  destructive
})

/** A live record in the words of the contract. */
export const toChangeRecord = ({ host, priority, ttl, type, value }: LiveRecord): ChangeRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority }),
  optional: false
})
