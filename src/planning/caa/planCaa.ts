import { Array, Option, Order } from "effect"
import { isIssuanceTag } from "../../domain/CaaProperty.ts"
import { type DnsRecord, withData } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import { distinctQuestions, type DnsLookup, type LookupQuestion } from "../DnsLookup.ts"
import type { PolicyResult } from "../PolicyResult.ts"
import {
  type CaaEntry,
  caaSet,
  type CaaSet,
  equivalenceKeyOf,
  isIssuerAllowed,
  isRestricting,
  parseCaaEntries
} from "./CaaSet.ts"
import { findRelevantRRset } from "./findRelevantRRset.ts"

/** The CAA records that are wanted at one host and those that are there, in normal form and each once. */
export interface CaaInput {
  readonly desired: ReadonlyArray<DnsRecord>
  /** The full name of the host. */
  readonly name: DomainName
  readonly existing: ReadonlyArray<{ readonly value: string; readonly ttl: number }>
  readonly validateCAA: boolean
  readonly lookup: DnsLookup
  /** What the DNS will answer once everything else of the plan is there. */
  readonly lookupAfter: DnsLookup
}

/**
 * Gives the whole set that the host must have: what is wanted and needed there, with all that would count for the host
 * without it, so that nobody is shut out who was allowed before. Where nothing is needed it is the set that is there.
 */
export const planCaa = (situation: CaaInput): PolicyResult => {
  const existing = parseCaaEntries(valuesOf(situation.existing))
  const { counting, unanswered } = whatCounts(situation, existing)
  const wanted = spelledAs(existing, parseCaaEntries(valuesOf(situation.desired)))
  const others = wanted.filter(({ tag }) => !isIssuanceTag(tag))
  const sets = counting.map((entries) => caaSet([...entries, ...others]))
  const needed = wanted.filter(isNeeded(situation, sets))
  const entries = completed(needed.length === 0 ? [existing] : counting, needed)
  const served = new Set(valuesOf(situation.existing))
  const resulting = new Set(valuesOf(entries))
  const isSufficient = (entry: CaaEntry): boolean =>
    (served.has(entry.value) || !resulting.has(entry.value)) && sets.some((set) => isAllowedBy(set, entry))
  return {
    records: recordsOf(entries, situation),
    warnings: [
      ...when(beginsToRestrict(caaSet(counting[0]), caaSet(entries)), "caa_set_created"),
      ...when(situation.validateCAA && wanted.some(isSufficient), "caa_existing_sufficient"),
      ...when(unanswered.length > 0, "caa_lookup_unknown")
    ],
    unanswered,
    refusal: Option.none()
  }
}

/** What is there in another spelling is wanted as it is there. */
const spelledAs = (existing: ReadonlyArray<CaaEntry>, wanted: ReadonlyArray<CaaEntry>): ReadonlyArray<CaaEntry> => {
  const known = new Map(
    existing.filter(({ tag }) => isIssuanceTag(tag)).map((entry) => [equivalenceKeyOf(entry), entry])
  )
  return wanted.map((entry) => (isIssuanceTag(entry.tag) ? (known.get(equivalenceKeyOf(entry)) ?? entry) : entry))
}

/** Whether the set restricts others and lets the issuer of the entry. */
const isAllowedBy = (set: CaaSet, entry: CaaEntry): boolean =>
  isIssuanceTag(entry.tag) &&
  entry.issuer !== "" &&
  isRestricting(set, entry.tag) &&
  isIssuerAllowed(set, entry.tag, entry)

interface Counting {
  /** What counts today, then what will. */
  readonly counting: Array.NonEmptyReadonlyArray<ReadonlyArray<CaaEntry>>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** The set of the host, else the ones that it inherits: aliases and wildcards come and go by the same plan. */
const whatCounts = (
  { lookupAfter: afterwards, lookup, name }: CaaInput,
  existing: ReadonlyArray<CaaEntry>
): Counting => {
  if (existing.length > 0) return { counting: [existing], unanswered: [] }
  const today = findRelevantRRset(name, lookup)
  const then = findRelevantRRset(name, afterwards)
  return {
    counting: [parseCaaEntries(today.values), parseCaaEntries(then.values)],
    unanswered: distinctQuestions([...today.unanswered, ...then.unanswered])
  }
}

const valuesOf = (records: ReadonlyArray<{ readonly value: string }>): ReadonlyArray<string> =>
  records.map(({ value }) => value)

/** With `validateCAA` an issuer is needed only where it would be left out; other tags leave nobody out. */
const isNeeded = ({ existing, validateCAA }: CaaInput, sets: ReadonlyArray<CaaSet>) => {
  const served = new Set(valuesOf(existing))
  return (entry: CaaEntry): boolean => {
    const { tag, value } = entry
    return (
      !validateCAA || !isIssuanceTag(tag) || served.has(value) || sets.some((set) => !isIssuerAllowed(set, tag, entry))
    )
  }
}

/** What counted, and what is needed. Where `issuewild` comes, it would take wildcards from those in a mere `issue`. */
const completed = (
  counting: ReadonlyArray<ReadonlyArray<CaaEntry>>,
  needed: ReadonlyArray<CaaEntry>
): ReadonlyArray<CaaEntry> => {
  const speaksOfWildcards = [...counting.flat(), ...needed].some(isForWildcards)
  const kept = counting.flatMap((entries) =>
    speaksOfWildcards && !entries.some(isForWildcards) ? [...entries, ...entries.flatMap(forWildcards)] : entries
  )
  const byValue = new Map([...kept.filter(isWritable), ...needed].map((entry) => [entry.value, entry]))
  return Array.sortWith(byValue.values(), ({ value }) => value, Order.string)
}

/** What makes no sense cannot be written. */
const isWritable = ({ tag }: CaaEntry): boolean => tag !== ""

const isForWildcards = ({ tag }: CaaEntry): boolean => tag === "issuewild"

const forWildcards = (entry: CaaEntry): ReadonlyArray<CaaEntry> =>
  entry.tag === "issue" && entry.issuer !== ""
    ? [{ ...entry, tag: "issuewild", value: entry.value.replace(" issue ", " issuewild ") }]
    : []

/** What is there keeps its TTL; what comes along is like the wanted records. */
const recordsOf = (
  entries: ReadonlyArray<CaaEntry>,
  { existing, desired: wanted }: CaaInput
): ReadonlyArray<DnsRecord> => {
  if (!Array.isNonEmptyReadonlyArray(wanted)) return []
  const asked = new Map(wanted.map((record) => [record.value, record]))
  const ttls = new Map(existing.map(({ ttl, value }) => [value, ttl]))
  const [first] = wanted
  const ttl = Math.min(...wanted.map((record) => record.ttl))
  const optional = wanted.every((record) => record.optional)
  return entries.map(
    ({ value }) => asked.get(value) ?? withData(first, { value, ttl: ttls.get(value) ?? ttl, optional })
  )
}

const beginsToRestrict = (before: CaaSet, after: CaaSet): boolean =>
  (["issue", "issuewild"] as const).some((scope) => !isRestricting(before, scope) && isRestricting(after, scope))

const when = (applies: boolean, warning: Warning): ReadonlyArray<Warning> => (applies ? [warning] : [])
