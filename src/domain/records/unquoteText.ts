/**
 * The text of a TXT record that is written as in a zone file (RFC 1035 section 5.1), perhaps in parentheses, after the
 * name, TTL, class and type, or without its first quote. Undefined for any other text.
 */
export const unquoteText = (value: string): string | undefined => {
  const text = value.trim().replace(recordStart, "")
  if (unclosedString.test(text)) return text.slice(1)
  if (!quotedStrings.test(text) && !multiLineStrings.test(text)) return undefined
  const bytes = [...text.matchAll(stringOrComment)].flatMap(([, string = ""]) => unescape(string))
  return new TextDecoder().decode(new Uint8Array(bytes))
}

/** The fields of a zone file line before the text; prose has neither a class nor a TTL there. */
const recordStart = /^(?:(?:\S+\s+)?(?:(?:\d+\s+)?IN\s+(?:\d+\s+)?|\d+\s+)TXT|TXT)\s*(?=["(])/i

const unclosedString = /^"[\w.-]+=[^"\s]+$/

const quotedStrings = /^"(?:[^"\\]|\\[^])*"(?:\s*"(?:[^"\\]|\\[^])*")*(?:\s+;[^\n]*)?$/

const multiLineStrings =
  /^\((?:\s|;[^\n]*\n)*"(?:[^"\\]|\\[^])*"(?:\s|;[^\n]*\n|"(?:[^"\\]|\\[^])*")*\)\s*(?:;[^\n]*)?$/

/** Quotes within a comment belong to it. */
const stringOrComment = /"((?:[^"\\]|\\[^])*)"|;[^\n]*/g

/** The bytes of a string; `\DDD` is one byte, and any other character after a backslash itself. */
const unescape = (string: string): ReadonlyArray<number> =>
  [...string.matchAll(/\\(\d{3})|\\?([^])/gu)].flatMap(([, code, character = ""]) =>
    code === undefined ? [...new TextEncoder().encode(character)] : [Number(code) & 255]
  )

/** A mail policy or DKIM key without copied quotes and backslashes, which would count; undefined if unchanged. */
export const repairPolicyText = (value: string): string | undefined => {
  if (!damage.test(value)) return undefined
  const text = value
    .trim()
    .replace(recordStart, "")
    .replace(openedStrings, '"')
    .replace(betweenStrings, "")
    .replace(doubleQuotes, "")
    .replaceAll(String.raw`\;`, ";")
    .replace(singleQuotesAround, "")
    .trim()
  return policyOrKey.test(text) ? text : undefined
}

/**
 * A text with plain spaces only, none in front, and no invisible characters, so that others find it equal. Undefined if
 * the text is so already. Joiners and the like stay in texts beyond ASCII, which may need them.
 */
export const repairSpaces = (value: string): string | undefined => {
  const visible = withoutInvisible(value).replace(otherSpaces, " ").trimStart()
  const text = /[^\S \t\r\n]$/.test(value) ? visible.trimEnd() : visible
  return text === value ? undefined : text
}

/** A text without the characters that nobody sees. */
export const withoutInvisible = (value: string): string => {
  const bare = value.replace(ignorable, "").replace(invisible, "")
  return /^[\s -~]*$/.test(bare) ? bare : value.replace(invisible, "")
}

/** What displays ignore (Unicode, DerivedCoreProperties): in a text beyond ASCII it may join or vary characters. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/** Soft hyphens, marks without width, those that only turn the direction of a text, and an empty cell of Braille. */
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\ufeff\ufff9-\ufffb]/g
const otherSpaces = /[^\S \t\r\n]/g

const damage = /["“”„‟]|\\;|^\s*['‘’`]|['‘’`]\s*$/

/** The strings of a TXT record are joined without anything between them. */
const betweenStrings = /\\?["“”„‟]\s+\\?["“”„‟]/g

/** A parenthesis in front of strings, which was never closed. */
const openedStrings = /^\(\s*"/

const doubleQuotes = /\\?["“”„‟]/g

const singleQuotesAround = /^\s*['‘’`]+|(?<!['‘’`])['‘’`]+\s*$/g

/** Recognizes a key by its version tag; a key without one begins with its algorithm, or as every RSA key does. */
const policyOrKey =
  /^\s*(?:v\s*=\s*(?:spf1(?:\s|$)|(?:BIMI1|DKIM1|DMARC1|STSv1|TLSRPTv1)\s*(?:;|$))|k\s*=\s*(?:rsa|ed25519)\s*;|p\s*=\s*MI)/i
