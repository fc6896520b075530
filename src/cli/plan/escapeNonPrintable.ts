/**
 * Text that a terminal only shows: controls, which could rewrite what stands there, and invisible or unassigned
 * characters as `\u{…}`.
 */
export const escapeNonPrintable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** The beginning of what somebody gave, in quotes. */
export const quoteInput = (text: string): string =>
  text.length > maxQuoted ? `"${escapeNonPrintable(text.slice(0, maxQuoted))}…"` : `"${escapeNonPrintable(text)}"`

const maxQuoted = 60
