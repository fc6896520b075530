import { type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, type HttpMethod, OpenApi } from "@effect/platform"
import { Context, Effect, type Option, Schema } from "effect"
import type { ConnectionAction } from "../../domain/connection/Connection.ts"
import type { AdminKeyId, AdminScope } from "../../domain/access/AdminKey.ts"
import type { Origin } from "../../domain/names/Origin.ts"
import type { ApiKeyId, KeyScope, Tenancy } from "../../domain/access/Tenancy.ts"
import type { DomainEntryRights } from "../../security/DomainEntryTokens.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { AdminEnvironment } from "../../security/AdminKeys.ts"
import type { StoredConnection } from "../../persistence/stores/connections/StoredConnection.ts"
import {
  adminForbidden,
  entryForbidden,
  forbidden,
  keyForbidden,
  originForbidden,
  rateLimited,
  unauthenticated
} from "./operationErrors.ts"

/**
 * Who may call an endpoint: keys with this scope, with `allowsBrowsers` the connection's browser token, and with
 * `allowsHelpers` also one from a share link.
 */
export interface AccessRule {
  readonly scope: KeyScope | AdminScope
  readonly allowsBrowsers: boolean
  readonly allowsHelpers: boolean
}

/** The annotation by which an endpoint declares its access rule; `Endpoints` reads it. */
export class EndpointAccess extends Context.Tag("http/EndpointAccess")<EndpointAccess, AccessRule>() {}

/** Marks an endpoint whose statements are all shared (see `batchStatement`), so that many requests may run at once. */
export class StatementSharing extends Context.Reference<StatementSharing>()("http/StatementSharing", {
  defaultValue: () => false
}) {}

/** Lets API keys with this scope call an endpoint. */
export const allowServers = (scope: KeyScope) =>
  allowCallers({ scope, allowsBrowsers: false, allowsHelpers: false }, ApiKeyAuth)

/** Lets API keys with this scope, and the browser token of the connection, call an endpoint; a helper's where it reads. */
export const allowServersAndBrowsers = (scope: KeyScope) =>
  allowCallers({ scope, allowsBrowsers: true, allowsHelpers: scope === "connections:read" }, CallerAuth)

/** Lets API keys with this scope, and every browser token of the connection, call an endpoint. */
export const allowServersAndHelpers = (scope: KeyScope) =>
  allowCallers({ scope, allowsBrowsers: true, allowsHelpers: true }, CallerAuth)

/** Lets admin keys with this scope call an endpoint. */
export const allowAdmins =
  (scope: AdminScope) =>
  <Name extends string, Method extends HttpMethod.HttpMethod, Path, UrlParams, Payload, Headers, Success, Error, R, RE>(
    endpoint: HttpApiEndpoint.HttpApiEndpoint<Name, Method, Path, UrlParams, Payload, Headers, Success, Error, R, RE>
  ) =>
    endpoint
      .middleware(AdminAuth)
      .annotate(EndpointAccess, { scope, allowsBrowsers: false, allowsHelpers: false })
      .annotate(OpenApi.Override, { security: [{ adminKey: [scope] }] })

/** The OpenAPI document names the scope as the role that the scheme requires (OpenAPI 3.1.0 section 4.8.30). */
const allowCallers =
  <Id extends HttpApiMiddleware.HttpApiMiddleware.AnyId, Service>(rule: AccessRule, auth: Context.Tag<Id, Service>) =>
  <Name extends string, Method extends HttpMethod.HttpMethod, Path, UrlParams, Payload, Headers, Success, Error, R, RE>(
    endpoint: HttpApiEndpoint.HttpApiEndpoint<Name, Method, Path, UrlParams, Payload, Headers, Success, Error, R, RE>
  ) =>
    endpoint
      .middleware(auth)
      .annotate(EndpointAccess, rule)
      .annotate(OpenApi.Override, {
        security: [{ apiKey: [rule.scope] }, ...(rule.allowsBrowsers ? [{ browserToken: [] }] : [])]
      })

const apiKey = HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" })

/** A platform's server that sent its API key. */
export interface AuthenticatedServer {
  readonly keyId: ApiKeyId
  readonly tenancy: Tenancy
  /** The connection of the path, if it belongs to the tenant. */
  readonly connection: Option.Option<StoredConnection>
  /** The commands that the key may call. */
  readonly callableActions: ReadonlyArray<ConnectionAction>
  readonly hasAccess: Effect.Effect<boolean, StoreUnavailable>
}

/** The platform's server that sent the request. */
export class ServerCaller extends Context.Tag("http/ServerCaller")<ServerCaller, AuthenticatedServer>() {}

/** Security scheme of endpoints that only a platform's server may call, with its API key in `x-api-key`. */
export class ApiKeyAuth extends HttpApiMiddleware.Tag<ApiKeyAuth>()("http/ApiKeyAuth", {
  failure: Schema.Union(unauthenticated, keyForbidden, rateLimited),
  provides: ServerCaller,
  security: { apiKey }
}) {}

/** The server or browser that sent the request. */
export class Caller extends Context.Tag("http/Caller")<
  Caller,
  {
    readonly tenancy: Tenancy
    /** The API key of the server, or the one that requested the token of the browser. */
    readonly keyId: ApiKeyId
    /** The connection of the path, if the caller may read it: a server its tenant's, a browser that of its token. */
    readonly connection: Option.Option<StoredConnection>
    readonly callableActions: ReadonlyArray<ConnectionAction>
    /** The origin of the page, if a browser calls. */
    readonly origin: Option.Option<Origin>
    /** Names the key or token: callers with the same one may read the same. */
    readonly credentialId: string
    /** Whether the key or token is still valid; one of an ended connection is, so that a stream can report the end. */
    readonly hasAccess: Effect.Effect<boolean, StoreUnavailable>
  }
>() {}

/**
 * Security schemes of endpoints that a server may call with its API key, and a browser with its bearer token. If a
 * request has an `x-api-key`, that one counts.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class CallerAuth extends HttpApiMiddleware.Tag<CallerAuth>()("http/CallerAuth", {
  failure: Schema.Union(unauthenticated, forbidden, rateLimited),
  provides: Caller,
  security: { apiKey, browserToken: HttpApiSecurity.bearer }
}) {}

/** The customer who types a domain, with what the token allows. */
export class DomainEntryCaller extends Context.Tag("http/DomainEntryCaller")<
  DomainEntryCaller,
  DomainEntryRights & { readonly tokenId: string }
>() {}

/** Security scheme of the endpoints for a customer who types a domain. */
export class DomainEntryAuth extends HttpApiMiddleware.Tag<DomainEntryAuth>()("http/DomainEntryAuth", {
  failure: Schema.Union(unauthenticated, entryForbidden, rateLimited),
  provides: DomainEntryCaller,
  security: { domainEntryToken: HttpApiSecurity.bearer }
}) {}

/** Lets a customer who types a domain call an endpoint from a page. */
export const allowDomainEntry = <
  Name extends string,
  Method extends HttpMethod.HttpMethod,
  Path,
  UrlParams,
  Payload,
  Headers,
  Success,
  Error,
  R,
  RE
>(
  endpoint: HttpApiEndpoint.HttpApiEndpoint<Name, Method, Path, UrlParams, Payload, Headers, Success, Error, R, RE>
) => endpoint.middleware(DomainEntryAuth).annotate(EndpointAccess, entryRule)

const entryRule: AccessRule = { scope: "connections:write", allowsBrowsers: true, allowsHelpers: false }

/** The origin of this service, by the name under which the browser reached it. */
export class HostedPageOrigin extends Context.Tag("http/HostedPageOrigin")<HostedPageOrigin, Origin>() {}

/**
 * Requires that a request comes from the hosted page, and that its address has not sent too many refused credentials, before
 * the body is read.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class HostedPageOnly extends HttpApiMiddleware.Tag<HostedPageOnly>()("http/HostedPageOnly", {
  failure: Schema.Union(originForbidden, rateLimited),
  provides: HostedPageOrigin
}) {}

/** An administrator who sent an admin key. */
export interface AuthenticatedAdmin {
  readonly keyId: AdminKeyId
  /** The environment of the keys that this administrator creates. */
  readonly environment: AdminEnvironment
}

export class AdminCaller extends Context.Tag("http/AdminCaller")<AdminCaller, AuthenticatedAdmin>() {}

/** Security scheme of the endpoints for administrators, who send an admin key in `x-admin-key`. */
export class AdminAuth extends HttpApiMiddleware.Tag<AdminAuth>()("http/AdminAuth", {
  failure: Schema.Union(unauthenticated, adminForbidden, rateLimited),
  provides: AdminCaller,
  security: { adminKey: HttpApiSecurity.apiKey({ in: "header", key: "x-admin-key" }) }
}) {}
