import { Array, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"

/** A key that seals credentials: 32 random bytes in base64, and the number by which what it sealed names it. */
export interface MasterKey {
  readonly version: number
  readonly secret: Redacted.Redacted
}

/** All keys that can be read with. The first, which has the highest version, is the one to seal with. */
export type MasterKeyRing = Array.NonEmptyReadonlyArray<MasterKey>

/** How keys are written, in words. */
export const masterKeyFormat =
  "keys separated by commas, the highest version first, each version:base64 of 32 bytes, or base64 alone for version 1"

/** Reads keys as they are written in the environment and in the key file. */
export const parseMasterKeys = (text: string): Option.Option<MasterKeyRing> =>
  Option.all(text.split(",").map((part) => parseMasterKey(part.trim()))).pipe(
    Option.filter((keys) => Array.zip(keys, keys.slice(1)).every(([one, next]) => one.version > next.version)),
    Option.filter(Array.isNonEmptyArray)
  )

/** A new key of version 1, as keys are written. */
export const generateMasterKey = (): Redacted.Redacted => Redacted.make(`1:${randomBytes(32).toString("base64")}`)

const parseMasterKey = (text: string): Option.Option<MasterKey> => {
  const [, version = "1", secret] = /^(?:([1-9]\d{0,8}):)?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/.exec(text) ?? []
  return Option.map(Option.fromNullable(secret), (base64) => ({
    version: Number(version),
    secret: Redacted.make(base64)
  }))
}
