import { Array, Data, Either, Option } from "effect"
import type { RecordType } from "../domain/DnsRecord.ts"
import type { DomainName } from "../domain/DomainName.ts"
import { EffectiveIntent, type ResolvedIntent } from "../domain/Intent.ts"
import { recordPointer } from "../domain/ErrorDetail.ts"
import type { Change, ChangeRecord, PlanDigest, Warning } from "../domain/Plan.ts"
import type { ProviderLimits } from "../domain/Provider.ts"
import type { Zone } from "../domain/Zone.ts"
import { blocksIssuance } from "./caa/blocksIssuance.ts"
import { consequencesIn } from "./changes/consequences.ts"
import { diff, type HostDiff, type Row } from "./changes/diff.ts"
import { digestOf } from "./changes/digest.ts"
import { safeOrder } from "./changes/safeOrder.ts"
import { inOrder, planWarnings, warningsAt } from "./changes/warnings.ts"
import { zoneAfter } from "./changes/zoneAfter.ts"
import { distinct, type Question } from "./Lookup.ts"
import type { PlanContext } from "./PlanContext.ts"
import { type Refusal, type RefusalCode, refusalRules } from "./Refusal.ts"
import { type Ruled, rulePolicies } from "./rulePolicies.ts"
import { separateAtAliases, separateServable } from "./servable.ts"
import { wantedIn } from "./Wanted.ts"
import { flattenedApex } from "./zone/flattenedApex.ts"
import { type LiveRecord, type LiveZone, liveZone } from "./zone/LiveZone.ts"
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
 * optional record that was left out as `<TYPE> <host> <code>`; `unanswered` is what the context did not tell, each once.
 */
export interface Planned {
  readonly effectiveIntent: EffectiveIntent
  readonly changes: ReadonlyArray<Change>
  readonly warnings: ReadonlyArray<Warning>
  readonly digest: PlanDigest
  readonly zone: DomainName
  readonly optionalFailures: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<Question>
}

/** A required record that cannot be planned: where it stands in the intent, and by which rule. */
export class PlanRefused extends Data.TaggedError("PlanRefused")<{
  readonly code: RefusalCode
  readonly pointer: string
  readonly host: string
  readonly type: RecordType
  readonly rule: string
  readonly unanswered: ReadonlyArray<Question>
}> {}

/** The changes that bring the zone to what is wanted, in an order that is safe to apply. */
export const buildPlan = (input: PlanInput): Either.Either<Planned, PlanRefused> => {
  const { context, intent, limits } = input
  const served = liveZone(input.zone, intent.domain, limits.ttl)
  const lookup = zoneLookup(served, context)
  const wanted = wantedIn(intent, served)
  const { unanswered, zone } = flattenedApex(served, wanted, lookup)
  const [refused, remaining] = separateServable(wanted, zone, limits.capabilities)
  const ruled = rulePolicies(remaining, {
    zone,
    policy: intent.intent.existingRecordPolicy,
    lookup,
    lookupAfter: (wanted) => lazyZoneLookup(zone.domain, () => zoneAfter(zone, diff(wanted, zone)), context)
  })
  const [atAliases, planned] = separateAtAliases(ruled.wanted, zone)
  const outcome = {
    ...ruled,
    wanted: planned,
    refusals: [...refused, ...ruled.refusals, ...atAliases],
    unanswered: [...unanswered, ...ruled.unanswered]
  }
  return Option.match(
    Array.findFirst(outcome.refusals, ({ wanted }) => !wanted.record.optional),
    {
      onNone: () => Either.right(planFor(outcome, zone, input)),
      onSome: (refusal) => Either.left(planRefused(refusal, outcome.unanswered))
    }
  )
}

const planRefused = ({ code, wanted: { asked, record } }: Refusal, unanswered: ReadonlyArray<Question>): PlanRefused =>
  new PlanRefused({
    code,
    pointer: recordPointer(asked.index),
    host: record.host,
    type: record.type,
    rule: refusalRules[code],
    unanswered: distinct(unanswered)
  })

const planFor = (outcome: Ruled, zone: LiveZone, input: PlanInput): Planned => {
  const { refusals, wanted } = outcome
  const diffs = diff(wanted, zone)
  const consequencesOf = consequencesIn(zone, diffs, input.context.others)
  const rows = safeOrder(diffs).map((row) => ({ row, consequences: consequencesOf(row) }))
  const changes = rows.map(({ consequences, row }) => changeOf(row, row.dropsData || consequences.length > 0))
  const settled = new Map(diffs.flatMap((host) => host.settled))
  const issuance = issuanceAfter(diffs, outcome, zone, input)
  return {
    // Each of the records was checked when it was made; to check them again would be a tenth of all work.
    effectiveIntent: EffectiveIntent.make(
      { domain: zone.domain, records: wanted.flatMap(({ record }) => settled.get(record) ?? []) },
      { disableValidation: true }
    ),
    changes,
    warnings: inOrder([
      ...outcome.warnings,
      ...(issuance.blocked ? ["caa_blocks_issuance" as const] : []),
      ...(issuance.unanswered.length > 0 ? ["caa_lookup_unknown" as const] : []),
      ...diffs.flatMap(warningsAt),
      ...rows.flatMap(({ consequences }) => consequences),
      ...planWarnings(input.zone, changes),
      ...refusals.map(() => "optional_record_skipped" as const)
    ]),
    digest: digestOf({ domain: zone.domain, zone: zone.name, changes }),
    zone: zone.name,
    optionalFailures: refusals.map(({ code, wanted: { record } }) => `${record.type} ${record.host} ${code}`),
    unanswered: distinct([...outcome.unanswered, ...issuance.unanswered])
  }
}

/** Whether the wanted issuers will be let by the CAA records that count once the plan is applied. */
const issuanceAfter = (
  diffs: ReadonlyArray<HostDiff>,
  { refusals, wanted }: Ruled,
  zone: LiveZone,
  { context, intent }: PlanInput
): ReturnType<typeof blocksIssuance> => {
  const refused = new Set(refusals.map(({ wanted: { asked } }) => asked.index))
  const issuers = intent.effectiveIntent.records.filter(({ type }, index) => type === "CAA" && !refused.has(index))
  const records = wanted.map(({ record }) => record)
  const lookup = lazyZoneLookup(zone.domain, () => zoneAfter(zone, diffs), context)
  return blocksIssuance({ domain: zone.domain, issuers, wanted: records, lookup })
}

/** The row of a plan in the words of the contract. */
export const changeOf = ({ after, before }: Row, destructive: boolean): Change => ({
  action: before === undefined ? "create" : after === undefined ? "delete" : "update",
  ...(before === undefined ? {} : { before: recordOf(before) }),
  ...(after === undefined ? {} : { after: { ...after } }),
  destructive
})

/** A live record in the words of the contract. */
export const recordOf = ({ host, priority, ttl, type, value }: LiveRecord): ChangeRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority }),
  optional: false
})
