import { Array, Equivalence, Option } from "effect"
import { isAtOrBelow, normalizeTarget, toFqdn, toRelativeHost } from "../domain/names/DomainName.ts"
import type { DesiredRecord } from "./DesiredRecord.ts"
import { type LookupQuestion, questionKeyOf } from "./DnsLookup.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { RecordRefusal } from "./RecordRefusal.ts"
import { isAliasRole, type RecordIdentity } from "./RecordRole.ts"
import { applyDiffs, diffZone } from "./changes/diffZone.ts"
import { hasRecordType, listHostAndAncestors, type LiveRecord, type LiveZone, normalizeData } from "./zone/LiveZone.ts"
import { findAnsweringHost, listSynthesizedRecords } from "./zone/wildcards.ts"

/** The desired records without the CNAMEs that would never resolve, and the questions that were needed to find those. */
interface SeparatedLoops {
  readonly refusals: ReadonlyArray<RecordRefusal>
  readonly desired: ReadonlyArray<DesiredRecord>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Separates desired CNAMEs that lead into a loop. In a public read, the answers of the DNS count at unknown hosts. */
export const separateCnameLoops = (
  desired: ReadonlyArray<DesiredRecord>,
  zone: LiveZone,
  { answers }: PlanContext
): SeparatedLoops => {
  const candidates = new Set(desired.filter((item) => isCname(item) && isAtOrBelow(item.record.value, zone.name)))
  if (candidates.size === 0) return { refusals: [], desired, unanswered: [] }
  const planned = applyDiffs(zone, diffZone(desired, zone))
  const unanswered: Array<LookupQuestion> = []

  /** The target of the CNAME or DNAME that answers for a name in the zone, if there is one. */
  const nextOf = (name: string): Option.Option<string> => {
    const redirected = Option.flatMap(toRelativeHost(name, zone.domain), (host) => redirect(planned, host, name))
    if (Option.isSome(redirected)) return redirected
    const host = toRelativeHost(name, zone.domain)
    const records = Option.match(host, {
      onNone: () => [],
      onSome: (host) => planned.recordsAt(zone.basis === "provider" ? findAnsweringHost(planned, host) : host)
    })
    const isKnown = records.length > 0 || (zone.basis === "provider" && Option.isSome(host))
    if (isKnown) return findTarget(records)
    const values = ask({ name, type: "CNAME" })
    const served = Option.map(Option.fromNullable(values?.[0]), normalizeTarget)
    return values === undefined || Option.isNone(host) ? served : targetAfter(name, host.value, served)
  }

  /** The target of a name whose CNAME the DNS serves, once the plan has replaced the wildcard that may answer for it. */
  const targetAfter = (name: string, host: string, served: Option.Option<string>): Option.Option<string> => {
    const resulting = listSynthesizedRecords(planned, host)
    const target = findTarget(resulting)
    if (resulting.length === 0 || haveSameTarget(target, served)) return served
    const types = Option.isSome(served) ? (["CNAME"] as const) : comparedTypes
    return answersAs(name, listSynthesizedRecords(zone, host), types) ? target : served
  }

  /**
   * Whether the DNS answers for a name with the records of its wildcard only. A name may have the same records itself:
   * then the wildcard does not answer for the asterisk below it (RFC 4592 section 2.2.1).
   */
  const answersAs = (
    name: string,
    wildcard: ReadonlyArray<LiveRecord>,
    types: ReadonlyArray<LookupQuestion["type"]>
  ): boolean => {
    const present = types.filter((type) => wildcard.some((record) => record.type === type))
    const questions = [
      ...types.map((type) => ({ name, type })),
      ...present.slice(0, 1).map((type) => ({ name: `*.${name}`, type }))
    ]
    return questions
      .map((question) => ({ question, values: ask(question) }))
      .every(({ question: { type }, values }) => values !== undefined && hasOnly(wildcard, type, values))
  }

  const ask = (question: LookupQuestion): ReadonlyArray<string> | undefined => {
    const values = answers.get(questionKeyOf(question))
    if (values === undefined) unanswered.push(question)
    return values
  }

  const isLoop = ({ record }: DesiredRecord): boolean => {
    const visited = new Set<string>()
    let name = Option.some<string>(record.value)
    while (Option.isSome(name) && isAtOrBelow(name.value, zone.name) && visited.size < maxFollowed) {
      if (visited.has(name.value)) return true
      visited.add(name.value)
      name = nextOf(name.value)
    }
    return false
  }
  const [kept, refused] = Array.partition(desired, (item) => candidates.has(item) && isLoop(item))
  return { refusals: refused.map((item) => ({ code: "cname_loop", desired: item })), desired: kept, unanswered }
}

/** The name that a DNAME above a host sends it to (RFC 6672 section 2.2); of several the highest one decides. */
const redirect = (zone: LiveZone, host: string, name: string): Option.Option<string> =>
  Array.findLast(listHostAndAncestors(host).slice(1), (above) => hasRecordType(zone, above, "DNAME")).pipe(
    Option.flatMap((above) =>
      Option.map(
        Array.findFirst(zone.recordsAt(above), ({ type }) => type === "DNAME"),
        ({ value }) => `${name.slice(0, -toFqdn(above, zone.domain).length)}${value}`
      )
    )
  )

/** The types that distinguish a name that exists from one that a wildcard answers for. */
const comparedTypes = ["CNAME", "A", "AAAA", "MX", "TXT"] as const

const hasOnly = (records: ReadonlyArray<LiveRecord>, type: string, values: ReadonlyArray<string>): boolean => {
  const expected = new Set(records.filter((record) => record.type === type).map(({ value }) => value))
  const actual = new Set(values.map((value) => normalizeData({ host: "@", type, value, ttl: 0 }).value))
  return expected.symmetricDifference(actual).size === 0
}

const haveSameTarget = Option.getEquivalence(Equivalence.string)

const findTarget = (records: ReadonlyArray<LiveRecord>): Option.Option<string> =>
  Option.map(Array.findFirst(records, isCname), ({ value }) => normalizeTarget(value))

const isCname = ({ role }: RecordIdentity): boolean => isAliasRole(role)

/** Far more aliases than resolvers follow. */
const maxFollowed = 64
