import type { HttpServerRequest } from "@effect/platform"
import { Predicate } from "effect"

/** What is noted of a request on its way: its id, and headers that its answer is to carry. */
interface RequestNotes {
  readonly requestId: string
  readonly answerHeaders: Record<string, string>
}

/** Kept beside the request and not in the fiber's context, which Effect copies and compares whenever it changes. */
const notes = new WeakMap<object, RequestNotes>()

/** Gives a request its id: the client's own where it can be trusted in a log line, else a new one. */
export const registerRequest = (request: HttpServerRequest.HttpServerRequest, newId: string): string => {
  const own = request.headers["x-request-id"]
  const requestId = own !== undefined && /^[\w.-]{8,128}$/.test(own) ? own : newId
  notes.set(keyOf(request), { requestId, answerHeaders: {} })
  return requestId
}

/** The id under which a request is found in its answer (`x-request-id`, error bodies) and in the log. */
export const requestIdOf = (request: HttpServerRequest.HttpServerRequest): string =>
  notes.get(keyOf(request))?.requestId ?? "unknown"

/** Adds headers to whatever the answer will be. */
export const addResponseHeaders = (
  request: HttpServerRequest.HttpServerRequest,
  headers: Readonly<Record<string, string>>
): void => {
  Object.assign(notes.get(keyOf(request))?.answerHeaders ?? {}, headers)
}

/** The headers that were added so far. */
export const responseHeadersOf = (request: HttpServerRequest.HttpServerRequest): Readonly<Record<string, string>> =>
  notes.get(keyOf(request))?.answerHeaders ?? {}

/** What Bun handed over: it stays the same when the request is wrapped anew. */
const keyOf = (request: HttpServerRequest.HttpServerRequest): object =>
  Predicate.isObject(request.source) ? request.source : request
