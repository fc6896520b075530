import { HttpApiError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Data, Effect, Option, Predicate, Schema } from "effect"
import { type ErrorDetail, errorDetailsOf, toJsonPointer } from "../../domain/error/ErrorDetail.ts"
import { withDomainFault } from "../../domain/connection/withDomainFault.ts"
import {
  type DeclaredError,
  type ErrorContent,
  errorStatuses,
  InvalidRequest,
  makeErrorBody
} from "../contract/errorResponses.ts"
import type { RequestExchange } from "./Exchange.ts"

/** A request that reaches no handler, for a reason that no endpoint declares: it is answered with this status. */
export class RefusedRequest extends Data.TaggedError("RefusedRequest")<{
  readonly status: 400 | 404 | 405 | 408 | 413 | 415
  readonly code: ErrorContent["code"]
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}> {
  static readonly routeNotFound = RefusedRequest.atUnknownPath("")

  static atUnknownPath(hint: string): RefusedRequest {
    return new RefusedRequest({ status: 404, code: "route_not_found", message: `there is nothing at this path${hint}` })
  }
}

/**
 * Responds to a declared error with its status, to a request that reached no handler with its own, and to anything
 * else with 500, which is logged.
 */
export const encodeError = <E>(
  cause: Cause.Cause<E>,
  exchange: RequestExchange
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const error = Option.getOrElse(Cause.failureOption(cause), () => Option.getOrUndefined(Cause.dieOption(cause)))
  if (error instanceof RefusedRequest) return Effect.succeed(respondWith(error.status, error, exchange, error.headers))
  if (!isDeclaredError(error))
    return Effect.logError("Request failed unexpectedly", cause).pipe(
      Effect.annotateLogs({ requestId: exchange.id }),
      Effect.as(respondWith(500, internalError, exchange))
    )
  const status = errorStatuses.get(error._tag) ?? 500
  return Effect.map(
    error instanceof HttpApiError.HttpApiDecodeError
      ? toInvalidRequest(error, exchange.request)
      : Effect.succeed(error),
    (content) => respondWith(status, content, exchange, retryHeadersOf(content))
  )
}

const respondWith = (
  status: number,
  content: ErrorContent,
  exchange: RequestExchange,
  headers: Readonly<Record<string, string>> = {}
) =>
  HttpServerResponse.unsafeJson(
    makeErrorBody(status, content, { requestId: exchange.id, errorsUrl: exchange.errorsUrl }),
    { status, headers }
  )

const isDeclaredError = (error: unknown): error is DeclaredError =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && errorStatuses.has(error._tag)

/** When another request is worth a try, where the error says so, and that it needs another connection. */
const retryHeadersOf = (content: ErrorContent): Record<string, string> => ({
  ...(Predicate.hasProperty(content, "retryAfterSeconds") && content.retryAfterSeconds !== undefined
    ? { "retry-after": String(content.retryAfterSeconds) }
    : {}),
  // The next request is for another process.
  ...(content.code === "draining" ? { connection: "close" } : {})
})

const internalError: ErrorContent = {
  code: "internal_error",
  message: "something went wrong on our side; it has been logged"
}

/** The part of a request that the decoder of HttpApi rejected. */
const toInvalidRequest = (
  { issues }: HttpApiError.HttpApiDecodeError,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<InvalidRequest> => {
  const details = suggestETag(explainRepeatedParameters(errorDetailsOf(issues), request), request)
  return Effect.map(addDomainFault(details, request), (complete) => InvalidRequest.of(complete))
}

/** Suggests the ETag that is meant by one without quotes, or by a weak one. */
const suggestETag = (
  details: ReadonlyArray<ErrorDetail>,
  { headers }: HttpServerRequest.HttpServerRequest
): ReadonlyArray<ErrorDetail> => {
  const [, tag] = /^\s*(?:W\/)?["']?([\w.-]{1,100})["']?\s*$/i.exec(headers["if-match"] ?? "") ?? []
  return details.map((detail) =>
    detail.pointer === "/if-match" && tag !== undefined ? { ...detail, suggestion: `"${tag}"` } : detail
  )
}

/** Explains for each refused query parameter that is given more than once that the repetition is the fault. */
const explainRepeatedParameters = (
  details: ReadonlyArray<ErrorDetail>,
  request: HttpServerRequest.HttpServerRequest
): ReadonlyArray<ErrorDetail> => {
  const url = HttpServerRequest.toURL(request)
  if (Option.isNone(url) || url.value.search === "") return details
  const byPointer = Map.groupBy(url.value.searchParams.keys(), (name) => toJsonPointer([name]))
  return details.map((detail) =>
    (byPointer.get(detail.pointer) ?? []).length > 1
      ? {
          pointer: detail.pointer,
          code: "parameter_repeated",
          message: "is given more than once; give it once, with commas where it takes several values"
        }
      : detail
  )
}

/** Adds the fault of the intent's domain, which the schema's faults elsewhere in the body would hide. */
const addDomainFault = (
  details: ReadonlyArray<ErrorDetail>,
  { json, url }: HttpServerRequest.HttpServerRequest
): Effect.Effect<ReadonlyArray<ErrorDetail>> => {
  const location = intentLocations[url.split("?")[0] ?? ""]
  return location === undefined
    ? Effect.succeed(details)
    : Effect.map(Effect.option(json), (body) =>
        withDomainFault(details, Option.flatMap(body, location.decode), location.pointer)
      )
}

const DomainField = Schema.Struct({ domain: Schema.String.pipe(Schema.maxLength(1_000)) })

/** Where the body of an endpoint has the domain of its intent. */
const intentLocations: Readonly<
  Record<string, { readonly pointer: string; readonly decode: (body: unknown) => Option.Option<string> }>
> = {
  "/v1/connections": {
    pointer: "/intent/domain",
    decode: (body) =>
      Option.map(
        Schema.decodeUnknownOption(Schema.Struct({ intent: DomainField }))(body),
        ({ intent }) => intent.domain
      )
  },
  "/v1/domains/check": {
    pointer: "/domain",
    decode: (body) => Option.map(Schema.decodeUnknownOption(DomainField)(body), ({ domain }) => domain)
  }
}
