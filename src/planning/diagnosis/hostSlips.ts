import { Array } from "effect"
import { type DomainName, isAtOrBelow, toFqdn } from "../../domain/names/DomainName.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { isDmarc, isDmarcHost } from "../../domain/records/DmarcRecord.ts"
import type { RecordTypeName } from "../../domain/records/dnsTypes.ts"
import {
  type DiagnosisCase,
  type DiagnosisEvidence,
  isSameValue,
  type ShownRecord,
  unwrapText
} from "./DiagnosisCase.ts"

/** A question about a name at which a slip puts a record. */
export interface SlipQuestion {
  readonly name: DomainName
  readonly type: RecordTypeName
}

/** The answer to a slip question. */
interface SlipAnswer {
  readonly name: string
  readonly type: string
  readonly records: ReadonlyArray<ShownRecord>
}

export const maxSlipQuestions = 3

/** Selects questions about missing records, the most urgent name of each first. Others take turns by `round`. */
export const selectSlipQuestions = (
  lacking: ReadonlyArray<DnsRecord>,
  { domain, zone }: Pick<DiagnosisEvidence, "domain" | "zone">,
  round: number
): ReadonlyArray<SlipQuestion> => {
  const candidates = lacking.map((record) => listSlipNames(record, { domain, zone }))
  const most = Math.max(0, ...candidates.map(({ length }) => length))
  const all = Array.dedupeWith(
    Array.makeBy(most, (rank) =>
      lacking.flatMap(({ type }, index) =>
        (candidates[index]?.slice(rank, rank + 1) ?? []).map((name) => ({ name, type }))
      )
    ).flat(),
    (one, other) => one.name === other.name && one.type === other.type
  )
  if (all.length <= maxSlipQuestions) return all
  const start = (round * maxSlipQuestions) % all.length
  return [...all.slice(start), ...all.slice(0, start)].slice(0, maxSlipQuestions)
}

/**
 * The names, beyond the hosts of the intent and the apex of the domain, at which a slip puts a record. Providers that
 * append the zone get the full name; whoever enters the host of a subdomain puts it at the zone.
 */
export const listSlipNames = (
  { host }: Pick<DnsRecord, "host">,
  { domain, zone }: Pick<DiagnosisEvidence, "domain" | "zone">
): ReadonlyArray<DomainName> => {
  const doubled = toFqdn(toFqdn(host, domain), zone)
  const policies = isDmarcHost(host) ? [toFqdn(host === "_dmarc" ? "_dmarc.www" : `${host}.www`, domain)] : []
  const bare = /^(?<selector>[^.]+)\._domainkey$/.exec(host)?.groups?.["selector"]
  const keys = bare === undefined ? [] : [toFqdn(bare, domain)]
  // Whether a record beside is new can only be told if its name was read before the customer entered anything.
  return [...listBesideNames({ host }, { domain, zone }), doubled, ...policies, ...keys].filter(
    ({ length }) => length <= maxNameLength
  )
}

const listBesideNames = (
  { host }: Pick<DnsRecord, "host">,
  { domain, zone }: Pick<DiagnosisEvidence, "domain" | "zone">
): ReadonlyArray<DomainName> => (zone === domain ? [] : [toFqdn(host, zone)])

/** Whether the value of a record is at its host in the zone, beside the subdomain; unknown where that was not read. */
export const findBeside = (
  desired: DnsRecord,
  location: Pick<DiagnosisEvidence, "domain" | "zone">,
  answers: ReadonlyArray<SlipAnswer>
): boolean | undefined => {
  const [beside] = listBesideNames(desired, location)
  return answers
    .find(({ name, type }) => name === beside && type === desired.type)
    ?.records.some((record) => isValueOf(desired, record))
}

const maxNameLength = 253

/** Records at the full name of the host within the zone: the provider appended it. */
export const findDoubledHost = ({ desired, name, shown, zone }: DiagnosisCase): ReadonlyArray<ShownRecord> =>
  shown.filter(
    (record) => record.name === `${name}.${zone}` && (record.type === desired.type || isValueOf(desired, record))
  )

/**
 * Finds the record at a name where it is not desired; a DMARC policy in any wording, since it counts at `_dmarc` alone.
 * If a value is desired at several hosts, only the names of its own slips identify it. The rest of the zone of a
 * subdomain has its own records: there, only a value that was not there before counts.
 */
export const findAtWrongHost = (subject: DiagnosisCase): ReadonlyArray<ShownRecord> => {
  const { allDesired, desired, domain, name, shown, wasBeside } = subject
  const isShared = allDesired.some(
    ({ host, type, value }) => host !== desired.host && type === desired.type && value === desired.value
  )
  const ownNames = new Set<string>(listSlipNames(desired, subject))
  const besideNames = listBesideNames(desired, subject)
  const isCounted = (record: ShownRecord) =>
    besideNames.some((beside) => beside === record.name)
      ? wasBeside === false
      : ownNames.has(record.name) || isAtOrBelow(record.name, domain)
  return shown.filter(
    (record) =>
      record.name !== name &&
      record.type === desired.type &&
      isCounted(record) &&
      ((isValueOf(desired, record) && (!isShared || ownNames.has(record.name))) || isMisplacedDmarc(subject, record)) &&
      !isExpectedAt(subject, record)
  )
}

const isMisplacedDmarc = (subject: DiagnosisCase, { name, value }: ShownRecord): boolean => {
  const { desired, domain } = subject
  const others = listBesideNames(desired, subject)
  const wrongNames = Array.difference([domain, ...listSlipNames(desired, subject)], others)
  return isDmarcHost(desired.host) && isDmarc(unwrapText(value)) && wrongNames.some((wrong) => wrong === name)
}

const isValueOf = (desired: DnsRecord, { priority, type, value }: ShownRecord): boolean =>
  type === desired.type &&
  (priority === desired.priority || value.endsWith("…")) &&
  (isSameValue(type, value, desired.value) || (type === "TXT" && isSameValue(type, unwrapText(value), desired.value)))

/** Whether a record is desired where it is, or was there before. */
const isExpectedAt = ({ allDesired, domain, replaced }: DiagnosisCase, record: ShownRecord): boolean =>
  [...allDesired, ...replaced].some(
    ({ host, type, value }) =>
      toFqdn(host, domain) === record.name && type === record.type && isSameValue(type, record.value, value)
  )
