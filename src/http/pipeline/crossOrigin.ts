import { type Headers, HttpServerResponse } from "@effect/platform"
import { Effect, Either } from "effect"
import { parseOrigin } from "../../domain/Origin.ts"
import { type Endpoint, pageOf, type ServedPath } from "./Endpoint.ts"

/** The methods of a path as `Allow` lists them; HEAD answers wherever GET does. */
export const allowHeaderOf = ({ browserMethods, endpoints }: ServedPath): string =>
  [...endpoints.keys(), ...(browserMethods.length > 0 ? ["OPTIONS"] : [])].toSorted().join(", ")

/** What responds to a CORS preflight (Fetch standard 4.8) for a path that browsers may call. */
export const preflightOf = (path: ServedPath): Endpoint =>
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

/**
 * The headers that let a page read a response. No page may read a 403; every other response is for the origin of the token,
 * which was checked, or contains no data of a tenant.
 */
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
