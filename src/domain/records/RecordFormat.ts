import { Either, type Option } from "effect"
import type { ValueIssue } from "../error/ErrorDetail.ts"
import { parseGeneric, type RecordDataReader, type RecordField } from "./RecordField.ts"
import { type ParseResult, splitWords } from "./presentation.ts"

/** The data of a record: `value` in the form of `ZoneRecord`, and the priority of an MX or SRV apart from it. */
export interface RecordData {
  readonly value: string
  readonly priority?: number
}

export interface RecordFormat {
  /** The code of the type (IANA, Domain Name System Parameters); absent if only providers or zone files know the type. */
  readonly code?: number
  /** The fields in the order of the presentation format. */
  readonly fields: Readonly<Record<string, RecordField>>
  /** Where the first field is a priority, which stands apart from the value. */
  readonly priority?: PriorityRule
  /** Decodes the value where the fields do not depend on the bytes alone. */
  readonly decode?: (reader: RecordDataReader) => string
  /** Parses the words of a zone file where they are not read field by field. */
  readonly parseWords?: (words: ReadonlyArray<string>) => ParseResult<string>
  /** How surveys of a zone query the type: at every server, or `rarely`, at one only if all else is equal there. */
  readonly queried?: "everywhere" | "rarely"
}

/** The default priority of a desired record, and the check of another one. */
interface PriorityRule {
  readonly defaultOf: (value: string) => number
  readonly check?: (value: string, priority: number) => Option.Option<ValueIssue>
}

export const defaultPriority = 10

export const valueFieldsOf = (format: RecordFormat): ReadonlyArray<RecordField> =>
  format.priority === undefined ? listFields(format) : listFields(format).slice(1)

/** Lists the fields once for each format: messages and zones have many records. */
const listFields = (format: RecordFormat): ReadonlyArray<RecordField> => {
  const list = fieldLists.get(format) ?? Object.values(format.fields)
  fieldLists.set(format, list)
  return list
}

const fieldLists = new WeakMap<RecordFormat, ReadonlyArray<RecordField>>()

export const splitValue = (format: RecordFormat, value: string): ReadonlyArray<string> => {
  const { length } = valueFieldsOf(format)
  if (length === 1) return [value]
  const words = splitWords(value)
  const rest = words.slice(length - 1).join(" ")
  return [...words.slice(0, length - 1), ...(rest === "" ? [] : [rest])]
}

export const divideWords = (
  type: string,
  fields: RecordFormat["fields"],
  words: ReadonlyArray<string>
): ParseResult<ReadonlyArray<readonly [field: RecordField, words: ReadonlyArray<string>]>> => {
  const list = Object.values(fields)
  const last = list.length - 1
  const takes = list[last]?.takes
  const least = takes === "any" ? last : last + 1
  return words.length === least || (takes !== undefined && words.length > least)
    ? Either.right(list.map((field, at) => [field, words.slice(at, at === last ? undefined : at + 1)] as const))
    : Either.left(
        `${words.length} ${words.length === 1 ? "word" : "words"} of data, where ${type} needs ${takes === undefined ? "" : "at least "}${least}`
      )
}

/** Parses the words of a zone file, with relative names below `origin`. */
export const parseWords = (
  format: RecordFormat,
  words: ReadonlyArray<string>,
  { origin, type }: { readonly origin: string; readonly type: string }
): ParseResult<RecordData> =>
  Either.gen(function* () {
    const divided = yield* divideWords(type, format.fields, words)
    const texts = yield* Either.all(divided.map(([field, own]) => field.parse(own, origin)))
    return format.parseWords === undefined ? joinTexts(format, texts) : { value: yield* format.parseWords(words) }
  })

export const decodeData = (format: RecordFormat, reader: RecordDataReader): RecordData =>
  format.decode === undefined
    ? joinTexts(
        format,
        listFields(format).map((field) => field.decode(reader))
      )
    : { value: format.decode(reader) }

export const encodeData = (format: RecordFormat, { priority = 0, value }: RecordData): Uint8Array => {
  const fields = listFields(format)
  const texts = [...(format.priority === undefined ? [] : [`${priority}`]), ...splitValue(format, value)]
  return (
    (fields.length === 1 ? undefined : parseGeneric(value)) ??
    Uint8Array.from(fields.flatMap((field, at) => [...field.encode(texts[at] ?? "")]))
  )
}

const joinTexts = (format: RecordFormat, texts: ReadonlyArray<string>): RecordData => {
  const [first = "", ...others] = texts
  if (texts.length === 1) return { value: first }
  const value = (format.priority === undefined ? texts : others).filter((text) => text !== "").join(" ")
  return format.priority === undefined ? { value } : { priority: Number(first), value }
}
