import { Array, Either, Order } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import { apexHost, nameOf, plainName } from "../../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { hostsWithin } from "../hostsWithin.ts"
import type { Place } from "../ProviderClient.ts"
import { ProviderFailure, type ZoneChanged } from "../ProviderFailure.ts"
import { departing, type TouchedNames } from "../touched.ts"
import { contentOf, dataOf } from "./content.ts"
import type { Rrset, RrsetChange, StoredRecord } from "./PowerDnsApi.ts"

/** The record sets of a zone, and what is served of them at and below the domain. */
export interface ZoneSets {
  readonly sets: ReadonlyArray<Rrset>
  readonly zone: Zone
  /** What each record of the zone is made from. */
  readonly stored: ReadonlyMap<ZoneRecord, StoredRecord>
}

export const zoneSets = (sets: ReadonlyArray<Rrset>, place: Place): ZoneSets => {
  const stored = new Map<ZoneRecord, StoredRecord>(
    sets.flatMap((set) =>
      hostsWithin(plainName(set.name), set.type, place).flatMap((host) =>
        set.records
          .filter(({ disabled }) => !disabled)
          .map((one) => [{ host, ttl: set.ttl, ...dataOf(set.type, one.content) }, one] as const)
      )
    )
  )
  return { sets, stored, zone: { name: place.zone, basis: "provider", records: [...stored.keys()] } }
}

/**
 * The sets that the changes alter, as they have to be afterwards; what no change concerns, disabled records too, is
 * written back as it was read. Deletions come first, because a CNAME is refused beside what is deleted after it.
 */
export const setChanges = (
  { sets, stored, zone }: ZoneSets,
  changes: ReadonlyArray<Change>,
  place: Place
): Either.Either<ReadonlyArray<RrsetChange>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const departed = [...(yield* departing(zone, changes)).values()].flat()
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
export const standingAt = (sets: ReadonlyArray<Rrset>, { above, at }: TouchedNames): string =>
  sets
    .filter(
      ({ name, type }) =>
        (at.has(plainName(name)) && type !== "SOA") || (above.has(plainName(name)) && redirects.has(type))
    )
    .map((set) => [keyOf(set), set.ttl, ...set.records.map(recordText).toSorted()].join("\n"))
    .toSorted()
    .join("\n\n")

const redirects: ReadonlySet<string> = new Set(["NS", "DNAME"])

const recordText = ({ content, disabled }: StoredRecord): string => `${disabled ? "- " : "+ "}${content}`

const keyOf = ({ name, type }: Pick<Rrset, "name" | "type">): string => `${plainName(name)} ${type}`

/** A CNAME at the apex is an ALIAS here. */
const setOf = ({ host, type }: ChangeRecord, { domain, zone }: Place): Pick<Rrset, "name" | "type"> => ({
  name: `${nameOf(host, domain)}.`,
  type: type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type
})

/** PowerDNS refuses a set that holds a record twice, even if one of the two is disabled. */
const setChange = (
  { name, records, ttl, type }: Rrset,
  going: ReadonlySet<StoredRecord | undefined>,
  coming: ReadonlyArray<ChangeRecord>
): Either.Either<RrsetChange, ProviderFailure> => {
  const contents = coming.map(contentOf)
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
