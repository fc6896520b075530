/** Encodes a name whose labels are in the form of `formatLabel`, without compression; the root is `.`. */
export const encodeName = (name: string): ReadonlyArray<number> =>
  name === "." ? [0] : [...name.split(".").flatMap((label) => prefixWithLength(parseLabel(label))), 0]

/** Bytes to be written into a message. */
export type Bytes = ReadonlyArray<number> | Uint8Array

/** Two bytes in network order. */
export const encodeUint16 = (value: number): ReadonlyArray<number> => [(value >> 8) & 0xff, value & 0xff]

/** A label or character-string: its length in one byte, then its bytes. */
export const prefixWithLength = (bytes: Bytes): ReadonlyArray<number> => [bytes.length, ...bytes]

/**
 * Formats a label in normal form: ASCII in lower case (RFC 4343), and as `\DDD` (RFC 1035 section 5.1) every byte that
 * has another meaning in a zone file: dots, blanks, control characters, `@`, quotes, bytes beyond ASCII.
 */
export const formatLabel = (bytes: Uint8Array): string => escapeLabel(bytes).toLowerCase()

/** The bytes of a label in the form of `formatLabel`. */
export const parseLabel = (text: string): Uint8Array =>
  Buffer.from(
    text.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code))),
    "latin1"
  )

/** Makes a function that writes bytes as text, with every byte that does not match `plain` as `\DDD`. */
export const makeEscaper = (plain: RegExp): ((bytes: Uint8Array) => string) => {
  const textOf = Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    return plain.test(character) ? character : `\\${byte.toString().padStart(3, "0")}`
  })
  return (bytes) => bytes.reduce((text, byte) => text + textOf[byte], "")
}

const escapeLabel = makeEscaper(/^[A-Za-z0-9_*/+=<>?!#%&',:^`{|}~[\]-]$/)
