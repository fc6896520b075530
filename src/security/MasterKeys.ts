import { Array, Context, Effect, Layer, Option, Redacted } from "effect"
import type { MasterKey, MasterKeyRing } from "./MasterKey.ts"
import { masterKeyFile } from "./masterKeyFile.ts"

/** A master key that is ready for use; its bytes cannot be taken out of it. */
export interface SealingKey {
  readonly version: number
  readonly key: CryptoKey
}

/** The keys of AES-256-GCM under which credentials are kept: one to seal with, and all to read with. */
export class MasterKeys extends Context.Tag("security/MasterKeys")<
  MasterKeys,
  {
    readonly newest: SealingKey
    readonly ofVersion: (version: number) => Option.Option<SealingKey>
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
          ofVersion: (wanted) => Array.findFirst(keys, ({ version }) => version === wanted)
        }
      })
    )
}

const imported = ({ secret, version }: MasterKey): Effect.Effect<SealingKey> =>
  Effect.promise(() => {
    const bytes = Buffer.from(Redacted.value(secret), "base64")
    return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
  }).pipe(Effect.map((key) => ({ version, key })))
