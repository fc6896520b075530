import { hash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Generates `length` random digits of base 62; 43 of them hold 256 bits. */
export const randomBase62 = (length: number): string => {
  let digits = ""
  while (digits.length < length)
    for (const byte of randomBytes(length)) {
      // The two values without a digit are left out, so that all digits are equally likely.
      if (digits.length < length) digits += alphabet.charAt(byte & 63)
    }
  return digits
}

/** Formats a number below 62^`length` in base 62, with leading zeros. */
export const toBase62 = (value: number, length: number): string =>
  length === 0 ? "" : toBase62(Math.floor(value / 62), length - 1) + alphabet.charAt(value % 62)

/** Hashes a secret of 256 random bits for storage; a slow hash would add nothing against guessing. */
export const sha256 = (text: string): Uint8Array => hash("sha256", text, "buffer")

/** Generates a key: 256 random bits after this prefix, and a checksum that reveals a mistyped or truncated key. */
export const randomKey = (prefix: string): string => {
  const body = prefix + randomBase62(43)
  return body + checksumOf(body)
}

/** Whether the last six characters of a key are the checksum of those before them. */
export const hasChecksum = (key: string): boolean => checksumOf(key.slice(0, -6)) === key.slice(-6)

const checksumOf = (body: string): string => toBase62(crc32(body), 6)

/** The stored form of a key: its hash, and the beginning that may be shown. */
export const toStoredKey = (key: string) => ({ hash: sha256(key), prefix: key.slice(0, 12) })
