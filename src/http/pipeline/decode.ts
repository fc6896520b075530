import { HttpApiError, type HttpApiEndpoint, HttpMethod, type HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option, type ParseResult, Predicate, type Schema } from "effect"
import { errorDetailsOf } from "../../domain/error/ErrorDetail.ts"
import { compileDecoder } from "../../runtime/compileDecoder.ts"
import { InvalidRequest } from "../contract/errorResponses.ts"
import type { ServedEndpoint } from "./Exchange.ts"

/** Makes a decoder of path, body, headers and query by their schemas; it refuses the first that does not fit. */
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

  return (exchange) => {
    const { found, request } = exchange
    const path = decodePath(found?.params)
    if (Either.isLeft(path)) return refuse(path.left)
    const decodeOthers = (body: unknown) =>
      Either.match(
        Either.all({
          payload: decodePayload(body),
          headers: decodeHeaders(request.headers),
          urlParams: decodeQuery(found?.searchParams)
        }),
        { onLeft: refuse, onRight: (others) => Effect.succeed({ request, path: path.right, ...others }) }
      )
    if (!HttpMethod.hasBody(request.method)) return decodeOthers(undefined)
    return Effect.flatMap(readsBody ? Effect.orDie(request.json) : requireNoBody(request), decodeOthers)
  }
}

const refuse = (error: ParseResult.ParseError) => HttpApiError.HttpApiDecodeError.refailParseError(error)

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
  Effect.gen(function* () {
    const text = yield* Effect.orDie(request.text)
    if (text.trim() === "") return
    const body = yield* Effect.orDie(request.json)
    if (!Predicate.isRecord(body))
      return yield* InvalidRequest.of([{ pointer: "", code: "invalid", message: "must be an object" }])
    const fields = Object.keys(body)
    if (fields.length > 0) return yield* InvalidRequest.of(errorDetailsOf(fields.map(toUnexpectedField)))
  })

const toUnexpectedField = (name: string) => ({ _tag: "Unexpected", path: [name], message: "" }) as const
