/**
 * The text of a TXT record that is written as in a zone file (RFC 1035 section 5.1): one or more strings in quotes, with
 * escapes. Undefined for any other text.
 */
export const unquoteText = (value: string): string | undefined => {
  const text = value.trim()
  if (!quotedStrings.test(text)) return undefined
  return decodeUtf8(Buffer.concat([...text.matchAll(quotedString)].map(([, string = ""]) => unescape(string))))
}

const quotedStrings = /^"(?:[^"\\]|\\[^])*"(?:\s*"(?:[^"\\]|\\[^])*")*$/

const quotedString = /"((?:[^"\\]|\\[^])*)"/g

/** The bytes of a string; `\DDD` is one byte, and any other character after a backslash itself. */
const unescape = (string: string): Buffer =>
  Buffer.concat(
    [...string.matchAll(/\\(\d{3})|\\?([^])/gu)].map(([, code, character = ""]) =>
      code === undefined ? Buffer.from(character) : Buffer.from([Number(code) & 255])
    )
  )

const decodeUtf8 = (bytes: Buffer): string => bytes.toString("utf8")
