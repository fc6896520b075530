import { Array, Either, Option, Order } from "effect"
import { isSameDkimKey } from "../domain/records/DkimRecord.ts"
import { DnsRecord, withData } from "../domain/records/DnsRecord.ts"
import { type DomainName, toFqdn } from "../domain/names/DomainName.ts"
import type { Intent } from "../domain/connection/Intent.ts"
import type { Warning } from "../domain/plan/Warning.ts"
import { nullTarget } from "../domain/records/target.ts"
import { findSingletonTxtKind } from "../domain/records/txt.ts"
import { type DesiredRecord, groupByHost, makeDesiredRecord } from "./DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "./DnsLookup.ts"
import type { PolicyResult } from "./PolicyResult.ts"
import type { RecordRefusal } from "./RecordRefusal.ts"
import { planCaa } from "./caa/planCaa.ts"
import { planDmarc } from "./dmarc/planDmarc.ts"
import { planSpf } from "./spf/planSpf.ts"
import type { LiveRecord, LiveZone } from "./zone/LiveZone.ts"
import { mayHaveImplicitMx } from "./zone/implicitMx.ts"
import { listAnswers } from "./zone/wildcards.ts"

/** The desired records once SPF, DMARC and CAA are merged with the existing ones, in the order of the intent. */
export interface PlannedRecords {
  readonly desired: ReadonlyArray<DesiredRecord>
  readonly refusals: ReadonlyArray<RecordRefusal>
  readonly warnings: ReadonlyArray<PolicyWarning>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

export interface PolicyWarning {
  readonly warning: Warning
  readonly finding?: string
  readonly host: string
  readonly kind: PolicyKind
}

/** The input of policy planning other than the desired records. */
interface PolicyContext {
  readonly zone: LiveZone
  readonly policy: Intent["existingRecordPolicy"]
  readonly lookup: DnsLookup
  /** Answers as the DNS will once these records are in the zone. */
  readonly lookupAfter: (desired: ReadonlyArray<DesiredRecord>) => DnsLookup
}

/**
 * Merges desired SPF, DMARC and CAA with existing records. Policies depend on the addresses, aliases and wildcards of
 * the rest of the plan, so they are planned after it, CAA last.
 */
export const planPolicies = (desired: ReadonlyArray<DesiredRecord>, context: PolicyContext): PlannedRecords => {
  const { lookup, lookupAfter, zone } = context
  const hosts = groupByHost(desired)
  const desiredAt = (host: string) => hosts.get(host) ?? []
  const { caa = [], plain = [], texts = [] } = Array.groupBy(desired, stageOf)
  const plan = (stage: ReadonlyArray<DesiredRecord>, resultingLookup: DnsLookup) =>
    planStage(stage, { ...context, desiredAt, resultingLookup })
  const others = plan(plain, lookup)
  if (texts.length + caa.length === 0) return combineStages([others], zone)
  const before = others.desired
  const isPreliminary = texts.some(isMentioning(zone.domain))
  const preliminary = isPreliminary ? plan(texts, lookupAfter([...before, ...texts])).desired : []
  const mergedTexts = plan(texts, lookupAfter([...before, ...preliminary]))
  const issuers = caa.length === 0 ? [] : [plan(caa, lookupAfter([...before, ...mergedTexts.desired]))]
  return combineStages([others, mergedTexts, ...issuers], zone)
}

/** Whether a policy points to names of the domain, where the same intent may add records. */
const isMentioning =
  (domain: DomainName) =>
  ({ record }: DesiredRecord): boolean =>
    record.value.toLowerCase().includes(domain)

/** Combines stages. If an alias must stay until its target is known, all desired records of its host are refused. */
const combineStages = (stages: ReadonlyArray<PlannedRecords>, zone: LiveZone): PlannedRecords => {
  const refusals = stages.flatMap((stage) => stage.refusals)
  const unresolvedHosts = new Set(
    refusals.flatMap(({ code, desired: { record } }) =>
      code === "discovery_timeout" && aliasAt(zone, record.host) !== undefined ? [record.host] : []
    )
  )
  const [planned, refused] = Array.partition(
    stages.flatMap((stage) => stage.desired),
    ({ record }) => unresolvedHosts.has(record.host)
  )
  return {
    desired: Array.sortWith(planned, ({ source }) => source.index, Order.number),
    refusals: [...refusals, ...refused.map((desired) => ({ code: "discovery_timeout" as const, desired }))],
    warnings: stages.flatMap(({ warnings }) => warnings),
    unanswered: stages.flatMap(({ unanswered }) => unanswered)
  }
}

const aliasAt = (zone: LiveZone, host: string): LiveRecord | undefined =>
  zone.recordsAt(host).find(({ role }) => role === "CNAME")

interface StageContext extends PolicyContext {
  /** Answers as the DNS will once the earlier stages are applied. */
  readonly resultingLookup: DnsLookup
  readonly desiredAt: (host: string) => ReadonlyArray<DesiredRecord>
}

type RecordGroup = Array.NonEmptyReadonlyArray<DesiredRecord>

interface PlannedGroup {
  readonly group: RecordGroup
  readonly result: PolicyResult
}

const planStage = (desired: ReadonlyArray<DesiredRecord>, context: StageContext): PlannedRecords => {
  const groups = [...groupByHost(desired).values()].flatMap((atHost) =>
    Object.values(Array.groupBy(atHost, kindOf)).map((group): PlannedGroup => ({
      group,
      result: policyPlanners[kindOf(group[0])]({ group, ...context })
    }))
  )
  return {
    desired: groups.flatMap(({ group, result }) => desiredRecordsFrom(group, result, context.zone)),
    refusals: groups.flatMap(({ group, result: { refusal } }) =>
      Option.match(refusal, { onNone: () => [], onSome: (code) => group.map((desired) => ({ code, desired })) })
    ),
    warnings: groups.flatMap(({ group: [first], result: { findings = [], warnings } }) =>
      [...warnings.map((warning) => ({ warning })), ...findings].map((warning) => ({
        ...warning,
        host: first.record.host,
        kind: kindOf(first)
      }))
    ),
    unanswered: groups.flatMap(({ result }) => result.unanswered)
  }
}

/** A requested record keeps its source; a record that a policy changes or adds has that of the lowest TTL. */
const desiredRecordsFrom = (
  group: RecordGroup,
  { records, refusal }: PolicyResult,
  zone: LiveZone
): ReadonlyArray<DesiredRecord> => {
  if (Option.isSome(refusal)) return []
  const lowest = Array.min(group, byTtl)
  const requested = new Map(group.toReversed().map((desired) => [dataKeyOf(desired.record), desired]))
  return records.map((record) => makeDesiredRecord(record, (requested.get(dataKeyOf(record)) ?? lowest).source, zone))
}

const byTtl: Order.Order<DesiredRecord> = Order.combine(
  Order.mapInput(Order.number, ({ record }) => record.ttl),
  Order.mapInput(Order.string, ({ key }) => key)
)

const dataKeyOf = ({ type, value }: DnsRecord): string => `${type} ${value}`

export type PolicyKind = "SPF" | "DMARC" | "CAA" | "DKIM" | "other"

export const policyKindOf = (record: DnsRecord): PolicyKind => {
  const kind = findSingletonTxtKind(record)
  return record.type === "CAA" ? "CAA" : kind === "SPF" || kind === "DMARC" || kind === "DKIM" ? kind : "other"
}

const kindOf = ({ record }: DesiredRecord): PolicyKind => policyKindOf(record)

const stageOf = (desired: DesiredRecord): "plain" | "texts" | "caa" => {
  const kind = kindOf(desired)
  if (kind === "CAA") return "caa"
  return kind === "SPF" || kind === "DMARC" ? "texts" : "plain"
}

interface PolicyInput extends StageContext {
  readonly group: RecordGroup
}

const keepRequested = ({ group }: PolicyInput): PolicyResult => ({
  records: group.map(({ record }) => record),
  warnings: [],
  unanswered: [],
  refusal: Option.none()
})

/** A key that the host serves already keeps the spelling in which it is served. */
const keepServedKeys = (input: PolicyInput, texts: ReadonlyArray<TextRecord>): PolicyResult => {
  const values = texts.filter((text) => findSingletonTxtKind(text) === "DKIM").map(({ value }) => value)
  return {
    ...keepRequested(input),
    records: input.group.map(({ record }) => {
      const served = values.includes(record.value)
        ? undefined
        : values.find((value) => isSameDkimKey(value, record.value))
      return served === undefined ? record : withData(record, { value: served })
    })
  }
}

const policyPlanners: { readonly [_ in PolicyKind]: (input: PolicyInput) => PolicyResult } = {
  SPF: (input) => {
    const [{ record }] = input.group
    return planSpf({
      desired: record,
      name: nameOf(input),
      existing: answersOf(input).filter((live) => findSingletonTxtKind(live) === "SPF"),
      hasOtherMailServer: hasOtherMailServer(input),
      lookup: input.resultingLookup
    })
  },
  DMARC: (input) =>
    planBehindAlias(input, (texts) => {
      const [{ record, source }] = input.group
      return planDmarc({
        desired: record,
        options: source.options,
        validateDmarc: input.policy.validateDmarc,
        name: nameOf(input),
        existing: texts.filter((text) => findSingletonTxtKind(text) === "DMARC"),
        lookup: input.lookup
      })
    }),
  DKIM: (input) => planBehindAlias(input, (texts) => keepServedKeys(input, texts)),
  CAA: (input) =>
    planCaa({
      desired: input.group.map(({ record }) => record),
      name: nameOf(input),
      existing: liveRecordsOf(input).filter(({ role }) => role === "CAA"),
      validateCAA: input.policy.validateCAA,
      lookup: input.lookup,
      lookupAfter: input.resultingLookup
    }),
  other: keepRequested
}

const nameOf = ({ group, zone }: PolicyInput) => toFqdn(group[0].record.host, zone.domain)

const liveRecordsOf = ({ group, zone }: PolicyInput): ReadonlyArray<LiveRecord> => zone.recordsAt(group[0].record.host)

/** Lists the records that the host currently answers with, by itself or by a wildcard. */
const answersOf = ({ group, zone }: PolicyInput): ReadonlyArray<LiveRecord> => listAnswers(zone, group[0].record.host)

const desiredAtHostOf = ({ desiredAt, group }: PolicyInput): ReadonlyArray<DesiredRecord> =>
  desiredAt(group[0].record.host)

/** Whether mail goes to a server not in the intent: by MX, or implicitly. A null MX (RFC 7505) receives none. */
const hasOtherMailServer = (input: PolicyInput): boolean => {
  const desired = new Set(desiredAtHostOf(input).flatMap(({ record, role }) => (role === "MX" ? [record.value] : [])))
  const host = input.group[0].record.host
  if (mayHaveImplicitMx(host, answersOf(input))) return !desired.has(nameOf(input))
  return answersOf(input).some(({ role, value }) => role === "MX" && value !== nullTarget && !desired.has(value))
}

/**
 * Plans DMARC policies and DKIM keys behind a CNAME. It is desired itself if its target serves the result already and
 * its host has no other desired records. It stays until its target is known.
 */
const planBehindAlias = (
  input: PolicyInput,
  plan: (texts: ReadonlyArray<TextRecord>) => PolicyResult
): PolicyResult => {
  const answers = answersOf(input)
  const alias = answers.find(({ role }) => role === "CNAME")
  if (alias === undefined) return plan(answers)
  return Either.match(input.lookup({ name: nameOf(input), type: "TXT" }), {
    onLeft: (question) => ({
      records: [],
      warnings: [],
      unanswered: [question],
      refusal: Option.some("discovery_timeout")
    }),
    onRight: (values) => {
      const result = plan(values.map((value) => ({ host: alias.host, type: "TXT", value, ttl: alias.ttl })))
      const isServed = result.records.every(({ value }) => values.includes(value))
      return isServed && desiredAtHostOf(input).length === 1 && liveRecordsOf(input).length > 0
        ? { ...result, records: result.records.map((record) => toAliasRecord(record, alias)) }
        : result
    }
  })
}

type TextRecord = Pick<LiveRecord, "host" | "type" | "value" | "ttl">

const toAliasRecord = ({ optional }: DnsRecord, { host, ttl, value }: LiveRecord): DnsRecord =>
  DnsRecord.make({ host, type: "CNAME", value, ttl, optional })
