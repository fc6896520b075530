import type { HttpClient } from "@effect/platform"
import { DateTime, type Duration, Effect, Either, Redacted, Schema } from "effect"
import { type KeyObject, randomBytes, sign } from "node:crypto"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { type ApiAuthorization, listForms } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import { byTemporaryToken, type TemporaryToken } from "../../grantedToken.ts"
import { makeJsonApi } from "../../JsonApi.ts"
import type { ProviderError } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { readRsaKey } from "../../signedJwt.ts"

export const transipBase = "https://api.transip.nl/v6"

interface TransipAccess {
  readonly http: HttpClient.HttpClient
  readonly timeout: Duration.DurationInput
}

/** The tokens for an account, by its name and the private key of one of its key pairs. */
export const makeTransipAuthorization = (
  credential: Credential,
  access: TransipAccess
): Either.Either<ApiAuthorization, ProviderFailure> =>
  credential._tag === "username_api_key"
    ? readRsaKey(credential.apiKey).pipe(
        Either.filterOrLeft(canSign, () => notAKey),
        Either.map((key) =>
          byTemporaryToken(requestToken({ login: credential.username, key }, access), listForms(credential.apiKey))
        )
      )
    : Either.left(notAKey)

/** A shorter key than TransIP makes may have no room for the hash. */
const canSign = ({ asymmetricKeyDetails }: KeyObject): boolean => (asymmetricKeyDetails?.modulusLength ?? 0) >= 1024

const notAKey = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "TransIP accepts the name of an account, and the private key of one of its key pairs, in PEM"
})

/**
 * Requests a token by a signed request, as TransIP's clients for Go and PHP do. It is for any address (`global_key`),
 * because the service has none that customers could list.
 */
const requestToken = (
  { key, login }: { readonly login: string; readonly key: KeyObject },
  access: TransipAccess
): Effect.Effect<TemporaryToken, ProviderError> => {
  const api = makeJsonApi({ ...access, baseUrl: transipBase, authorization: byRsa(key), interpret: interpretRefusal })
  return Effect.gen(function* () {
    const requestedAt = yield* DateTime.now
    const nonce = yield* Effect.sync(() => randomBytes(16).toString("hex"))
    const expiration_time = `${lifetimeSeconds} seconds`
    const body = { login, nonce, read_only: false, expiration_time, global_key: true }
    const { token } = yield* api.call({ method: "POST", path: "/auth", body, schema: GrantedTransipToken })
    return { accessToken: token, expiresAt: DateTime.add(requestedAt, { seconds: lifetimeSeconds }) }
  })
}

/** The header `Signature`, of the body. */
const byRsa = (key: KeyObject): ApiAuthorization => ({
  secrets: [],
  authorize: ({ body }) =>
    Effect.sync(() => {
      const signature = sign("sha512", Buffer.from(body), key).toString("base64")
      return { headers: { signature }, secrets: [Redacted.make(signature)] }
    })
})

const lifetimeSeconds = 3600

const GrantedTransipToken = Schema.Struct({ token: Schema.Redacted(Schema.NonEmptyString) })

/** Nothing but the credential differs between the requests of customers. */
const interpretRefusal = (response: ProviderResponse): ResponseMeaning | undefined =>
  interpretTransip(response) ?? (rejections.has(response.status) ? { kind: "credential_refused" } : undefined)

const rejections: ReadonlySet<number> = new Set([400, 406, 409, 422])

/** A key may be limited to listed addresses, and an account must have switched its API on. */
export const interpretTransip = ({ headers, status, text }: ProviderResponse): ResponseMeaning | undefined => {
  if (status === 429) return { kind: "rate_limited", retryAfter: headers["x-rate-limit-reset"] }
  if (status === 401 && text.includes("Remote IP is not authorized")) return { kind: "forbidden" }
  return status === 409 && text.includes("API is not enabled") ? { kind: "not_entitled" } : undefined
}
