import { Array } from "effect"
import { type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
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

export const maxSlipQuestions = 3

/** Selects questions about missing records, the likeliest slip of each first. Others take turns by `round`. */
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
  const beside = zone === domain ? [] : [toFqdn(host, zone)]
  const policies = isDmarcHost(host) ? [toFqdn(host === "_dmarc" ? "_dmarc.www" : `${host}.www`, domain)] : []
  const bare = /^(?<selector>[^.]+)\._domainkey$/.exec(host)?.groups?.["selector"]
  const keys = bare === undefined ? [] : [toFqdn(bare, domain)]
  return [doubled, ...policies, ...beside, ...keys].filter(({ length }) => length <= maxNameLength)
}

const maxNameLength = 253

/** Records at the full name of the host within the zone: the provider appended it. */
export const findDoubledHost = ({ desired, name, shown, zone }: DiagnosisCase): ReadonlyArray<ShownRecord> =>
  shown.filter(
    (record) => record.name === `${name}.${zone}` && (record.type === desired.type || isValueOf(desired, record))
  )

/**
 * Finds the record at a name where it is not desired; a DMARC policy in any wording, since it counts at `_dmarc` alone.
 * If a value is desired at several hosts, only the names of its own slips identify it.
 */
export const findAtWrongHost = (subject: DiagnosisCase): ReadonlyArray<ShownRecord> => {
  const { allDesired, desired, name, shown } = subject
  const isShared = allDesired.some(
    ({ host, type, value }) => host !== desired.host && type === desired.type && value === desired.value
  )
  const ownNames = new Set<string>(listSlipNames(desired, subject))
  return shown.filter(
    (record) =>
      record.name !== name &&
      record.type === desired.type &&
      ((isValueOf(desired, record) && (!isShared || ownNames.has(record.name))) || isMisplacedDmarc(subject, record)) &&
      !isExpectedAt(subject, record)
  )
}

const isMisplacedDmarc = ({ desired, domain, zone }: DiagnosisCase, { name, value }: ShownRecord): boolean =>
  isDmarcHost(desired.host) &&
  isDmarc(unwrapText(value)) &&
  [domain, zone, ...listSlipNames(desired, { domain, zone })].some((wrong) => wrong === name)

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
