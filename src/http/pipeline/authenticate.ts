import type { Headers, HttpServerRequest } from "@effect/platform"
import { Effect, Either, FiberRef, Layer, Option, Redacted, Schema } from "effect"
import { type Actor, type ActorContext, browserTokenIdOf, currentActor } from "../../domain/access/Actor.ts"
import { ConnectionId } from "../../domain/connection/Connection.ts"
import { type Origin, parseOrigin } from "../../domain/names/Origin.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { CredentialGate } from "../../limits/CredentialGate.ts"
import type { RateLimited } from "../../limits/limitErrors.ts"
import { RateLimiter } from "../../limits/RateLimiter.ts"
import { adminSource, browserSource, entrySource, serverSource } from "../../limits/RequestSource.ts"
import { ConnectionNotFound } from "../../persistence/stores/connections/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/connections/StoredConnection.ts"
import { AdminKeys, environmentOfAdminKey, isAdminKey } from "../../security/AdminKeys.ts"
import { ApiKeys, isApiKey, type Unauthenticated } from "../../security/ApiKeys.ts"
import { BrowserTokens, isBrowserToken } from "../../security/BrowserTokens.ts"
import { DomainEntryTokens, isDomainEntryToken } from "../../security/DomainEntryTokens.ts"
import { sha256 } from "../../security/secrets.ts"
import { Forbidden } from "../contract/errorResponses.ts"
import { dieOnStoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  AdminAuth,
  ApiKeyAuth,
  Caller,
  CallerAuth,
  DomainEntryAuth,
  HostedPageOnly
} from "../contract/securitySchemes.ts"
import { findExceeded } from "./admit.ts"
import { Endpoints } from "./Endpoints.ts"
import { actorOf, Exchange, type RequestExchange, type VerifiedCaller } from "./Exchange.ts"
import { explainUnauthenticated, type RequiredCredentialName } from "./requiredCredential.ts"

/** One kind of credential: its place in a request, its verification, and the caller that it identifies. */
interface CredentialScheme<Verified> {
  readonly read: (headers: Headers.Headers) => Redacted.Redacted
  /** Whether a text has the form of such a credential. */
  readonly isWellFormed: (credential: Redacted.Redacted) => boolean
  readonly verify: (
    credential: Redacted.Redacted,
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<Verified, Unauthenticated | Forbidden>
  readonly callerOf: (verified: Verified) => VerifiedCaller
  /** Who acts, for the audit log. */
  readonly actorOf: (verified: Verified) => readonly [actor: Actor, tenant?: Pick<Tenancy, "tenantId">]
}

/**
 * Authenticates, in the order of the contract: 429 too many refused credentials, 401 no valid one, 403 an API key in a
 * browser or a token from another origin. A recently valid one gets the 429 of its rate without another check. Dies with
 * `StoreUnavailable`, which every endpoint answers with 503.
 */
const makeAuthentication = Effect.map(
  Effect.all([CredentialGate, RateLimiter]),
  ([gate, rateLimiter]) =>
    <Verified>(required: RequiredCredentialName, scheme: CredentialScheme<Verified>) =>
      Effect.flatMap(Exchange, (exchange): Effect.Effect<Verified, Unauthenticated | Forbidden | RateLimited> => {
        const { request } = exchange
        const credential = scheme.read(request.headers)
        const isWellFormed = scheme.isWellFormed(credential)
        const exceeded = isWellFormed
          ? findExceeded(exchange, gate.findKnown(exchange, credential), rateLimiter)
          : undefined
        if (exceeded !== undefined) return exceeded
        const check = {
          credential,
          isWellFormed,
          verification: scheme.verify(credential, request),
          sourceOf: (verified: Verified) => scheme.callerOf(verified).source
        }
        return Effect.matchEffect(gate.check(exchange, check), {
          onFailure: (error): Effect.Effect<never, Unauthenticated | Forbidden | RateLimited> =>
            error._tag === "Unauthenticated" ? explainUnauthenticated(exchange, required) : Effect.fail(error),
          onSuccess: (verified) => {
            exchange.caller = scheme.callerOf(verified)
            return request.method === "GET"
              ? Effect.succeed(verified)
              : Effect.as(FiberRef.set(currentActor, nameActor(exchange, scheme.actorOf(verified))), verified)
          }
        })
      })
)

const nameActor = (
  exchange: RequestExchange,
  [actor, tenant]: readonly [Actor, Pick<Tenancy, "tenantId">?]
): ActorContext => ({ ...actorOf(exchange, actor), ...tenant })

/** The API key of a platform's server, with which the connection of the path is read at once. */
const makeApiKeyScheme = Effect.map(
  ApiKeys,
  (apiKeys) =>
    (connectionId: Option.Option<ConnectionId>): CredentialScheme<VerifiedApiKey> => ({
      read: (headers) => Redacted.make(headers["x-api-key"] ?? ""),
      isWellFormed: isApiKey,
      verify: (key, { headers }) => {
        const verified = dieOnStoreUnavailable(apiKeys.authenticate(key, connectionId))
        return headers["origin"] === undefined
          ? Effect.map(verified, (found) => ({ ...found, key }))
          : Effect.zipRight(verified, keyInBrowser("an API key"))
      },
      callerOf: ({ id, scopes, tenancy }) => ({ source: serverSource(tenancy), keyId: id, tenancy, scopes }),
      actorOf: ({ id, tenancy }) => [{ type: "api_key", id }, { tenantId: tenancy.tenantId }]
    })
)

type VerifiedApiKey = Effect.Effect.Success<ReturnType<ApiKeys["Type"]["authenticate"]>> & {
  readonly key: Redacted.Redacted
}

/** The bearer token of a connection, which counts from its own origin only. */
const makeTokenScheme = Effect.map(BrowserTokens, (tokens): CredentialScheme<VerifiedToken> => ({
  read: readBearerToken,
  isWellFormed: isBrowserToken,
  verify: (token, { headers }) =>
    dieOnStoreUnavailable(tokens.verify(token)).pipe(
      Effect.filterOrFail(
        ({ origin }) => isFromOrigin(origin, headers),
        () => originNotAllowed
      ),
      Effect.map((verified) => ({ ...verified, token }))
    ),
  callerOf: ({ connection, role, tenancy, token }) => ({
    source: browserSource(tenancy, connection.id),
    keyId: idOfToken(token),
    tenancy,
    role
  }),
  actorOf: ({ token }) => [{ type: "browser_token", id: idOfToken(token) }]
}))

const idOfToken = (token: Redacted.Redacted): string => browserTokenIdOf(sha256(Redacted.value(token)))

type VerifiedToken = Effect.Effect.Success<ReturnType<BrowserTokens["Type"]["verify"]>> & {
  readonly token: Redacted.Redacted
}

/** The bearer token; empty, which none is, without one. */
const readBearerToken = (headers: Headers.Headers): Redacted.Redacted =>
  Redacted.make(/^Bearer ([^\s]+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? "")

/** Checks the admin key in `x-admin-key`. */
export const adminAuthLayer = Layer.effect(
  AdminAuth,
  Effect.map(Effect.all([makeAuthentication, AdminKeys]), ([authenticate, adminKeys]) => {
    const admin = authenticate("adminKey", {
      read: (headers) => Redacted.make(headers["x-admin-key"] ?? ""),
      isWellFormed: isAdminKey,
      verify: (key, { headers }) =>
        Effect.map(
          Effect.filterOrFail(
            dieOnStoreUnavailable(adminKeys.authenticate(key)),
            // Of browsers only the page of this service may have one, which other pages cannot pretend to be.
            () => headers["origin"] === undefined || headers["sec-fetch-site"] === "same-origin",
            () => keyInBrowser("an admin key")
          ),
          ({ id, scopes }) => ({ keyId: id, scopes, environment: environmentOfAdminKey(key) })
        ),
      callerOf: ({ keyId, scopes }) => ({ source: adminSource(keyId), keyId, scopes }),
      actorOf: ({ keyId }) => [{ type: "admin_key", id: keyId }]
    })
    return { adminKey: () => admin }
  })
)

/** Checks the API key in `x-api-key`. */
export const apiKeyAuthLayer = Layer.effect(
  ApiKeyAuth,
  Effect.map(
    Effect.all([makeAuthentication, makeApiKeyScheme, ApiKeys, Endpoints]),
    ([authenticate, schemeOf, apiKeys, endpoints]) => {
      const server = Effect.map(authenticate("apiKey", schemeOf(Option.none())), (key) =>
        toServer(key, apiKeys, endpoints)
      )
      return { apiKey: () => server }
    }
  )
)

/** Checks the API key in `x-api-key` or, without one, the browser token. */
export const callerAuthLayer = Layer.effect(
  CallerAuth,
  Effect.gen(function* () {
    const authenticate = yield* makeAuthentication
    const schemeOf = yield* makeApiKeyScheme
    const apiKeys = yield* ApiKeys
    const tokens = yield* BrowserTokens
    const endpoints = yield* Endpoints
    const required = "apiKeyOrBrowserToken"
    const browser = authenticate(required, yield* makeTokenScheme)
    const actionsOf = {
      customer: endpoints.listActions(({ allowsBrowsers }) => allowsBrowsers),
      helper: endpoints.listActions(({ allowsHelpers }) => allowsHelpers)
    }

    const caller = Effect.flatMap(Exchange, ({ found, request: { headers } }) => {
      const pathId = decodeConnectionId(found?.params["connectionId"])
      return headers["x-api-key"] !== undefined || headers["authorization"] === undefined
        ? Effect.map(authenticate(required, schemeOf(pathId)), (key) => ({
            ...toServer(key, apiKeys, endpoints),
            credentialId: key.id,
            origin: Option.none<Origin>()
          }))
        : Effect.map(browser, ({ apiKeyId, connection, origin, role, tenancy, token }) => ({
            tenancy,
            keyId: apiKeyId,
            origin: Option.some(origin),
            connection: Option.filter(Option.some(connection), ({ id }) => Option.contains(pathId, id)),
            callableActions: actionsOf[role],
            credentialId: Buffer.from(sha256(Redacted.value(token))).toString("base64url"),
            hasAccess: tokens.isValid(token)
          }))
    })
    return { apiKey: () => caller, browserToken: () => caller }
  })
)

/** Checks the token of a customer who types a domain, which counts from its own origin only. */
export const domainEntryAuthLayer = Layer.effect(
  DomainEntryAuth,
  Effect.map(Effect.all([makeAuthentication, DomainEntryTokens]), ([authenticate, tokens]) => {
    const customer = authenticate("domainEntryToken", {
      read: readBearerToken,
      isWellFormed: isDomainEntryToken,
      verify: (token, { headers }) =>
        dieOnStoreUnavailable(tokens.verify(token)).pipe(
          Effect.filterOrFail(
            ({ origin }) => isFromOrigin(origin, headers),
            () => originNotAllowed
          ),
          Effect.map((entry) => ({ ...entry, tokenId: idOfToken(token) }))
        ),
      callerOf: ({ tenancy, tokenId }) => ({ source: entrySource(tenancy, tokenId), keyId: tokenId, tenancy }),
      actorOf: ({ tenancy, tokenId }) => [{ type: "browser_token", id: tokenId }, { tenantId: tenancy.tenantId }]
    })
    return { domainEntryToken: () => customer }
  })
)

const decodeConnectionId = Schema.decodeUnknownOption(ConnectionId)

/** The server with this key, as handlers know it. */
const toServer = (
  { connection, id, key, scopes, tenancy }: VerifiedApiKey,
  apiKeys: typeof ApiKeys.Service,
  endpoints: typeof Endpoints.Service
) => ({
  keyId: id,
  tenancy,
  connection,
  callableActions: endpoints.listActions(({ scope }) => scopes.some((granted) => granted === scope)),
  hasAccess: Effect.suspend(() => apiKeys.authenticate(key, Option.none())).pipe(
    Effect.as(true),
    Effect.catchTag("Unauthenticated", () => Effect.succeed(false))
  )
})

/** The connection of the path; fails unless the caller may read it. */
export const requireConnection: Effect.Effect<StoredConnection, ConnectionNotFound, Caller> = Effect.flatMap(
  Caller,
  ({ connection }) => Effect.mapError(connection, () => ConnectionNotFound.error)
)

/** Checks the headers by which browsers say where a request comes from, and the refused credentials of its address. */
export const hostedPageOnlyLayer = Layer.effect(
  HostedPageOnly,
  Effect.map(CredentialGate, (gate) =>
    Effect.gen(function* () {
      const exchange = yield* Exchange
      const { headers } = exchange.request
      // Browsers set this header, pages cannot (Fetch Metadata): so the origin is this service, by whatever name.
      if (headers["sec-fetch-site"] !== "same-origin") return yield* notFromHostedPage
      const origin = yield* Either.mapLeft(parseOrigin(headers["origin"] ?? ""), () => notFromHostedPage)
      yield* gate.requireAttempt(exchange)
      return origin
    })
  )
)

/**
 * Whether a request comes from a page of this origin. Browsers omit `Origin` when a page reads from its own server, and
 * send `Sec-Fetch-Site`, which no page can set (Fetch Metadata).
 */
const isFromOrigin = (origin: Origin, headers: Headers.Headers): boolean =>
  headers["origin"] === undefined
    ? headers["sec-fetch-site"] === "same-origin" && new URL(origin).host === headers["host"]
    : headers["origin"] === origin

const keyInBrowser = (key: "an API key" | "an admin key") =>
  new Forbidden({
    code: "api_key_in_browser",
    message: `the request comes from a browser (it has an Origin header); ${key} belongs on a server only`
  })

const originNotAllowed = new Forbidden({
  code: "origin_not_allowed",
  message: "the request does not come from the origin that this token was issued for"
})

const notFromHostedPage = new Forbidden({
  code: "origin_not_allowed",
  message: "a link is opened on the page of this service only"
})
