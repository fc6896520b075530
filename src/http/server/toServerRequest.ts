import { HttpServerRequest } from "@effect/platform"
import type { BunRequest, Server } from "bun"
import { Option } from "effect"
import { withoutTestModePath } from "./TestModeRequests.ts"

/** Makes the request that `@effect/platform` knows; one whose path is disguised as another gets a path that no route has. */
export const toServerRequest = (source: BunRequest, server: Server<undefined>): HttpServerRequest.HttpServerRequest => {
  const request = HttpServerRequest.fromWeb(source)
  const url = hasPlainPath(source) ? withoutTestModePath(request.url) : noPath
  return Object.defineProperty(url === request.url ? request : request.modify({ url }), "remoteAddress", {
    get: () => Option.fromNullable(server.requestIP(source)?.address)
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
