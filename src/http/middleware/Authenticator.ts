import type { Headers, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, FiberRef, Layer, Option, Redacted } from "effect"
import { ConnectionAction, type ConnectionId } from "../../domain/Connection.ts"
import { type Actor, browserTokenIdOf, currentActor } from "../../domain/Actor.ts"
import type { Origin } from "../../domain/Origin.ts"
import type { KeyScope, Tenancy } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { AdminKeys, environmentOfAdminKey, isAdminKey } from "../../security/AdminKeys.ts"
import { ApiKeys, isApiKey, type Unauthenticated } from "../../security/ApiKeys.ts"
import { BrowserTokens, isBrowserToken } from "../../security/BrowserTokens.ts"
import { sha256 } from "../../security/secrets.ts"
import { bodyBytesPerRequest, maxBodyBytes } from "../contract/bodyLimits.ts"
import { dieOnStoreUnavailable, Forbidden, RateLimited } from "../contract/errorResponses.ts"
import type { AccessRule, AuthenticatedAdmin, AuthenticatedServer } from "../contract/securitySchemes.ts"
import { actorOfRequest } from "../actorOfRequest.ts"
import { addResponseHeaders } from "../requestMetadata.ts"
import { nameRequiredCredential } from "../requiredCredential.ts"
import { CredentialGate } from "./CredentialGate.ts"
import { RateLimiter, type RateLimitStatus } from "./RateLimiter.ts"
import { adminSource, browserSource, type KnownSource, serverSource } from "./RequestSource.ts"
import { RouteTable } from "./RouteTable.ts"

/** A browser that sent the token of a connection from the token's origin. */
interface AuthenticatedBrowser {
  readonly tenancy: Tenancy
  readonly origin: Origin
  /** The hash of the token. */
  readonly credentialId: string
  readonly connection: StoredConnection
  readonly callableActions: ReadonlyArray<ConnectionAction>
  /** Whether the token is still valid, also after the end of the connection. */
  readonly hasAccess: Effect.Effect<boolean, StoreUnavailable>
}

/**
 * Authenticates and authorizes callers, in the order of the contract: 429 too many refused credentials, 401 no valid
 * credential, 403 an API key in a browser or a token from another origin, 429 rate limit, 403 scope. A credential that was valid
 * lately gets the 429 of its rate without being checked again. Dies with `StoreUnavailable`, which every endpoint answers with
 * 503.
 */
export class Authenticator extends Context.Tag("http/Authenticator")<
  Authenticator,
  {
    /** Authenticates a platform's server by its API key. */
    readonly authenticateServer: (
      request: HttpServerRequest.HttpServerRequest,
      route: HttpRouter.Route<unknown, unknown>,
      connectionId: Option.Option<ConnectionId>
    ) => Effect.Effect<AuthenticatedServer, Unauthenticated | Forbidden | RateLimited>
    /** Authenticates a browser by its token and origin. */
    readonly authenticateBrowser: (
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<AuthenticatedBrowser, Unauthenticated | Forbidden | RateLimited>
    /** Authenticates an administrator by an admin key. */
    readonly authenticateAdmin: (
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<AuthenticatedAdmin, Unauthenticated | Forbidden | RateLimited>
  }
>() {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const adminKeys = yield* AdminKeys
      const apiKeys = yield* ApiKeys
      const tokens = yield* BrowserTokens
      const gate = yield* CredentialGate
      const rateLimiter = yield* RateLimiter
      const routes = yield* RouteTable

      const listCallableActions = (isAllowed: (rule: AccessRule) => boolean) =>
        ConnectionAction.literals.filter((action) =>
          Option.exists(
            action === "update"
              ? routes.accessRuleOf("PATCH", "/v1/connections/:connectionId")
              : routes.accessRuleOf("POST", `/v1/connections/:connectionId/${action}`),
            isAllowed
          )
        )
      const browserActions = listCallableActions(({ allowsBrowsers }) => allowsBrowsers)
      const serverActions = new Map<string, ReadonlyArray<ConnectionAction>>()
      const callableWith = (scopes: ReadonlyArray<KeyScope>) => {
        const known = serverActions.get(scopes.join()) ?? listCallableActions(({ scope }) => scopes.includes(scope))
        serverActions.set(scopes.join(), known)
        return known
      }

      /** Counts the request, adds the rate limit's headers, and refuses it above the limit. */
      const countRequest = (request: HttpServerRequest.HttpServerRequest, source: KnownSource) => {
        const status = rateLimiter.consume(source.kind, rateBucketOf(source), countBodyAsRequests(request))
        if (status.limit > 0) addResponseHeaders(request, toRateLimitHeaders(source.kind, status))
        return status.isExceeded ? toRateLimited(source.kind, status) : undefined
      }

      /** Refuses a request whose source is known and has reached its limit, before it takes a permit and a look-up. */
      const refuseExceeded = (request: HttpServerRequest.HttpServerRequest, credential: Redacted.Redacted) => {
        const source = gate.findKnown(request, credential)
        if (source === undefined) return undefined
        const { limit, remaining } = rateLimiter.read(source.kind, rateBucketOf(source))
        return limit > 0 && remaining === 0 ? countRequest(request, source) : undefined
      }

      const verifyApiKey = (
        { headers }: HttpServerRequest.HttpServerRequest,
        apiKey: Redacted.Redacted,
        connectionId: Option.Option<ConnectionId>
      ) => {
        const verified = dieOnStoreUnavailable(apiKeys.authenticate(apiKey, connectionId))
        return headers["origin"] === undefined ? verified : Effect.zipRight(verified, apiKeyInBrowser)
      }

      const verifyToken = Effect.fnUntraced(function* (
        { headers }: HttpServerRequest.HttpServerRequest,
        token: Redacted.Redacted
      ) {
        const verified = yield* dieOnStoreUnavailable(tokens.verify(token))
        return isFromOrigin(verified.origin, headers) ? verified : yield* originNotAllowed
      })

      const nameCredentialOfServer = (
        request: HttpServerRequest.HttpServerRequest,
        { method, path }: HttpRouter.Route<unknown, unknown>
      ) => {
        const takesToken = Option.exists(routes.accessRuleOf(method, path), ({ allowsBrowsers }) => allowsBrowsers)
        return nameRequiredCredential(request, takesToken ? "apiKeyOrBrowserToken" : "apiKey")
      }

      return {
        authenticateServer: (request, route, connectionId) =>
          Effect.suspend(() => {
            const apiKey = Redacted.make(request.headers["x-api-key"] ?? "")
            if (!isApiKey(apiKey)) return gate.refuseMalformed(request)
            const exceeded = refuseExceeded(request, apiKey)
            if (exceeded !== undefined) return exceeded
            const verification = verifyApiKey(request, apiKey, connectionId)
            const checked = gate.check(request, apiKey, verification, ({ tenancy }) => serverSource(tenancy))
            return Effect.flatMap(checked, (key): Effect.Effect<AuthenticatedServer, Forbidden | RateLimited> => {
              const { connection, id, scopes, tenancy } = key
              const exceeded = countRequest(request, serverSource(tenancy))
              if (exceeded !== undefined) return exceeded
              const accessRule = routes.accessRuleOf(route.method, route.path)
              const scope = Option.getOrUndefined(accessRule)?.scope
              if (scope === undefined || !scopes.includes(scope)) return insufficientScope(scope, scopes)
              const hasAccess = Effect.suspend(() => apiKeys.authenticate(apiKey, Option.none())).pipe(
                Effect.as(true),
                Effect.catchTag("Unauthenticated", () => Effect.succeed(false))
              )
              const server = { keyId: id, tenancy, connection, callableActions: callableWith(scopes), hasAccess }
              return Effect.as(actBy(request, { type: "api_key", id }, { tenantId: tenancy.tenantId }), server)
            })
          }).pipe(nameCredentialOfServer(request, route)),
        authenticateAdmin: Effect.fnUntraced(
          function* (request) {
            const key = Redacted.make(request.headers["x-admin-key"] ?? "")
            if (!isAdminKey(key)) return yield* gate.refuseMalformed(request)
            const exceededBefore = refuseExceeded(request, key)
            if (exceededBefore !== undefined) return yield* exceededBefore
            const verification = Effect.filterOrFail(
              dieOnStoreUnavailable(adminKeys.authenticate(key)),
              () => request.headers["origin"] === undefined,
              () => adminKeyInBrowser
            )
            const id = yield* gate.check(request, key, verification, adminSource)
            const exceeded = countRequest(request, adminSource(id))
            if (exceeded !== undefined) return yield* exceeded
            yield* actBy(request, { type: "admin_key", id })
            return { keyId: id, environment: environmentOfAdminKey(key) }
          },
          (effect, request) => nameRequiredCredential(request, "adminKey")(effect)
        ),
        authenticateBrowser: Effect.fnUntraced(
          function* (request) {
            const token = readBearerToken(request.headers)
            if (!isBrowserToken(token)) return yield* gate.refuseMalformed(request)
            const exceededBefore = refuseExceeded(request, token)
            if (exceededBefore !== undefined) return yield* exceededBefore
            const { connection, origin, tenancy } = yield* gate.check(
              request,
              token,
              verifyToken(request, token),
              ({ connection: { id }, tenancy }) => browserSource(tenancy, id)
            )
            const exceeded = countRequest(request, browserSource(tenancy, connection.id))
            if (exceeded !== undefined) return yield* exceeded
            const hash = sha256(Redacted.value(token))
            const credentialId = Buffer.from(hash).toString("base64url")
            yield* actBy(request, { type: "browser_token", id: browserTokenIdOf(hash) })
            const hasAccess = tokens.isValid(token)
            return { tenancy, origin, connection, callableActions: browserActions, credentialId, hasAccess }
          },
          (effect, request) => nameRequiredCredential(request, "apiKeyOrBrowserToken")(effect)
        )
      }
    })
  )
}

/** Names who acts in the fiber of this request, for the audit log. */
const actBy = (request: HttpServerRequest.HttpServerRequest, actor: Actor, tenant?: Pick<Tenancy, "tenantId">) =>
  request.method === "GET" ? Effect.void : FiberRef.set(currentActor, { ...actorOfRequest(request, actor), ...tenant })

const rateBucketOf = ({ client, kind, tenant }: KnownSource): string => (kind === "server" ? tenant : client)

/** As how many requests a request counts, by the length that its body declares. */
const countBodyAsRequests = ({ headers }: HttpServerRequest.HttpServerRequest): number => {
  const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : maxBodyBytes
  return Math.max(1, Math.ceil(Math.min(declared, maxBodyBytes) / bodyBytesPerRequest))
}

/** Structured fields of the IETF draft `ratelimit-headers`; the policy of servers has kept its first name. */
const toRateLimitHeaders = (
  kind: "server" | "browser",
  { isExceeded, limit, remaining, resetSeconds }: RateLimitStatus
) => {
  const policy = kind === "server" ? "default" : kind
  return {
    "ratelimit-policy": `"${policy}";q=${limit};w=60`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    ...(isExceeded ? { "retry-after": String(resetSeconds) } : {})
  }
}

const toRateLimited = (kind: "server" | "browser", { limit, resetSeconds }: RateLimitStatus) =>
  new RateLimited({
    code: "rate_limited",
    message: `more than ${limit} requests ${kind === "browser" ? "from browsers for this connection " : ""}in this minute; try again in ${resetSeconds} seconds`
  })

/** The bearer token; empty, which none is, without one. */
const readBearerToken = (headers: Headers.Headers): Redacted.Redacted =>
  Redacted.make(/^Bearer ([^\s]+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? "")

/**
 * Whether a request comes from a page of this origin. Browsers omit `Origin` when a page reads from its own server, as the
 * hosted page does, and send `Sec-Fetch-Site`, which no page can set (Fetch Metadata).
 */
const isFromOrigin = (origin: Origin, headers: Headers.Headers): boolean =>
  headers["origin"] === undefined
    ? headers["sec-fetch-site"] === "same-origin" && new URL(origin).host === headers["host"]
    : headers["origin"] === origin

const apiKeyInBrowser = new Forbidden({
  code: "api_key_in_browser",
  message: "the request comes from a browser (it has an Origin header); an API key belongs on a server only"
})

const adminKeyInBrowser = new Forbidden({
  code: "api_key_in_browser",
  message: "the request comes from a browser (it has an Origin header); an admin key belongs on a server only"
})

const originNotAllowed = new Forbidden({
  code: "origin_not_allowed",
  message: "the request does not come from the origin that this token was issued for"
})

const insufficientScope = (required: KeyScope | undefined, scopes: ReadonlyArray<KeyScope>) =>
  new Forbidden({
    code: "insufficient_scope",
    message: `the API key lacks the scope ${required ?? "of this endpoint"}; it has ${scopes.join(", ") || "none"}: create a key with \`--scopes\``
  })
