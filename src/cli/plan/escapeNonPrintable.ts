/**
 * Makes text safe for a terminal: writes control characters, which could rewrite the screen, and invisible or
 * unassigned ones as `\u{…}`.
 */
export const escapeNonPrintable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** Quotes the beginning of a piece of input. */
export const quoteInput = (text: string): string =>
  text.length > maxQuoted ? `"${escapeNonPrintable(text.slice(0, maxQuoted))}…"` : `"${escapeNonPrintable(text)}"`

const maxQuoted = 60
