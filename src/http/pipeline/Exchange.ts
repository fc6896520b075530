import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import type { Actor, ActorContext } from "../../domain/access/Actor.ts"
import type { BrowserRole } from "../../domain/access/BrowserRole.ts"
import type { AdminScope } from "../../domain/access/AdminKey.ts"
import type { KeyScope, Tenancy } from "../../domain/access/Tenancy.ts"
import type { PermitHolder } from "../../limits/ConcurrencyLimiter.ts"
import type { CredentialSender } from "../../limits/CredentialGate.ts"
import type { KnownSource } from "../../limits/RequestSource.ts"
import { errorsPath } from "../PublicUrl.ts"
import type { AccessRule } from "../contract/securitySchemes.ts"

/** Everything that is known of a request, from its arrival to its response; each step of the pipeline adds to it. */
export interface RequestExchange extends CredentialSender, PermitHolder {
  /** The request, from a step on with its body limited. */
  request: HttpServerRequest.HttpServerRequest
  /** The id in the response (`x-request-id`, error bodies) and in the log: the client's own if it is safe in a log line. */
  readonly id: string
  /** The URL of the page that explains error codes, as the body of an error links it. */
  readonly errorsUrl: string
  /** The endpoint or route at the path of the request, if there is one. */
  readonly found: FoundPath | undefined
  /** The headers that the response gets, whatever it will be. */
  readonly responseHeaders: Record<string, string>
  /** Who sent the request, once its credential was verified. */
  caller?: VerifiedCaller
}

/** Whose rate a request counts for, and what it may do: the scopes of its key, or the role of its browser token. */
export interface VerifiedCaller {
  readonly source: KnownSource
  /** The id of the key or token, which reveals nothing of it. */
  readonly keyId: string
  readonly tenancy?: Tenancy
  readonly scopes?: ReadonlyArray<KeyScope | AdminScope>
  readonly role?: BrowserRole
}

export const beginExchange = (
  request: HttpServerRequest.HttpServerRequest,
  known: { readonly errorsUrl: string; readonly found: FoundPath | undefined; readonly newId: string }
): RequestExchange => {
  const { headers, method, remoteAddress } = request
  const clientId = headers["x-request-id"]
  return {
    request,
    id: clientId !== undefined && /^[\w.-]{8,128}$/.test(clientId) ? clientId : known.newId,
    errorsUrl: known.errorsUrl,
    found: known.found,
    // Now: a client that goes away has no address any more.
    remoteAddress,
    origin: headers["origin"],
    sharesStatements: known.found?.path.endpoints.get(method)?.sharesStatements === true,
    responseHeaders: {}
  }
}

/** The exchange that the current fiber works for; outside of requests one without a client. */
export class Exchange extends Context.Reference<Exchange>()("http/Exchange", {
  defaultValue: (): RequestExchange =>
    beginExchange(HttpServerRequest.fromWeb(new Request("http://localhost/")), {
      errorsUrl: errorsPath,
      found: undefined,
      newId: "unknown"
    })
}) {}

/** The services of one request. All others are injected when middleware and handlers are built. */
export type RequestServices =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpRouter.RouteContext

/** The steps of the pipeline for the requests of a method and path, prepared once. */
export interface ServedEndpoint {
  readonly access: Option.Option<AccessRule>
  readonly sharesStatements: boolean
  /** The names of the query parameters; `name[key]` stands for every key. */
  readonly queryParameters: ReadonlyArray<string>
  /** Whether it answers while the service drains, without authentication: health, documents, pages, preflights. */
  readonly isPublic: boolean
  /** Whether keys of every scope may call it. */
  readonly takesAnyScope?: boolean
  /** Verifies the credential; the services that the handler gets thereby. */
  readonly authenticate: Effect.Effect<ReadonlyMap<string, unknown>, unknown, RequestServices>
  readonly decode: (exchange: RequestExchange) => Effect.Effect<object, unknown>
  /** Responds, or returns the result to encode. */
  readonly handle: (input: object) => Effect.Effect<unknown, unknown, RequestServices>
  /** The response of what `handle` returned, which may be one already. */
  readonly encode: (result: unknown) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

export interface ServedPath {
  readonly template: string
  readonly endpoints: ReadonlyMap<string, ServedEndpoint>
  /** The methods that browsers may call: if there are any, the path answers preflights and sends `Vary: Origin`. */
  readonly browserMethods: ReadonlyArray<string>
}

export interface FoundPath {
  readonly path: ServedPath
  readonly params: Readonly<Record<string, string | undefined>>
  readonly searchParams: Readonly<Record<string, string | Array<string>>>
}

/** Adds services to the context of the request's fiber, in place: each copy would cost as much as a step. */
export const provideServices = (services: ReadonlyMap<string, unknown>): Effect.Effect<void> =>
  Effect.withFiberRuntime(({ currentContext }) => {
    for (const [key, service] of services) currentContext.unsafeMap.set(key, service)
    return Effect.void
  })

/** The services that handlers and middleware may require of a request. */
export const servicesOf = (exchange: RequestExchange): ReadonlyMap<string, unknown> => {
  const { params = {}, searchParams = {} } = exchange.found ?? {}
  return new Map<string, unknown>([
    [HttpServerRequest.HttpServerRequest.key, exchange.request],
    [HttpServerRequest.ParsedSearchParams.key, searchParams],
    [HttpRouter.RouteContext.key, { [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId, params }],
    [Exchange.key, exchange]
  ])
}

/** An actor with the id of its request and the address of its client, as the audit log names them. */
export const actorOf = ({ id, remoteAddress }: RequestExchange, actor: Actor): ActorContext => ({
  actor,
  requestId: id,
  ...Option.match(remoteAddress, { onNone: () => ({}), onSome: (address) => ({ address }) })
})
