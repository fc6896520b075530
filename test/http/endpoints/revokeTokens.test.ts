import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, send, tenancyOf, textOf } from "../../support/testApi.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const revoke = (path: string, headers: Record<string, string>) =>
  send(`${path}/access-token`, { method: "DELETE", headers })

const read = (path: string, authorization: string) => send(path, { headers: { authorization, origin: shopOrigin } })

/** A new connection with two tokens. */
const newConnection = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const path = yield* createConnectionPath(key)
  return { key, path, tokens: [yield* issueBearer(key, path), yield* issueBearer(key, path, shopOrigin)] }
})

withLayer("DELETE /v1/connections/{connectionId}/access-token", apiInMemory(), (live) => {
  live("answers 204, and every token of the connection is invalid from the next request on", () =>
    Effect.gen(function* () {
      const { key, path, tokens } = yield* newConnection
      const otherConnection = yield* newConnection
      const response = yield* revoke(path, { "x-api-key": key })
      expect([response.status, yield* textOf(response), response.headers.get("cache-control")]).toEqual([
        204,
        "",
        "no-store"
      ])
      for (const token of tokens) {
        yield* expectError(yield* read(path, token), { status: 401, code: "unauthenticated" })
      }
      expect((yield* read(path, yield* issueBearer(key, path))).status).toBe(200)
      expect((yield* read(otherConnection.path, otherConnection.tokens[0] ?? "")).status).toBe(200)
    })
  )

  live("can be repeated, also without a token and after the end of the connection", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* moveTo(path, "canceled")
      const answers = yield* Effect.replicateEffect(revoke(path, { "x-api-key": key }), 2)
      expect(answers.map(({ status }) => status)).toEqual([204, 204])
    })
  )

  live("answers 404 to another tenant and application, exactly as for a missing connection, and revokes nothing", () =>
    Effect.gen(function* () {
      const { path, tokens } = yield* newConnection
      for (const tenancy of [tenancyOf("app", "other"), tenancyOf("other", "tenant")]) {
        const headers = { "x-api-key": (yield* issueKey(tenancy)).key, "x-request-id": "the-same-request" }
        const foreignResponse = yield* revoke(path, headers)
        expect(foreignResponse.status).toBe(404)
        expect(yield* textOf(foreignResponse)).toBe(
          yield* textOf(yield* revoke("/v1/connections/con_missing", headers))
        )
      }
      expect((yield* read(path, tokens[0] ?? "")).status).toBe(200)
    })
  )

  live("answers 401 without a key and to the token itself, 403 from a browser and without the scope", () =>
    Effect.gen(function* () {
      const { key, path, tokens } = yield* newConnection
      const { key: writer } = yield* issueKey(undefined, ["connections:write", "connections:read"])
      const byToken = revoke(path, { authorization: tokens[0] ?? "", origin: shopOrigin })
      yield* expectErrorWithoutWrites(revoke(path, {}), { status: 401, code: "unauthenticated" })
      yield* expectErrorWithoutWrites(byToken, { status: 401, code: "unauthenticated" })
      const inBrowser = revoke(path, { "x-api-key": key, origin: shopOrigin })
      yield* expectErrorWithoutWrites(inBrowser, { status: 403, code: "api_key_in_browser" })
      yield* expectErrorWithoutWrites(revoke(path, { "x-api-key": writer }), {
        status: 403,
        code: "insufficient_scope"
      })
      expect((yield* read(path, tokens[0] ?? "")).status).toBe(200)
    })
  )

  live("answers 400 to an id of 201 characters", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(revoke(`/v1/connections/${"a".repeat(201)}`, { "x-api-key": key }), {
        status: 400,
        code: "invalid_request",
        details: [["/connectionId", "invalid"]]
      })
    })
  )
})

withLayer("DELETE …/access-token with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answers 429 to the second request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* expectError(yield* revoke(path, { "x-api-key": key }), { status: 429, code: "rate_limited" })
    })
  )
})
