import { createHash, randomBytes } from "node:crypto"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Generates `length` random digits of base 62; 43 of them hold 256 bits. */
export const randomBase62 = (length: number): string => {
  const digits = Array.from(randomBytes(2 * length), (byte) => byte & 63)
    .filter((value) => value < alphabet.length)
    .slice(0, length)
    .map((value) => alphabet.charAt(value))
    .join("")
  return digits.length === length ? digits : digits + randomBase62(length - digits.length)
}

/** Formats a number below 62^`length` in base 62, with leading zeros. */
export const toBase62 = (value: number, length: number): string =>
  length === 0 ? "" : toBase62(Math.floor(value / 62), length - 1) + alphabet.charAt(value % 62)

/**
 * Hashes a secret of 256 random bits for storage; a slow hash would add nothing, as such a secret cannot be guessed.
 */
export const sha256 = (text: string): Uint8Array => createHash("sha256").update(text, "utf8").digest()
