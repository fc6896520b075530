import { HttpApiError, type HttpApiEndpoint, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Option, type ParseResult, Schema } from "effect"
import type { Endpoint } from "./Endpoint.ts"

/**
 * Makes what decodes the requests of an endpoint: the path, the JSON body, the headers and the query, each by its schema. The
 * first part that does not fit is refused.
 */
export const makeDecode = (
  endpoint: Pick<
    HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
    "pathSchema" | "payloadSchema" | "headersSchema" | "urlParamsSchema"
  >
): Endpoint["decode"] => {
  const decodePath = makePartDecoder(endpoint.pathSchema)
  const decodePayload = makePartDecoder(endpoint.payloadSchema)
  const decodeHeaders = makePartDecoder(endpoint.headersSchema)
  const decodeQuery = makePartDecoder(endpoint.urlParamsSchema)
  const readsBody = Option.isSome(endpoint.payloadSchema)

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const path = yield* decodePath((yield* HttpRouter.RouteContext).params)
    const payload = yield* decodePayload(readsBody ? yield* Effect.orDie(request.json) : undefined)
    const headers = yield* decodeHeaders(request.headers)
    const urlParams = yield* decodeQuery(yield* HttpServerRequest.ParsedSearchParams)
    return { request, path, payload, headers, urlParams }
  }).pipe(Effect.catchTag("ParseError", (error) => HttpApiError.HttpApiDecodeError.refailParseError(error)))
}

/** Decodes a part of a request; nothing for a part that the endpoint does not declare. */
const makePartDecoder = (
  schema: Option.Option<Schema.Schema.All>
): ((input: unknown) => Effect.Effect<unknown, ParseResult.ParseError>) =>
  Option.match(schema, {
    onNone: () => () => Effect.succeed(undefined),
    onSome: (schema) => Schema.decodeUnknown(schema as Schema.Schema<unknown>)
  })
