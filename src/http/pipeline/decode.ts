import { HttpApiError, type HttpApiEndpoint, HttpMethod, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Option, type ParseResult, Predicate, Schema } from "effect"
import { errorDetailsOf } from "../../domain/ErrorDetail.ts"
import { InvalidRequest } from "../contract/errorResponses.ts"
import type { ServedEndpoint } from "./ServedEndpoint.ts"

/**
 * Makes what decodes the requests of an endpoint: the path, the JSON body, the headers and the query, each by its schema. The
 * first part that does not fit is refused.
 */
export const makeDecode = (
  endpoint: Pick<
    HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
    "pathSchema" | "payloadSchema" | "headersSchema" | "urlParamsSchema"
  >
): ServedEndpoint["decode"] => {
  const decodePath = makePartDecoder(endpoint.pathSchema)
  const decodePayload = makePartDecoder(endpoint.payloadSchema)
  const decodeHeaders = makePartDecoder(endpoint.headersSchema)
  const decodeQuery = makePartDecoder(endpoint.urlParamsSchema)
  const readsBody = Option.isSome(endpoint.payloadSchema)

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const path = yield* decodePath((yield* HttpRouter.RouteContext).params)
    const body = readsBody ? yield* Effect.orDie(request.json) : yield* requireNoBody(request)
    const payload = yield* decodePayload(body)
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

/** Requires a request without a body, or with `{}`. */
const requireNoBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, InvalidRequest> =>
  HttpMethod.hasBody(request.method)
    ? Effect.gen(function* () {
        const text = yield* Effect.orDie(request.text)
        if (text.trim() === "") return
        const body = yield* Effect.orDie(request.json)
        if (!Predicate.isRecord(body))
          return yield* InvalidRequest.of([{ pointer: "", code: "invalid", message: "must be an object" }])
        const fields = Object.keys(body)
        if (fields.length > 0) return yield* InvalidRequest.of(errorDetailsOf(fields.map(toUnexpectedField)))
      })
    : Effect.void

const toUnexpectedField = (name: string) => ({ _tag: "Unexpected", path: [name], message: "" }) as const
