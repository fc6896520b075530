import { Array, Option } from "effect"
import { type DnsRecord, withData } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import { Warning } from "../../domain/Plan.ts"
import { defaultTerm, formatSpf, normalizeSpf, parseSpf } from "../../domain/SpfRecord.ts"
import type { SpfTerm } from "../../domain/SpfTerm.ts"
import { distinctQuestions, type DnsLookup } from "../DnsLookup.ts"
import type { PolicyResult } from "../PolicyResult.ts"
import { defaultResultOf, joinSpf, type LiveSpfRecord, readLiveSpf, softenFail } from "./LiveSpfRecord.ts"
import { countSpfLookups } from "./countSpfLookups.ts"
import { mergeSpf, permittedDirectives } from "./mergeSpf.ts"

/** A wanted SPF record and what is known of its host. */
export interface SpfInput {
  /** A TXT record whose value `spfRefusal` has nothing against. */
  readonly desired: DnsRecord
  /** The full name of the host. */
  readonly name: DomainName
  /** What is served there and `isSpf`; TTLs in seconds. */
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  /** Whether a live MX that the intent does not bring takes mail for the host. */
  readonly receivesMail: boolean
  readonly lookup: DnsLookup
}

/** Settles the one SPF record of a host (RFC 7208) so that nobody who may send today is cut off. */
export const planSpf = (situation: SpfInput): PolicyResult => {
  const { existing, lookup, name, desired: wanted } = situation
  const live = readLiveSpf(existing.map(({ value }) => value))
  const { facts, terms, value } = Array.match(live, {
    onEmpty: () => created(situation),
    onNonEmpty: (records) => merged(records, parseSpf(wanted.value))
  })
  const after = countSpfLookups(terms, name, lookup)
  const before = wanted.optional ? soundPolicies(live).map((policy) => countSpfLookups(policy, name, lookup)) : []
  const isSpoilt = after.exceedsLimit && before.some(({ exceedsLimit }) => !exceedsLimit)
  const ttl = existing.length === 0 ? wanted.ttl : existing.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity)
  const warnings = warningsFor({
    ...facts,
    spf_allows_all: defaultResultOf(terms) === "+",
    spf_lookup_limit_exceeded: after.exceedsLimit,
    spf_lookup_unknown: after.unanswered.length > 0,
    spf_include_broken: after.isBroken
  })
  return {
    records: isSpoilt ? [] : [withData(wanted, { value, ttl })],
    warnings: isSpoilt ? [] : warnings,
    unanswered: distinctQuestions([...before, after].flatMap(({ unanswered }) => unanswered)),
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

const created = ({ receivesMail, desired: wanted }: SpfInput): Outcome => {
  const terms = parseSpf(wanted.value)
  const sparing = softenFail(terms)
  return receivesMail && defaultResultOf(terms) !== defaultResultOf(sparing)
    ? { value: formatSpf(sparing), terms: sparing, facts: { spf_excludes_existing_mail: true } }
    : { value: wanted.value, terms, facts: {} }
}

/** What is served already in another spelling stays as it is spelt. */
const merged = (live: Array.NonEmptyReadonlyArray<LiveSpfRecord>, wanted: ReadonlyArray<SpfTerm>): Outcome => {
  const base = joinSpf(Array.map(live, ({ terms }) => terms))
  const terms = mergeSpf(base, permittedDirectives(wanted, defaultTerm(base)))
  const normal = normalizeSpf(terms)
  const served = live.find((record) => !record.isBroken && record.normal === normal)
  return {
    value: served?.value ?? formatSpf(terms),
    terms,
    facts: {
      spf_record_merged: normal !== normalizeSpf(base),
      spf_policy_replaced: live.some(({ defaultResult: policy }) => policy !== defaultResultOf(base)),
      spf_duplicates_collapsed: live.length > 1,
      spf_existing_invalid_replaced: live.some(({ isBroken }) => isBroken)
    }
  }
}

/** The policy that receivers follow today, unless there is none or they give up on it. */
const soundPolicies = ([first, ...others]: ReadonlyArray<LiveSpfRecord>): ReadonlyArray<ReadonlyArray<SpfTerm>> =>
  first === undefined || first.isBroken || others.length > 0 ? [] : [first.terms]

const warningsFor = (facts: Facts): ReadonlyArray<Warning> => Warning.literals.filter((warning) => facts[warning])
