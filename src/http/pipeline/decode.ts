import { HttpApiError, type HttpApiEndpoint, HttpMethod, type HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option, type ParseResult, Predicate, type Schema } from "effect"
import { errorDetailsOf } from "../../domain/ErrorDetail.ts"
import { compileDecoder } from "../../runtime/compileSchema.ts"
import { InvalidRequest } from "../contract/errorResponses.ts"
import type { RequestExchange, ServedEndpoint } from "./Exchange.ts"

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

  const decodeParts = ({ found, request }: RequestExchange, body: unknown) =>
    Either.match(
      Either.all({
        path: decodePath(found?.params),
        payload: decodePayload(body),
        headers: decodeHeaders(request.headers),
        urlParams: decodeQuery(found?.searchParams)
      }),
      {
        onLeft: (error) => HttpApiError.HttpApiDecodeError.refailParseError(error),
        onRight: (parts) => Effect.succeed({ request, ...parts })
      }
    )

  return (exchange) => {
    const { request } = exchange
    if (!HttpMethod.hasBody(request.method)) return decodeParts(exchange, undefined)
    const body = readsBody ? Effect.orDie(request.json) : requireNoBody(request)
    return Effect.flatMap(body, (read) => decodeParts(exchange, read))
  }
}

/** Decodes a part of a request; nothing for a part that the endpoint does not declare. */
const makePartDecoder = (
  schema: Option.Option<Schema.Schema.All>
): ((input: unknown) => Either.Either<unknown, ParseResult.ParseError>) =>
  Option.match(schema, {
    onNone: () => () => Either.right(undefined),
    onSome: (schema) => compileDecoder(schema as Schema.Schema<unknown>)
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
