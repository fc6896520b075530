import { Array, Either, Option, Order } from "effect"
import { DnsRecord, nullTarget } from "../domain/DnsRecord.ts"
import { type DomainName, toFqdn } from "../domain/DomainName.ts"
import type { Intent } from "../domain/Intent.ts"
import type { Warning } from "../domain/Plan.ts"
import { singletonTxtKind } from "../domain/singletonTxtKind.ts"
import { type DesiredRecord, groupByHost, makeDesiredRecord } from "./DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "./DnsLookup.ts"
import type { PolicyResult } from "./PolicyResult.ts"
import type { RecordRefusal } from "./RecordRefusal.ts"
import { planCaa } from "./caa/planCaa.ts"
import { planDmarc } from "./dmarc/planDmarc.ts"
import { planSpf } from "./spf/planSpf.ts"
import type { LiveRecord, LiveZone } from "./zone/LiveZone.ts"

/** What is wanted once the rules of SPF, DMARC and CAA have had their say, in the order of the intent. */
export interface PlannedRecords {
  readonly desired: ReadonlyArray<DesiredRecord>
  readonly refusals: ReadonlyArray<RecordRefusal>
  readonly warnings: ReadonlyArray<Warning>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** What the rules look at besides the records themselves. */
export interface PolicyContext {
  readonly zone: LiveZone
  readonly policy: Intent["existingRecordPolicy"]
  readonly lookup: DnsLookup
  /** What the DNS will answer once these records are there. */
  readonly lookupAfter: (wanted: ReadonlyArray<DesiredRecord>) => DnsLookup
}

/**
 * Lets SPF, DMARC and CAA be merged with what is there. What policies come to depends on the addresses, aliases and
 * wildcards that the rest of the plan leaves, and on each other's texts; so they are settled after it, CAA last.
 */
export const planPolicies = (wanted: ReadonlyArray<DesiredRecord>, circumstances: PolicyContext): PlannedRecords => {
  const { lookup, lookupAfter, zone } = circumstances
  const hosts = groupByHost(wanted)
  const settling = { ...circumstances, wantedAt: (host: string) => hosts.get(host) ?? [] }
  const { authorizations = [], plain = [], texts = [] } = Array.groupBy(wanted, stageOf)
  const settle = (stage: ReadonlyArray<DesiredRecord>, afterwards: DnsLookup) =>
    settled(stage, { ...settling, afterwards })
  const others = settle(plain, lookup)
  if (texts.length + authorizations.length === 0) return sparingAliases([others], zone)
  const before = others.desired
  const seen = texts.some(mentions(zone.domain)) ? settle(texts, lookupAfter([...before, ...texts])).desired : []
  const merged = settle(texts, lookupAfter([...before, ...seen]))
  const issuers =
    authorizations.length === 0 ? [] : [settle(authorizations, lookupAfter([...before, ...merged.desired]))]
  return sparingAliases([others, merged, ...issuers], zone)
}

/** Whether a policy leads to names of the domain, perhaps to what the same intent brings there. */
const mentions =
  (domain: DomainName) =>
  ({ record }: DesiredRecord): boolean =>
    record.value.toLowerCase().includes(domain)

/**
 * What is not known behind an alias must not go with it: where one of the wanted records of a host is refused for that,
 * the others are too.
 */
const sparingAliases = (stages: ReadonlyArray<PlannedRecords>, zone: LiveZone): PlannedRecords => {
  const refusals = stages.flatMap((stage) => stage.refusals)
  const hidden = new Set(
    refusals
      .filter(
        ({ code, desired: { record } }) => code === "discovery_timeout" && aliasAt(zone, record.host) !== undefined
      )
      .map(({ desired: wanted }) => wanted.record.host)
  )
  const [kept, spared] = Array.partition(
    stages.flatMap((stage) => stage.desired),
    ({ record }) => hidden.has(record.host)
  )
  return {
    desired: Array.sortWith(kept, ({ source: asked }) => asked.index, Order.number),
    refusals: [...refusals, ...spared.map((wanted) => ({ code: "discovery_timeout" as const, desired: wanted }))],
    warnings: stages.flatMap(({ warnings }) => warnings),
    unanswered: stages.flatMap(({ unanswered }) => unanswered)
  }
}

const aliasAt = (zone: LiveZone, host: string): LiveRecord | undefined =>
  zone.recordsAt(host).find(({ role }) => role === "CNAME")

interface Settling extends PolicyContext {
  readonly afterwards: DnsLookup
  readonly wantedAt: (host: string) => ReadonlyArray<DesiredRecord>
}

/** Wanted records of one host and subject, which one rule settles together. */
type Group = Array.NonEmptyReadonlyArray<DesiredRecord>

const settled = (wanted: ReadonlyArray<DesiredRecord>, circumstances: Settling): PlannedRecords => {
  const cases = [...groupByHost(wanted).values()].flatMap((atHost) =>
    Object.values(Array.groupBy(atHost, subjectOf)).map((group) => ({
      group,
      ruling: rules[subjectOf(group[0])]({ group, ...circumstances })
    }))
  )
  return {
    desired: cases.flatMap(({ group, ruling }) => resultsOf(group, ruling, circumstances.zone)),
    refusals: cases.flatMap(({ group, ruling: { refusal } }) =>
      Option.match(refusal, { onNone: () => [], onSome: (code) => group.map((wanted) => ({ code, desired: wanted })) })
    ),
    warnings: cases.flatMap(({ ruling }) => ruling.warnings),
    unanswered: cases.flatMap(({ ruling }) => ruling.unanswered)
  }
}

/** A record that was asked for stays in its place; what a rule makes or adds is like the one with the lowest TTL. */
const resultsOf = (group: Group, { records, refusal }: PolicyResult, zone: LiveZone): ReadonlyArray<DesiredRecord> =>
  Option.isSome(refusal)
    ? []
    : records.map((record) => {
        const { source: asked } = group.find((wanted) => isSameData(wanted.record, record)) ?? Array.min(group, byTtl)
        return makeDesiredRecord(record, asked, zone)
      })

const byTtl: Order.Order<DesiredRecord> = Order.combine(
  Order.mapInput(Order.number, ({ record }) => record.ttl),
  Order.mapInput(Order.string, ({ key }) => key)
)

const isSameData = (one: DnsRecord, other: DnsRecord): boolean => one.type === other.type && one.value === other.value

interface Case extends Settling {
  readonly group: Group
}

type Subject = "SPF" | "DMARC" | "CAA" | "DKIM" | "other"

const subjectOf = ({ record }: DesiredRecord): Subject => {
  const kind = singletonTxtKind(record)
  return record.type === "CAA" ? "CAA" : kind === "SPF" || kind === "DMARC" || kind === "DKIM" ? kind : "other"
}

const stageOf = (wanted: DesiredRecord): "plain" | "texts" | "authorizations" => {
  const subject = subjectOf(wanted)
  if (subject === "CAA") return "authorizations"
  return subject === "SPF" || subject === "DMARC" ? "texts" : "plain"
}

const asWanted = ({ group }: Case): PolicyResult => ({
  records: group.map(({ record }) => record),
  warnings: [],
  unanswered: [],
  refusal: Option.none()
})

const rules: { readonly [_ in Subject]: (question: Case) => PolicyResult } = {
  SPF: (question) => {
    const [{ record }] = question.group
    return planSpf({
      desired: record,
      name: nameIn(question),
      existing: liveAt(question).filter((live) => singletonTxtKind(live) === "SPF"),
      receivesMail: receivesOtherMail(question),
      lookup: question.afterwards
    })
  },
  DMARC: (question) =>
    throughAlias(question, (texts) => {
      const [{ source: asked, record }] = question.group
      return planDmarc({
        desired: record,
        options: asked.options,
        validateDmarc: question.policy.validateDmarc,
        name: nameIn(question),
        existing: texts.filter((text) => singletonTxtKind(text) === "DMARC"),
        lookup: question.lookup
      })
    }),
  DKIM: (question) => throughAlias(question, () => asWanted(question)),
  CAA: (question) =>
    planCaa({
      desired: question.group.map(({ record }) => record),
      name: nameIn(question),
      existing: liveAt(question).filter(({ role }) => role === "CAA"),
      validateCAA: question.policy.validateCAA,
      lookup: question.lookup,
      lookupAfter: question.afterwards
    }),
  other: asWanted
}

const nameIn = ({ group, zone }: Case) => toFqdn(group[0].record.host, zone.domain)

const liveAt = ({ group, zone }: Case): ReadonlyArray<LiveRecord> => zone.recordsAt(group[0].record.host)

const wantedBeside = ({ group, wantedAt }: Case): ReadonlyArray<DesiredRecord> => wantedAt(group[0].record.host)

/** Whether mail for the host goes somewhere that the intent does not know of; a null MX (RFC 7505) receives none. */
const receivesOtherMail = (question: Case): boolean =>
  liveAt(question).some(
    ({ role, value }) =>
      role === "MX" &&
      value !== nullTarget &&
      !wantedBeside(question).some((wanted) => wanted.role === "MX" && wanted.record.value === value)
  )

/**
 * Hosted DMARC policies and DKIM keys stand behind a CNAME: where the target already gives what the rule asks for, the
 * alias is what must be there, unless something else is wanted at its host. What is behind it must be known before it
 * is taken away.
 */
const throughAlias = (question: Case, rule: (texts: ReadonlyArray<Text>) => PolicyResult): PolicyResult => {
  const alias = aliasAt(question.zone, question.group[0].record.host)
  if (alias === undefined) return rule(liveAt(question))
  return Either.match(question.lookup({ name: nameIn(question), type: "TXT" }), {
    onLeft: (open) => ({ records: [], warnings: [], unanswered: [open], refusal: Option.some("discovery_timeout") }),
    onRight: (values) => {
      const ruling = rule(values.map((value) => ({ host: alias.host, type: "TXT", value, ttl: alias.ttl })))
      const isServed = ruling.records.every(({ value }) => values.includes(value))
      return isServed && wantedBeside(question).length === 1
        ? { ...ruling, records: ruling.records.map((record) => aliasFor(record, alias)) }
        : ruling
    }
  })
}

type Text = Pick<LiveRecord, "host" | "type" | "value" | "ttl">

const aliasFor = ({ optional }: DnsRecord, { host, ttl, value }: LiveRecord): DnsRecord =>
  DnsRecord.make({ host, type: "CNAME", value, ttl, optional })
