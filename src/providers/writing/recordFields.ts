import { escapeQuoted } from "../../dns/wire/decodeRecordData.ts"
import { parseLabel } from "../../dns/wire/encodeName.ts"
import type { ChangeRecord } from "../../domain/Plan.ts"

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

/** Fields as a provider shows them; those without a meaning for the type may be `null`. */
type StoredFields = {
  readonly [Field in keyof Omit<RecordFields, "value">]?: RecordFields[Field] | null | undefined
} & {
  readonly value: string
}

/** Formats fields in presentation format; numbers that are missing are 0. */
export const formatRecordFields = (type: string, fields: StoredFields): string => {
  const { flags, port, priority, tag, value, weight } = fields
  if (type === "MX") return `${priority ?? 0} ${value}`
  if (type === "SRV") return `${priority ?? 0} ${weight ?? 0} ${port ?? 0} ${value}`
  return type === "CAA" ? `${flags ?? 0} ${tag ?? ""} "${escapeQuoted(Buffer.from(value))}"` : value
}
