import {
  type HttpApiEndpoint,
  HttpApiError,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Array, Context, Effect, Either, Option, type ParseResult, Redacted, Schema, flow } from "effect"
import { compileDecoder, compileEncoder } from "../../runtime/compileSchema.ts"

/** The services of one request. All others are injected when middleware and handlers are built. */
export type RequestServices =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpRouter.RouteContext

/** Responds to the requests of an endpoint, each in a fiber and a context of its own. */
export type EndpointApp = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, RequestServices>

/** Handles a decoded request, in a context that has all it requires: responds, or returns what is to be encoded. */
export type EndpointHandler = (request: object) => Effect.Effect<unknown, unknown>

/** An endpoint as it is declared, its middleware as it was built, and its handler. */
export interface ImplementedEndpoint {
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
  readonly middleware: ReadonlyArray<HttpApiMiddleware.TagClassAny>
  readonly services: Context.Context<never>
  readonly handler: EndpointHandler
}

/**
 * Composes the authentication of an endpoint, the decoding of its requests, its handler and the encoding of its responses, as
 * HttpApi does for each request. What a middleware provides is added to the context of the request in place, since Effect's
 * own way costs more steps than all the rest.
 */
export const compileEndpoint = ({ endpoint, handler, middleware, services }: ImplementedEndpoint): EndpointApp => {
  const decodePath = makeDecoder(endpoint.pathSchema)
  const decodePayload = makeDecoder(endpoint.payloadSchema)
  const decodeHeaders = makeDecoder(endpoint.headersSchema)
  const decodeQuery = makeDecoder(endpoint.urlParamsSchema)
  const encode = makeEncoder(endpoint.successSchema)
  const readsBody = Option.isSome(endpoint.payloadSchema)

  const handle: EndpointApp = Effect.withFiberRuntime(({ currentContext }) => {
    const request = Context.unsafeGet(currentContext, HttpServerRequest.HttpServerRequest)
    const path = decodePath(Context.unsafeGet(currentContext, HttpRouter.RouteContext).params)
    if (Either.isLeft(path)) return refuse(path.left)
    const handleBody = (body: unknown) => {
      const payload = decodePayload(body)
      if (Either.isLeft(payload)) return refuse(payload.left)
      const headers = decodeHeaders(request.headers)
      if (Either.isLeft(headers)) return refuse(headers.left)
      const urlParams = decodeQuery(Context.unsafeGet(currentContext, HttpServerRequest.ParsedSearchParams))
      if (Either.isLeft(urlParams)) return refuse(urlParams.left)
      const parts = { path: path.right, payload: payload.right, headers: headers.right, urlParams: urlParams.right }
      return Effect.flatMap(handler({ request, ...parts }), (result) =>
        HttpServerResponse.isServerResponse(result) ? Effect.succeed(result) : encode(result)
      )
    }
    return readsBody
      ? Effect.matchEffect(request.json, { onFailure: Effect.die, onSuccess: handleBody })
      : handleBody(undefined)
  })
  return middleware.reduce((app, tag) => runMiddleware(tag, services, app), handle)
}

const runMiddleware = (
  tag: HttpApiMiddleware.TagClassAny,
  services: Context.Context<never>,
  app: EndpointApp
): EndpointApp => {
  const { provides } = tag
  const provided = findMiddleware(tag, services)
  return provides === undefined
    ? Effect.zipRight(provided, app)
    : Effect.flatMap(provided, (service) =>
        Effect.withFiberRuntime(({ currentContext }) => {
          currentContext.unsafeMap.set(provides.key, service)
          return app
        })
      )
}

type Middleware = Effect.Effect<unknown, unknown, RequestServices>

/**
 * The middlewares of this service read the credential of a request themselves, and do the same whatever the scheme is: so
 * only that of the first scheme runs, which saves HttpApi's reading of all headers by a schema.
 */
const findMiddleware = (tag: HttpApiMiddleware.TagClassAny, services: Context.Context<never>): Middleware => {
  if (!HttpApiMiddleware.isSecurity(tag)) return services.unsafeMap.get(tag.key)
  const schemes: Readonly<Record<string, (credential: Redacted.Redacted) => Middleware>> = services.unsafeMap.get(
    tag.key
  )
  return Object.values(schemes)[0]?.(noCredential) ?? Effect.void
}

const noCredential = Redacted.make("")

const makeDecoder = (schema: Option.Option<Schema.Schema.All>): RequestDecoder =>
  Option.match(schema, {
    onNone: (): RequestDecoder => () => Either.right(undefined),
    onSome: (schema) => compileDecoder(schema as Schema.Schema<unknown>)
  })

type RequestDecoder = (input: unknown) => Either.Either<unknown, ParseResult.ParseError>

/** Encodes what a handler returns as the first of the declared successes that it is. */
const makeEncoder = (successSchema: Schema.Schema.Any) => {
  const successes = new Set<Schema.Schema.Any>()
  HttpApiSchema.deunionize(successes, successSchema)
  const isOnly = successes.size === 1
  const [first, ...others] = Array.fromIterable(successes).map((success) => makeSuccessEncoder(success, isOnly))
  if (first === undefined) return () => Effect.dieMessage("an endpoint declares no success")
  return (value: unknown): EndpointApp => {
    const response = others.reduce((found, encode) => Either.orElse(found, () => encode(value)), first(value))
    return Either.isRight(response) ? Effect.succeed(response.right) : refuse(response.left)
  }
}

/** What a handler returns is of the only success that its endpoint declares, as the compiler has checked. */
const makeSuccessEncoder = (success: Schema.Schema.Any, isOnly: boolean) => {
  const status = HttpApiSchema.getStatusSuccess(success)
  const schema = success as Schema.Schema<unknown>
  const { contentType, kind } = HttpApiSchema.getEncoding(success.ast)
  const respond = responders[kind]
  const encode = isOnly ? flow(compileEncoder(schema), Either.right) : Schema.encodeUnknownEither(schema)
  return (value: unknown) =>
    Either.map(encode(value), (encoded) =>
      HttpApiSchema.isVoid(success.ast)
        ? HttpServerResponse.empty({ status })
        : respond(encoded as never, { status, contentType })
    )
}

/** What responds with an encoded success, which is of the type that its encoding takes. */
const responders: Readonly<Record<HttpApiSchema.Encoding["kind"], SuccessResponder>> = {
  Json: HttpServerResponse.unsafeJson,
  Text: HttpServerResponse.text,
  Uint8Array: HttpServerResponse.uint8Array,
  UrlParams: HttpServerResponse.urlParams
}

type SuccessResponder = (
  encoded: never,
  options: HttpServerResponse.Options.WithContentType
) => HttpServerResponse.HttpServerResponse

const refuse = (error: ParseResult.ParseError) => HttpApiError.HttpApiDecodeError.refailParseError(error)
