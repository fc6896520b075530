import { HttpServerError, HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Option } from "effect"
import { type ErrorContent, toErrorBody } from "../contract/errorResponses.ts"

/** An answer in the one shape of an error. */
export const errorResponse = (status: number, what: ErrorContent, requestId: string) =>
  HttpServerResponse.unsafeJson(toErrorBody(status, what, requestId), { status })

/**
 * Answers everything that no endpoint declares; only an interruption goes on as it is. A defect that is a declared error,
 * such as an unreachable database, never comes here: HttpApi answers it as declared.
 */
export const handleUndeclaredErrors =
  (requestId: string) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.catchAllCause(app, (cause) => {
      if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
      const error = firstOf(cause)
      if (error instanceof HttpServerError.RouteNotFound) return Effect.succeed(routeNotFoundResponse(requestId))
      return Effect.logError("Request failed unexpectedly", cause).pipe(
        Effect.annotateLogs({ requestId }),
        Effect.as(errorResponse(500, internal, requestId))
      )
    })

export const routeNotFoundResponse = (requestId: string) =>
  errorResponse(404, { code: "route_not_found", message: "there is nothing at this path" }, requestId)

const internal: ErrorContent = {
  code: "internal_error",
  message: "something went wrong on our side; it has been logged"
}

const firstOf = <E>(cause: Cause.Cause<E>): unknown =>
  Option.getOrElse(Cause.failureOption(cause), () => Option.getOrUndefined(Cause.dieOption(cause)))
