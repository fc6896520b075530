import { type Headers, HttpServerResponse } from "@effect/platform"
import { Either } from "effect"
import { parseOrigin } from "../../domain/Origin.ts"
import { allowHeaderOf, type Route } from "./RouteTable.ts"

const allowedHeaders = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id"

/** Responds to a CORS preflight (Fetch standard 4.8) for a route that browsers may call. */
export const preflightResponse = (route: Route, headers: Headers.Headers) =>
  HttpServerResponse.empty({
    status: 204,
    headers: isOrigin(headers["origin"])
      ? {
          ...allowOrigin(headers["origin"]),
          "access-control-allow-methods": route.methods.join(", "),
          "access-control-allow-headers": allowedHeaders,
          "access-control-max-age": "7200"
        }
      : { allow: allowHeaderOf(route) }
  })

/**
 * The headers that let a page read a response. No page may read a 403; every other response is for the origin of the token,
 * which was checked, or contains no data of a tenant.
 */
export const corsHeaders = (headers: Headers.Headers, status: number): Record<string, string> => ({
  vary: "Origin",
  ...(status !== 403 && isOrigin(headers["origin"])
    ? { ...allowOrigin(headers["origin"]), "access-control-expose-headers": "etag, retry-after, x-request-id" }
    : {})
})

const allowOrigin = (origin: string) => ({ "access-control-allow-origin": origin })

const isOrigin = (origin: string | undefined): origin is string =>
  origin !== undefined && Either.isRight(parseOrigin(origin))
