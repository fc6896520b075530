import { Data, Effect, Schema } from "effect"
import type { SealedSecret } from "../domain/SealedSecret.ts"
import type { MasterKeys } from "./MasterKeys.ts"

/** What is sealed does not open: there is no such key, it was not sealed for this owner, or it is something else. */
export class UnsealError extends Data.TaggedError("UnsealError")<{
  readonly keyVersion: number
  readonly reason: "unknown_key_version" | "not_authentic" | "not_what_was_sealed"
}> {}

/**
 * Seals secrets of one kind under AES-256-GCM with the newest master key. What was sealed for one owner, whom `named`
 * tells from every other owner of whatever kind, opens for no other and under no other key version than it names.
 */
export const makeSealer = <A, I, Owner>(
  { newest, findByVersion: ofVersion }: typeof MasterKeys.Service,
  kind: Schema.Schema<A, I>,
  named: (owner: Owner) => ReadonlyArray<string>
) => {
  const encode = Schema.encode(Schema.parseJson(kind))
  const decode = Schema.decode(Schema.parseJson(kind))
  return {
    seal: (owner: Owner, secret: A): Effect.Effect<SealedSecret> =>
      Effect.gen(function* () {
        const nonce = crypto.getRandomValues(new Uint8Array(12))
        const json = yield* Effect.orDie(encode(secret))
        const algorithm = aesGcm(named(owner), newest.version, nonce)
        const ciphertext = yield* Effect.promise(() =>
          crypto.subtle.encrypt(algorithm, newest.key, new TextEncoder().encode(json))
        )
        return { keyVersion: newest.version, nonce, ciphertext: new Uint8Array(ciphertext) }
      }),
    open: (owner: Owner, { ciphertext, keyVersion, nonce }: SealedSecret): Effect.Effect<A, UnsealError> =>
      Effect.gen(function* () {
        const unreadable = (reason: UnsealError["reason"]) => () => new UnsealError({ keyVersion, reason })
        const { key } = yield* Effect.mapError(ofVersion(keyVersion), unreadable("unknown_key_version"))
        const bytes = yield* Effect.tryPromise({
          try: () => crypto.subtle.decrypt(aesGcm(named(owner), keyVersion, nonce), key, new Uint8Array(ciphertext)),
          catch: unreadable("not_authentic")
        })
        return yield* Effect.mapError(decode(new TextDecoder().decode(bytes)), unreadable("not_what_was_sealed"))
      })
  }
}

/** JSON quotes and escapes each part, so that no two owners have the same text, however their names are composed. */
const aesGcm = (owner: ReadonlyArray<string>, keyVersion: number, iv: Uint8Array) => ({
  name: "AES-GCM",
  iv: new Uint8Array(iv),
  additionalData: new TextEncoder().encode(JSON.stringify([...owner, keyVersion]))
})
