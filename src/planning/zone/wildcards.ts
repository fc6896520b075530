import { apexHost } from "../../domain/names/DomainName.ts"
import { isApex, isEditable, listHostAndAncestors, type LiveRecord, type LiveZone, normalRecord } from "./LiveZone.ts"

/** Whether a name of the domain exists; the apex of a zone always does, a domain below it only with its first record. */
export const isExisting = (zone: LiveZone, host: string): boolean => isApex(zone, host) || zone.hasName(host)

/** The names that a record at a host brings into being: the host and the empty names above it, up to the domain. */
export const listNewNames = (zone: LiveZone, host: string): ReadonlyArray<string> =>
  listHostAndAncestors(host).filter((name) => !isExisting(zone, name))

/** The host whose records answer for a host: itself, or a wildcard if nothing exists at or below it (RFC 4592). */
export const findAnsweringHost = (zone: LiveZone, host: string): string =>
  !zone.hasWildcards || isExisting(zone, host) ? host : (findWildcard(zone, host) ?? host)

/** Whether a wildcard, of the domain or above it, answers for a host. */
export const isSynthesized = (zone: LiveZone, host: string): boolean => {
  if (!zone.hasWildcards || isExisting(zone, host)) return false
  const wildcard = findWildcard(zone, host)
  return wildcard === undefined
    ? (zone.wildcardAbove?.records ?? []).some(isEditable)
    : zone.recordsAt(wildcard).length > 0
}

/** The records that a host answers with, as its records: its own, or those of a wildcard if it does not exist. */
export const listAnswers = (zone: LiveZone, host: string): ReadonlyArray<LiveRecord> =>
  !zone.hasWildcards || isExisting(zone, host) ? zone.recordsAt(host) : listSynthesizedRecords(zone, host)

/** The records that a wildcard answers with for a host that does not exist, as records of that host. */
export const listSynthesizedRecords = (zone: LiveZone, host: string): ReadonlyArray<LiveRecord> => {
  if (!zone.hasWildcards || isExisting(zone, host)) return []
  const wildcard = findWildcard(zone, host)
  if (wildcard !== undefined) return zone.recordsAt(wildcard).map((record) => ({ ...record, host }))
  return (zone.wildcardAbove?.records ?? []).filter(isEditable).map((record) => normalRecord(record, host, zone))
}

/** The wildcard at the closest encloser of a missing host; none if the domain is missing: then that lies above. */
export const findWildcard = (zone: LiveZone, host: string): string | undefined => {
  const encloser = listHostAndAncestors(host).find((name) => isExisting(zone, name))
  return encloser === undefined ? undefined : encloser === apexHost ? "*" : `*.${encloser}`
}
