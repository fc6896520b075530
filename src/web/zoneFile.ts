import { type ConnectionDocument, fullName, type RecordDocument } from "./ConnectionDocument.ts"

/**
 * The records that a plan adds, as a master file (RFC 1035 section 5). A file cannot take anything away: what is changed
 * would stand there twice after an import, and two SPF records are both void (RFC 7208 section 4.5).
 */
export const zoneFile = (connection: ConnectionDocument): string =>
  (connection.plan?.changes ?? [])
    .flatMap(({ action, after }) =>
      after === undefined || action !== "create" ? [] : [`${lineOf(after, connection)}\n`]
    )
    .join("")

const lineOf = (record: RecordDocument, connection: ConnectionDocument): string =>
  `${fullName(record.host, connection)}. ${record.ttl} IN ${record.type} ${dataOf(record)}`

const dataOf = ({ priority, type, value }: RecordDocument): string => {
  if (type === "TXT") return partsOf(value).map(quoted).join(" ")
  if (["CNAME", "NS", "MX", "SRV"].includes(type)) {
    return `${priority === undefined ? "" : `${priority} `}${value.replace(/\.?$/, ".")}`
  }
  return value
}

/** A character string holds at most 255 bytes. */
const partsOf = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, part) =>
    bytes.subarray(part * 255, part * 255 + 255)
  )
}

const quoted = (bytes: Uint8Array): string => `"${[...bytes].map(escaped).join("")}"`

const escaped = (byte: number): string => {
  const character = String.fromCharCode(byte)
  if (character === '"' || character === "\\") return `\\${character}`
  return byte >= 32 && byte < 127 ? character : `\\${String(byte).padStart(3, "0")}`
}
