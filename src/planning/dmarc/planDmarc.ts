import { Array, Option, Order } from "effect"
import {
  type AdvancedDmarcOptions,
  applyDmarcOptions,
  hasDmarcOptions
} from "../../domain/records/AdvancedDmarcOptions.ts"
import {
  type DmarcRecord,
  hasEqualTags,
  isValidDmarc,
  makeDmarcRecord,
  parseDmarc,
  rankPolicy
} from "../../domain/records/DmarcRecord.ts"
import { type DnsRecord, withData } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { dedupeQuestions, describeUnanswered, type DnsLookup } from "../DnsLookup.ts"
import type { PolicyResult } from "../PolicyResult.ts"
import { findAppliedStrictness, rankStrictness, warnAboutStrictness } from "./DmarcStrictness.ts"
import { walkDmarcTree } from "./walkDmarcTree.ts"

/** A desired DMARC record and the known records at and above its host. */
export interface DmarcInput {
  /** A TXT record whose value is valid DMARC. */
  readonly desired: DnsRecord
  readonly options: AdvancedDmarcOptions | undefined
  readonly validateDmarc: boolean
  /** The full name of the host: `_dmarc` and the name that the policy is for. */
  readonly name: DomainName
  /** The DMARC records that the host serves, valid or not; TTLs in seconds. */
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  readonly lookup: DnsLookup
}

/** Plans the one DMARC record of a host and keeps the parts of the existing record that the intent preserves. */
export const planDmarc = (input: DmarcInput): PolicyResult =>
  Array.match(parseValidRecords(input), {
    onEmpty: () => planNewRecord(input),
    onNonEmpty: (existing) => planFromExisting(input, existing)
  })

/** The valid existing records, loosest policy first, then in byte order. */
const parseValidRecords = ({ existing }: DmarcInput): ReadonlyArray<DmarcRecord> =>
  Array.sort(existing.map(({ value }) => parseDmarc(value)).filter(isValidDmarc), loosestFirst)

const loosestFirst: Order.Order<DmarcRecord> = Order.combine(
  Order.mapInput(Option.getOrder(Order.number), ({ tags }) => rankPolicy(tags.get("p"))),
  Order.mapInput(Order.string, ({ text }) => text)
)

const planFromExisting = (input: DmarcInput, existing: Array.NonEmptyReadonlyArray<DmarcRecord>): PolicyResult => {
  const { desired, options = {}, validateDmarc } = input
  const [current] = existing
  const hasOptions = hasDmarcOptions(options)
  const result = applyDmarcOptions(hasOptions || validateDmarc ? current : parseDmarc(desired.value), options)
  const record = existing.find((candidate) => isInterchangeable(candidate, result)) ?? result
  const before = strictnessBefore(input)
  return {
    ...toPolicyResult(input, record, [
      ...(!hasOptions && validateDmarc ? ["dmarc_existing_preserved" as const] : []),
      ...warnAboutStrictness(before.strictness, rankStrictness(record))
    ]),
    ...findUnknown(before),
    unanswered: before.unanswered
  }
}

/** The policy that receivers apply today. */
const strictnessBefore = ({ existing, lookup, name }: DmarcInput) =>
  findAppliedStrictness(name, [...new Set(existing.map(({ value }) => value))], lookup)

/** The unanswered questions that the comparison with today's policy depends on. */
const findUnknown = ({ strictness, unanswered }: ReturnType<typeof strictnessBefore>): Pick<PolicyResult, "findings"> =>
  strictness.length > 0
    ? {}
    : { findings: unanswered.map((question) => ({ warning: "lookup_unknown", finding: describeUnanswered(question) })) }

/** Whether two records mean the same; receivers disagree on which of two tags of one name counts. */
const isInterchangeable = (one: DmarcRecord, other: DmarcRecord): boolean =>
  hasEqualTags(one.tags, other.tags) && one.duplicates.length === 0 && other.duplicates.length === 0

const planNewRecord = (input: DmarcInput): PolicyResult => {
  const { desired, existing, lookup, name, options = {} } = input
  const isFirst = existing.length === 0
  const inherits = options.inheritRootDmarc === true
  const { applicable, unanswered } = inherits
    ? walkDmarcTree(name.replace(/^_dmarc\./, ""), lookup)
    : { applicable: Option.none(), unanswered: [] }
  if (inherits && Option.isNone(applicable)) {
    return { records: [], warnings: [], unanswered, refusal: Option.some("discovery_timeout") }
  }
  const inherited = inherits ? Option.flatMap(Option.flatten(applicable), toOwnRecord) : Option.none()
  const record = applyDmarcOptions(
    Option.getOrElse(inherited, () => parseDmarc(desired.value)),
    options
  )
  const before = strictnessBefore(input)
  const warnings: ReadonlyArray<Warning> = [
    ...(isFirst ? [] : ["dmarc_existing_invalid_replaced" as const]),
    ...(Option.isSome(inherited) ? ["dmarc_inherited_from_root" as const] : []),
    ...warnAboutStrictness(before.strictness, rankStrictness(record))
  ]
  return {
    ...toPolicyResult(input, record, warnings),
    ...findUnknown(before),
    unanswered: dedupeQuestions([...unanswered, ...before.unanswered])
  }
}

/** Turns the record of a parent into one of the host's own: its policy for subdomains becomes the policy. */
const toOwnRecord = ({ tags }: DmarcRecord): Option.Option<DmarcRecord> =>
  Option.liftPredicate(
    makeDmarcRecord(
      [...tags]
        .filter(([name]) => !subdomainTags.has(name))
        .map(([name, value]) => [name, name === "p" ? (tags.get("sp") ?? value) : value] as const)
    ),
    isValidDmarc
  )

const subdomainTags: ReadonlySet<string> = new Set(["sp", "np", "psd"])

const toPolicyResult = (
  { desired, existing }: DmarcInput,
  { tags, text }: DmarcRecord,
  warnings: ReadonlyArray<Warning>
): PolicyResult => {
  const ttl = Array.match(existing, {
    onEmpty: () => desired.ttl,
    onNonEmpty: (records) =>
      Array.min(
        Array.map(records, (record) => record.ttl),
        Order.number
      )
  })
  return {
    records: [withData(desired, { value: text, ttl })],
    warnings: [
      ...warnings,
      ...(new Set(existing.map(({ value }) => value)).size > 1 ? ["dmarc_duplicates_collapsed" as const] : []),
      ...(deprecatedTags.some((name) => tags.has(name)) ? ["dmarc_tag_deprecated" as const] : [])
    ],
    unanswered: [],
    refusal: Option.none()
  }
}

/** Tags of RFC 7489 that RFC 9989 removed (appendix C.5.2). */
const deprecatedTags = ["pct", "rf", "ri"]
