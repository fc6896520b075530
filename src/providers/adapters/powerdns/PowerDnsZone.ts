import { Array, Either, Order } from "effect"
import { escapeQuoted, type RecordData } from "../../../dns/wire/decodeRecordData.ts"
import { toCharacterStrings } from "../../../dns/wire/encodeRecordData.ts"
import { parseRecordData } from "../../../dns/zonefile/parseRecordData.ts"
import type { ZoneRecord } from "../../../domain/DnsRecord.ts"
import { apexHost, normalizeName, toFqdn } from "../../../domain/DomainName.ts"
import { type LongComputation, visitEach } from "../../../domain/LongComputation.ts"
import type { Change, ChangeRecord } from "../../../domain/Plan.ts"
import type { Zone, ZoneLocation } from "../../../domain/Zone.ts"
import { makeSurroundingsFinder } from "../../../planning/zone/surroundings.ts"
import type { ProviderError } from "../../ProviderError.ts"
import { ProviderFailure, type ZoneChanged } from "../../ProviderFailure.ts"
import { type AffectedNames, findHostsInDomain, findRemovedRecords } from "../AffectedNames.ts"
import { isRRsetTooLarge, makeZoneTooLarge, minDataLengthOf } from "../zoneLimits.ts"
import type { PowerDnsRRsetChange } from "./PowerDnsApi.ts"
import type { PowerDnsRecord, PowerDnsRRset } from "./parseStoredZone.ts"

/** The RRsets of a zone, and those of their records that are served at and below the domain. */
export interface PowerDnsZone {
  /** By their names in normal form. */
  readonly rrsets: ReadonlyMap<string, ReadonlyArray<PowerDnsRRset>>
  readonly zone: Zone
  readonly stored: ReadonlyMap<ZoneRecord, StoredRecord>
}

/** The stored form of a record of the zone, and its RRset. */
interface StoredRecord {
  readonly record: PowerDnsRecord
  readonly rrset: PowerDnsRRset
}

/** Parses the contents of all records; an RRset that no DNS message can hold makes the zone too large. */
export function* toPowerDnsZone(
  rrsets: ReadonlyArray<PowerDnsRRset>,
  location: ZoneLocation
): LongComputation<Either.Either<PowerDnsZone, ProviderError>> {
  const byName = new Map<string, Array<PowerDnsRRset>>()
  const stored = new Map<ZoneRecord, StoredRecord>()
  const surroundings = makeSurroundingsFinder(location)
  for (const rrset of rrsets) {
    const name = normalizeName(rrset.name)
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [rrset])
    else known.push(rrset)
    const served = rrset.records.filter(({ disabled }) => !disabled)
    if (isRRsetTooLarge(served.length, 0)) return Either.left(makeZoneTooLarge(describeRRset(rrset)))
    const hosts = findHostsInDomain(name, rrset.type, location)
    let dataLength = 0
    yield* visitEach(served, (record) => {
      const data = parseContent(rrset.type, record.content)
      dataLength += minDataLengthOf(data)
      for (const host of hosts) stored.set({ host, ttl: rrset.ttl, ...data }, { record, rrset })
      surroundings.add(name, { ttl: rrset.ttl, ...data })
    })
    if (isRRsetTooLarge(served.length, dataLength)) return Either.left(makeZoneTooLarge(describeRRset(rrset)))
    yield
  }
  const zone = {
    name: location.zone,
    basis: "provider" as const,
    records: [...stored.keys()],
    ...surroundings.find()
  }
  return Either.right({ rrsets: byName, stored, zone })
}

const describeRRset = ({ name, records, type }: PowerDnsRRset): string =>
  `no DNS message can hold the ${records.length} records of ${type} ${name}`

/**
 * Plans the RRsets that the changes affect as they must be afterwards; other records in them, disabled ones too, are
 * written back as they were read. Deletions come first, because PowerDNS refuses a CNAME together with an RRset that
 * still exists.
 */
export const planRRsetChanges = (
  { rrsets, stored, zone }: PowerDnsZone,
  changes: ReadonlyArray<Change>,
  location: ZoneLocation
): Either.Either<ReadonlyArray<PowerDnsRRsetChange>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const removedZoneRecords = [...(yield* findRemovedRecords(zone, changes)).values()].flat()
    const removedStored = removedZoneRecords.flatMap((record) => stored.get(record) ?? [])
    const removed = new Set(removedStored.map(({ record }) => record))
    const addedByKey = Map.groupBy(
      changes.flatMap(({ after }) => after ?? []),
      (record) => keyOf(toRRset(record, location))
    )
    const extended = [...addedByKey].flatMap(([key, [first]]) =>
      first === undefined
        ? []
        : (rrsets.get(toFqdn(first.host, location.domain)) ?? []).filter((rrset) => keyOf(rrset) === key)
    )
    const affected = [...new Set([...removedStored.map(({ rrset }) => rrset), ...extended])]
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
export const serializeRRsetsAt = (rrsets: ReadonlyArray<PowerDnsRRset>, names: AffectedNames): string =>
  rrsets
    .filter(isAffected(names))
    .map((rrset) => [keyOf(rrset), rrset.ttl, ...rrset.records.map(serializeRecord).toSorted()].join("\n"))
    .toSorted()
    .join("\n\n")

/** Whether changes at the names depend on an RRset. */
export const isAffected =
  ({ above, at }: AffectedNames) =>
  ({ name, type }: Pick<PowerDnsRRset, "name" | "type">): boolean =>
    (at.has(normalizeName(name)) && type !== "SOA") || (above.has(normalizeName(name)) && redirects.has(type))

/** The RRsets at the names, without a look at the others. */
export const listRRsetsAt = ({ rrsets }: PowerDnsZone, { above, at }: AffectedNames): ReadonlyArray<PowerDnsRRset> =>
  [...at.union(above)].flatMap((name) => rrsets.get(name) ?? [])

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
  removed: ReadonlySet<PowerDnsRecord>,
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
