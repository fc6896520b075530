import { Data, Effect, Schema } from "effect"
import type { SealedSecret } from "../domain/access/SealedSecret.ts"
import { MasterKeyMissing } from "../persistence/StoreUnavailable.ts"
import type { EncryptionKey, MasterKeys } from "./MasterKeys.ts"

/** A sealed secret cannot be opened by anybody: it belongs to another owner, or its content is something else. */
class UnsealError extends Data.TaggedError("UnsealError")<{
  readonly keyVersion: number
  readonly reason: "not_authentic" | "not_what_was_sealed"
}> {}

/**
 * Makes a sealer of secrets of one schema: it seals with AES-256-GCM and the first master key. `identify` returns the
 * parts that identify an owner among all owners of all kinds. A secret opens only for its owner and with its key
 * version; another process may have a key version that this one lacks.
 */
export const makeSealer = <A, I, Owner>(
  { findByVersion, sealing }: Pick<typeof MasterKeys.Service, "findByVersion" | "sealing">,
  schema: Schema.Schema<A, I>,
  identify: (owner: Owner) => ReadonlyArray<string>
) => {
  const encode = Schema.encode(Schema.parseJson(schema))
  const decode = Schema.decode(Schema.parseJson(schema))
  return {
    seal: (owner: Owner, secret: A): Effect.Effect<SealedSecret> =>
      Effect.gen(function* () {
        const nonce = crypto.getRandomValues(new Uint8Array(12))
        const json = yield* Effect.orDie(encode(secret))
        const algorithm = aesGcm(identify(owner), sealing.version, nonce)
        const ciphertext = yield* Effect.promise(() =>
          crypto.subtle.encrypt(algorithm, sealing.key, new TextEncoder().encode(json))
        )
        return { keyVersion: sealing.version, nonce, ciphertext: new Uint8Array(ciphertext) }
      }),
    open: (
      owner: Owner,
      { ciphertext, keyVersion, nonce }: SealedSecret
    ): Effect.Effect<A, UnsealError | MasterKeyMissing> =>
      Effect.gen(function* () {
        const unsealError = (reason: UnsealError["reason"]) => () => new UnsealError({ keyVersion, reason })
        const { key } = yield* Effect.catchTag(findByVersion(keyVersion), "NoSuchElementException", () =>
          Effect.logWarning("A secret is left to a process that has its master key").pipe(
            Effect.annotateLogs({ owner: identify(owner).join(" "), keyVersion }),
            Effect.zipRight(MasterKeyMissing.error)
          )
        )
        const bytes = yield* Effect.tryPromise({
          try: () => decrypt(key, identify(owner), { ciphertext, keyVersion, nonce }),
          catch: unsealError("not_authentic")
        })
        return yield* Effect.mapError(decode(new TextDecoder().decode(bytes)), unsealError("not_what_was_sealed"))
      })
  }
}

/** Whether a key has sealed a secret of the owner with these parts, whatever it is. */
export const hasSealed = (
  { key }: EncryptionKey,
  owner: ReadonlyArray<string>,
  sealed: SealedSecret
): Effect.Effect<boolean> => Effect.isSuccess(Effect.tryPromise(() => decrypt(key, owner, sealed)))

const decrypt = (key: CryptoKey, owner: ReadonlyArray<string>, { ciphertext, keyVersion, nonce }: SealedSecret) =>
  crypto.subtle.decrypt(aesGcm(owner, keyVersion, nonce), key, new Uint8Array(ciphertext))

/** JSON quotes and escapes each part, so that no two owners have the same text. */
const aesGcm = (owner: ReadonlyArray<string>, keyVersion: number, iv: Uint8Array) => ({
  name: "AES-GCM",
  iv: new Uint8Array(iv),
  additionalData: new TextEncoder().encode(JSON.stringify([...owner, keyVersion]))
})
