import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, send } from "../../support/testApi.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"

const preflight = (path: string, origin: string, method = "GET") =>
  send(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,if-none-match"
    }
  })

const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"))

withLayer("a preflight", apiInMemory(), (live) => {
  live("of a browser route answers 204 for the requesting origin, without credentials", () =>
    Effect.gen(function* () {
      const response = yield* preflight("/v1/connections/con_any", shopOrigin)
      expect(response.status).toBe(204)
      expect(corsHeadersOf(response)).toEqual({
        "access-control-allow-origin": shopOrigin,
        "access-control-allow-methods": "GET",
        "access-control-allow-headers":
          "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer",
        "access-control-expose-headers": "etag, idempotent-replayed, preference-applied, retry-after, x-request-id",
        "access-control-max-age": "7200",
        vary: "Origin"
      })
      expect(yield* Effect.promise(() => response.text())).toBe("")
    })
  )

  const invalidOrigins = [
    "null",
    "http://shop.example.com",
    `${shopOrigin}/`,
    "*",
    `${shopOrigin}, ${shopOrigin}`,
    "file://"
  ]
  invalidOrigins.forEach((origin) =>
    live(`of a browser route allows nothing to ${origin}, which cannot have a token`, () =>
      Effect.gen(function* () {
        const response = yield* preflight("/v1/connections/con_any", origin)
        expect(response.status).toBe(204)
        expect(corsHeadersOf(response)).toEqual({ vary: "Origin" })
      })
    )
  )

  const serverRoutes = [
    "/v1/connections",
    "/v1/connections/con_any/access-token",
    "/v1/connections/con_any/disconnect",
    "/v1/providers",
    "/v1/domains/check",
    "/healthz",
    "/openapi.json"
  ]
  serverRoutes.forEach((path) =>
    live(`of ${path} answers 405 without CORS headers`, () =>
      Effect.gen(function* () {
        const response = yield* preflight(path, shopOrigin, "POST")
        yield* expectError(response, { status: 405, code: "method_not_allowed" })
        expect(corsHeadersOf(response)).toEqual({})
      })
    )
  )

  live("of an unknown path answers 404 without CORS headers", () =>
    Effect.gen(function* () {
      const response = yield* preflight("/v1/nothing", shopOrigin)
      yield* expectError(response, { status: 404, code: "route_not_found" })
      expect(corsHeadersOf(response)).toEqual({})
    })
  )
})

withLayer("a response", apiInMemory(), (live) => {
  live("has Vary: Origin on a browser route, whatever the caller and the status", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.all([
        send(path, { headers: { "x-api-key": key } }),
        send(path, { headers: { "x-api-key": key, origin: shopOrigin } }),
        send(path),
        send("/v1/connections/con_missing", { headers: { "x-api-key": key } }),
        send(`/v1/connections/${"a".repeat(201)}`, { headers: { "x-api-key": key } }),
        send(path, { method: "PUT" })
      ])
      expect(answers.map(({ headers, status }) => [status, headers.get("vary")])).toEqual([
        [200, "Origin"],
        [403, "Origin"],
        [401, "Origin"],
        [404, "Origin"],
        [400, "Origin"],
        [405, "Origin"]
      ])
    })
  )

  live("never allows credentials", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.all([preflight(path, shopOrigin), send(path, { headers: { origin: shopOrigin } })])
      expect(answers.map(({ headers }) => headers.has("access-control-allow-credentials"))).toEqual([false, false])
    })
  )

  live("has no CORS headers on a server route, even for a valid key", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const headers = { "x-api-key": key, origin: shopOrigin, "content-type": "application/json" }
      const answers = yield* Effect.all([
        send("/v1/connections", { method: "POST", headers, body: "{}" }),
        send(`${path}/access-token`, { method: "POST", headers, body: "{}" }),
        send("/v1/connections", { method: "POST", headers: { origin: shopOrigin }, body: "{}" }),
        send("/healthz", { headers: { origin: shopOrigin } })
      ])
      expect(answers.map((answer) => [answer.status, corsHeadersOf(answer)])).toEqual([
        [403, {}],
        [403, {}],
        [401, {}],
        [200, {}]
      ])
    })
  )
})
