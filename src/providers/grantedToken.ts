import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { DateTime, type Duration, Effect, Record, Redacted, Schema } from "effect"
import type { ApiAuthorization } from "./apiAuthorization.ts"
import { callProvider, type ProviderResponse, type ResponseMeaning } from "./callProvider.ts"
import { decodeBody } from "./JsonApi.ts"
import type { ProviderError } from "./ProviderError.ts"
import { renewBeforeEnd } from "./renewBeforeEnd.ts"

/** How a customer's credential is exchanged for an access token (RFC 6749 section 4.4, RFC 7523 section 2.1). */
export interface TokenGrant {
  readonly tokenUrl: string
  /** The parameters of a request, which are made for each; the secret ones are redacted. */
  readonly parameters: Effect.Effect<Readonly<Record<string, string | Redacted.Redacted>>>
  /** The meaning of a refusal by which the credential is not simply wrong. */
  readonly interpret: (response: ProviderResponse) => ResponseMeaning | undefined
  readonly timeout: Duration.DurationInput
}

/**
 * The header `Authorization` with an access token, which is requested for the first call, kept in memory, and replaced
 * before it ends.
 */
export const byGrantedToken = (http: HttpClient.HttpClient, grant: TokenGrant): ApiAuthorization =>
  byTemporaryToken(requestToken(http, grant))

/** An access token with the time of its end. */
export interface TemporaryToken {
  readonly accessToken: Redacted.Redacted
  readonly expiresAt: DateTime.Utc
}

/** The same for a token that is requested in another way; `secrets` are those of the request. */
export const byTemporaryToken = (
  request: Effect.Effect<TemporaryToken, ProviderError>,
  secrets: ApiAuthorization["secrets"] = []
): ApiAuthorization => {
  const readToken = renewBeforeEnd(request)
  return {
    secrets,
    authorize: () =>
      Effect.map(readToken, ({ accessToken }) => ({
        headers: { authorization: `Bearer ${Redacted.value(accessToken)}` },
        secrets: [accessToken]
      }))
  }
}

const requestToken = (
  http: HttpClient.HttpClient,
  { interpret, parameters, timeout, tokenUrl }: TokenGrant
): Effect.Effect<TemporaryToken, ProviderError> =>
  Effect.gen(function* () {
    const given = yield* parameters
    const form = Record.map(given, (part) => (typeof part === "string" ? part : Redacted.value(part)))
    const body = HttpBody.text(new URLSearchParams(form).toString(), "application/x-www-form-urlencoded")
    const requestedAt = yield* DateTime.now
    const response = yield* callProvider(http, HttpClientRequest.post(tokenUrl, { acceptJson: true, body }), {
      interpret: (response) => interpret(response) ?? interpretRefusal(response),
      secrets: Object.values(given).flatMap((part) => (typeof part === "string" ? [] : part)),
      timeout
    })
    const { access_token: accessToken, expires_in: seconds } = yield* decodeBody(response, GrantedToken)
    return { accessToken, expiresAt: DateTime.add(requestedAt, { seconds }) }
  })

/** A successful answer (RFC 6749 section 5.1). */
const GrantedToken = Schema.Struct({
  access_token: Schema.Redacted(Schema.NonEmptyString),
  token_type: Schema.String.pipe(Schema.pattern(/^bearer$/i)),
  expires_in: Schema.Number.pipe(Schema.between(0, 366 * 86_400))
})

/** Nothing but the credential differs between the requests of customers. */
const interpretRefusal = ({ status }: ProviderResponse): ResponseMeaning | undefined =>
  status === 400 || status === 401 || status === 403 || status === 404 ? { kind: "credential_refused" } : undefined
