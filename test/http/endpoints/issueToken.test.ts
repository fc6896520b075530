import { expect } from "bun:test"
import { Effect } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { withLayer } from "../../support/effectTest.ts"
import { type ConnectionRow, Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const issue = (
  path: string,
  key: string,
  body: unknown = { origin: shopOrigin },
  headers: Record<string, string> = {}
) => post(`${path}/access-token`, key, body, headers)

const setState = (path: string, state: ConnectionRow["state"]) =>
  Effect.map(Tables, ({ connections }) =>
    connections.forEach((row) => {
      if (path.endsWith(row.id)) row.state = state
    })
  )

withLayer("POST /v1/connections/{connectionId}/access-token", apiInMemory(), (live) => {
  live("answers 201 with a bearer token of 256 bits that is valid for 15 minutes", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const before = Date.now()
      const response = yield* issue(yield* createConnectionPath(key), key)
      const after = Date.now()
      const body = yield* jsonOf(response)
      expect(response.status).toBe(201)
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(body).toEqual({
        accessToken: expect.stringMatching(/^dct_[0-9A-Za-z]{43}$/),
        tokenType: "Bearer",
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      })
      const quarterOfAnHour = 15 * 60 * 1_000
      expect(Date.parse(body.expiresAt)).toBeGreaterThanOrEqual(before + quarterOfAnHour)
      expect(Date.parse(body.expiresAt)).toBeLessThanOrEqual(after + quarterOfAnHour)
    })
  )

  live("stores only the hash of the token, with its connection, key and origin", () =>
    Effect.gen(function* () {
      const { id, key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const { tokens } = yield* Tables
      tokens.clear()
      const { accessToken } = yield* jsonOf(yield* issue(path, key))
      const hash = new Bun.CryptoHasher("sha256").update(accessToken).digest("hex")
      expect(Object.fromEntries(tokens)).toMatchObject({
        [hash]: {
          connectionId: ConnectionId.make(path.slice(path.lastIndexOf("/") + 1)),
          apiKeyId: id,
          origin: Origin.make(shopOrigin)
        }
      })
      expect(tokens.size).toBe(1)
    })
  )

  live("issues a new token each time, whatever the Idempotency-Key", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const headers = { "idempotency-key": "the-same" }
      const first = yield* issue(path, key, { origin: shopOrigin }, headers)
      const second = yield* issue(path, key, { origin: shopOrigin }, headers)
      expect([first.status, second.status]).toEqual([201, 201])
      expect(second.headers.has("idempotent-replayed")).toBe(false)
      expect((yield* jsonOf(first)).accessToken).not.toBe((yield* jsonOf(second)).accessToken)
    })
  )

  const invalidRequests: ReadonlyArray<
    readonly [name: string, body: unknown, details: ReadonlyArray<readonly [string, string]>]
  > = [
    ["no origin", {}, [["/origin", "missing"]]],
    ["an origin that is not a string", { origin: 1 }, [["/origin", "invalid"]]],
    ["an origin that is null", { origin: null }, [["/origin", "invalid"]]],
    ["an unknown field", { origin: shopOrigin, path: "/" }, [["/path", "unknown_field"]]],
    ["an array", [shopOrigin], [["", "invalid"]]]
  ]
  invalidRequests.forEach(([name, body, details]) =>
    live(`answers 400 to ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        yield* expectErrorWithoutWrites(issue(path, key, body), { status: 400, code: "invalid_request", details })
      })
    )
  )

  live("answers 400 to a body that is not JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* expectErrorWithoutWrites(issue(path, key, `{"origin":"${shopOrigin}`), {
        status: 400,
        code: "malformed_json"
      })
    })
  )

  live("answers 400 to an id of 201 characters", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(issue(`/v1/connections/${"a".repeat(201)}`, key), {
        status: 400,
        code: "invalid_request",
        details: [["/connectionId", "invalid"]]
      })
    })
  )

  live("answers 401 without a key", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* expectErrorWithoutWrites(issue(path, ""), { status: 401, code: "unauthenticated" })
    })
  )

  live("answers 403 to a key without the scope tokens:issue", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { key: keyWithoutScope } = yield* issueKey(undefined, ["connections:read", "connections:write"])
      const path = yield* createConnectionPath(key)
      yield* expectErrorWithoutWrites(issue(path, keyWithoutScope), { status: 403, code: "insufficient_scope" })
    })
  )

  live("answers 404 for a missing connection", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(issue("/v1/connections/con_missing", key), { status: 404, code: "not_found" })
    })
  )

  const ended = ["expired", "canceled", "disconnected"] as const
  ended.forEach((state) =>
    live(`answers 409 for a connection that is ${state}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        yield* setState(path, state)
        yield* expectErrorWithoutWrites(issue(path, key), { status: 409, code: "connection_ended" })
      })
    )
  )

  live("issues tokens for a connection that has failed", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* setState(path, "failed")
      expect((yield* issue(path, key)).status).toBe(201)
    })
  )
})

withLayer("POST …/access-token with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answers 429 to the second request and issues nothing", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* expectError(yield* issue(path, key), { status: 429, code: "rate_limited" })
      expect((yield* Tables).tokens.size).toBe(0)
    })
  )
})
