import type { HttpServerRequest } from "@effect/platform"
import { Effect, Predicate } from "effect"
import { errorsPath } from "./PublicUrl.ts"
import type { RateLimited } from "./contract/errorResponses.ts"

/**
 * The id of a request, the page that explains its errors, the headers that its response gets whatever it will be, whether
 * its statements can be shared, and the permit that it holds.
 */
interface RequestMetadata {
  readonly requestId: string
  readonly errorsUrl: string
  readonly responseHeaders: Record<string, string>
  readonly canShareStatements: boolean
  permit?: HeldPermit | undefined
}

/** A permit that a request holds or waits for, and how it gets another one in its place. */
interface HeldPermit {
  readonly release: () => void
  readonly acquireAgain: Effect.Effect<void, RateLimited>
}

/** Kept outside the fiber's context, which Effect copies and compares whenever it changes. */
const metadataOf = new WeakMap<object, RequestMetadata>()

/** Gives a request its id: the client's own if it is safe in a log line, else `newId`. */
export const registerRequest = (
  request: HttpServerRequest.HttpServerRequest,
  {
    errorsUrl,
    newId,
    canShareStatements = false
  }: { readonly errorsUrl: string; readonly newId: string; readonly canShareStatements?: boolean }
): string => {
  const clientId = request.headers["x-request-id"]
  const requestId = clientId !== undefined && /^[\w.-]{8,128}$/.test(clientId) ? clientId : newId
  metadataOf.set(keyOf(request), { requestId, errorsUrl, canShareStatements, responseHeaders: {} })
  return requestId
}

/** The id of a request in its response (`x-request-id`, error bodies) and in the log. */
export const requestIdOf = (request: HttpServerRequest.HttpServerRequest): string =>
  metadataOf.get(keyOf(request))?.requestId ?? "unknown"

/** Whether the endpoint of a request declares `StatementSharing`. */
export const canShareStatements = (request: HttpServerRequest.HttpServerRequest): boolean =>
  metadataOf.get(keyOf(request))?.canShareStatements === true

/** The URL of the page that explains error codes, as the body of an error links it. */
export const errorsUrlOf = (request: HttpServerRequest.HttpServerRequest): string =>
  metadataOf.get(keyOf(request))?.errorsUrl ?? errorsPath

/** Adds headers to the response, whatever it will be. */
export const addResponseHeaders = (
  request: HttpServerRequest.HttpServerRequest,
  headers: Readonly<Record<string, string>>
): void => {
  Object.assign(metadataOf.get(keyOf(request))?.responseHeaders ?? {}, headers)
}

/** The headers that were added so far. */
export const responseHeadersOf = (request: HttpServerRequest.HttpServerRequest): Readonly<Record<string, string>> =>
  metadataOf.get(keyOf(request))?.responseHeaders ?? {}

/** Lets a request hold a permit until `releasePermit`, at the latest until its response. */
export const holdPermit = (request: HttpServerRequest.HttpServerRequest, permit: HeldPermit): void => {
  const metadata = metadataOf.get(keyOf(request))
  if (metadata === undefined) permit.release()
  else metadata.permit = permit
}

/** Waits for the client without the permit that its request holds; a slow client would keep others from their work. */
export const withoutPermit = <A>(
  request: HttpServerRequest.HttpServerRequest,
  awaitClient: Effect.Effect<A>
): Effect.Effect<A, RateLimited> =>
  Effect.suspend(() => {
    const permit = metadataOf.get(keyOf(request))?.permit
    if (permit === undefined) return awaitClient
    releasePermit(request)
    return Effect.zipLeft(awaitClient, permit.acquireAgain)
  })

/**
 * Gives back the permit that a request holds or waits for. A handler calls it before it waits for something other than the
 * database, so that waiting requests do not keep others of the tenant from their work.
 */
export const releasePermit = (request: HttpServerRequest.HttpServerRequest): void => {
  const metadata = metadataOf.get(keyOf(request))
  const permit = metadata?.permit
  if (metadata === undefined || permit === undefined) return
  metadata.permit = undefined
  permit.release()
}

/** Bun's own request object, which stays the same when the request is wrapped again. */
const keyOf = (request: HttpServerRequest.HttpServerRequest): object =>
  Predicate.isObject(request.source) ? request.source : request
