import { knownTypeCodes, typeCodeOf, typeNameOf } from "../../../domain/records/dnsTypes.ts"
import { type Bytes, encodeName, encodeUint16 } from "../../../domain/records/encodeName.ts"
import type { RawRecord } from "../../../dns/wire/SignedMessage.ts"
import { reservedTypes } from "../../../planning/zone/LiveZone.ts"
import type { AffectedNames } from "../../writing/AffectedNames.ts"
import { classAny, classIn, classNone } from "../../../dns/wire/classes.ts"

/** The records that an update removes and adds, and the names where the zone must still be as it was read. */
export interface ZoneUpdate {
  readonly zone: string
  readonly current: ReadonlyArray<RawRecord>
  readonly affected: AffectedNames
  readonly removed: ReadonlyArray<RawRecord>
  readonly added: ReadonlyArray<RawRecord>
}

/** Encodes an update (RFC 2136): the server makes all of it, and only if nothing has changed at the affected names. */
export const encodeUpdate = (id: number, update: ZoneUpdate): Uint8Array => {
  const prerequisites = prerequisitesOf(update)
  const updates = updatesOf(update)
  const header = [id, opcodeUpdate, 1, prerequisites.length, updates.length, 0].flatMap(encodeUint16)
  const zone = [...encodeName(update.zone), ...encodeUint16(typeCodeOf("SOA")), ...encodeUint16(classIn)]
  return Buffer.concat([Uint8Array.from([...header, ...zone]), ...prerequisites, ...updates])
}

const opcodeUpdate = 5 << 11
const anyType = 255

const encodeRecord = (
  name: string,
  code: number,
  { class: classCode, ttl = 0 }: { readonly class: number; readonly ttl?: number },
  data: Bytes = []
) =>
  Uint8Array.from([
    ...encodeName(name),
    ...encodeUint16(code),
    ...encodeUint16(classCode),
    ...encodeUint16(Math.floor(ttl / 2 ** 16)),
    ...encodeUint16(ttl % 2 ** 16),
    ...encodeUint16(data.length),
    ...data
  ])

const add = ({ code, data, name, ttl }: RawRecord) => encodeRecord(name, code, { class: classIn, ttl }, data)

const removeAll = (name: string) => encodeRecord(name, anyType, { class: classAny })

/**
 * Adds NS records at the apex first: a server keeps the last one of a zone (RFC 2136 section 3.4.2.4). Clears a name that
 * becomes an alias: Knot 3.2 silently ignores it beside signatures.
 */
const updatesOf = ({ added, removed, zone }: ZoneUpdate): ReadonlyArray<Uint8Array> => {
  const isApexNs = ({ code, name }: RawRecord) => name === zone && code === typeCodeOf("NS")
  const aliases = new Set(added.filter(({ code }) => code === typeCodeOf("CNAME")).map(({ name }) => name))
  const cleared = aliases.intersection(new Set(removed.map(({ name }) => name)))
  return [
    ...added.filter(isApexNs).map(add),
    ...[...cleared].map(removeAll),
    ...removed.filter(({ name }) => !cleared.has(name)).map(remove),
    ...added.filter((record) => !isApexNs(record)).map(add)
  ]
}

const remove = ({ code, data, name }: RawRecord) => encodeRecord(name, code, { class: classNone }, data)

/** Requires each RRset at an affected name unchanged, and no RRset that matters added (RFC 2136 section 2.4). */
const prerequisitesOf = ({ added, removed, current, affected }: ZoneUpdate): ReadonlyArray<Uint8Array> => {
  const userRecords = current.filter(({ code, name }) => affected.at.has(name) && isUserRecordType(code))
  const byName = Map.groupBy(userRecords, ({ name }) => name)
  const changing = Map.groupBy([...removed, ...added], ({ name }) => name)
  return [
    ...[...affected.at].flatMap((name) => {
      const records = byName.get(name)
      return records === undefined
        ? [encodeRecord(name, anyType, { class: classNone })]
        : encodeRRsetPrerequisites(name, records, listWatchedTypes(changing.get(name) ?? []))
    }),
    ...[...affected.above].flatMap((name) =>
      encodeRRsetPrerequisites(
        name,
        current.filter((record) => record.name === name && redirects.includes(record.code)),
        redirects
      )
    )
  ]
}

const encodeRRsetPrerequisites = (
  name: string,
  records: ReadonlyArray<RawRecord>,
  watchedCodes: ReadonlyArray<number>
) => {
  const present = new Set(records.map(({ code }) => code))
  return [
    ...records.map(({ code, data }) => encodeRecord(name, code, { class: classIn }, data)),
    ...watchedCodes.filter((code) => !present.has(code)).map((code) => encodeRecord(name, code, { class: classNone }))
  ]
}

/** Types that change by themselves, with BIND's signing state (TYPE65534), and OPT, which is in no zone. */
const serverTypes: ReadonlySet<string> = new Set([...reservedTypes, "TYPE65534", "OPT"])

/** Whether a user writes the records of the type; servers add and remove what signing needs by themselves. */
export const isUserRecordType = (code: number): boolean => !serverTypes.has(typeNameOf(code))

const redirects = [typeCodeOf("NS"), typeCodeOf("DNAME")]

/** A server silently ignores a CNAME if there are other records at its name (RFC 2136 section 3.4.2.2). */
const listWatchedTypes = (changing: ReadonlyArray<RawRecord>): ReadonlyArray<number> => {
  const codes = new Set(changing.map(({ code }) => code))
  return codes.has(typeCodeOf("CNAME")) ? allUserTypes : [...codes.union(new Set([typeCodeOf("CNAME"), ...redirects]))]
}

const allUserTypes = knownTypeCodes.filter(isUserRecordType)
