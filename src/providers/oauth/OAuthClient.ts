import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { Cause, Data, DateTime, Duration, Effect, Option, Redacted, Runtime } from "effect"
import * as oauth from "oauth4webapi"
import type { FailureCode } from "../../domain/connection/Connection.ts"
import type { OAuthToken } from "../../domain/provider/Credential.ts"
import { defaultTimeouts, type Timeouts } from "../ProviderClient.ts"
import { ProviderError } from "../ProviderError.ts"
import { sendProviderRequest } from "../callProvider.ts"
import type { OAuthSettings } from "./OAuthSettings.ts"

export interface OAuthAuthorizationRequest {
  readonly state: string
  readonly redirectUri: string
  /** Finds the zone that the service will write, for a provider that gives rights to one zone. */
  readonly zone: Effect.Effect<string, OAuthFailure>
}

/** An authorization that the customer has not given yet. */
export interface PendingAuthorization {
  /** The URL where the customer authorizes the service. */
  readonly authorizeUrl: string
  /** What the authorization is completed with: a `code_verifier` (RFC 7636), or a key that needs the customer's consent. */
  readonly verifier: Redacted.Redacted
}

/** Talks to the authorization server of a provider as the client that the operator registered there. */
export interface OAuthClient {
  readonly requestAuthorization: (
    request: OAuthAuthorizationRequest
  ) => Effect.Effect<PendingAuthorization, OAuthFailure>
  /** Exchanges the authorization response, which the customer's browser brings back, for a token. */
  readonly exchangeCode: (
    response: URLSearchParams,
    request: Pick<OAuthAuthorizationRequest, "state" | "redirectUri"> & Pick<PendingAuthorization, "verifier">
  ) => Effect.Effect<OAuthToken, OAuthFailure | AuthorizationResponseMismatch>
  /** Gets a new token with the refresh token of an old one; without a refresh token returns the old one. */
  readonly refreshToken: (token: OAuthToken) => Effect.Effect<OAuthToken, OAuthFailure>
  /** Revokes a token (RFC 7009) if the server has an endpoint for that. */
  readonly revokeToken: (token: OAuthToken) => Effect.Effect<void, OAuthFailure>
}

/** The authorization server issued no token. `detail` is for operators and contains no secret. */
export class OAuthFailure extends Data.TaggedError("OAuthFailure")<{
  readonly code: Extract<
    FailureCode,
    | "authorization_denied"
    /** The code or refresh token is not valid, or no longer. */
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

/** The authorization response does not belong to the request: it is from another server or has another form. */
export class AuthorizationResponseMismatch extends Data.TaggedError("AuthorizationResponseMismatch")<{
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

/** Makes a client that uses the authorization code grant with PKCE by S256, and nothing else. */
export const makeOAuthClient = (
  http: HttpClient.HttpClient,
  settings: OAuthSettings,
  timeouts: Timeouts = defaultTimeouts
): OAuthClient => {
  const { clientId, revokeUrl, scopes } = settings
  const server = metadataOf(settings)
  const client: oauth.Client = { client_id: clientId }
  const clientAuth = clientAuthOf(settings)
  const request = <A>(secrets: ReadonlyArray<Redacted.Redacted>, send: (options: RequestOptions) => Promise<A>) =>
    sendRequest(
      fetchThrough(http, [...secrets, ...Option.toArray(Option.fromNullable(settings.clientSecret))], timeouts),
      send
    )

  const toGrantedToken = (
    response: oauth.TokenEndpointResponse,
    previous?: OAuthToken
  ): Effect.Effect<OAuthToken, OAuthFailure> => {
    if (response.token_type !== "bearer")
      return Effect.fail(new OAuthFailure({ code: "provider_unavailable", detail: "the token is not a bearer token" }))
    const missing = findMissingScopes(response, scopes)
    return missing.length === 0 ? toToken(response, previous) : Effect.fail(makeInsufficientScope(missing))
  }

  return {
    requestAuthorization: Effect.fnUntraced(function* ({ redirectUri, state }) {
      const verifier = oauth.generateRandomCodeVerifier()
      const parameters = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
        state,
        code_challenge: yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier)),
        code_challenge_method: "S256"
      })
      return { authorizeUrl: `${settings.authorizeUrl}?${parameters}`, verifier: Redacted.make(verifier) }
    }),
    exchangeCode: Effect.fnUntraced(function* (authorizationResponse, { redirectUri, state, verifier }) {
      const params = yield* Effect.try({
        try: () => oauth.validateAuthResponse(server, client, authorizationResponse, state),
        catch: (error) => (error instanceof oauth.AuthorizationResponseError ? toFailure(error) : toMismatch(error))
      })
      const secrets = [verifier, Redacted.make(authorizationResponse.get("code") ?? "")]
      const response = yield* request(secrets, (options) =>
        oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuth,
          params,
          redirectUri,
          Redacted.value(verifier),
          options
        )
      )
      const token = yield* attempt(() => oauth.processAuthorizationCodeResponse(server, client, response))
      return yield* toGrantedToken(token)
    }),
    refreshToken: Effect.fnUntraced(function* (current) {
      const { refreshToken } = current
      if (refreshToken === undefined) return current
      const response = yield* request([refreshToken, current.accessToken], (options) =>
        oauth.refreshTokenGrantRequest(server, client, clientAuth, Redacted.value(refreshToken), options)
      )
      const token = yield* attempt(() => oauth.processRefreshTokenResponse(server, client, response))
      return yield* toGrantedToken(token, current)
    }),
    revokeToken: Effect.fnUntraced(function* ({ accessToken, refreshToken }) {
      if (revokeUrl === undefined) return
      const isBearer = settings.revocationAuthMethod === "bearer"
      // A server that revokes one of them need not revoke the other with it (RFC 7009 section 2.1).
      const tokens = refreshToken === undefined || isBearer ? [accessToken] : [refreshToken, accessToken]
      yield* Effect.forEach(
        tokens,
        (token) =>
          request([token], (options) =>
            oauth.revocationRequest(
              server,
              client,
              isBearer ? bearerAuthOf(token) : clientAuth,
              Redacted.value(token),
              options
            )
          ).pipe(Effect.flatMap((response) => attempt(() => oauth.processRevocationResponse(response)))),
        { discard: true }
      )
    })
  }
}

const metadataOf = ({ authorizeUrl, issuer, revokeUrl, tokenUrl }: OAuthSettings): oauth.AuthorizationServer => ({
  issuer: issuer ?? new URL(authorizeUrl).origin,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
  ...(revokeUrl === undefined ? {} : { revocation_endpoint: revokeUrl }),
  authorization_response_iss_parameter_supported: issuer !== undefined
})

const clientAuthOf = ({ clientSecret, tokenEndpointAuthMethod }: OAuthSettings): oauth.ClientAuth => {
  if (clientSecret === undefined) return oauth.None()
  const secret = Redacted.value(clientSecret)
  return tokenEndpointAuthMethod === "client_secret_post"
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret)
}

/** The token takes the place of the client. */
const bearerAuthOf =
  (token: Redacted.Redacted): oauth.ClientAuth =>
  (_server, _client, _body, headers) =>
    headers.set("authorization", `Bearer ${Redacted.value(token)}`)

interface RequestOptions {
  readonly [oauth.customFetch]: (
    url: string,
    init: oauth.CustomFetchOptions<"POST", URLSearchParams>
  ) => Promise<Response>
  /** The settings allow plain `http` for loopback only. */
  readonly [oauth.allowInsecureRequests]: true
}

type FetchFunction = (
  url: string,
  init: oauth.CustomFetchOptions<"POST", URLSearchParams>
) => Effect.Effect<Response, ProviderError>

/** Sends the requests of the library within the limits of all calls to providers. */
const fetchThrough =
  (http: HttpClient.HttpClient, secrets: ReadonlyArray<Redacted.Redacted>, timeouts: Timeouts): FetchFunction =>
  (url, { body, headers }) => {
    const form = HttpBody.text(body.toString(), "application/x-www-form-urlencoded;charset=UTF-8")
    return Effect.map(
      sendProviderRequest(http, HttpClientRequest.post(url, { headers, body: form }), {
        admits: (bytes) => bytes <= maxResponseBytes,
        secrets,
        timeout: timeouts.call
      }),
      ({ headers: responseHeaders, status, text }) =>
        new Response(text === "" ? null : text, {
          status,
          headers: { "content-type": responseHeaders["content-type"] ?? "" }
        })
    )
  }

const maxResponseBytes = 64 * 1_024

const sendRequest = <A>(
  fetchEffect: FetchFunction,
  send: (options: RequestOptions) => Promise<A>
): Effect.Effect<A, OAuthFailure> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) => {
    const runFetch = Runtime.runPromise(runtime)
    return attempt(() =>
      send({
        [oauth.customFetch]: (url, init) => runFetch(fetchEffect(url, init)),
        [oauth.allowInsecureRequests]: true
      })
    )
  })

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, OAuthFailure> =>
  Effect.tryPromise({ try: run, catch: toFailure })

/** Translates an error of the library or of a call; of the server's own texts only error codes are quoted. */
const toFailure = (error: unknown): OAuthFailure => {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const code = failureCodes.get(error.error) ?? "provider_unavailable"
    return new OAuthFailure({ code, detail: `the server reports ${error.error.replace(/[^\w-]/g, "").slice(0, 40)}` })
  }
  const cause = Runtime.isFiberFailure(error) ? Cause.squash(error[Runtime.FiberFailureCauseId]) : error
  return cause instanceof ProviderError
    ? new OAuthFailure({
        code: cause.kind === "rate_limited" ? "provider_rate_limited" : "provider_unavailable",
        detail: cause.detail
      })
    : new OAuthFailure({ code: "provider_unavailable", detail: describeError(error) })
}

/** The error codes of RFC 6749 sections 4.1.2.1 and 5.2 that the customer can do something about. */
const failureCodes: ReadonlyMap<string, OAuthFailure["code"]> = new Map([
  ["access_denied", "authorization_denied"],
  ["invalid_grant", "authorization_revoked"],
  ["invalid_scope", "authorization_insufficient_scope"]
])

const toMismatch = (error: unknown): AuthorizationResponseMismatch =>
  new AuthorizationResponseMismatch({ detail: describeError(error) })

/** Messages of the library name fields, never their values. */
const describeError = (error: unknown): string =>
  error instanceof oauth.OperationProcessingError ? error.message : "the response does not follow the protocol"

/** A response without `scope` grants all that were requested (RFC 6749 section 5.1). */
const findMissingScopes = (
  { scope }: oauth.TokenEndpointResponse,
  requested: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const granted = scope?.split(" ")
  return granted === undefined ? [] : requested.filter((each) => each !== "offline_access" && !granted.includes(each))
}

/** Fewer rights were granted than the service needs. */
export const makeInsufficientScope = (missing: ReadonlyArray<string>): OAuthFailure =>
  new OAuthFailure({
    code: "authorization_insufficient_scope",
    detail: `fewer rights were granted than requested: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`
  })

/** Without a new refresh token the old one remains valid (RFC 6749 section 6). */
const toToken = (
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
        : { expiresAt: DateTime.addDuration(now, Duration.seconds(Math.min(expires_in, maxLifetimeSeconds))) })
    }
  })

/** Longer than any credential is stored, and small enough to add to any date. */
const maxLifetimeSeconds = Duration.toSeconds(Duration.days(366))
