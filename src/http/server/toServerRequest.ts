import { HttpServerRequest } from "@effect/platform"
import type { BunRequest } from "bun"
import { type FindClient, withoutTestModePath } from "./TestModeRequests.ts"

/**
 * Makes the request that `@effect/platform` knows: its `remoteAddress` is that of the client, also behind trusted proxies.
 * One whose path is disguised as another gets a path that no route has.
 */
export const toServerRequest = (source: BunRequest, findClient: FindClient): HttpServerRequest.HttpServerRequest => {
  const request = HttpServerRequest.fromWeb(source)
  const url = hasPlainPath(source) ? withoutTestModePath(request.url) : noPath
  return Object.defineProperty(url === request.url ? request : request.modify({ url }), "remoteAddress", {
    get: findClient
  })
}

/** Matches no route, not even a route for `/`. */
const noPath = ""

/** Whether the decoded segments of a path as it was sent show that parsing its URL changed nothing. */
const hasPlainPath = ({ params }: BunRequest): boolean => {
  const segments = Object.values(params)
  return segments.length > 0 && !segments.some((segment) => isDisguised.test(segment))
}

/** A dot segment, or a segment with a slash or backslash inside. */
const isDisguised = /^\.\.?$|[/\\]/
