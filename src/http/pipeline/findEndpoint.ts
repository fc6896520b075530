import { type Headers, HttpServerResponse } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { parseOrigin } from "../../domain/names/Origin.ts"
import { DrainInProgress, InvalidRequest } from "../contract/errorResponses.ts"
import { RefusedRequest } from "./encodeError.ts"
import { pageOf } from "./Endpoints.ts"
import type { FoundPath, RequestExchange, ServedEndpoint, ServedPath } from "./Exchange.ts"

/** The endpoint of a request, in the order of the contract: 400 for the `Host` header, 404, 405, 503 draining. */
export const findEndpoint = (
  { errorsUrl, found, request: { headers, method, url } }: RequestExchange,
  { find, isDraining, publicHost }: FindEndpointOptions
): Either.Either<ServedEndpoint, InvalidRequest | RefusedRequest | DrainInProgress> => {
  if (!hasOneHost(headers["host"])) return Either.left(invalidHost)
  if (Option.isSome(publicHost) && !mayNameHost(headers, publicHost.value, found)) {
    return Either.left(makeForeignHost(publicHost.value))
  }
  if (found === undefined) {
    const meant = findMeantPath(url, find)
    const hint = meant === undefined ? `${errorsUrl.replace(/\/errors$/, "")} lists the paths` : `${meant} may be meant`
    return Either.left(RefusedRequest.atUnknownPath(`; ${hint}`))
  }
  const { path } = found
  const endpoint =
    method === "OPTIONS" && path.browserMethods.length > 0 ? preflightOf(path) : path.endpoints.get(method)
  if (endpoint === undefined) return Either.left(makeMethodNotAllowed(allowHeaderOf(path)))
  return isDraining && !endpoint.isPublic ? Either.left(DrainInProgress.error) : Either.right(endpoint)
}

interface FindEndpointOptions {
  readonly find: (url: string) => FoundPath | undefined
  readonly isDraining: boolean
  readonly publicHost: Option.Option<string>
}

/** The path that an unknown one may mean: without a slash at its end, in other letters, with the version, or by its usual word. */
const findMeantPath = (url: string, find: FindEndpointOptions["find"]): string | undefined => {
  const [sent = ""] = url.split("?", 1)
  const plain = sent.toLowerCase().replace(/\/+$/, "")
  const [, rest = ""] = /^(?:\/api)?(?:\/v\d+)?(\/.*)$/.exec(plain) ?? []
  const versioned = `/v1${rest}`
  const candidates = [plain, versioned, versioned.replace(/^\/v1\/[a-z-]+(?=\/|$)/, "$&s")].flatMap((path) => [
    path,
    path.replace(/[^/]+$/, (word) => actionWords.get(word) ?? word)
  ])
  return sent.length > maxEchoedPath ? undefined : candidates.find((path) => path !== sent && find(path) !== undefined)
}

/** What people call the commands on a connection. */
const actionWords: ReadonlyMap<string, string> = new Map([
  ["approve", "approval"],
  ["authorize", "authorization"],
  ["authorise", "authorization"],
  ["authorisation", "authorization"],
  ["check", "recheck"],
  ["refresh", "recheck"],
  ["verify", "recheck"]
])

const maxEchoedPath = 200

/** Whether the request names one host. Bun joins several `Host` headers with commas, which no host has. */
const hasOneHost = (host: string | undefined): boolean =>
  // Only a request of HTTP/1.0 may have none; Bun refuses others.
  host === undefined || /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)

/**
 * Whether a request may name this host. A page that an attacker points at the service (DNS rebinding) could read the pages of
 * the service and send any header, but no valid key: where one decides, servers may use any name, and so may health checks,
 * and web servers that ask.
 */
const mayNameHost = (headers: Headers.Headers, publicHost: string, found: RequestExchange["found"]): boolean => {
  const host = headers["host"]?.toLowerCase() ?? ""
  return (
    [host, host.replace(/:(80|443)$/, "")].includes(publicHost) ||
    ((headers["x-api-key"] ?? headers["x-admin-key"]) !== undefined &&
      (found === undefined || takesKeys(found.path))) ||
    (found !== undefined && pathsByAddress.has(found.path.template))
  )
}

const takesKeys = ({ endpoints }: ServedPath): boolean =>
  [...endpoints.values()].some(({ access, takesAnyScope }) => Option.isSome(access) || takesAnyScope === true)

const pathsByAddress: ReadonlySet<string> = new Set([
  "/healthz",
  "/readyz",
  "/metrics",
  "/v1/domains/allowed/:askSecret"
])

const makeForeignHost = (publicHost: string) =>
  InvalidRequest.of([
    {
      pointer: "/host",
      code: "invalid",
      message: `must be ${publicHost}, the host of PUBLIC_URL: a proxy passes it on`
    }
  ])

const invalidHost = InvalidRequest.of([
  { pointer: "/host", code: "invalid", message: "must be one header, with a host name or address and at most a port" }
])

const makeMethodNotAllowed = (allow: string) =>
  new RefusedRequest({
    status: 405,
    code: "method_not_allowed",
    message: `this path answers ${allow}`,
    headers: { allow }
  })

/** The methods of a path as `Allow` lists them; HEAD answers wherever GET does. */
const allowHeaderOf = ({ browserMethods, endpoints }: ServedPath): string =>
  [...endpoints.keys(), ...(browserMethods.length > 0 ? ["OPTIONS"] : [])].toSorted().join(", ")

/** The response to a CORS preflight (Fetch standard 4.8) for a path that browsers may call. */
const preflightOf = (path: ServedPath): ServedEndpoint =>
  pageOf(({ headers }) =>
    Effect.succeed(
      HttpServerResponse.empty({
        status: 204,
        headers: isOrigin(headers["origin"])
          ? {
              ...allowOrigin(headers["origin"]),
              "access-control-allow-methods": path.browserMethods.join(", "),
              "access-control-allow-headers": allowedHeaders,
              "access-control-max-age": "7200"
            }
          : { allow: allowHeaderOf(path) }
      })
    )
  )

const allowedHeaders = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer"

/** Lets a page read a response, except a 403: others are for the token's origin, or without data of a tenant. */
export const corsHeadersOf = (path: ServedPath, headers: Headers.Headers, status: number): Record<string, string> =>
  path.browserMethods.length === 0
    ? {}
    : {
        vary: "Origin",
        ...(status !== 403 && isOrigin(headers["origin"])
          ? { ...allowOrigin(headers["origin"]), "access-control-expose-headers": exposedHeaders }
          : {})
      }

const exposedHeaders = "etag, idempotent-replayed, preference-applied, retry-after, x-request-id"

const allowOrigin = (origin: string) => ({ "access-control-allow-origin": origin })

const isOrigin = (origin: string | undefined): origin is string =>
  origin !== undefined && Either.isRight(parseOrigin(origin))
