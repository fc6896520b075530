/**
 * The text of one label in normal form: ASCII in lower case (RFC 4343), and as `\DDD` (RFC 1035 section 5.1) every
 * byte that could be taken for something else: dots, blanks, control characters, `@`, quotes, bytes beyond ASCII.
 */
export const formatLabel = (bytes: Uint8Array): string => escaped(bytes).toLowerCase()

/** The bytes of a label in the form that `labelText` gives. */
export const parseLabel = (text: string): Uint8Array =>
  Buffer.from(
    text.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code))),
    "latin1"
  )

/** Writes bytes as text in which every byte that does not match `plain` stands as `\DDD`. */
export const makeEscaper = (plain: RegExp): ((bytes: Uint8Array) => string) => {
  const texts = Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    return plain.test(character) ? character : `\\${byte.toString().padStart(3, "0")}`
  })
  return (bytes) => bytes.reduce((text, byte) => text + texts[byte], "")
}

const escaped = makeEscaper(/^[A-Za-z0-9_*/+=<>?!#%&',:^`{|}~[\]-]$/)
