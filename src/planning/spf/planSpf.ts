import { Array, Option } from "effect"
import { type DnsRecord, withData } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import {
  findDefaultTerm,
  formatSpf,
  normalizeSpf,
  parseSpf,
  selectEvaluatedDirectives
} from "../../domain/records/SpfRecord.ts"
import type { SpfTerm } from "../../domain/records/SpfTerm.ts"
import { Warning } from "../../domain/plan/Warning.ts"
import { dedupeQuestions, type DnsLookup } from "../DnsLookup.ts"
import type { PolicyResult } from "../PolicyResult.ts"
import { defaultResultOf, joinSpf, type LiveSpfRecord, readLiveSpf } from "./LiveSpfRecord.ts"
import { countSpfLookups, type SpfPath } from "./countSpfLookups.ts"
import { limitMechanismsToSoftfail, limitToSoftfail, permitsEverybody } from "./limitSpfDefault.ts"
import { mergeSpf, selectPermittedDirectives, withoutRepetitions, withoutRestrictions } from "./mergeSpf.ts"

interface SpfInput {
  /** A TXT record with a valid SPF value. */
  readonly desired: DnsRecord
  readonly name: DomainName
  /** The SPF records that the host serves; TTLs in seconds. */
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  /** Whether a live MX record that the intent does not contain receives mail for the host. */
  readonly hasOtherMailServer: boolean
  readonly lookup: DnsLookup
}

/** Plans the one SPF record of a host (RFC 7208) so that every sender that is allowed now stays allowed. */
export const planSpf = (input: SpfInput): PolicyResult => {
  const { desired, existing, lookup, name } = input
  const live = readLiveSpf(
    existing.map(({ value }) => value),
    name,
    lookup
  )
  const { conditions, terms, value } = Array.match(live, {
    onEmpty: () => createRecord(input),
    onNonEmpty: (records) => mergeRecords(records, parseSpf(desired.value, name), lookup)
  })
  const after = countSpfLookups(terms, name, lookup)
  const before = desired.optional ? findValidPolicies(live).map((policy) => countSpfLookups(policy, name, lookup)) : []
  const brokenIncludes = after.broken.length > 0 ? findBrokenIncludes({ terms, live, name, lookup }) : []
  const passesLimit = after.isLimitExceeded && before.some(({ isLimitExceeded }) => !isLimitExceeded)
  const unusable = desired.optional ? brokenIncludes.filter(({ source }) => source === "intent") : []
  const breaksPolicy = passesLimit || unusable.length > 0
  const ttl =
    existing.length === 0 ? desired.ttl : existing.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity)
  const warnings = listApplicable({
    ...conditions,
    spf_allows_all: permitsEverybody(terms, lookup),
    spf_lookup_limit_exceeded: after.isLimitExceeded,
    spf_lookup_unknown: after.unanswered.length > 0,
    spf_include_broken: after.broken.length > 0
  })
  return {
    records: breaksPolicy ? [] : [withData(desired, { value, ttl })],
    warnings: breaksPolicy ? [] : warnings,
    findings: breaksPolicy
      ? [
          ...unusable.map((broken) => describeBroken(desired, broken)),
          ...(passesLimit ? [describePassedLimit(desired)] : [])
        ].map((finding) => ({ warning: "optional_record_skipped", finding }))
      : brokenIncludes.map((broken) => ({ warning: "spf_include_broken", finding: describeBroken(desired, broken) })),
    unanswered: dedupeQuestions([...before, after].flatMap(({ unanswered }) => unanswered)),
    refusal: breaksPolicy ? Option.some("spf_merge_impossible") : Option.none()
  }
}

const describeBroken = ({ host }: DnsRecord, { path, source }: BrokenInclude): string => {
  const [way, include] = [path.slice(0, -1).join(" and "), path.at(-1)]
  const reference =
    way === "" ? `which the SPF record at ${host} points to` : `to which the SPF record at ${host} leads through ${way}`
  return `${include}, ${reference}, has no valid SPF record; ${source === "intent" ? "the platform requests it" : "the owner of the zone has it already"}.`
}

const describePassedLimit = ({ host }: DnsRecord): string =>
  `With the desired senders, the SPF record at ${host} would pass a limit of receivers (RFC 7208 section 4.6.4).`

type WarningConditions = Partial<Readonly<Record<Warning, boolean>>>

interface ResultingSpf {
  readonly value: string
  readonly terms: ReadonlyArray<SpfTerm>
  readonly conditions: WarningConditions
}

/** Rejects no sender if another server receives mail for the host, since that server may send mail too. */
const createRecord = ({ desired, hasOtherMailServer, lookup, name }: SpfInput): ResultingSpf => {
  const requested = parseSpf(desired.value, name)
  const terms = withoutRepetitions(requested)
  const softened = hasOtherMailServer ? limitMechanismsToSoftfail(limitToSoftfail(terms, lookup)) : terms
  return softened !== terms
    ? { value: formatSpf(softened), terms: softened, conditions: { spf_excludes_existing_mail: true } }
    : { value: terms === requested ? desired.value : formatSpf(terms), terms, conditions: {} }
}

/** A result that is served already keeps the spelling in which it is served. */
const mergeRecords = (
  live: Array.NonEmptyReadonlyArray<LiveSpfRecord>,
  desired: ReadonlyArray<SpfTerm>,
  lookup: DnsLookup
): ResultingSpf => {
  const existing = joinSpf(
    Array.map(live, ({ terms }) => terms),
    lookup
  )
  const added = selectPermittedDirectives(desired, findDefaultTerm(existing))
  const terms = mergeSpf(existing, withoutRestrictions(added, existing))
  const normal = normalizeSpf(terms)
  const served = live.find((record) => !record.isBroken && record.normal === normal)
  const existingResult = defaultResultOf(existing)
  return {
    value: served?.value ?? formatSpf(terms),
    terms,
    conditions: {
      spf_record_merged: normal !== normalizeSpf(existing),
      spf_existing_sufficient: served !== undefined && live.length === 1 && normal !== normalizeSpf(desired),
      spf_policy_replaced: live.some(({ defaultResult }) => defaultResult !== existingResult),
      spf_duplicates_collapsed: live.length > 1,
      spf_existing_invalid_replaced: live.some(({ isBroken }) => isBroken)
    }
  }
}

/** An `include` or `redirect` without a valid SPF record at its name. */
interface BrokenInclude {
  readonly path: SpfPath
  /** Whether the intent requests it, or the owner of the zone has it already. */
  readonly source: "intent" | "zone"
}

/** The ways from the resulting policy to no valid policy, and whether the owner has their first include already. */
const findBrokenIncludes = ({
  live,
  lookup,
  name,
  terms
}: Pick<SpfInput, "lookup" | "name"> & {
  readonly terms: ReadonlyArray<SpfTerm>
  readonly live: ReadonlyArray<LiveSpfRecord>
}): ReadonlyArray<BrokenInclude> => {
  const existing = new Set(
    live.flatMap((record) => record.terms.flatMap((term) => (term._tag === "Malformed" ? [] : [term.target])))
  )
  const terminal = findDefaultTerm(terms)
  return [...selectEvaluatedDirectives(terms), ...(terminal === undefined ? [] : [terminal])]
    .filter(({ target }) => target !== "")
    .flatMap((term) =>
      countSpfLookups([term], name, lookup).broken.map((path) => ({
        path,
        source: existing.has(term.target) ? "zone" : "intent"
      }))
    )
}

/** The policy that receivers follow now, unless there is none or they give up on it. */
const findValidPolicies = ([first, ...others]: ReadonlyArray<LiveSpfRecord>): ReadonlyArray<ReadonlyArray<SpfTerm>> =>
  first === undefined || first.isBroken || others.length > 0 ? [] : [first.terms]

const listApplicable = (conditions: WarningConditions): ReadonlyArray<Warning> =>
  Warning.literals.filter((warning) => conditions[warning])
