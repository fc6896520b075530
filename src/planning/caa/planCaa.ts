import { Array, Option, Order } from "effect"
import { isIssuanceTag } from "../../domain/records/CaaProperty.ts"
import { type DnsRecord, withData } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { dedupeQuestions, type DnsLookup, type LookupQuestion } from "../DnsLookup.ts"
import type { PolicyResult } from "../PolicyResult.ts"
import {
  type CaaEntry,
  type CaaSet,
  equivalenceKeyOf,
  findRelevantRRset,
  isIssuerAllowed,
  isRestricting,
  makeCaaSet,
  parseCaaEntries
} from "./CaaSet.ts"

/** The CAA records that are desired at one host and those that exist there, in normal form and each once. */
export interface CaaInput {
  readonly desired: ReadonlyArray<DnsRecord>
  /** The full name of the host. */
  readonly name: DomainName
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  readonly validateCAA: boolean
  readonly lookup: DnsLookup
  /** Answers as the DNS will once everything else of the plan is applied. */
  readonly lookupAfter: DnsLookup
}

/** Plans the CAA set of a host: needed entries, and those that apply anyway, so that no issuer loses permission. */
export const planCaa = (input: CaaInput): PolicyResult => {
  const existing = parseCaaEntries(valuesOf(input.existing))
  const { relevant, unanswered } = findRelevantSets(input, existing)
  const desired = withExistingSpelling(existing, parseCaaEntries(valuesOf(input.desired)))
  const nonIssuance = desired.filter(({ tag }) => !isIssuanceTag(tag))
  const sets = relevant.map((entries) => makeCaaSet([...entries, ...nonIssuance]))
  const needed = desired.filter(isNeeded(input, sets))
  const entries = combineEntries(needed.length === 0 ? [existing] : relevant, needed)
  const served = new Set(valuesOf(input.existing))
  const resulting = new Set(valuesOf(entries))
  const isSufficient = (entry: CaaEntry): boolean =>
    (served.has(entry.value) || !resulting.has(entry.value)) && sets.some((set) => isAllowedBy(set, entry))
  const isUnneeded = ({ tag, value }: CaaEntry): boolean =>
    isIssuanceTag(tag) && !resulting.has(value) && !sets.some((set) => isRestricting(set, tag))
  const sufficient = input.validateCAA ? desired.filter(isSufficient) : []
  const unneeded = unanswered.length === 0 ? desired.filter(isUnneeded) : []
  const listNotAdded = (warning: Warning, notAdded: ReadonlyArray<CaaEntry>) =>
    valuesOf(notAdded)
      .toSorted()
      .map((value) => ({ warning, finding: `${input.name}: ${value} is not added.` }))
  return {
    records: recordsOf(entries, input),
    warnings: [
      ...warnIf(startsRestricting(makeCaaSet(relevant[0]), makeCaaSet(entries)), "caa_set_created"),
      ...warnIf(sufficient.length > 0, "caa_existing_sufficient"),
      ...warnIf(unneeded.length > 0, "caa_not_needed"),
      ...warnIf(unanswered.length > 0, "caa_lookup_unknown")
    ],
    findings: [...listNotAdded("caa_existing_sufficient", sufficient), ...listNotAdded("caa_not_needed", unneeded)],
    unanswered,
    refusal: Option.none()
  }
}

interface RelevantSets {
  /** The set that applies now, followed by the one that will. */
  readonly relevant: Array.NonEmptyReadonlyArray<ReadonlyArray<CaaEntry>>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** The set of the host, or those that it inherits before and after the plan, which may change aliases and wildcards. */
const findRelevantSets = ({ lookup, lookupAfter, name }: CaaInput, existing: ReadonlyArray<CaaEntry>): RelevantSets => {
  if (existing.length > 0) return { relevant: [existing], unanswered: [] }
  const before = findRelevantRRset(name, lookup)
  const after = findRelevantRRset(name, lookupAfter)
  return {
    relevant: [parseCaaEntries(before.values), parseCaaEntries(after.values)],
    unanswered: dedupeQuestions([...before.unanswered, ...after.unanswered])
  }
}

/** Replaces desired entries that exist in another spelling by the existing ones. */
const withExistingSpelling = (
  existing: ReadonlyArray<CaaEntry>,
  desired: ReadonlyArray<CaaEntry>
): ReadonlyArray<CaaEntry> => {
  const known = new Map(
    sortByValue(existing.filter(({ tag }) => isIssuanceTag(tag))).map((entry) => [equivalenceKeyOf(entry), entry])
  )
  return desired.map((entry) => (isIssuanceTag(entry.tag) ? (known.get(equivalenceKeyOf(entry)) ?? entry) : entry))
}

/** With `validateCAA` an issuer is needed only if it would be excluded; other tags exclude no issuer. */
const isNeeded = ({ existing, validateCAA }: CaaInput, sets: ReadonlyArray<CaaSet>) => {
  const served = new Set(valuesOf(existing))
  return (entry: CaaEntry): boolean => {
    const { tag, value } = entry
    return (
      !validateCAA || !isIssuanceTag(tag) || served.has(value) || sets.some((set) => !isIssuerAllowed(set, tag, entry))
    )
  }
}

/** Whether the set excludes some issuers and allows that of the entry. */
const isAllowedBy = (set: CaaSet, entry: CaaEntry): boolean =>
  isIssuanceTag(entry.tag) &&
  entry.issuer !== "" &&
  isRestricting(set, entry.tag) &&
  isIssuerAllowed(set, entry.tag, entry)

/** Combines applying and needed entries. An `issuewild` would exclude issuers with only an `issue`: they get one. */
const combineEntries = (
  relevant: ReadonlyArray<ReadonlyArray<CaaEntry>>,
  needed: ReadonlyArray<CaaEntry>
): ReadonlyArray<CaaEntry> => {
  const hasWildcardEntry = [...relevant.flat(), ...needed].some(isForWildcards)
  const kept = relevant.flatMap((entries) =>
    hasWildcardEntry && !entries.some(isForWildcards) ? [...entries, ...entries.flatMap(toWildcardEntry)] : entries
  )
  const byValue = new Map([...kept.filter(isWritable), ...needed].map((entry) => [entry.value, entry]))
  return sortByValue(byValue.values())
}

const sortByValue = (entries: Iterable<CaaEntry>): ReadonlyArray<CaaEntry> =>
  Array.sortWith(entries, ({ value }) => value, Order.string)

/** A value that cannot be parsed cannot be written. */
const isWritable = ({ tag }: CaaEntry): boolean => tag !== ""

const isForWildcards = ({ tag }: CaaEntry): boolean => tag === "issuewild"

const toWildcardEntry = (entry: CaaEntry): ReadonlyArray<CaaEntry> =>
  entry.tag === "issue" && entry.issuer !== ""
    ? [{ ...entry, tag: "issuewild", value: entry.value.replace(" issue ", " issuewild ") }]
    : []

/** Existing entries keep their TTL; added ones are like the desired records. */
const recordsOf = (entries: ReadonlyArray<CaaEntry>, { desired, existing }: CaaInput): ReadonlyArray<DnsRecord> => {
  if (!Array.isNonEmptyReadonlyArray(desired)) return []
  const desiredByValue = new Map(desired.map((record) => [record.value, record]))
  const ttls = new Map(existing.map(({ ttl, value }) => [value, ttl]))
  const [first] = desired
  const ttl = Math.min(...desired.map((record) => record.ttl))
  const optional = desired.every((record) => record.optional)
  return entries.map(
    ({ value }) => desiredByValue.get(value) ?? withData(first, { value, ttl: ttls.get(value) ?? ttl, optional })
  )
}

const valuesOf = (records: ReadonlyArray<{ readonly value: string }>): ReadonlyArray<string> =>
  records.map(({ value }) => value)

const startsRestricting = (before: CaaSet, after: CaaSet): boolean =>
  (["issue", "issuewild"] as const).some((scope) => !isRestricting(before, scope) && isRestricting(after, scope))

const warnIf = (applies: boolean, warning: Warning): ReadonlyArray<Warning> => (applies ? [warning] : [])
