import { Array, Either, Order } from "effect"
import type { RecordData } from "../../../dns/wire/decodeRecordData.ts"
import { makeEscaper } from "../../../dns/wire/encodeName.ts"
import { toCharacterStrings } from "../../../dns/wire/encodeRecordData.ts"
import { parseRecordData } from "../../../dns/zonefile/parseRecordData.ts"
import type { ZoneRecord } from "../../../domain/DnsRecord.ts"
import { apexHost, normalizeName, toFqdn } from "../../../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../../../domain/Plan.ts"
import type { Zone } from "../../../domain/Zone.ts"
import type { ZoneLocation } from "../../ProviderClient.ts"
import { ProviderFailure, type ZoneChanged } from "../../ProviderFailure.ts"
import { type AffectedNames, hostsInDomain, removedRecords } from "../affectedNames.ts"
import type { PowerDnsRecord, PowerDnsRRset, PowerDnsRRsetChange } from "./PowerDnsApi.ts"

/** The record sets of a zone, and what is served of them at and below the domain. */
export interface PowerDnsZone {
  readonly rrsets: ReadonlyArray<PowerDnsRRset>
  readonly zone: Zone
  /** What each record of the zone is made from. */
  readonly stored: ReadonlyMap<ZoneRecord, PowerDnsRecord>
}

export const toPowerDnsZone = (sets: ReadonlyArray<PowerDnsRRset>, place: ZoneLocation): PowerDnsZone => {
  const stored = new Map<ZoneRecord, PowerDnsRecord>(
    sets.flatMap((set) =>
      hostsInDomain(normalizeName(set.name), set.type, place).flatMap((host) =>
        set.records
          .filter(({ disabled }) => !disabled)
          .map((one) => [{ host, ttl: set.ttl, ...parseContent(set.type, one.content) }, one] as const)
      )
    )
  )
  return { rrsets: sets, stored, zone: { name: place.zone, basis: "provider", records: [...stored.keys()] } }
}

/**
 * The sets that the changes alter, as they have to be afterwards; what no change concerns, disabled records too, is
 * written back as it was read. Deletions come first, because a CNAME is refused beside what is deleted after it.
 */
export const planRRsetChanges = (
  { rrsets: sets, stored, zone }: PowerDnsZone,
  changes: ReadonlyArray<Change>,
  place: ZoneLocation
): Either.Either<ReadonlyArray<PowerDnsRRsetChange>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const departed = [...(yield* removedRecords(zone, changes)).values()].flat()
    const going = new Set(departed.map((record) => stored.get(record)))
    const coming = Map.groupBy(
      changes.flatMap(({ after }) => after ?? []),
      (record) => keyOf(setOf(record, place))
    )
    const altered = sets.filter((set) => coming.has(keyOf(set)) || set.records.some((record) => going.has(record)))
    const known = new Set(altered.map(keyOf))
    const created = [...coming].flatMap(([key, [first]]) =>
      first === undefined || known.has(key) ? [] : [{ ...setOf(first, place), ttl: first.ttl, records: [] }]
    )
    const results = yield* Either.all(
      [...altered, ...created].map((set) => setChange(set, going, coming.get(keyOf(set)) ?? []))
    )
    return Array.sortWith(results, ({ changetype }) => changetype, Order.string)
  })

/** All that stands at the names, in a form that is the same whenever it is the same. */
export const serializeRRsetsAt = (sets: ReadonlyArray<PowerDnsRRset>, { above, at }: AffectedNames): string =>
  sets
    .filter(
      ({ name, type }) =>
        (at.has(normalizeName(name)) && type !== "SOA") || (above.has(normalizeName(name)) && redirects.has(type))
    )
    .map((set) => [keyOf(set), set.ttl, ...set.records.map(recordText).toSorted()].join("\n"))
    .toSorted()
    .join("\n\n")

const redirects: ReadonlySet<string> = new Set(["NS", "DNAME"])

const recordText = ({ content, disabled }: PowerDnsRecord): string => `${disabled ? "- " : "+ "}${content}`

const keyOf = ({ name, type }: Pick<PowerDnsRRset, "name" | "type">): string => `${normalizeName(name)} ${type}`

/** A CNAME at the apex is an ALIAS here. */
const setOf = ({ host, type }: ChangeRecord, { domain, zone }: ZoneLocation): Pick<PowerDnsRRset, "name" | "type"> => ({
  name: `${toFqdn(host, domain)}.`,
  type: type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type
})

/** PowerDNS refuses a set that holds a record twice, even if one of the two is disabled. */
const setChange = (
  { name, records, ttl, type }: PowerDnsRRset,
  going: ReadonlySet<PowerDnsRecord | undefined>,
  coming: ReadonlyArray<ChangeRecord>
): Either.Either<PowerDnsRRsetChange, ProviderFailure> => {
  const contents = coming.map(formatContent)
  const staying = records.filter((record) => !going.has(record) && !contents.includes(record.content))
  if (staying.some(({ content }) => content.includes("\ufffd"))) return Either.left(unreadable(name, type))
  const members = [...staying, ...contents.map((content) => ({ content, disabled: false }))]
  return Either.right(
    members.length === 0
      ? { name, type, changetype: "DELETE" }
      : {
          name,
          type,
          changetype: "REPLACE",
          ttl: coming.length === 0 ? ttl : Math.min(...coming.map((record) => record.ttl)),
          records: members
        }
  )
}

const unreadable = (name: string, type: string): ProviderFailure =>
  new ProviderFailure({
    code: "apply_rejected",
    detail: `${type} ${name} holds bytes beside the change that the API does not show, and that it would lose`
  })

/** The content of a record as PowerDNS shows it, in the form of a `ZoneRecord`; what makes no sense stays as it is. */
export const parseContent = (type: string, content: string): RecordData & Pick<ZoneRecord, "type"> =>
  Either.getOrElse(parseRecordData([type, ...(content.match(words) ?? [])], "."), () => ({ type, value: content }))

/** The content that PowerDNS takes for a planned record: names end in a dot, texts are quoted. */
export const formatContent = ({ priority, type, value }: ChangeRecord): string => {
  if (type === "TXT") {
    return toCharacterStrings(value)
      .map((part) => `"${quotable(part)}"`)
      .join(" ")
  }
  if (!endsInName.has(type)) return value
  return [...(priority === undefined ? [] : [priority]), value.replace(/([^.])$/, "$1.")].join(" ")
}

/** Quoted strings, words, and words with a quoted string in them (RFC 9460). */
const words = /(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.)+/gs

const endsInName: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"])

const quotable = makeEscaper(/^[ !#-[\]-~]$/)
