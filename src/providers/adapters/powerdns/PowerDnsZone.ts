import { Array, Either, Order } from "effect"
import { escapeQuoted, type RecordData } from "../../../dns/wire/decodeRecordData.ts"
import { toCharacterStrings } from "../../../dns/wire/encodeRecordData.ts"
import { parseRecordData } from "../../../dns/zonefile/parseRecordData.ts"
import type { ZoneRecord } from "../../../domain/DnsRecord.ts"
import { apexHost, normalizeName, toFqdn } from "../../../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../../../domain/Plan.ts"
import type { Zone, ZoneLocation } from "../../../domain/Zone.ts"
import { ProviderFailure, type ZoneChanged } from "../../ProviderFailure.ts"
import { type AffectedNames, findHostsInDomain, findRemovedRecords } from "../AffectedNames.ts"
import type { PowerDnsRecord, PowerDnsRRset, PowerDnsRRsetChange } from "./PowerDnsApi.ts"

/** The RRsets of a zone, and those of their records that are served at and below the domain. */
export interface PowerDnsZone {
  readonly rrsets: ReadonlyArray<PowerDnsRRset>
  readonly zone: Zone
  /** The stored record of each record of `zone`. */
  readonly stored: ReadonlyMap<ZoneRecord, PowerDnsRecord>
}

export const toPowerDnsZone = (rrsets: ReadonlyArray<PowerDnsRRset>, location: ZoneLocation): PowerDnsZone => {
  const stored = new Map<ZoneRecord, PowerDnsRecord>(
    rrsets.flatMap((rrset) =>
      findHostsInDomain(normalizeName(rrset.name), rrset.type, location).flatMap((host) =>
        rrset.records
          .filter(({ disabled }) => !disabled)
          .map((record) => [{ host, ttl: rrset.ttl, ...parseContent(rrset.type, record.content) }, record] as const)
      )
    )
  )
  return { rrsets, stored, zone: { name: location.zone, basis: "provider", records: [...stored.keys()] } }
}

/**
 * Plans the RRsets that the changes affect as they must be afterwards; other records in them, disabled ones too, are
 * written back as they were read. Deletions come first, because PowerDNS refuses a CNAME together with an RRset that still
 * exists.
 */
export const planRRsetChanges = (
  { rrsets, stored, zone }: PowerDnsZone,
  changes: ReadonlyArray<Change>,
  location: ZoneLocation
): Either.Either<ReadonlyArray<PowerDnsRRsetChange>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const removedZoneRecords = [...(yield* findRemovedRecords(zone, changes)).values()].flat()
    const removed = new Set(removedZoneRecords.map((record) => stored.get(record)))
    const addedByKey = Map.groupBy(
      changes.flatMap(({ after }) => after ?? []),
      (record) => keyOf(toRRset(record, location))
    )
    const affected = rrsets.filter(
      (rrset) => addedByKey.has(keyOf(rrset)) || rrset.records.some((record) => removed.has(record))
    )
    const existingKeys = new Set(affected.map(keyOf))
    const created = [...addedByKey].flatMap(([key, [first]]) =>
      first === undefined || existingKeys.has(key) ? [] : [{ ...toRRset(first, location), ttl: first.ttl, records: [] }]
    )
    const rrsetChanges = yield* Either.all(
      [...affected, ...created].map((rrset) => toRRsetChange(rrset, removed, addedByKey.get(keyOf(rrset)) ?? []))
    )
    return Array.sortWith(rrsetChanges, ({ changetype }) => changetype, Order.string)
  })

/** Serializes all RRsets at the names: the same records always give the same text. */
export const serializeRRsetsAt = (rrsets: ReadonlyArray<PowerDnsRRset>, { above, at }: AffectedNames): string =>
  rrsets
    .filter(
      ({ name, type }) =>
        (at.has(normalizeName(name)) && type !== "SOA") || (above.has(normalizeName(name)) && redirects.has(type))
    )
    .map((rrset) => [keyOf(rrset), rrset.ttl, ...rrset.records.map(serializeRecord).toSorted()].join("\n"))
    .toSorted()
    .join("\n\n")

const redirects: ReadonlySet<string> = new Set(["NS", "DNAME"])

const serializeRecord = ({ content, disabled }: PowerDnsRecord): string => `${disabled ? "- " : "+ "}${content}`

const keyOf = ({ name, type }: Pick<PowerDnsRRset, "name" | "type">): string => `${normalizeName(name)} ${type}`

/** A CNAME at the apex becomes an ALIAS. */
const toRRset = (
  { host, type }: ChangeRecord,
  { domain, zone }: ZoneLocation
): Pick<PowerDnsRRset, "name" | "type"> => ({
  name: `${toFqdn(host, domain)}.`,
  type: type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type
})

/** Leaves out duplicates: PowerDNS refuses an RRset with the same record twice, even if one of them is disabled. */
const toRRsetChange = (
  { name, records, ttl, type }: PowerDnsRRset,
  removed: ReadonlySet<PowerDnsRecord | undefined>,
  added: ReadonlyArray<ChangeRecord>
): Either.Either<PowerDnsRRsetChange, ProviderFailure> => {
  const contents = added.map(formatContent)
  const addedContents = new Set(contents)
  const remaining = records.filter((record) => !removed.has(record) && !addedContents.has(record.content))
  if (remaining.some(({ content }) => content.includes("\ufffd"))) return Either.left(makeUnreadableFailure(name, type))
  const members = [...remaining, ...contents.map((content) => ({ content, disabled: false }))]
  return Either.right(
    members.length === 0
      ? { name, type, changetype: "DELETE" }
      : {
          name,
          type,
          changetype: "REPLACE",
          ttl: added.length === 0 ? ttl : Math.min(...added.map((record) => record.ttl)),
          records: members
        }
  )
}

const makeUnreadableFailure = (name: string, type: string): ProviderFailure =>
  new ProviderFailure({
    code: "apply_rejected",
    detail: `${type} ${name} also has records with bytes that the API cannot show and that the change would lose`
  })

/** Parses the content of a record into the form of a `ZoneRecord`; content that cannot be parsed stays as it is. */
const parseContent = (type: string, content: string): RecordData & Pick<ZoneRecord, "type"> =>
  Either.getOrElse(parseRecordData([type, ...(content.match(words) ?? [])], "."), () => ({ type, value: content }))

/** Formats a planned record as content for PowerDNS: names end in a dot, texts are quoted. */
const formatContent = ({ priority, type, value }: ChangeRecord): string => {
  if (type === "TXT") {
    return toCharacterStrings(value)
      .map((part) => `"${escapeQuoted(part)}"`)
      .join(" ")
  }
  if (!endsInName.has(type)) return value
  return [...(priority === undefined ? [] : [priority]), value.replace(/([^.])$/, "$1.")].join(" ")
}

/** Quoted strings, words, and words with a quoted string in them (RFC 9460). */
const words = /(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.)+/gs

const endsInName: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"])
