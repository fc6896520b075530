import canonicalize from "canonicalize"
import { Context, Effect, Layer } from "effect"
import type { IdempotentRequest, RequestFingerprint } from "../domain/IdempotentRequest.ts"
import type { Tenancy } from "../domain/Tenancy.ts"
import { MasterKeys } from "./MasterKeys.ts"

/** A request as its client may send it again. */
export interface FingerprintInput extends Pick<IdempotentRequest, "route" | "key"> {
  readonly body: unknown
}

/**
 * Makes requests known again by HMAC-SHA-256 over their RFC 8785 form. Bodies hold credentials, some of them weak: what
 * is kept must not let whoever reads the database try out what stood in one.
 */
export class RequestFingerprints extends Context.Tag("security/RequestFingerprints")<
  RequestFingerprints,
  { readonly compute: (tenancy: Tenancy, request: FingerprintInput) => Effect.Effect<IdempotentRequest> }
>() {
  static readonly layer = Layer.effect(
    RequestFingerprints,
    Effect.gen(function* () {
      const keys = yield* Effect.forEach((yield* MasterKeys).fingerprintKeys, named)
      return {
        compute: ({ applicationId, tenantId }, { body, key: idempotencyKey, route }) => {
          // Whose it is and what for, lest a caller have a guess at another's request hashed as one of theirs.
          const text = canonicalize([applicationId, tenantId, route, idempotencyKey, body]) ?? ""
          return Effect.map(
            Effect.forEach(keys, ({ id, key }) =>
              Effect.map(hmac(key, text), (hash): RequestFingerprint => `${id}:${hash}`)
            ),
            (fingerprints) => ({ route, key: idempotencyKey, fingerprints })
          )
        }
      }
    })
  )
}

/** A key with its id. Versions are none: a key that was lost is followed by another one of the same version. */
const named = (key: CryptoKey) => Effect.map(hmac(key, ""), (hash) => ({ key, id: hash.slice(0, 16) }))

const hmac = (key: CryptoKey, text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))),
    (signature) => Buffer.from(signature).toString("hex")
  )
