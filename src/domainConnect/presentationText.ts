/** A TXT value in presentation format (RFC 1035 section 5.1): one string without quotes, or several with them. */
export const formatText = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxStringLength) return escapeText(text)
  const strings = Array.from({ length: Math.ceil(bytes.length / maxStringLength) }, (_, nth) =>
    bytes.subarray(nth * maxStringLength, (nth + 1) * maxStringLength)
  )
  return strings.map((string) => `"${escapeBytes(string)}"`).join(" ")
}

const maxStringLength = 255

/** Escapes quotes, backslashes, and what is not printable ASCII, without splitting the text. */
export const escapeText = (text: string): string => escapeBytes(new TextEncoder().encode(text))

const escapeBytes = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => {
      if (byte === quote || byte === backslash) return `\\${String.fromCharCode(byte)}`
      return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, "0")}`
    })
    .join("")

const quote = 0x22
const backslash = 0x5c

/** The text of a TXT value in presentation format; quotes may be missing around a single string. */
export const parseText = (presentation: string): string => {
  const strings = /^\s*"/.test(presentation)
    ? [...presentation.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, inside = ""]) => inside)
    : [presentation]
  return new TextDecoder().decode(Uint8Array.from(strings.flatMap(unescape)))
}

const unescape = (string: string): ReadonlyArray<number> =>
  [...string.matchAll(/\\(\d{3})|\\?(.)/gsu)].flatMap(([, code, character = ""]) =>
    code === undefined ? [...new TextEncoder().encode(character)] : [Number(code) & 0xff]
  )

/** A pattern in the spelling that `escapeText` has: without quotes around it, and only with the escapes that it needs. */
export const toOneSpelling = (pattern: string): string => escapeText(parseText(pattern))
