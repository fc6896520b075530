import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { unquoteText } from "../../domain/records/unquoteText.ts"
import { formatOf } from "../../domain/records/dnsTypes.ts"
import { escapeQuoted, parseLabel, splitWords } from "../../domain/records/presentation.ts"
import { escapeBySign } from "./recordContent.ts"

/** The data of a record in fields of their own, as providers of single records have them. */
interface RecordFields {
  readonly priority?: number
  readonly weight?: number
  readonly port?: number
  readonly flags?: number
  readonly tag?: string
  /** The target of an MX or SRV, the value of a CAA without quotes and escapes, or all of the data. */
  readonly value: string
}

/** Divides the data of a planned record into fields. */
export const toRecordFields = ({ priority = 0, type, value }: ChangeRecord): RecordFields => {
  if (type === "MX") return { priority, value }
  if (type === "SRV") {
    const [weight, port, target = ""] = value.split(" ")
    return { priority, weight: Number(weight), port: Number(port), value: target }
  }
  if (type !== "CAA") return { value }
  const { bytes, flags, tag } = parseCaaFields(value)
  return { flags, tag, value: bytes.toString() }
}

/** Parses the data of a CAA record in normal form, `flags tag "value"`, into fields; the value may be no text. */
export const parseCaaFields = (data: string) => {
  const [, flags, tag = "", value = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(data) ?? []
  return { flags: Number(flags), tag, bytes: Buffer.from(parseLabel(value)) }
}

/** How a field stands in presentation format: a text is in quotes, and a name ends in a dot. */
type FieldForm = "number" | "word" | "text" | "name"

/** The fields of a type's data, by their names at a provider, in the order of the presentation format. */
export type FieldLayout = Readonly<Record<string, FieldForm>>

/** The layout of a type whose fields have the names of the table, written `key_tag`, and names without a final dot. */
export const layoutOf = (type: string): FieldLayout =>
  Object.fromEntries(
    Object.entries(formatOf(type).fields).map(([name, { form }]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      form === "name" ? "word" : form
    ])
  )

/** Divides the data of a planned record into the fields of a layout; the last one has all words that are left. */
export const parseFields = (
  layout: FieldLayout,
  { priority, value }: Pick<ChangeRecord, "priority" | "value">
): Readonly<Record<string, number | string>> => {
  const words = splitWords(priority === undefined ? value : `${priority} ${value}`)
  return Object.fromEntries(
    Object.entries(layout).map(([name, form], index, { length }) => {
      const end = index === length - 1 ? words.length : index + 1
      return [name, parsers[form](words.slice(index, end).join(" "))]
    })
  )
}

/** Whether the data of a planned record have a number wherever the layout has one; generic data (RFC 3597) do not. */
export const isInLayout = (layout: FieldLayout, record: Pick<ChangeRecord, "priority" | "value">): boolean =>
  !Object.values(parseFields(layout, record)).some(Number.isNaN)

const parsers: Readonly<Record<FieldForm, (word: string) => number | string>> = {
  number: Number,
  word: (word) => word,
  text: (word) => unquoteText(word) ?? word,
  name: (word) => word.replace(/\.?$/, ".")
}

/** Formats the fields of a layout in presentation format; numbers that are missing are 0. */
export const formatFields = (layout: FieldLayout, fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(layout)
    .map(([name, form]) => formatters[form](fields[name]))
    .join(" ")

const formatWord = (field: unknown): string => String(field ?? "")

const formatters: Readonly<Record<FieldForm, (field: unknown) => string>> = {
  number: (field) => `${Number(field ?? 0)}`,
  word: formatWord,
  text: (field) => `"${escapeBySign(escapeQuoted(Buffer.from(formatWord(field))))}"`,
  name: formatWord
}

/** Fields as a provider shows them; those without a meaning for the type may be `null`. */
type StoredFields = {
  readonly [Field in keyof Omit<RecordFields, "value">]?: RecordFields[Field] | null | undefined
} & {
  readonly value: string
}

/** Formats fields in presentation format; numbers that are missing are 0. */
export const formatRecordFields = (type: string, fields: StoredFields): string =>
  formatFields(layouts[type] ?? { value: "word" }, fields)

const layouts: Readonly<Record<string, FieldLayout>> = {
  MX: { priority: "number", value: "word" },
  SRV: { priority: "number", weight: "number", port: "number", value: "word" },
  CAA: { flags: "number", tag: "word", value: "text" }
}
