// Evaluated when the script is bundled, which then has the places and not the definitions of all types.
import { listNamePlaces } from "../domain/records/recordTypes.ts" with { type: "macro" }
import type { ChangeRecordDocument, ConnectionDocument } from "./ConnectionDocument.ts"

/**
 * Writes the records that a plan creates as a zone file (RFC 1035 section 5). A zone file cannot remove anything, so
 * updates are left out: they would exist twice after an import, and two SPF records are both invalid (RFC 7208 section
 * 4.5).
 */
export const formatZoneFile = (connection: ConnectionDocument): string =>
  (connection.plan?.changes ?? [])
    .flatMap(({ action, after }) => (after === undefined || action !== "create" ? [] : [`${lineOf(after)}\n`]))
    .join("")

const lineOf = (record: ChangeRecordDocument): string =>
  `${record.name}. ${record.ttl} IN ${record.type} ${formatData(record)}`

const formatData = ({ priority, type, value }: ChangeRecordDocument): string => {
  if (type === "TXT") return splitCharacterStrings(value).map(quote).join(" ")
  let place = 0
  const data = value.replace(/("(\\?.)*?"|[^" ])+/g, (word) =>
    place++ === namePlaces[type] ? word.replace(/\.?$/, ".") : word
  )
  return `${priority ?? ""} ${data}`.trim()
}

const namePlaces = listNamePlaces()

/** Splits a text into character strings of at most 255 bytes (RFC 1035 section 3.3). */
const splitCharacterStrings = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return [...bytes].flatMap((_, at) => (at % 255 === 0 ? [bytes.subarray(at, at + 255)] : []))
}

const quote = (bytes: Uint8Array): string => `"${[...bytes].map(escape).join("")}"`

const escape = (byte: number): string => {
  const character = String.fromCharCode(byte)
  if (/["\\]/.test(character)) return `\\${character}`
  return /[ -~]/.test(character) ? character : `\\${`${byte}`.padStart(3, "0")}`
}
