/**
 * Text that a terminal only shows: controls, which could rewrite what stands there, and invisible or unassigned
 * characters as `\u{…}`.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** The beginning of what somebody gave, in quotes. */
export const quoted = (text: string): string =>
  text.length > maxQuoted ? `"${printable(text.slice(0, maxQuoted))}…"` : `"${printable(text)}"`

const maxQuoted = 60
