import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { Cause, Data, DateTime, Duration, Effect, Option, Redacted, Runtime } from "effect"
import * as oauth from "oauth4webapi"
import type { FailureCode } from "../../domain/Connection.ts"
import type { OAuthToken } from "../../domain/Credential.ts"
import { defaultTimeouts, type Timeouts } from "../ProviderClient.ts"
import { ProviderError } from "../ProviderError.ts"
import { sendProviderRequest } from "../callProvider.ts"
import type { OAuthSettings } from "./OAuthSettings.ts"

/** One request for a customer's agreement: `state` and `verifier` (RFC 7636) are random and used once. */
export interface OAuthAuthorizationRequest {
  readonly state: string
  readonly verifier: Redacted.Redacted
  readonly redirectUri: string
}

/** The authorization server of a provider, as the client that the operator registered there. */
export interface OAuthClient {
  /** Where the customer agrees. */
  readonly buildAuthorizeUrl: (request: OAuthAuthorizationRequest) => Effect.Effect<string>
  /** The token for what the customer's browser brought back. */
  readonly exchangeCode: (
    answer: URLSearchParams,
    request: OAuthAuthorizationRequest
  ) => Effect.Effect<OAuthToken, OAuthFailure | AuthorizationResponseMismatch>
  /** A new token by the refresh token of an old one, or the old one if it has none. */
  readonly refreshToken: (token: OAuthToken) => Effect.Effect<OAuthToken, OAuthFailure>
  /** Gives a token back (RFC 7009), where the server takes it. */
  readonly revokeToken: (token: OAuthToken) => Effect.Effect<void, OAuthFailure>
}

/** The authorization server gave no token. `detail` is for operators and holds no secret. */
export class OAuthFailure extends Data.TaggedError("OAuthFailure")<{
  readonly code: Extract<
    FailureCode,
    | "authorization_denied"
    /** What was to be exchanged for a token is not good, or no more. */
    | "authorization_revoked"
    | "authorization_insufficient_scope"
    | "provider_unavailable"
    | "provider_rate_limited"
  >
  readonly detail: string
}> {
  override get message(): string {
    return `${this.code}: ${this.detail}`
  }
}

/** An answer that came by the customer's browser is not the one that was asked for: its server or its form is another. */
export class AuthorizationResponseMismatch extends Data.TaggedError("AuthorizationResponseMismatch")<{
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

/** Speaks to an authorization server: authorization code with PKCE by S256, and nothing else. */
export const makeOAuthClient = (
  http: HttpClient.HttpClient,
  settings: OAuthSettings,
  patience: Timeouts = defaultTimeouts
): OAuthClient => {
  const { clientId, revokeUrl, scopes } = settings
  const server = metadataOf(settings)
  const client: oauth.Client = { client_id: clientId }
  const proof = proofOf(settings)
  const asked = <A>(secrets: ReadonlyArray<Redacted.Redacted>, ask: (options: RequestOptions) => Promise<A>) =>
    asking(fetchingBy(http, [...secrets, ...Option.toArray(Option.fromNullable(settings.clientSecret))], patience), ask)

  const tokenIn = (
    response: oauth.TokenEndpointResponse,
    previous?: OAuthToken
  ): Effect.Effect<OAuthToken, OAuthFailure> =>
    response.token_type === "bearer"
      ? Effect.filterOrFail(
          tokenOf(response, previous),
          () => grants(response, scopes),
          () => lessThanAsked
        )
      : Effect.fail(new OAuthFailure({ code: "provider_unavailable", detail: "the token is no bearer token" }))

  return {
    buildAuthorizeUrl: ({ redirectUri, state, verifier }) =>
      Effect.map(
        Effect.promise(() => oauth.calculatePKCECodeChallenge(Redacted.value(verifier))),
        (challenge) =>
          `${settings.authorizeUrl}?${new URLSearchParams({
            response_type: "code",
            client_id: clientId,
            redirect_uri: redirectUri,
            ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
            state,
            code_challenge: challenge,
            code_challenge_method: "S256"
          })}`
      ),
    exchangeCode: Effect.fn("TestOAuthServer.exchangeCode")(function* (answer, { redirectUri, state, verifier }) {
      const params = yield* Effect.try({
        try: () => oauth.validateAuthResponse(server, client, answer, state),
        catch: (error) => (error instanceof oauth.AuthorizationResponseError ? failureOf(error) : mixedUp(error))
      })
      const secrets = [verifier, Redacted.make(answer.get("code") ?? "")]
      const response = yield* asked(secrets, (options) =>
        oauth.authorizationCodeGrantRequest(
          server,
          client,
          proof,
          params,
          redirectUri,
          Redacted.value(verifier),
          options
        )
      )
      const token = yield* attempt(() => oauth.processAuthorizationCodeResponse(server, client, response))
      return yield* tokenIn(token)
    }),
    refreshToken: Effect.fn("TestOAuthServer.refreshToken")(function* (held) {
      const { refreshToken } = held
      if (refreshToken === undefined) return held
      const response = yield* asked([refreshToken, held.accessToken], (options) =>
        oauth.refreshTokenGrantRequest(server, client, proof, Redacted.value(refreshToken), options)
      )
      const token = yield* attempt(() => oauth.processRefreshTokenResponse(server, client, response))
      return yield* tokenIn(token, held)
    }),
    revokeToken: Effect.fn("TestOAuthServer.revokeToken")(function* ({ accessToken, refreshToken }) {
      if (revokeUrl === undefined) return
      // A server that knows the one need not forget the other with it (RFC 7009 section 2.1).
      const tokens = refreshToken === undefined ? [accessToken] : [refreshToken, accessToken]
      yield* Effect.forEach(
        tokens,
        (token) =>
          asked([token], (options) =>
            oauth.revocationRequest(server, client, proof, Redacted.value(token), options)
          ).pipe(Effect.flatMap((response) => attempt(() => oauth.processRevocationResponse(response)))),
        { discard: true }
      )
    })
  }
}

const metadataOf = ({ authorizeUrl, issuer, revokeUrl, tokenUrl }: OAuthSettings): oauth.AuthorizationServer => ({
  // A server whose name is not known may name itself by its address only.
  issuer: issuer ?? new URL(authorizeUrl).origin,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
  ...(revokeUrl === undefined ? {} : { revocation_endpoint: revokeUrl }),
  authorization_response_iss_parameter_supported: issuer !== undefined
})

const proofOf = ({ clientSecret, tokenEndpointAuthMethod }: OAuthSettings): oauth.ClientAuth => {
  if (clientSecret === undefined) return oauth.None()
  const secret = Redacted.value(clientSecret)
  return tokenEndpointAuthMethod === "client_secret_post"
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret)
}

interface RequestOptions {
  readonly [oauth.customFetch]: (
    url: string,
    init: oauth.CustomFetchOptions<"POST", URLSearchParams>
  ) => Promise<Response>
  /** The settings let plain `http` through for loopback only. */
  readonly [oauth.allowInsecureRequests]: true
}

type Fetching = (
  url: string,
  init: oauth.CustomFetchOptions<"POST", URLSearchParams>
) => Effect.Effect<Response, ProviderError>

/** The library's requests, within the limits of all calls to providers. */
const fetchingBy =
  (http: HttpClient.HttpClient, secrets: ReadonlyArray<Redacted.Redacted>, patience: Timeouts): Fetching =>
  (url, { body, headers }) => {
    const form = HttpBody.text(body.toString(), "application/x-www-form-urlencoded;charset=UTF-8")
    return Effect.map(
      sendProviderRequest(http, HttpClientRequest.post(url, { headers, body: form }), {
        maxBytes: maxAnswerBytes,
        secrets,
        timeout: patience.call
      }),
      ({ headers: answered, status, text }) =>
        new Response(text === "" ? null : text, {
          status,
          headers: { "content-type": answered["content-type"] ?? "" }
        })
    )
  }

const maxAnswerBytes = 64 * 1_024

const asking = <A>(fetching: Fetching, ask: (options: RequestOptions) => Promise<A>): Effect.Effect<A, OAuthFailure> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) => {
    const fetchNow = Runtime.runPromise(runtime)
    return attempt(() =>
      ask({ [oauth.customFetch]: (url, init) => fetchNow(fetching(url, init)), [oauth.allowInsecureRequests]: true })
    )
  })

const attempt = <A>(ask: () => Promise<A>): Effect.Effect<A, OAuthFailure> =>
  Effect.tryPromise({ try: ask, catch: failureOf })

/** What an error of the library, or of a call, stands for; the words of a server are told only where they are codes. */
const failureOf = (error: unknown): OAuthFailure => {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const code = meanings.get(error.error) ?? "provider_unavailable"
    return new OAuthFailure({ code, detail: `the server says ${error.error.replace(/[^\w-]/g, "").slice(0, 40)}` })
  }
  const trouble = Runtime.isFiberFailure(error) ? Cause.squash(error[Runtime.FiberFailureCauseId]) : error
  return trouble instanceof ProviderError
    ? new OAuthFailure({
        code: trouble.kind === "rate_limited" ? "provider_rate_limited" : "provider_unavailable",
        detail: trouble.detail
      })
    : new OAuthFailure({ code: "provider_unavailable", detail: wordsOf(error) })
}

/** The error codes of RFC 6749 sections 4.1.2.1 and 5.2 for which the customer can do something. */
const meanings: ReadonlyMap<string, OAuthFailure["code"]> = new Map([
  ["access_denied", "authorization_denied"],
  ["invalid_grant", "authorization_revoked"],
  ["invalid_scope", "authorization_insufficient_scope"]
])

const mixedUp = (error: unknown): AuthorizationResponseMismatch =>
  new AuthorizationResponseMismatch({ detail: wordsOf(error) })

/** What the library says names fields, never what is in them. */
const wordsOf = (error: unknown): string =>
  error instanceof oauth.OperationProcessingError ? error.message : "the answer is none of this protocol"

/** A server that says nothing of scopes grants what was asked for (RFC 6749 section 5.1). */
const grants = ({ scope }: oauth.TokenEndpointResponse, asked: ReadonlyArray<string>): boolean => {
  const granted = scope?.split(" ")
  return granted === undefined || asked.every((one) => one === "offline_access" || granted.includes(one))
}

const lessThanAsked = new OAuthFailure({
  code: "authorization_insufficient_scope",
  detail: "less was granted than was asked for"
})

/** A server that gives no new refresh token leaves the old one good (RFC 6749 section 6). */
const tokenOf = (
  { access_token, expires_in, refresh_token }: oauth.TokenEndpointResponse,
  previous?: OAuthToken
): Effect.Effect<OAuthToken> =>
  Effect.map(DateTime.now, (now) => {
    const refreshToken = refresh_token === undefined ? previous?.refreshToken : Redacted.make(refresh_token)
    return {
      _tag: "oauth_token",
      accessToken: Redacted.make(access_token),
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(expires_in === undefined
        ? {}
        : { expiresAt: DateTime.addDuration(now, Duration.seconds(Math.min(expires_in, longest))) })
    }
  })

/** Longer than any credential is kept, and a number that every clock can add. */
const longest = Duration.toSeconds(Duration.days(366))
