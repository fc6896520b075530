import { Array, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"

/** A key that seals secrets: 32 random bytes in base64, and the version that sealed secrets name. */
export interface MasterKey {
  readonly version: number
  readonly secret: Redacted.Redacted
}

/** All keys that can open secrets. The first, which has the highest version, seals new ones. */
export type MasterKeyRing = Array.NonEmptyReadonlyArray<MasterKey>

/** The text form of keys, in words. */
export const masterKeyFormat =
  "keys separated by commas, the highest version first, each version:base64 of 32 bytes, or base64 alone for version 1"

/** Parses keys from the environment or the key file. */
export const parseMasterKeys = (text: string): Option.Option<MasterKeyRing> =>
  Option.all(text.split(",").map((part) => parseMasterKey(part.trim()))).pipe(
    Option.filter((keys) => Array.zip(keys, keys.slice(1)).every(([key, next]) => key.version > next.version)),
    Option.filter(Array.isNonEmptyArray)
  )

/** Generates a key of version 1, in text form. */
export const generateMasterKey = (): Redacted.Redacted => Redacted.make(`1:${randomBytes(32).toString("base64")}`)

const parseMasterKey = (text: string): Option.Option<MasterKey> => {
  const [, version = "1", secret] = /^(?:([1-9]\d{0,8}):)?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/.exec(text) ?? []
  return Option.map(Option.fromNullable(secret), (base64) => ({
    version: Number(version),
    secret: Redacted.make(base64)
  }))
}
