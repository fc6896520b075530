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
  if (["CNAME", "NS", "MX", "SRV"].includes(type)) {
    return `${priority === undefined ? "" : `${priority} `}${value.replace(/\.?$/, ".")}`
  }
  return value
}

/** Splits a text into character strings of at most 255 bytes (RFC 1035 section 3.3). */
const splitCharacterStrings = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, part) =>
    bytes.subarray(part * 255, part * 255 + 255)
  )
}

const quote = (bytes: Uint8Array): string => `"${[...bytes].map(escape).join("")}"`

const escape = (byte: number): string => {
  const character = String.fromCharCode(byte)
  if (character === '"' || character === "\\") return `\\${character}`
  return byte >= 32 && byte < 127 ? character : `\\${String(byte).padStart(3, "0")}`
}
