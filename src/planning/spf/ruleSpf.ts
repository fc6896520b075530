import { Array, Option } from "effect"
import { type DnsRecord, withData } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import { Warning } from "../../domain/Plan.ts"
import { formatSpf, normalSpf, parseSpf, terminalOf } from "../../domain/SpfRecord.ts"
import type { SpfTerm } from "../../domain/SpfTerm.ts"
import { distinct, type Lookup } from "../Lookup.ts"
import type { Ruling } from "../Ruling.ts"
import { joined, type LiveSpf, policyOf, readLive, withoutFail } from "./livePolicy.ts"
import { mergeSpf, permittedBy } from "./mergeSpf.ts"
import { spfLookups } from "./spfLookups.ts"

/** A wanted SPF record and what is known of its host. */
export interface SpfSituation {
  /** A TXT record whose value `spfRefusal` has nothing against. */
  readonly wanted: DnsRecord
  /** The full name of the host. */
  readonly name: DomainName
  /** What is served there and `isSpf`; TTLs in seconds. */
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  /** Whether a live MX that the intent does not bring takes mail for the host. */
  readonly receivesMail: boolean
  readonly lookup: Lookup
}

/** Settles the one SPF record of a host (RFC 7208) so that nobody who may send today is cut off. */
export const ruleSpf = (situation: SpfSituation): Ruling => {
  const { existing, lookup, name, wanted } = situation
  const live = readLive(existing.map(({ value }) => value))
  const { facts, terms, value } = Array.match(live, {
    onEmpty: () => created(situation),
    onNonEmpty: (records) => merged(records, parseSpf(wanted.value))
  })
  const after = spfLookups(terms, name, lookup)
  const before = wanted.optional ? soundPolicies(live).map((policy) => spfLookups(policy, name, lookup)) : []
  const isSpoilt = after.exceedsLimit && before.some(({ exceedsLimit }) => !exceedsLimit)
  const ttl = existing.length === 0 ? wanted.ttl : existing.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity)
  const warnings = warningsFor({
    ...facts,
    spf_allows_all: policyOf(terms) === "+",
    spf_lookup_limit_exceeded: after.exceedsLimit,
    spf_lookup_unknown: after.unanswered.length > 0,
    spf_include_broken: after.isBroken
  })
  return {
    records: isSpoilt ? [] : [withData(wanted, { value, ttl })],
    warnings: isSpoilt ? [] : warnings,
    unanswered: distinct([...before, after].flatMap(({ unanswered }) => unanswered)),
    refusal: isSpoilt ? Option.some("spf_merge_impossible") : Option.none()
  }
}

type Facts = Partial<Readonly<Record<Warning, boolean>>>

/** The record that results, and what has to be told of how it came about. */
interface Outcome {
  readonly value: string
  readonly terms: ReadonlyArray<SpfTerm>
  readonly facts: Facts
}

const created = ({ receivesMail, wanted }: SpfSituation): Outcome => {
  const terms = parseSpf(wanted.value)
  const sparing = withoutFail(terms)
  return receivesMail && policyOf(terms) !== policyOf(sparing)
    ? { value: formatSpf(sparing), terms: sparing, facts: { spf_excludes_existing_mail: true } }
    : { value: wanted.value, terms, facts: {} }
}

/** What is served already in another spelling stays as it is spelt. */
const merged = (live: Array.NonEmptyReadonlyArray<LiveSpf>, wanted: ReadonlyArray<SpfTerm>): Outcome => {
  const base = joined(Array.map(live, ({ terms }) => terms))
  const terms = mergeSpf(base, permittedBy(wanted, terminalOf(base)))
  const normal = normalSpf(terms)
  const served = live.find((record) => !record.isBroken && record.normal === normal)
  return {
    value: served?.value ?? formatSpf(terms),
    terms,
    facts: {
      spf_record_merged: normal !== normalSpf(base),
      spf_policy_replaced: live.some(({ policy }) => policy !== policyOf(base)),
      spf_duplicates_collapsed: live.length > 1,
      spf_existing_invalid_replaced: live.some(({ isBroken }) => isBroken)
    }
  }
}

/** The policy that receivers follow today, unless there is none or they give up on it. */
const soundPolicies = ([first, ...others]: ReadonlyArray<LiveSpf>): ReadonlyArray<ReadonlyArray<SpfTerm>> =>
  first === undefined || first.isBroken || others.length > 0 ? [] : [first.terms]

const warningsFor = (facts: Facts): ReadonlyArray<Warning> => Warning.literals.filter((warning) => facts[warning])
