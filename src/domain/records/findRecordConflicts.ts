import { Array, Option, Schema } from "effect"
import { AdvancedDmarcOptions } from "./AdvancedDmarcOptions.ts"
import type { DnsRecord } from "./DnsRecord.ts"
import { type DomainName, isAtOrBelow, toFqdn } from "../names/DomainName.ts"
import { type ErrorDetail, toIntentRecordPointer } from "../error/ErrorDetail.ts"
import { findSingletonTxtKind } from "./txt.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { recordTypes, spellAlike } from "./recordTypes.ts"

/** Finds records that exclude each other, and CNAME loops. Each detail points to the first record it conflicts with. */
export const findRecordConflicts = (
  records: ReadonlyArray<DnsRecord>,
  domain: DomainName,
  requested: ReadonlyArray<RequestedOptions> = []
): ReadonlyArray<ErrorDetail> => {
  const nameServers = new Set(records.filter(({ type }) => type === "NS").map(({ value }) => value))
  const isGlue: GlueTest = (record) =>
    (record.type === "A" || record.type === "AAAA") && nameServers.has(toFqdn(record.host, domain))
  const conflicts: globalThis.Array<RecordConflict> = []
  for (const [index, record] of records.entries())
    for (const [earlierIndex, earlier] of records.entries()) {
      if (earlierIndex === index) break
      if (!canConflict(earlier, record)) continue
      if (isRepetition(earlier, record, domain) && haveSameOptions(requested[earlierIndex], requested[index])) continue
      const fault = Array.findFirst(rules, (find) =>
        Option.fromNullable(find(earlier, record, isGlue) ?? find(record, earlier, isGlue))
      )
      if (Option.isNone(fault)) continue
      conflicts.push(
        { fault: fault.value, index: earlierIndex, other: index },
        { fault: fault.value, index, other: earlierIndex }
      )
    }
  const firstOfEach = new Map(conflicts.toReversed().map((conflict) => [conflict.index, conflict]))
  const details = records.flatMap((_, at) => {
    const conflict = firstOfEach.get(at)
    return conflict === undefined ? [] : [toDetail(conflict.fault, at, conflict.other)]
  })
  return [...details, ...findCnameLoops(records, domain), ...findMissingDelegations(records)]
}

/** The records that belong to a delegation which the intent does not have. */
const findMissingDelegations = (records: ReadonlyArray<DnsRecord>): ReadonlyArray<ErrorDetail> => {
  const delegated = new Set(records.flatMap(({ host, type }) => (type === "NS" ? [host] : [])))
  return records.flatMap((record, index) =>
    definitionOf(record).belongsToDelegation !== true || delegated.has(record.host)
      ? []
      : [toDetail({ ...missingDelegation, message: `a ${record.type} ${missingDelegation.message}` }, index, index)]
  )
}

const missingDelegation = {
  code: "delegation_missing",
  message: "record belongs to a delegation: NS records of the same host must be in the intent, too"
} as const

const definitionOf = ({ type }: DnsRecord): RecordTypeDefinition => recordTypes[type]

/** A record, and another one that excludes it, by their indexes. */
interface RecordConflict {
  readonly fault: ConflictFault
  readonly index: number
  readonly other: number
}

const toDetail = ({ code, message }: ConflictFault, index: number, other: number) => ({
  pointer: toIntentRecordPointer(index),
  code,
  message,
  ...(other === index ? {} : { conflictsWith: toIntentRecordPointer(other) })
})

/** The CNAMEs that lead back to themselves, each with the next one of its loop. Wildcards are left to the zone. */
const findCnameLoops = (records: ReadonlyArray<DnsRecord>, domain: DomainName): ReadonlyArray<ErrorDetail> => {
  const cnames = new Map<string, { readonly index: number; readonly target: string }>(
    records.flatMap(({ host, type, value }, index) =>
      type === "CNAME" ? [[toFqdn(host, domain), { index, target: value }] as const] : []
    )
  )
  const leadsBack = (name: string): boolean => {
    const visited = new Set<string>()
    for (let at = cnames.get(name)?.target; at !== undefined && !visited.has(at); at = cnames.get(at)?.target) {
      if (at === name) return true
      visited.add(at)
    }
    return false
  }
  return [...cnames].flatMap(([name, { index, target }]) =>
    leadsBack(name) ? [toDetail(loop, index, cnames.get(target)?.index ?? index)] : []
  )
}

const loop: ConflictFault = {
  code: "cname_loop",
  message: "the CNAME leads back to its own host, so that the name would never resolve"
}

/** Whether a record is the address of a name server that a desired delegation names. */
type GlueTest = (record: DnsRecord) => boolean

type ConflictFault = Pick<ErrorDetail, "code" | "message">

/** Finds why the first record excludes the second one. */
type ConflictRule = (one: DnsRecord, other: DnsRecord, isGlue: GlueTest) => ConflictFault | undefined

const haveSameHost = (one: DnsRecord, other: DnsRecord): boolean => one.host === other.host

/** Whether a rule can apply to two records: most pairs of a large intent are at different hosts. */
const canConflict = (one: DnsRecord, other: DnsRecord): boolean =>
  haveSameHost(one, other) || one.type === "NS" || other.type === "NS"

/** The options with which a record was requested. */
interface RequestedOptions {
  readonly advancedDmarcOptions?: AdvancedDmarcOptions
}

const haveSameOptions = ({ advancedDmarcOptions: one }: RequestedOptions = {}, other: RequestedOptions = {}): boolean =>
  one === undefined || other.advancedDmarcOptions === undefined
    ? one === other.advancedDmarcOptions
    : areEquivalent(one, other.advancedDmarcOptions)

const areEquivalent = Schema.equivalence(AdvancedDmarcOptions)

/**
 * Whether a record repeats another one, perhaps in another spelling, so that a plan takes both once: certificate
 * authorities give one CNAME for a domain and for its wildcard.
 */
const isRepetition = (one: DnsRecord, other: DnsRecord, domain: DomainName): boolean =>
  haveSameHost(one, other) &&
  one.type === other.type &&
  one.priority === other.priority &&
  spellAlike(one, domain) === spellAlike(other, domain)

const ruleOf =
  (fault: ConflictFault, excludes: (...records: Parameters<ConflictRule>) => boolean): ConflictRule =>
  (...records) =>
    excludes(...records) ? fault : undefined

const rules: ReadonlyArray<ConflictRule> = [
  ruleOf(
    {
      code: "record_duplicated",
      message: "the same record is desired twice, with different priorities or options"
    },
    (one, other) => haveSameHost(one, other) && one.type === other.type && one.value === other.value
  ),
  ruleOf(
    { code: "cname_not_alone", message: "a CNAME must be the only record of its host (RFC 1034 3.6.2)" },
    (one, other) => haveSameHost(one, other) && one.type === "CNAME"
  ),
  ruleOf(
    {
      code: "record_below_delegation",
      message: "nothing but glue can stand at or below a host that is delegated by NS records"
    },
    (one, other, isGlue) =>
      one.type === "NS" &&
      one.host !== "@" &&
      isAtOrBelow(other.host, one.host) &&
      !(haveSameHost(one, other) && (other.type === "NS" || definitionOf(other).belongsToDelegation === true)) &&
      !isGlue(other)
  ),
  (one, other) =>
    haveSameHost(one, other) && one.type === other.type ? definitionOf(one).standsAlone?.(one.value) : undefined,
  ruleOf(
    {
      code: "record_must_be_single",
      message: "a host can have only one record of this kind (SPF, DMARC, DKIM, MTA-STS, TLS-RPT, BIMI)"
    },
    (one, other) =>
      haveSameHost(one, other) &&
      findSingletonTxtKind(one) !== undefined &&
      findSingletonTxtKind(one) === findSingletonTxtKind(other)
  )
]
