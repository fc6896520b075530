import { Either } from "effect"
import { DrainInProgress, InvalidRequest } from "../contract/errorResponses.ts"
import { allowHeaderOf, preflightOf } from "./crossOrigin.ts"
import { RequestRefused } from "./encodeError.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { RequestExchange } from "./Exchange.ts"

/** The endpoint of a request, in the order of the contract: 400 for the `Host` header, 404, 405, 503 draining. */
export const findEndpoint = (
  { found, request: { headers, method } }: RequestExchange,
  isDraining: boolean
): Either.Either<Endpoint, InvalidRequest | RequestRefused | DrainInProgress> => {
  if (!hasOneHost(headers["host"])) return Either.left(invalidHost)
  if (found === undefined) return Either.left(RequestRefused.routeNotFound)
  const { path } = found
  const endpoint =
    method === "OPTIONS" && path.browserMethods.length > 0 ? preflightOf(path) : path.endpoints.get(method)
  if (endpoint === undefined) return Either.left(makeMethodNotAllowed(allowHeaderOf(path)))
  return isDraining && !endpoint.isPublic ? Either.left(DrainInProgress.error) : Either.right(endpoint)
}

/** Whether the request names one host. Bun joins several `Host` headers with commas, which no host has. */
const hasOneHost = (host: string | undefined): boolean =>
  // Only a request of HTTP/1.0 may have none; Bun refuses others.
  host === undefined || /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)

const invalidHost = InvalidRequest.of([
  { pointer: "/host", code: "invalid", message: "must be one header, with a host name or address and at most a port" }
])

const makeMethodNotAllowed = (allow: string) =>
  new RequestRefused({
    status: 405,
    code: "method_not_allowed",
    message: `this path answers ${allow}`,
    headers: { allow }
  })
