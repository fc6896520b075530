import type { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Option } from "effect"
import type { Actor, ActorContext } from "../../domain/Actor.ts"
import type { KeyScope } from "../../domain/Tenancy.ts"
import type { CredentialSender } from "../../limits/CredentialGate.ts"
import type { PermitHolder } from "../../limits/ConcurrencyLimiter.ts"
import type { KnownSource } from "../../limits/RequestSource.ts"
import { errorsPath } from "../PublicUrl.ts"

/** The services of one request. All others are injected when middleware and handlers are built. */
export type RequestServices =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpRouter.RouteContext

/** What is known of a request, from its arrival to its response; each step of the pipeline adds to it. */
export interface RequestExchange extends CredentialSender, PermitHolder {
  /** The id in the response (`x-request-id`, error bodies) and in the log: the client's own if it is safe in a log line. */
  readonly id: string
  /** The URL of the page that explains error codes, as the body of an error links it. */
  readonly errorsUrl: string
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

/** The exchange that the current fiber works for; outside of requests one without a client. */
export class Exchange extends Context.Reference<Exchange>()("http/Exchange", {
  defaultValue: (): RequestExchange => ({
    id: "unknown",
    errorsUrl: errorsPath,
    remoteAddress: Option.none(),
    origin: undefined,
    sharesStatements: false,
    responseHeaders: {}
  })
}) {}

/** Begins the exchange of a request. */
export const beginExchange = (
  { headers, remoteAddress }: HttpServerRequest.HttpServerRequest,
  known: Pick<RequestExchange, "errorsUrl" | "sharesStatements"> & { readonly newId: string }
): RequestExchange => {
  const clientId = headers["x-request-id"]
  return {
    id: clientId !== undefined && /^[\w.-]{8,128}$/.test(clientId) ? clientId : known.newId,
    errorsUrl: known.errorsUrl,
    // Now: a client that goes away has no address any more.
    remoteAddress,
    origin: headers["origin"],
    sharesStatements: known.sharesStatements,
    responseHeaders: {}
  }
}

/** An actor with the id of its request and the address of its client, as the audit log names them. */
export const actorOf = ({ id, remoteAddress }: RequestExchange, actor: Actor): ActorContext => ({
  actor,
  requestId: id,
  ...Option.match(remoteAddress, { onNone: () => ({}), onSome: (address) => ({ address }) })
})
