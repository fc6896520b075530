import type { HttpServerRequest } from "@effect/platform"
import { Context, Effect } from "effect"
import { Identifiers } from "../domain/Identifiers.ts"

/** The id under which a request is found in the answer (`x-request-id`, error bodies) and in the log. */
export class RequestId extends Context.Tag("api/RequestId")<RequestId, string>() {}

/** The client's own id where it can be trusted in a log line, else a new one. */
export const requestIdOf = (request: HttpServerRequest.HttpServerRequest) => {
  const own = request.headers["x-request-id"]
  return own !== undefined && /^[\w.-]{8,128}$/.test(own)
    ? Effect.succeed(own)
    : Effect.flatMap(Identifiers, (identifiers) => identifiers.next("req"))
}
