import { Array, Context, Effect, Layer, Option, Redacted } from "effect"
import type { MasterKey, MasterKeyRing } from "./MasterKey.ts"
import { masterKeyFile } from "./masterKeyFile.ts"

/** A master key that is ready for use; its bytes cannot be taken out of it. */
export interface SealingKey {
  readonly version: number
  readonly key: CryptoKey
}

/**
 * The keys of AES-256-GCM under which credentials are kept: one to seal with, and all to read with; and what is derived
 * from them.
 */
export class MasterKeys extends Context.Tag("security/MasterKeys")<
  MasterKeys,
  {
    readonly newest: SealingKey
    readonly ofVersion: (version: number) => Option.Option<SealingKey>
    /** The keys of HMAC-SHA-256 by which requests are known again, one of each master key, the newest first. */
    readonly fingerprinting: Array.NonEmptyReadonlyArray<CryptoKey>
  }
>() {
  /** The configured keys, else those in the key file of the data directory, which is made if there is none. */
  static readonly layer = (settings: {
    readonly configured: Option.Option<MasterKeyRing>
    readonly dataDirectory: string
  }) =>
    Layer.effect(
      MasterKeys,
      Effect.gen(function* () {
        const ring = yield* Option.match(settings.configured, {
          onNone: () => masterKeyFile(settings.dataDirectory),
          onSome: Effect.succeed
        })
        const keys = yield* Effect.forEach(ring, imported)
        return {
          newest: Array.headNonEmpty(keys),
          ofVersion: (wanted) => Array.findFirst(keys, ({ version }) => version === wanted),
          fingerprinting: yield* Effect.forEach(ring, fingerprintingKeyOf)
        }
      })
    )
}

const imported = (master: MasterKey): Effect.Effect<SealingKey> =>
  Effect.promise(() => crypto.subtle.importKey("raw", bytesOf(master), "AES-GCM", false, ["encrypt", "decrypt"])).pipe(
    Effect.map((key) => ({ version: master.version, key }))
  )

/** Derived (HKDF, RFC 5869), so that neither use says anything about the other. */
const fingerprintingKeyOf = (master: MasterKey): Effect.Effect<CryptoKey> =>
  Effect.promise(async () =>
    crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode("request fingerprints") },
      await crypto.subtle.importKey("raw", bytesOf(master), "HKDF", false, ["deriveKey"]),
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign"]
    )
  )

const bytesOf = ({ secret }: MasterKey) => Buffer.from(Redacted.value(secret), "base64")
