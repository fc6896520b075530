import { Record } from "effect"
import { generic, type RecordDataReader } from "./RecordField.ts"
import {
  decodeData,
  encodeData,
  type RecordData,
  type RecordFormat,
  splitValue,
  valueFieldsOf
} from "./RecordFormat.ts"
import { type RecordType, recordTypes } from "./recordTypes.ts"
import { nullTarget } from "./target.ts"
import { writtenTypes, zoneTypes } from "./zoneTypes.ts"

export type RecordTypeName = RecordType | keyof typeof zoneTypes

const dnsTypes: { readonly [_ in RecordTypeName]: RecordFormat & { readonly code: number } } = {
  ...recordTypes,
  ...zoneTypes
}

const formats: ReadonlyMap<string, RecordFormat> = new Map(Object.entries({ ...dnsTypes, ...writtenTypes }))

/** The format of the data of a type; the data of an unknown one are generic. */
export const formatOf = (type: string): RecordFormat => formats.get(type) ?? unknownFormat

const unknownFormat: RecordFormat = { fields: { data: generic } }

/** Whether zone files may name the type. */
export const isKnownType = (type: string): boolean => formats.has(type)

export const typeCodeOf = (type: RecordTypeName): number => dnsTypes[type].code

const typeNames = Record.keys(dnsTypes)

export const knownTypeCodes: ReadonlyArray<number> = typeNames.map(typeCodeOf)

/** The name of a record type; a type without one here is called `TYPE65280` and so on (RFC 3597 section 5). */
export const typeNameOf = (code: number): string => namesByCode.get(code) ?? `TYPE${code}`

const namesByCode: ReadonlyMap<number, string> = new Map(typeNames.map((name) => [typeCodeOf(name), name]))

/** The record types of ordinary hosts that can be queried, in the order in which they are queried. */
export const queryableTypes: ReadonlyArray<RecordTypeName> = typeNames.filter(
  (name) => name in recordTypes || dnsTypes[name].queried !== undefined
)

/** Whether hardly any host has records of the type, so that a survey queries it at one server only. */
export const isRareType = (type: RecordTypeName): boolean => dnsTypes[type].queried === "rarely"

/** Whether a type is one that every server knows (RFC 1035); old servers and load balancers fail for others. */
export const isBasicType = (type: string): boolean => basicTypes.has(type)

const basicTypes: ReadonlySet<string> = new Set(["A", "CNAME", "MX", "NS", "SOA", "TXT"])

/** Whether a message may compress the names in the data of a type: its data are names and numbers. */
export const hasCompressibleNames = (type: string): boolean => {
  const forms = new Set(Object.values(formatOf(type).fields).map(({ form }) => form))
  return forms.has("name") && forms.isSubsetOf(new Set(["name", "number"]))
}

export const isNameType = (type: string): boolean => nameTypes.has(type)

const selectTypes = (isOne: (forms: ReadonlyArray<string>) => boolean): ReadonlySet<string> =>
  new Set(
    [...formats].flatMap(([type, format]) => (isOne(valueFieldsOf(format).map(({ form }) => form)) ? [type] : []))
  )

const nameTypes = selectTypes((forms) => forms.join(" ") === "name")
const typesWithNames = selectTypes((forms) => forms.includes("name"))

/** The names in a value of a type, without the one that means "no target". */
export const namesIn = (type: string, value: string): ReadonlyArray<string> => {
  const fields = valueFieldsOf(formatOf(type))
  return splitValue(formatOf(type), value).filter((text, at) => fields[at]?.form === "name" && text !== nullTarget)
}

/** Replaces the names in a value of a type; the name that means "no target" stays. */
export const mapNames = (type: string, value: string, replace: (name: string) => string): string => {
  if (!typesWithNames.has(type)) return value
  const format = formatOf(type)
  const fields = valueFieldsOf(format)
  return splitValue(format, value)
    .map((text, at) => (fields[at]?.form === "name" && text !== nullTarget ? replace(text) : text))
    .join(" ")
}

/** Decodes the `length` bytes of a record's data; those of an unknown type in the generic form (RFC 3597). */
export const decodeRecordData = (reader: RecordDataReader, type: string, length: number): RecordData =>
  reader.readExactly(length, () => decodeData(formatOf(type), reader))

/** Encodes the data of a record; `value` in normal form (see `DnsRecord`). */
export const encodeRecordData = ({ type, ...data }: RecordData & { readonly type: string }): Uint8Array =>
  encodeData(formatOf(type), data)
