import { Array, Either, Option } from "effect"
import { apexHost, type DomainName, parseHost, toFqdn } from "../domain/names/DomainName.ts"
import { type ErrorDetail, toJsonPointer } from "../domain/error/ErrorDetail.ts"
import { type Change, type ChangeRecord, hostOfChange } from "../domain/plan/Plan.ts"
import type { TestRecordSet } from "../domain/testmode/TestZone.ts"
import { keyOf } from "../providers/writing/RecordSet.ts"
import { formatContent, parseContent, parseValidContent } from "../providers/writing/recordContent.ts"

/** The records of one type that another writer sets at a host in test mode; none to remove them. */
export interface ForeignRecordSet {
  readonly host: string
  readonly type: string
  /** Each as in a zone file, but for a text, which has no quotes, and names, which need no final dot. */
  readonly values: ReadonlyArray<string>
}

/** The records of one name and type in a test zone, with values in the form of `ForeignRecordSet`. */
export interface ZoneRecordSet extends Omit<ForeignRecordSet, "host"> {
  readonly name: string
  readonly ttl: number
}

/** The record sets of a zone in the form in which they can be changed. */
export const toZoneRecords = (sets: ReadonlyArray<TestRecordSet>): ReadonlyArray<ZoneRecordSet> =>
  sets.map(({ name, records, ttl, type }) => ({
    name,
    type: type === "ALIAS" ? "CNAME" : type,
    ttl,
    values: records.map(({ content }) => {
      const { priority, value } = parseContent(type, content)
      return priority === undefined ? value : `${priority} ${value}`
    })
  }))

/** A zone after one change of a plan, as the customer enters it. */
export const makeChange = (
  sets: ReadonlyArray<TestRecordSet>,
  { after, before }: Pick<Change, "after" | "before">,
  { domain, zone }: TestZoneScope
): ReadonlyArray<TestRecordSet> => {
  const ownerOf = (record: ChangeRecord) => toOwner(toFqdn(record.host, domain), record.type, zone)
  const removed =
    before === undefined ? sets : editSet(sets, { ...ownerOf(before), ttl: before.ttl }, without(formatContent(before)))
  if (after === undefined) return removed
  const content = formatContent(after)
  return editSet(removed, { ...ownerOf(after), ttl: after.ttl }, (contents) => [...without(content)(contents), content])
}

const without = (content: string) => (contents: ReadonlyArray<string>) => contents.filter((each) => each !== content)

/** Replaces one record set of a zone, as another writer does. */
export const replaceSet = (
  sets: ReadonlyArray<TestRecordSet>,
  { contents, owner }: ReplacedSet
): ReadonlyArray<TestRecordSet> => editSet(sets, { ...owner, ttl: foreignTtl }, () => contents)

/** A record set that another writer replaces; without records it is removed. */
interface ReplacedSet {
  readonly owner: Pick<TestRecordSet, "name" | "type">
  readonly contents: ReadonlyArray<string>
}

/** The domain of a connection, and the zone that it is in. */
export interface TestZoneScope {
  readonly domain: DomainName
  readonly zone: string
}

/** Parses the records of another writer; otherwise returns the faults. */
export const parseForeignSets = (
  records: ReadonlyArray<ForeignRecordSet>,
  { domain, zone }: TestZoneScope
): Either.Either<ReadonlyArray<ReplacedSet>, ReadonlyArray<ErrorDetail>> =>
  collect(
    records.map(({ host, type, values }, nth) => {
      const pointerTo = (...path: ReadonlyArray<string | number>) => toJsonPointer(["records", nth, ...path])
      return Either.flatMap(parseHostAt(host, domain, pointerTo("host")), (host) =>
        Either.map(
          collect(values.map((value, at) => parseForeignValue(type, value, pointerTo("values", at)))),
          (contents): ReplacedSet => ({ owner: toOwner(toFqdn(host, domain), type, zone), contents })
        )
      )
    })
  )

/** The hosts of a plan that are named, or all of them; otherwise, which of the named ones it does not change. */
export const parseHosts = (
  named: Option.Option<ReadonlyArray<string>>,
  changes: ReadonlyArray<Change>,
  domain: DomainName
): Either.Either<ReadonlySet<string>, ReadonlyArray<ErrorDetail>> => {
  const changed = new Set(changes.map(hostOfChange))
  if (Option.isNone(named)) return Either.right(changed)
  const hosts = named.value.map((host, nth) => {
    const pointer = toJsonPointer(["hosts", nth])
    return Either.filterOrLeft(
      parseHostAt(host, domain, pointer),
      (host) => changed.has(host),
      (): ReadonlyArray<ErrorDetail> => [
        { pointer, code: "host_not_in_plan", message: "the plan changes nothing at this host" }
      ]
    )
  })
  return Either.map(collect(hosts), (hosts) => new Set(hosts))
}

const parseHostAt = (host: string, domain: DomainName, pointer: string) =>
  Either.mapLeft(parseHost(host, domain), (issue): ReadonlyArray<ErrorDetail> => [{ pointer, ...issue }])

/** A priority is written before the value, as zone files do. */
const parseForeignValue = (type: string, value: string, pointer: string) => {
  const content = formatContent({ host: apexHost, type, value, ttl: foreignTtl, optional: false })
  return Either.mapBoth(parseValidContent(type, content), {
    onLeft: (message): ReadonlyArray<ErrorDetail> => [{ pointer, code: "invalid_value", message }],
    onRight: () => content
  })
}

/** All values, or else all faults. */
const collect = <A, E>(
  parsed: ReadonlyArray<Either.Either<A, ReadonlyArray<E>>>
): Either.Either<ReadonlyArray<A>, ReadonlyArray<E>> => {
  const [faults, values] = Array.separate(parsed)
  return faults.length === 0 ? Either.right(values) : Either.left(faults.flat())
}

/** A provider keeps a CNAME at the apex as an alias. */
const toOwner = (name: string, type: string, zone: string) => ({
  name,
  type: type === "CNAME" && name === zone ? "ALIAS" : type
})

const editSet = (
  sets: ReadonlyArray<TestRecordSet>,
  owner: Omit<TestRecordSet, "records">,
  edit: (contents: ReadonlyArray<string>) => ReadonlyArray<string>
): ReadonlyArray<TestRecordSet> => {
  const existing = sets.find((set) => keyOf(set) === keyOf(owner))
  const records = edit((existing?.records ?? []).map(({ content }) => content)).map((content) => ({ content }))
  return [...sets.filter((set) => set !== existing), ...(Array.isNonEmptyArray(records) ? [{ ...owner, records }] : [])]
}

/** The TTL of the records that another writer sets, in seconds. */
const foreignTtl = 300
