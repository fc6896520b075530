import { type HttpRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import type { AccessRule } from "../contract/securitySchemes.ts"

/** The services of one request. All others are injected when middleware and handlers are built. */
export type RequestServices =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpRouter.RouteContext

/** What the pipeline does for the requests of a method and path, prepared once. */
export interface ServedEndpoint {
  readonly access: Option.Option<AccessRule>
  readonly sharesStatements: boolean
  /** The names of the query parameters; `name[key]` stands for every key. */
  readonly queryParameters: ReadonlyArray<string>
  /** Whether it answers while the service drains, without authentication: health, documents, pages, preflights. */
  readonly isPublic: boolean
  /** Verifies the credential; the services that the handler gets thereby. */
  readonly authenticate: Effect.Effect<Context.Context<never>, unknown, RequestServices>
  readonly decode: Effect.Effect<object, unknown, RequestServices>
  /** Responds, or returns what is to be encoded. */
  readonly handle: (input: object) => Effect.Effect<unknown, unknown, RequestServices>
  /** The response of what `handle` returned, which may be one already. */
  readonly encode: (result: unknown) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/** A path and the endpoints of its methods. */
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

/** A page as an endpoint. */
export const pageOf = <E>(
  respond: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest>
): ServedEndpoint => ({
  access: Option.none(),
  sharesStatements: false,
  queryParameters: [],
  isPublic: true,
  authenticate: Effect.succeed(Context.empty()),
  decode: HttpServerRequest.HttpServerRequest,
  handle: (request) => respond(request as HttpServerRequest.HttpServerRequest),
  encode: (response) => Effect.succeed(response as HttpServerResponse.HttpServerResponse)
})
