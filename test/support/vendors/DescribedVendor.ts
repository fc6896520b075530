import { Effect, type Scope } from "effect"
import type { LabRecord } from "../lab/packet.ts"
import { parseZone, recordsOf } from "../lab/Zone.ts"
import {
  type FakeVendor,
  type FakeVendorOptions,
  type FakeVendorSpec,
  makeFakeVendor,
  type VendorOperation
} from "./FakeVendor.ts"
import { makeRateLimit, type RateLimit } from "./rateLimit.ts"
import type { VendorAnswer, VendorCall } from "./VendorCall.ts"
import type { VendorDocument } from "./VendorDocument.ts"
import {
  type ConflictRules,
  endActions,
  type EnteredRecord,
  findConflict,
  type LabFields,
  serveZone,
  toLabData,
  toLabFields,
  type VendorRecord,
  type VendorZones,
  withRecordsOf
} from "./VendorZones.ts"

/** An API of DNS records, as a description from which its fake is made. `Data` is what the vendor keeps of a record. */
export interface VendorDescription<Data> extends Pick<
  FakeVendorSpec<VendorZones<Data>>,
  "authenticate" | "baseUrl" | "bodies" | "headers" | "lists" | "operations" | "reads"
> {
  readonly document?: () => Promise<VendorDocument>
  /** The records that the vendor gives every zone. */
  readonly ownRecords: (zone: string) => ReadonlyArray<EnteredRecord<Data>>
  /** What the vendor keeps of the fields of a record, in the words of its API; a text says why it refuses the record. */
  readonly toData: (record: Omit<EnteredRecord<Data>, "data">, fields: LabFields, zone: string) => Data | string
  /** The vendor keeps all data of a record as a zone file has them, so that nothing is divided into fields. */
  readonly keepsZoneFileData?: true
  /** The fields of a zone file as somebody enters them at the vendor, where that is different. */
  readonly toEnteredFields?: (type: string, fields: LabFields) => LabFields
  /** The operation without which no write is served; what somebody enters by hand is served at once. */
  readonly servesAfter?: string
  /** The fields of what the vendor keeps. */
  readonly toFields: (record: EnteredRecord<Data>, zone: string) => LabFields
  /** The type under which a record is stored, where that is another one. */
  readonly toStoredType?: (record: LabRecord, zone: string) => string
  /** The least and the highest TTL; the vendor refuses others. */
  readonly ttl?: { readonly minimum: number; readonly maximum?: number }
  /** Without it the fake takes calls as often as they come. */
  readonly rateLimit?: RateLimit
  /** The answer to a call that is refused. */
  readonly refuse: (reason: VendorRefusalReason, detail: string) => VendorAnswer
}

/** Why a fake refuses a call, whatever the vendor's word for it. */
type VendorRefusalReason = "malformed" | "no path" | "no zone" | "no record" | "invalid" | "alias" | "duplicate"

/** The zones of a fake by name: their records as lines of a zone file, or as the vendor keeps them. */
export type DescribedZones<Data> = Readonly<Record<string, string | ReadonlyArray<EnteredRecord<Data>>>>

/** Starts the fake of a vendor. */
export const makeDescribedVendor = <Data>(
  description: VendorDescription<Data>,
  zones: DescribedZones<Data>,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<VendorZones<Data>>, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(async () => description.document?.()),
    (document) => {
      const { authenticate, baseUrl, bodies, headers, lists, operations, rateLimit, reads, refuse } = description
      const refuseEarly = rateLimit === undefined ? () => undefined : makeRateLimit(rateLimit)
      return makeFakeVendor(
        {
          baseUrl,
          initial: describedZones(description, zones),
          ...(document === undefined ? {} : { document }),
          authenticate: (...request) => authenticate(...request) ?? refuseEarly(request[1]),
          operations,
          lists,
          refuse: (status, problems) => refuse(status === 404 ? "no path" : "malformed", problems.join("; ")),
          ...(bodies === undefined ? {} : { bodies }),
          ...(headers === undefined ? {} : { headers }),
          ...(reads === undefined ? {} : { reads })
        },
        options
      )
    }
  )

/** The state of a fake with these zones. */
export const describedZones = <Data>(
  description: VendorDescription<Data>,
  zones: DescribedZones<Data>
): VendorZones<Data> =>
  Object.entries(zones).reduce<VendorZones<Data>>(
    (state, [zone, records]) => {
      const entered = typeof records === "string" ? enterLines(description, zone, records) : records
      const next = withRecordsOf(state, zone, [...description.ownRecords(zone), ...entered])
      return description.servesAfter !== undefined ? serveZone(next, zone) : next
    },
    { zones: {}, nextId: 1000 }
  )

const enterLines = <Data>(description: VendorDescription<Data>, zone: string, lines: string) =>
  recordsOf(parseZone(zone, lines))
    .filter(({ type }) => type !== "SOA")
    .map((record) => enterRecord(description, record, zone))

/** What the vendor keeps of a record that somebody enters by hand; throws for one that it refuses. */
export const enterRecord = <Data>(
  description: VendorDescription<Data>,
  record: LabRecord,
  zone: string
): EnteredRecord<Data> => {
  const entered = tryToEnter(description, record, zone)
  if (typeof entered === "string") throw new Error(`${record.name} ${record.type}: ${entered}`)
  return entered
}

/** The same, with a text that says why the vendor refuses a record. Its page offers only TTLs that it takes. */
export const tryToEnter = <Data>(
  description: VendorDescription<Data>,
  record: LabRecord,
  zone: string
): EnteredRecord<Data> | string => {
  const { maximum = Infinity, minimum = 0 } = description.ttl ?? {}
  const { toEnteredFields = (_, fields) => fields, toStoredType = () => record.type } = description
  const name = record.name.replace(/\.$/, "").toLowerCase()
  const type = toStoredType({ ...record, name }, zone)
  const fields =
    description.keepsZoneFileData === true ? { value: record.data } : toLabFields({ type, data: record.data })
  const ttl = Math.min(Math.max(record.ttl, minimum), maximum)
  return keepRecord(description, { name, type, ttl }, toEnteredFields(type, fields), zone)
}

/** What the vendor keeps of the fields that a request has, or why it refuses them. */
export const keepRecord = <Data>(
  { toData, ttl: range }: VendorDescription<Data>,
  record: Omit<EnteredRecord<Data>, "data">,
  fields: LabFields,
  zone: string
): EnteredRecord<Data> | string => {
  const { maximum = Infinity, minimum = 0 } = range ?? {}
  if (record.ttl < minimum || record.ttl > maximum) return `a TTL is from ${minimum} to ${maximum}`
  const data = toData(record, fields, zone)
  return typeof data === "string" ? data : { ...record, data }
}

/** A record as a line of a zone file; an alias of any name is a CNAME. */
export const toZoneFileLine = <Data>(
  description: VendorDescription<Data>,
  record: EnteredRecord<Data>,
  zone: string
): string => {
  const type = /^(ALIAS|ANAME)$/.test(record.type) ? "CNAME" : record.type
  const fields = description.toFields(record, zone)
  const data = description.keepsZoneFileData === true ? fields.value : toLabData(type, fields)
  return [`${record.name}.`, record.ttl, type, data].join(" ")
}

/** Replaces the sets of these records, as somebody else would; records that stay keep their ids. */
export const enterSets = <Data>(
  description: VendorDescription<Data>,
  state: VendorZones<Data>,
  zone: string,
  records: ReadonlyArray<LabRecord>
): VendorZones<Data> => {
  const lineOf = (record: EnteredRecord<Data>) => toZoneFileLine(description, record, zone)
  const entered = new Map(
    records.map((record) => enterRecord(description, record, zone)).map((record) => [lineOf(record), record] as const)
  )
  const keyOf = ({ name, type }: EnteredRecord<Data>) => `${name.toLowerCase()} ${type}`
  const replaced = new Set([...entered.values()].map(keyOf))
  const before = state.zones[zone] ?? []
  const kept = before.filter((record) => !replaced.has(keyOf(record)) || entered.has(lineOf(record)))
  const lines = new Set(kept.map(lineOf))
  const next = withRecordsOf(state, zone, [
    ...kept,
    ...[...entered].flatMap(([line, record]) => (lines.has(line) ? [] : record))
  ])
  return description.servesAfter !== undefined ? serveZone(next, zone) : next
}

/** A call about a zone that the account has. */
export interface DescribedCall extends VendorCall {
  readonly zone: string
  readonly body: any
}

/** What an operation answers, and the records of the zone from then on, if it changes any; or all of the state. */
export type ZoneAnswer<Data> = VendorAnswer & {
  readonly records?: ReadonlyArray<EnteredRecord<Data> & { readonly id?: string }>
  readonly state?: VendorZones<Data>
}

/**
 * Makes an operation on the records of the zone that a call names, after the actions that end before it; `show` makes the
 * answer from the changed records.
 */
export const inZoneOf =
  <Data>(
    description: () => Pick<VendorDescription<Data>, "refuse">,
    nameOf: (call: VendorCall, state: VendorZones<Data>) => string = ({ pathParameters }) =>
      Object.values(pathParameters)[0] ?? ""
  ) =>
  (
    operation: (
      call: DescribedCall,
      records: ReadonlyArray<VendorRecord<Data>>,
      state: VendorZones<Data>
    ) => ZoneAnswer<Data>,
    show?: (records: ReadonlyArray<VendorRecord<Data>>, zone: string) => unknown
  ): VendorOperation<VendorZones<Data>> =>
  (call, stored) => {
    const state = endActions(stored, call.now)
    const zone = nameOf(call, state)
    const before = state.zones[zone]
    if (before === undefined) return description().refuse("no zone", zone)
    const { records, ...answer } = operation({ ...call, zone }, before, state)
    if (records === undefined) return answer
    const next = withRecordsOf(state, zone, records)
    const known = new Set<unknown>(before)
    const changed = (next.zones[zone] ?? []).filter((_, index) => !known.has(records[index]))
    return { ...answer, ...(show === undefined ? {} : { body: show(changed, zone) }), state: next }
  }

/** Adds records to others, unless the vendor refuses one of them: for its data, as a text says, or beside the others. */
export const addRecords = <Data>(
  vendor: Pick<VendorDescription<Data>, "refuse">,
  others: ReadonlyArray<EnteredRecord<Data>>,
  added: ReadonlyArray<EnteredRecord<Data> | string>,
  { answer = { status: 200 }, ...rules }: ConflictRules & { readonly answer?: VendorAnswer } = {}
): ZoneAnswer<Data> => {
  const kept = added.filter((record) => typeof record !== "string")
  const [fault] = added.filter((record) => typeof record === "string")
  if (fault !== undefined) return vendor.refuse("invalid", fault)
  return refuseConflicts(vendor, others, kept, rules) ?? { ...answer, records: [...others, ...kept] }
}

/** The refusal of records that cannot stand in their zone, if one of them cannot. */
export const refuseConflicts = <Data>(
  { refuse }: Pick<VendorDescription<Data>, "refuse">,
  others: ReadonlyArray<EnteredRecord<Data>>,
  added: ReadonlyArray<EnteredRecord<Data>>,
  rules?: ConflictRules
): VendorAnswer | undefined => {
  const found = added.flatMap(
    (record, index) => findConflict([...others, ...added.slice(0, index)], record, rules) ?? []
  )
  return found[0] === undefined ? undefined : refuse(found[0], `${added[0]?.type} ${added[0]?.name}`)
}

/** The page of a list that a call asks for by its number, and whether others follow. */
export const selectPage = <Item>(
  { query }: Pick<VendorCall, "query">,
  items: ReadonlyArray<Item>,
  { most = Infinity, perPage, size }: { readonly most?: number; readonly perPage: number; readonly size: string }
) => {
  const length = Math.min(Number(query.get(size) ?? perPage), most)
  const page = Number(query.get("page") ?? 1)
  return {
    page,
    length,
    last: Math.max(1, Math.ceil(items.length / length)),
    items: items.slice((page - 1) * length, page * length)
  }
}

/** The page of a list that begins with the item that a call names by its number, and the number of the next page. */
export const selectPageFrom = <Item>(
  { query }: Pick<VendorCall, "query">,
  items: ReadonlyArray<Item>,
  { first: from, perPage, size }: { readonly first: string; readonly perPage: number; readonly size: string }
) => {
  const first = Number(query.get(from) ?? 0)
  const next = first + Number(query.get(size) ?? perPage)
  return { items: items.slice(first, next), ...(next < items.length ? { next } : {}) }
}
