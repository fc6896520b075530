import canonicalize from "canonicalize"
import { Context, Effect, Layer } from "effect"
import type { IdempotentRequest, RequestFingerprint } from "../domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../domain/access/Tenancy.ts"
import { MasterKeys } from "./MasterKeys.ts"

interface FingerprintInput extends Pick<IdempotentRequest, "route" | "key"> {
  readonly body: unknown
}

/** Recognizes repeated requests by HMAC-SHA-256 over canonical JSON (RFC 8785); keyed: bodies hold weak secrets. */
export class RequestFingerprints extends Context.Tag("security/RequestFingerprints")<
  RequestFingerprints,
  { readonly compute: (tenancy: Tenancy, request: FingerprintInput) => Effect.Effect<IdempotentRequest> }
>() {
  static readonly layer = Layer.effect(
    RequestFingerprints,
    Effect.gen(function* () {
      const keys = yield* Effect.forEach((yield* MasterKeys).fingerprintKeys, withId)
      return {
        compute: ({ applicationId, tenantId }, { body, key: idempotencyKey, route }) => {
          // With the tenant and the route, so that no caller can have a guess at another tenant's request hashed.
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

/** The id of a fingerprint key. Its version is no id: a lost key may be replaced by another one of the same version. */
export const fingerprintKeyIdOf = (key: CryptoKey): Effect.Effect<string> =>
  Effect.map(hmac(key, ""), (hash) => hash.slice(0, 16))

const withId = (key: CryptoKey) => Effect.map(fingerprintKeyIdOf(key), (id) => ({ key, id }))

const hmac = (key: CryptoKey, text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))),
    (signature) => Buffer.from(signature).toString("hex")
  )
