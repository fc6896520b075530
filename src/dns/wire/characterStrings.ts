import { Array } from "effect"
import { maxStringLength } from "../../domain/DnsRecord.ts"

/** The strings in which a TXT record holds a text in UTF-8, at least one (RFC 1035 section 3.3.14). */
export const characterStrings = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return Array.makeBy(Math.ceil(bytes.length / maxStringLength), (index) =>
    bytes.subarray(index * maxStringLength, (index + 1) * maxStringLength)
  )
}
