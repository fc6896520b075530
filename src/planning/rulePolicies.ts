import { Array, Either, Option, Order } from "effect"
import { DnsRecord, noTarget } from "../domain/DnsRecord.ts"
import { HostName, nameOf } from "../domain/DomainName.ts"
import type { Intent } from "../domain/Intent.ts"
import { onceOnlyKind } from "../domain/onceOnlyKind.ts"
import type { Warning } from "../domain/Plan.ts"
import { ruleCaa } from "./caa/ruleCaa.ts"
import { ruleDmarc } from "./dmarc/ruleDmarc.ts"
import { type LiveRecord, type LiveZone } from "./zone/LiveZone.ts"
import type { Lookup, Question } from "./Lookup.ts"
import type { Refusal } from "./Refusal.ts"
import type { Ruling } from "./Ruling.ts"
import { ruleSpf } from "./spf/ruleSpf.ts"
import { byHost, type Wanted, wantedAs } from "./Wanted.ts"

/** What is wanted once the rules of SPF, DMARC and CAA have had their say, in the order of the intent. */
export interface Ruled {
  readonly wanted: ReadonlyArray<Wanted>
  readonly refusals: ReadonlyArray<Refusal>
  readonly warnings: ReadonlyArray<Warning>
  readonly unanswered: ReadonlyArray<Question>
}

/** What the rules look at besides the records themselves. */
export interface Circumstances {
  readonly zone: LiveZone
  readonly policy: Intent["existingRecordPolicy"]
  readonly lookup: Lookup
  /** What the DNS will answer once these records are there. */
  readonly lookupAfter: (wanted: ReadonlyArray<Wanted>) => Lookup
}

/**
 * Lets SPF, DMARC and CAA be merged with what is there. What policies come to depends on the addresses, aliases and
 * wildcards that the rest of the plan leaves, so that they are settled last.
 */
export const rulePolicies = (wanted: ReadonlyArray<Wanted>, circumstances: Circumstances): Ruled => {
  const { lookup, lookupAfter } = circumstances
  const hosts = byHost(wanted)
  const settling = { ...circumstances, wantedAt: (host: string) => hosts.get(host) ?? [] }
  const [plain, policies] = Array.partition(wanted, (one) => isPolicy(subjectOf(one)))
  const others = settled(plain, { ...settling, afterwards: lookup })
  if (policies.length === 0) return others
  const merged = settled(policies, { ...settling, afterwards: lookupAfter(others.wanted) })
  return {
    wanted: Array.sortWith([...others.wanted, ...merged.wanted], ({ asked }) => asked.index, Order.number),
    refusals: [...others.refusals, ...merged.refusals],
    warnings: [...others.warnings, ...merged.warnings],
    unanswered: [...others.unanswered, ...merged.unanswered]
  }
}

interface Settling extends Circumstances {
  readonly afterwards: Lookup
  readonly wantedAt: (host: string) => ReadonlyArray<Wanted>
}

/** Wanted records of one host and subject, which one rule settles together. */
type Group = Array.NonEmptyReadonlyArray<Wanted>

const settled = (wanted: ReadonlyArray<Wanted>, circumstances: Settling): Ruled => {
  const cases = [...byHost(wanted).values()].flatMap((atHost) =>
    Object.values(Array.groupBy(atHost, subjectOf)).map((group) => ({
      group,
      ruling: rules[subjectOf(group[0])]({ group, ...circumstances })
    }))
  )
  return {
    wanted: cases.flatMap(({ group, ruling }) => resultsOf(group, ruling, circumstances.zone)),
    refusals: cases.flatMap(({ group, ruling: { refusal } }) =>
      Option.match(refusal, { onNone: () => [], onSome: (code) => group.map((wanted) => ({ code, wanted })) })
    ),
    warnings: cases.flatMap(({ ruling }) => ruling.warnings),
    unanswered: cases.flatMap(({ ruling }) => ruling.unanswered)
  }
}

/** A record that was asked for stays in its place; what a rule makes or adds is like the one with the lowest TTL. */
const resultsOf = (group: Group, { records, refusal }: Ruling, zone: LiveZone): ReadonlyArray<Wanted> =>
  Option.isSome(refusal)
    ? []
    : records.map((record) => {
        const { asked } = group.find((wanted) => isSameData(wanted.record, record)) ?? Array.min(group, byTtl)
        return wantedAs(record, asked, zone)
      })

const byTtl: Order.Order<Wanted> = Order.combine(
  Order.mapInput(Order.number, ({ record }) => record.ttl),
  Order.mapInput(Order.string, ({ key }) => key)
)

const isSameData = (one: DnsRecord, other: DnsRecord): boolean => one.type === other.type && one.value === other.value

interface Case extends Settling {
  readonly group: Group
}

type Subject = "SPF" | "DMARC" | "CAA" | "DKIM" | "other"

const subjectOf = ({ record }: Wanted): Subject => {
  const kind = onceOnlyKind(record)
  return record.type === "CAA" ? "CAA" : kind === "SPF" || kind === "DMARC" || kind === "DKIM" ? kind : "other"
}

const isPolicy = (subject: Subject): boolean => subject === "SPF" || subject === "DMARC" || subject === "CAA"

const asWanted = ({ group }: Case): Ruling => ({
  records: group.map(({ record }) => record),
  warnings: [],
  unanswered: [],
  refusal: Option.none()
})

const rules: { readonly [_ in Subject]: (question: Case) => Ruling } = {
  SPF: (question) => {
    const [{ record }] = question.group
    return ruleSpf({
      wanted: record,
      name: nameIn(question),
      existing: liveAt(question).filter((live) => onceOnlyKind(live) === "SPF"),
      receivesMail: receivesOtherMail(question),
      lookup: question.afterwards
    })
  },
  DMARC: (question) =>
    throughAlias(question, (texts) => {
      const [{ asked, record }] = question.group
      return ruleDmarc({
        wanted: record,
        options: asked.options,
        validateDmarc: question.policy.validateDmarc,
        name: nameIn(question),
        existing: texts.filter((text) => onceOnlyKind(text) === "DMARC"),
        lookup: question.lookup
      })
    }),
  DKIM: (question) => throughAlias(question, () => asWanted(question)),
  CAA: (question) =>
    ruleCaa({
      wanted: question.group.map(({ record }) => record),
      name: nameIn(question),
      existing: liveAt(question).filter(({ role }) => role === "CAA"),
      validateCAA: question.policy.validateCAA,
      lookup: question.lookup,
      afterwards: question.afterwards
    }),
  other: asWanted
}

const nameIn = ({ group, zone }: Case) => nameOf(HostName.make(group[0].record.host), zone.domain)

const liveAt = ({ group, zone }: Case): ReadonlyArray<LiveRecord> => zone.recordsAt(group[0].record.host)

const wantedBeside = ({ group, wantedAt }: Case): ReadonlyArray<Wanted> => wantedAt(group[0].record.host)

/** Whether mail for the host goes somewhere that the intent does not know of; a null MX (RFC 7505) receives none. */
const receivesOtherMail = (question: Case): boolean =>
  liveAt(question).some(
    ({ role, value }) =>
      role === "MX" &&
      value !== noTarget &&
      !wantedBeside(question).some((wanted) => wanted.role === "MX" && wanted.record.value === value)
  )

/**
 * Hosted DMARC policies and DKIM keys stand behind a CNAME: where the target already gives what the rule asks for, the
 * alias is what must be there. What is behind it must be known before it is taken away.
 */
const throughAlias = (question: Case, rule: (texts: ReadonlyArray<Text>) => Ruling): Ruling => {
  const live = liveAt(question)
  const alias = live.find(({ role }) => role === "CNAME")
  if (alias === undefined || wantedBeside(question).length > 1) return rule(live)
  return Either.match(question.lookup({ name: nameIn(question), type: "TXT" }), {
    onLeft: (open) => ({ records: [], warnings: [], unanswered: [open], refusal: Option.some("discovery_timeout") }),
    onRight: (values) => {
      const ruling = rule(values.map((value) => ({ host: alias.host, type: "TXT", value, ttl: alias.ttl })))
      const isServed = ruling.records.every(({ value }) => values.includes(value))
      return isServed ? { ...ruling, records: ruling.records.map((record) => aliasFor(record, alias)) } : ruling
    }
  })
}

type Text = Pick<LiveRecord, "host" | "type" | "value" | "ttl">

const aliasFor = ({ optional }: DnsRecord, { host, ttl, value }: LiveRecord): DnsRecord =>
  DnsRecord.make({ host, type: "CNAME", value, ttl, optional })
