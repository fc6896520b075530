import { Array, Option, Order } from "effect"
import {
  dmarcFromTags,
  type DmarcRecord,
  hasEqualTags,
  isValidDmarc,
  parseDmarc,
  policyRank
} from "../../domain/DmarcRecord.ts"
import { type DnsRecord, withData } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import type { DnsLookup } from "../DnsLookup.ts"
import type { PolicyResult } from "../PolicyResult.ts"
import { type DmarcStrictness, inheritedStrictness, strictnessOf, strictnessWarnings } from "./DmarcStrictness.ts"
import { applyDmarcOptions, type DmarcOptions, hasDmarcOptions } from "./applyDmarcOptions.ts"
import { walkDmarcTree } from "./walkDmarcTree.ts"

/** A wanted DMARC record and what is known at and above its host. */
export interface DmarcInput {
  /** A TXT record whose value is valid DMARC. */
  readonly desired: DnsRecord
  readonly options: DmarcOptions | undefined
  readonly validateDmarc: boolean
  /** The full name of the host, `_dmarc` and what the policy is for. */
  readonly name: DomainName
  /** What is served there and meant as DMARC; TTLs in seconds. */
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  readonly lookup: DnsLookup
}

/** Settles the one DMARC record of a host, so that what was there is carried over as far as it was asked for. */
export const planDmarc = (situation: DmarcInput): PolicyResult =>
  Array.match(validAmong(situation), {
    onEmpty: () => ruleAnew(situation),
    onNonEmpty: (valid) => ruleExisting(situation, valid)
  })

/** Loosest policy first, then in byte order. */
const validAmong = ({ existing }: DmarcInput): ReadonlyArray<DmarcRecord> =>
  Array.sort(existing.map(({ value }) => parseDmarc(value)).filter(isValidDmarc), loosestFirst)

const loosestFirst: Order.Order<DmarcRecord> = Order.combine(
  Order.mapInput(Option.getOrder(Order.number), ({ tags }) => policyRank(tags.get("p"))),
  Order.mapInput(Order.string, ({ text }) => text)
)

const ruleExisting = (situation: DmarcInput, valid: Array.NonEmptyReadonlyArray<DmarcRecord>): PolicyResult => {
  const { options = {}, validateDmarc, desired: wanted } = situation
  const [current] = valid
  const amends = hasDmarcOptions(options)
  const result = applyDmarcOptions(amends || validateDmarc ? current : parseDmarc(wanted.value), options)
  const record = valid.find((present) => isInterchangeable(present, result)) ?? result
  return settled(situation, record, [
    ...(!amends && validateDmarc ? ["dmarc_existing_preserved" as const] : []),
    ...strictnessWarnings(strictnessOf(current), strictnessOf(record))
  ])
}

/** Receivers do not agree on which of two tags of one name counts. */
const isInterchangeable = (one: DmarcRecord, other: DmarcRecord): boolean =>
  hasEqualTags(one.tags, other.tags) && one.duplicates.length === 0 && other.duplicates.length === 0

const ruleAnew = (situation: DmarcInput): PolicyResult => {
  const { existing, lookup, name, options = {}, desired: wanted } = situation
  const isFirst = existing.length === 0
  const inherits = options.inheritRootDmarc === true
  const { applicable, unanswered } =
    isFirst || inherits
      ? walkDmarcTree(name.replace(/^_dmarc\./, ""), lookup)
      : { applicable: Option.none(), unanswered: [] }
  if (inherits && Option.isNone(applicable)) {
    return { records: [], warnings: [], unanswered, refusal: Option.some("discovery_timeout") }
  }
  const inherited = inherits ? Option.flatMap(Option.flatten(applicable), inheritable) : Option.none()
  const record = applyDmarcOptions(
    Option.getOrElse(inherited, () => parseDmarc(wanted.value)),
    options
  )
  const before: DmarcStrictness = isFirst
    ? Option.match(applicable, { onNone: () => [], onSome: inheritedStrictness })
    : []
  const warnings: ReadonlyArray<Warning> = [
    ...(isFirst ? [] : ["dmarc_existing_invalid_replaced" as const]),
    ...(Option.isSome(inherited) ? ["dmarc_inherited_from_root" as const] : []),
    ...strictnessWarnings(before, strictnessOf(record))
  ]
  return { ...settled(situation, record, warnings), unanswered }
}

/** The record of a parent as one of the host's own: its policy for subdomains becomes the policy. */
const inheritable = ({ tags }: DmarcRecord): Option.Option<DmarcRecord> =>
  Option.liftPredicate(
    dmarcFromTags(
      [...tags]
        .filter(([name]) => !concernsBelow.has(name))
        .map(([name, value]) => [name, name === "p" ? (tags.get("sp") ?? value) : value] as const)
    ),
    isValidDmarc
  )

const concernsBelow: ReadonlySet<string> = new Set(["sp", "np", "psd"])

const settled = (
  { existing, desired: wanted }: DmarcInput,
  { tags, text }: DmarcRecord,
  warnings: ReadonlyArray<Warning>
): PolicyResult => {
  const ttl = Array.match(existing, {
    onEmpty: () => wanted.ttl,
    onNonEmpty: (present) =>
      Array.min(
        Array.map(present, (_) => _.ttl),
        Order.number
      )
  })
  return {
    records: [withData(wanted, { value: text, ttl })],
    warnings: [
      ...warnings,
      ...(new Set(existing.map(({ value }) => value)).size > 1 ? ["dmarc_duplicates_collapsed" as const] : []),
      ...(abandoned.some((name) => tags.has(name)) ? ["dmarc_tag_deprecated" as const] : [])
    ],
    unanswered: [],
    refusal: Option.none()
  }
}

/** Tags of RFC 7489 that RFC 9989 has dropped (appendix C.5.2). */
const abandoned = ["pct", "rf", "ri"]
