import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, Tracer } from "effect"
import type { Actor, ActorContext } from "../../domain/Actor.ts"
import type { KeyScope } from "../../domain/Tenancy.ts"
import type { PermitHolder } from "../../limits/ConcurrencyLimiter.ts"
import type { CredentialSender } from "../../limits/CredentialGate.ts"
import type { KnownSource } from "../../limits/RequestSource.ts"
import { errorsPath } from "../PublicUrl.ts"
import type { FoundPath, RequestServices } from "./ServedEndpoint.ts"

/** What is known of a request, from its arrival to its response; each step of the pipeline adds to it. */
export interface RequestExchange extends CredentialSender, PermitHolder {
  /** The request, from a step on with its body limited. */
  request: HttpServerRequest.HttpServerRequest
  /** The id in the response (`x-request-id`, error bodies) and in the log: the client's own if it is safe in a log line. */
  readonly id: string
  /** The URL of the page that explains error codes, as the body of an error links it. */
  readonly errorsUrl: string
  /** What is at the path of the request, if anything. */
  readonly found: FoundPath | undefined
  /** The headers that the response gets, whatever it will be. */
  readonly responseHeaders: Record<string, string>
  /** Who sent the request, once its credential was verified. */
  caller?: VerifiedCaller
}

/** Whose rate a request counts for, and what its API key may do; any other credential has no scopes. */
export interface VerifiedCaller {
  readonly source: KnownSource
  readonly scopes?: ReadonlyArray<KeyScope>
}

/** Begins the exchange of a request. */
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

/** Runs a step with the services of the request, and with those that `more` has. */
export const inRequest = <A, E>(
  step: Effect.Effect<A, E, RequestServices>,
  exchange: RequestExchange,
  more: Context.Context<never> = Context.empty()
): Effect.Effect<A, E> =>
  Effect.mapInputContext(step, (outer: Context.Context<never>) => {
    const { found, request } = exchange
    const span = outer.unsafeMap.get(Tracer.ParentSpan.key)
    if (span?._tag === "Span") span.attribute("http.route", found?.path.template)
    return Context.unsafeMake(
      new Map<string, unknown>([
        ...outer.unsafeMap,
        [HttpServerRequest.HttpServerRequest.key, request],
        [HttpServerRequest.ParsedSearchParams.key, found?.searchParams ?? {}],
        [
          HttpRouter.RouteContext.key,
          { [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId, params: found?.params ?? {} }
        ],
        [Exchange.key, exchange],
        ...more.unsafeMap
      ])
    )
  })

/** An actor with the id of its request and the address of its client, as the audit log names them. */
export const actorOf = ({ id, remoteAddress }: RequestExchange, actor: Actor): ActorContext => ({
  actor,
  requestId: id,
  ...Option.match(remoteAddress, { onNone: () => ({}), onSome: (address) => ({ address }) })
})
