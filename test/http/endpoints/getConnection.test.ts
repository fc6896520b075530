import { expect } from "bun:test"
import { DateTime, Effect } from "effect"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  apiInMemory,
  get,
  issueKey,
  jsonOf,
  post,
  sampleIntent,
  send,
  tenancyOf,
  textOf
} from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createInState } from "../support/commandFixtures.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

withLayer("GET /v1/connections/{connectionId}", apiInMemory(), (live) => {
  live("answers 200 with the connection as created", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const created = yield* jsonOf(yield* post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }))
      const response = yield* get(`/v1/connections/${created.connection.id}`, key)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(response.headers.get("etag")).toBe('"1"')
      expect(yield* jsonOf(response)).toEqual(created)
    })
  )

  live("names the next check until its time has come, here and in the list", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      for (const [minutes, isShown] of [
        [1, true],
        [-1, false]
      ] as const) {
        const nextCheckAt = DateTime.add(now, { minutes })
        const { key, path } = yield* createInState("active", { connection: { nextCheckAt } })
        const { connection } = yield* jsonOf(yield* get(path, key))
        const { connections } = yield* jsonOf(yield* get("/v1/connections?state=active", key))
        const expected = isShown ? DateTime.formatIso(nextCheckAt) : undefined
        expect(connection.nextCheckAt).toEqual(expected)
        expect(connections.find(({ id }: { readonly id: string }) => id === connection.id).nextCheckAt).toEqual(
          expected
        )
      }
    })
  )

  live("answers every key of the same application and tenant", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { key: readerKey } = yield* issueKey(undefined, ["connections:read"])
      expect((yield* get(yield* createConnectionPath(key), readerKey)).status).toBe(200)
    })
  )

  const invalidIds: ReadonlyArray<readonly [name: string, id: string, code: string]> = [
    ["201 characters", "a".repeat(201), "invalid"],
    ["1,000 characters", "a".repeat(1_000), "invalid"],
    ["a NUL", "%00", "invalid"],
    ["a line feed", "con%0a1", "invalid"]
  ]
  invalidIds.forEach(([name, id, code]) =>
    live(`answers 400 to an id of ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(get(`/v1/connections/${id}`, key), {
          status: 400,
          code: "invalid_request",
          details: [["/connectionId", code]]
        })
      })
    )
  )

  live("answers 401 without a key", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* send(yield* createConnectionPath(key))
      yield* expectError(response, { status: 401, code: "unauthenticated" })
      expect(response.headers.get("www-authenticate")).toBe('ApiKey header="x-api-key", Bearer')
    })
  )

  live("answers 403 to a key without the scope connections:read", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { key: writerKey } = yield* issueKey(undefined, ["connections:write", "tokens:issue"])
      const response = yield* get(yield* createConnectionPath(key), writerKey)
      yield* expectError(response, { status: 403, code: "insufficient_scope" })
    })
  )

  const missing: ReadonlyArray<readonly [name: string, id: string]> = [
    ["is unknown", "con_01m7xry10khcmx2y9ygx6kab00"],
    ["has one character", "x"],
    ["has 200 characters", "a".repeat(200)],
    ["has 200 characters beyond ASCII", "%E2%82%AC".repeat(200)],
    ["looks like SQL", "'%20or%201=1--"]
  ]
  missing.forEach(([name, id]) =>
    live(`answers 404 to an id that ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(get(`/v1/connections/${id}`, key), { status: 404, code: "not_found" })
      })
    )
  )

  live("finds a connection whose id is percent-encoded", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      expect((yield* get(path.replace("con_", "%63on%5F"), key)).status).toBe(200)
    })
  )

  live("answers 404 to a broken percent-encoding", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      for (const id of ["%zz", "%", "%C3%28", "%ED%A0%80"]) {
        const request = sendRaw({ line: `GET /v1/connections/${id} HTTP/1.1`, headers: [`x-api-key: ${key}`] })
        yield* expectErrorWithoutWrites(request, { status: 404, code: "route_not_found" })
      }
    })
  )
})

withLayer("a connection of another tenant", apiInMemory(), (live) => {
  const requests: ReadonlyArray<readonly [name: string, init: RequestInit, below: string]> = [
    ["GET", {}, ""],
    ["HEAD", { method: "HEAD" }, ""],
    ["GET with If-None-Match", { headers: { "if-none-match": '"1"' } }, ""],
    [
      "POST …/access-token",
      {
        method: "POST",
        body: '{"origin":"https://shop.example.com"}',
        headers: { "content-type": "application/json" }
      },
      "/access-token"
    ]
  ]
  const otherTenancies = [tenancyOf("app", "other"), tenancyOf("other", "tenant")]

  requests.forEach(([name, init, below]) =>
    live(`answers 404 to ${name}, exactly as for a missing connection`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        for (const tenancy of otherTenancies) {
          const { key: foreignKey } = yield* issueKey(tenancy)
          const headers = { ...init.headers, "x-api-key": foreignKey, "x-request-id": "the-same-request" }
          const foreignResponse = yield* send(path + below, { ...init, headers })
          const missingResponse = yield* send(`/v1/connections/con_missing${below}`, { ...init, headers })
          expect(foreignResponse.status).toBe(404)
          expect(yield* textOf(foreignResponse)).toBe(yield* textOf(missingResponse))
          expect({ ...Object.fromEntries(foreignResponse.headers), date: "" }).toEqual({
            ...Object.fromEntries(missingResponse.headers),
            date: ""
          })
        }
        expect((yield* Tables).tokens.size).toBe(0)
      })
    )
  )
})

withLayer("GET with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answers 429 to the second request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* expectError(yield* get(path, key), { status: 429, code: "rate_limited" })
    })
  )
})

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

withLayer(
  "GET without a database",
  apiWith(overrideService(ApiKeyStore, () => ({ find: () => unavailable }))),
  (live) => {
    live("answers 503 with Retry-After", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = yield* get("/v1/connections/con_any", key)
        yield* expectError(response, { status: 503, code: "unavailable" })
        expect(response.headers.get("retry-after")).toBe("1")
      })
    )
  }
)
