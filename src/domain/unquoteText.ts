/**
 * The text of a TXT record that is written as in a zone file (RFC 1035 section 5.1): one or more strings in quotes, with
 * escapes, on several lines in parentheses, where comments may follow. Undefined for any other text.
 */
export const unquoteText = (value: string): string | undefined => {
  const text = value.trim()
  if (!quotedStrings.test(text) && !multiLineStrings.test(text)) return undefined
  const bytes = [...text.matchAll(stringOrComment)].flatMap(([, string = ""]) => unescape(string))
  return new TextDecoder().decode(new Uint8Array(bytes))
}

const quotedStrings = /^"(?:[^"\\]|\\[^])*"(?:\s*"(?:[^"\\]|\\[^])*")*$/

const multiLineStrings =
  /^\((?:\s|;[^\n]*\n)*"(?:[^"\\]|\\[^])*"(?:\s|;[^\n]*\n|"(?:[^"\\]|\\[^])*")*\)\s*(?:;[^\n]*)?$/

/** Quotes within a comment belong to it. */
const stringOrComment = /"((?:[^"\\]|\\[^])*)"|;[^\n]*/g

/** The bytes of a string; `\DDD` is one byte, and any other character after a backslash itself. */
const unescape = (string: string): ReadonlyArray<number> =>
  [...string.matchAll(/\\(\d{3})|\\?([^])/gu)].flatMap(([, code, character = ""]) =>
    code === undefined ? [...new TextEncoder().encode(character)] : [Number(code) & 255]
  )
