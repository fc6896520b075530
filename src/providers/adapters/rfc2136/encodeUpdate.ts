import type { RawRecord } from "../../../dns/wire/SignedMessage.ts"
import { type Bytes, encodeName, encodeUint16 } from "../../../dns/wire/encodeName.ts"
import { classAny, classIn, classNone, knownTypeCodes, typeCodeOf, typeNameOf } from "../../../dns/wire/recordTypes.ts"
import { reservedTypes } from "../../../planning/zone/LiveZone.ts"
import type { AffectedNames } from "../affectedNames.ts"

/** What an update takes from a zone and puts there, and the names where the zone must still be as it was. */
export interface ZoneUpdate {
  readonly zone: string
  readonly current: ReadonlyArray<RawRecord>
  readonly affected: AffectedNames
  readonly removed: ReadonlyArray<RawRecord>
  readonly added: ReadonlyArray<RawRecord>
}

/** The bytes of an update (RFC 2136), which does all or nothing, on the condition that nothing has changed. */
export const encodeUpdate = (id: number, update: ZoneUpdate): Uint8Array => {
  const conditions = conditionsOf(update)
  const steps = stepsOf(update)
  const header = [id, opcodeUpdate, 1, conditions.length, steps.length, 0].flatMap(encodeUint16)
  const zone = [...encodeName(update.zone), ...encodeUint16(typeCodeOf("SOA")), ...encodeUint16(classIn)]
  return Buffer.concat([Uint8Array.from([...header, ...zone]), ...conditions, ...steps])
}

const opcodeUpdate = 5 << 11
const anyType = 255

const resource = (
  name: string,
  code: number,
  about: { readonly class: number; readonly ttl?: number },
  data: Bytes = []
) =>
  Uint8Array.from([
    ...encodeName(name),
    ...encodeUint16(code),
    ...encodeUint16(about.class),
    ...encodeUint16(Math.floor((about.ttl ?? 0) / 2 ** 16)),
    ...encodeUint16((about.ttl ?? 0) % 2 ** 16),
    ...encodeUint16(data.length),
    ...data
  ])

const add = ({ code, data, name, ttl }: RawRecord) => resource(name, code, { class: classIn, ttl }, data)

const removeAll = (name: string) => resource(name, anyType, { class: classAny })

/**
 * What comes to the apex as NS comes first: a server keeps the last one of a zone (RFC 2136 section 3.4.2.4). A name that
 * becomes an alias is cleared as a whole: with signatures left at it, Knot 3.2 leaves the alias out without a word.
 */
const stepsOf = ({ added: coming, removed: going, zone }: ZoneUpdate): ReadonlyArray<Uint8Array> => {
  const isOfZone = ({ code, name }: RawRecord) => name === zone && code === typeCodeOf("NS")
  const aliases = new Set(coming.filter(({ code }) => code === typeCodeOf("CNAME")).map(({ name }) => name))
  const cleared = aliases.intersection(new Set(going.map(({ name }) => name)))
  return [
    ...coming.filter(isOfZone).map(add),
    ...[...cleared].map(removeAll),
    ...going.filter(({ name }) => !cleared.has(name)).map(remove),
    ...coming.filter((record) => !isOfZone(record)).map(add)
  ]
}

const remove = ({ code, data, name }: RawRecord) => resource(name, code, { class: classNone }, data)

/** RFC 2136 section 2.4: each set that stands at a touched name is what it was, and none that matters has come. */
const conditionsOf = ({
  added: coming,
  removed: going,
  current: standing,
  affected: touched
}: ZoneUpdate): ReadonlyArray<Uint8Array> => {
  const here = standing.filter(({ code, name }) => touched.at.has(name) && isUserRecordType(code))
  const byName = Map.groupBy(here, ({ name }) => name)
  const changing = Map.groupBy([...going, ...coming], ({ name }) => name)
  return [
    ...[...touched.at].flatMap((name) => {
      const records = byName.get(name)
      return records === undefined
        ? [resource(name, anyType, { class: classNone })]
        : setConditions(name, records, watchedAt(changing.get(name) ?? []))
    }),
    ...[...touched.above].flatMap((name) =>
      setConditions(
        name,
        standing.filter((record) => record.name === name && redirects.includes(record.code)),
        redirects
      )
    )
  ]
}

const setConditions = (name: string, records: ReadonlyArray<RawRecord>, watched: ReadonlyArray<number>) => {
  const present = new Set(records.map(({ code }) => code))
  return [
    ...records.map(({ code, data }) => resource(name, code, { class: classIn }, data)),
    ...watched.filter((code) => !present.has(code)).map((code) => resource(name, code, { class: classNone }))
  ]
}

/** What changes at any time, BIND's notes on signing (TYPE65534) with it; OPT stands in no zone. */
const volatile: ReadonlySet<string> = new Set([...reservedTypes, "TYPE65534", "OPT"])

/** Whether records of the type are there because somebody wants them; what signing needs comes and goes by itself. */
export const isUserRecordType = (code: number): boolean => !volatile.has(typeNameOf(code))

const redirects = [typeCodeOf("NS"), typeCodeOf("DNAME")]

/** Whatever stands beside a CNAME makes a server leave it out without a word (RFC 2136 section 3.4.2.2). */
const watchedAt = (changing: ReadonlyArray<RawRecord>): ReadonlyArray<number> => {
  const codes = new Set(changing.map(({ code }) => code))
  return codes.has(typeCodeOf("CNAME")) ? besideAlias : [...codes.union(new Set([typeCodeOf("CNAME"), ...redirects]))]
}

const besideAlias = knownTypeCodes.filter(isUserRecordType)
