import type { HttpClient } from "@effect/platform"
import { DateTime, type Duration, Effect, Redacted, Schema } from "effect"
import { hash } from "node:crypto"
import { bySignature, inHeaders } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import { type JsonApi, makeJsonApi } from "../../JsonApi.ts"
import type { OAuthRegistration } from "../../oauth/OAuthSettings.ts"
import { makeKindLookup, type ProviderError } from "../../ProviderError.ts"

/** How the API of OVHcloud is reached with the operator's application. */
export interface OvhAccess {
  readonly http: HttpClient.HttpClient
  readonly application: OAuthRegistration
  readonly timeout: Duration.DurationInput
}

/** Makes the API as the application alone sees it, without a customer. */
export const makeOvhApi = ({ application, http, timeout }: OvhAccess): JsonApi =>
  makeJsonApi({
    http,
    baseUrl: baseUrls[application.region ?? "eu"],
    authorization: inHeaders({ "x-ovh-application": application.clientId }),
    interpret,
    timeout
  })

/** The API for a consumer key. It signs each request, with the time of OVHcloud's clock, which it reads first. */
export const makeSignedOvhApi = (
  access: OvhAccess,
  consumerKey: Redacted.Redacted
): Effect.Effect<JsonApi, ProviderError> =>
  Effect.gen(function* () {
    const { application, http, timeout } = access
    const { clientId, clientSecret } = application
    const serverTime = yield* makeOvhApi(access).call({ method: "GET", path: "/auth/time", schema: Schema.Int })
    const ahead = serverTime - toSeconds(yield* DateTime.now)
    const authorization = bySignature([consumerKey, clientSecret], ({ body, method, url }) =>
      Effect.map(DateTime.now, (now) => {
        const time = String(toSeconds(now) + ahead)
        const key = Redacted.value(consumerKey)
        return {
          "x-ovh-application": clientId,
          "x-ovh-consumer": key,
          "x-ovh-timestamp": time,
          "x-ovh-signature": `$1$${hash("sha1", [Redacted.value(clientSecret), key, method, url, body, time].join("+"))}`
        }
      })
    )
    const baseUrl = baseUrls[application.region ?? "eu"]
    return makeJsonApi({ http, baseUrl, authorization, interpret, removedBy: 200, timeout })
  })

/** The accounts of a region exist only there. */
const baseUrls: Readonly<Record<NonNullable<OAuthRegistration["region"]>, string>> = {
  eu: "https://eu.api.ovh.com/1.0",
  ca: "https://ca.api.ovh.com/1.0",
  us: "https://api.us.ovhcloud.com/1.0"
}

const toSeconds = (time: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(time) / 1000)

const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const kind = status >= 400 ? kindOf(/"errorCode"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? "") : undefined
  return kind === undefined ? undefined : { kind }
}

/** The codes of OVHcloud's own client for Python. A consumer key is invalid until, and after, the customer's consent. */
const kindOf = makeKindLookup([
  ["credential_refused", "NOT_CREDENTIAL"],
  ["credential_expired", "INVALID_CREDENTIAL"],
  ["forbidden", "NOT_GRANTED_CALL"],
  // Faults of the operator's application, of which the customer's key is innocent.
  ["failing", "INVALID_KEY", "INVALID_SIGNATURE", "QUERY_TIME_OUT"]
])
