import { Array } from "effect"
import { type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { SeenRecord } from "../../domain/plan/Diagnosis.ts"
import type { ObservationStatus } from "../../domain/plan/RecordObservation.ts"
import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { repairPolicyText } from "../../domain/records/unquoteText.ts"
import { normalizeValue } from "../../domain/records/recordTypes.ts"
import type { PageField } from "./pageFields.ts"
import type { RecordComparison } from "../verification/compareZone.ts"

/** A record that a server shows, with the full name of its host. */
export interface ShownRecord extends Pick<ZoneRecord, "type" | "value" | "priority"> {
  readonly name: string
}

/** How one authoritative server shows a desired record, and everything that it shows at its host. */
interface ServerFinding extends Pick<RecordComparison, "status" | "reason"> {
  /** The records in the place of the desired one. */
  readonly observed: ReadonlyArray<ZoneRecord>
  readonly atHost: ReadonlyArray<ZoneRecord>
}

/** A desired record and what its authoritative servers show. */
export interface DiagnosisSubject {
  readonly desired: DnsRecord
  /** The status over all servers, with those of the public resolvers. */
  readonly status: ObservationStatus
  /** Whether its value was beside the subdomain when that was first read; unknown where it never was. */
  readonly wasBeside?: boolean | undefined
  /** All authoritative servers that were asked, even if they did not answer. */
  readonly servers: ReadonlyArray<ServerFinding>
}

/** The findings in the zone of all desired records. */
export interface DiagnosisEvidence {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly allDesired: ReadonlyArray<DnsRecord>
  /** The records that any server shows at the hosts of the intent and at the names where slips put records. */
  readonly shown: ReadonlyArray<ShownRecord>
  /** The records that the plan removes or replaces: they are old, and nobody's mistake. */
  readonly replaced: ReadonlyArray<Pick<ZoneRecord, "host" | "type" | "value">>
  /** Whether the service has just written the records itself. */
  readonly isJustWritten: boolean
  /** Whether the zone is served by another provider than the one at which records are entered. */
  readonly isOtherProvider: boolean
  /** The fields of the provider's page for a record, each with exactly what it takes. */
  readonly fieldsOf: (record: DnsRecord) => ReadonlyArray<PageField>
}

/** A desired record that servers lack, and the records that they show instead. */
export interface DiagnosisCase extends DiagnosisSubject, DiagnosisEvidence {
  readonly name: string
  /** The host relative to the zone, as the provider's page takes it. */
  readonly zoneHost: string
  /** The servers that answer and do not show it. */
  readonly lacking: ReadonlyArray<ServerFinding>
  /** How many servers show it. */
  readonly showing: number
  /** The records in its place at the servers that lack it, without those that are desired there. */
  readonly inPlace: ReadonlyArray<ZoneRecord>
  /** The records at its host on these servers that are neither desired there nor known to be old. */
  readonly entered: ReadonlyArray<ZoneRecord>
}

/** Whether both values serve the same data, in whatever spelling; a value that was cut equals what begins alike. */
export const isSameValue = (type: string, one: string, other: string): boolean =>
  one === other ||
  (one.endsWith("…") && other.startsWith(one.slice(0, -1))) ||
  normalizeValue(type, one) === normalizeValue(type, other)

/** Whether both are the same record of a host. */
export const isSameAs = (
  one: Pick<ShownRecord, "type" | "value" | "priority">,
  other: Pick<ShownRecord, "type" | "value" | "priority">
): boolean =>
  one.type === other.type && one.priority === other.priority && isSameValue(one.type, one.value, other.value)

/** A text without quotation marks around its parts and without backslashes before its characters. */
export const unwrapText = (value: string): string =>
  repairPolicyText(value) ??
  value
    .replace(/(?:\\?["“”„‟])\s+(?:\\?["“”„‟])/g, "")
    .replace(/\\?["“”„‟]|^\s*['‘’`]|['‘’`]\s*$/g, "")
    .replaceAll(/\\(.)/g, "$1")
    .trim()

/** The records that show a diagnosis: each once, the first four, with long values cut. */
export const toSeen = (records: ReadonlyArray<ShownRecord>): ReadonlyArray<SeenRecord> =>
  Array.dedupeWith(records.map(toSeenRecord), isSameSeen).slice(0, maxSeen)

const toSeenRecord = ({ name, priority, type, value }: ShownRecord): SeenRecord => {
  const text = priority === undefined ? value : `${priority} ${value}`
  return { name, type, value: text.length > maxLength ? `${text.slice(0, maxLength - 1).toWellFormed()}…` : text }
}

const isSameSeen = (one: SeenRecord, other: SeenRecord): boolean =>
  one.name === other.name && one.type === other.type && one.value === other.value

const maxSeen = 4
const maxLength = 255

export const withName =
  (domain: DomainName) =>
  ({ host, priority, type, value }: Pick<ZoneRecord, "host" | "type" | "value" | "priority">): ShownRecord => ({
    name: toFqdn(host, domain),
    type,
    value,
    ...(priority === undefined ? {} : { priority })
  })
