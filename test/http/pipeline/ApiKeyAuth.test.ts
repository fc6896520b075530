import { expect } from "bun:test"
import { Duration, Effect, Layer, Redacted } from "effect"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys } from "../../../src/security/ApiKeys.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, post, sampleIntent, send } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

const unauthenticated = { status: 401, code: "unauthenticated" }

/** A key with the right shape and checksum that was never issued. */
const unknownKey = "dck_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg4HZSwG"

const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith("a") ? "b" : "a")

withLayer("a request without a valid key", apiInMemory(), (live) => {
  const invalid: ReadonlyArray<readonly [name: string, headersOf: (validKey: string) => ReadonlyArray<string>]> = [
    ["no key", () => []],
    ["an empty key", () => ["x-api-key:"]],
    ["a value that is not a key", () => ["x-api-key: hello"]],
    ["a key with a wrong checksum", (validKey) => [`x-api-key: ${mistyped(validKey)}`]],
    ["a truncated key", (validKey) => [`x-api-key: ${validKey.slice(0, -1)}`]],
    ["a key with one more character", (validKey) => [`x-api-key: ${validKey}a`]],
    ["a key in upper case", (validKey) => [`x-api-key: ${validKey.toUpperCase()}`]],
    ["a key that was never issued", () => [`x-api-key: ${unknownKey}`]],
    ["the same key twice", (validKey) => [`x-api-key: ${validKey}`, `x-api-key: ${validKey}`]],
    ["a valid and an invalid key", (validKey) => [`x-api-key: ${validKey}`, "x-api-key: hello"]],
    ["an invalid and a valid key", (validKey) => ["x-api-key: hello", `x-api-key: ${validKey}`]],
    ["a key of 10 KB", () => [`x-api-key: dck_test_${"a".repeat(10_240)}`]],
    ["a key in another header", (validKey) => [`authorization: Bearer ${validKey}`]],
    ["a key in a cookie", (validKey) => [`cookie: x-api-key=${validKey}`]]
  ]
  invalid.forEach(([name, headersOf]) =>
    live(`answers 401 with the same body on every endpoint: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        for (const target of ["POST /v1/connections", `GET ${path}`, `POST ${path}/access-token`]) {
          const line = `${target} HTTP/1.1`
          const headers = ["content-length: 2", ...headersOf(key)]
          const message = yield* expectErrorWithoutWrites(sendRaw({ line, headers, body: ["{}"] }), unauthenticated)
          expect(message).toStartWith("a valid API key is required in the header x-api-key")
        }
      })
    )
  )

  live("answers 401: a key in the query", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(send(`${yield* createConnectionPath(key)}?x-api-key=${key}`), unauthenticated)
    })
  )
})

const lookups = { count: 0 }

const countingStores = overrideService(ApiKeyStore, (real) => ({
  find: (hash, connectionId) =>
    Effect.zipRight(
      Effect.sync(() => (lookups.count += 1)),
      real.find(hash, connectionId)
    )
}))

withLayer("a malformed key", apiWith(countingStores), (live) => {
  live("is rejected without a database query", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(get("/v1/connections/x", mistyped(key)), unauthenticated)
      expect(lookups.count).toBe(0)
      yield* expectErrorWithoutWrites(get("/v1/connections/x", key), { status: 404, code: "not_found" })
      expect(lookups.count).toBe(1)
    })
  )
})

withLayer("an API key with an Origin header", apiInMemory(), (live) => {
  const origins = [shopOrigin, "null", "", "http://localhost:3000", `${shopOrigin}, ${shopOrigin}`]
  origins.forEach((origin) =>
    live(`answers 403 if valid and 401 if not, without CORS headers: ${JSON.stringify(origin)}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const inBrowser = { status: 403, code: "api_key_in_browser" }
        const read = yield* get(path, key, { origin })
        yield* expectError(read, inBrowser)
        expect(read.headers.has("access-control-allow-origin")).toBe(false)
        expect(read.headers.get("vary")).toBe("Origin")
        yield* expectErrorWithoutWrites(
          post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }, { origin }),
          inBrowser
        )
        yield* expectErrorWithoutWrites(
          post(`${path}/access-token`, key, { origin: shopOrigin }, { origin }),
          inBrowser
        )
        yield* expectError(yield* get(path, mistyped(key), { origin }), unauthenticated)
      })
    )
  )
})

/** Sends `count` reads, fifty at a time, and runs `midway` once, halfway through. */
const readsAround = <E, R>(
  count: number,
  read: Effect.Effect<Response, E, R>,
  midway: Effect.Effect<unknown, E, R>
) => {
  const progress = { started: 0, done: false }
  return Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.gen(function* () {
        progress.started += 1
        if (progress.started === count / 2) {
          yield* midway
          progress.done = true
        }
        const after = progress.done
        return { after, status: (yield* read).status }
      }),
    { concurrency: 50 }
  )
}

const statuses = (reads: ReadonlyArray<{ readonly status: number }>) => [...new Set(reads.map(({ status }) => status))]

withLayer("revoking a key during 1,000 requests", apiInMemory(), (live) => {
  live("answers 401 to every later request", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, key } = yield* issueKey()
      const { key: otherKey } = yield* issueKey()
      const path = yield* createConnectionPath(otherKey)
      const reads = yield* readsAround(1_000, get(path, key), keys.revoke(id))
      expect(statuses(reads.filter(({ after }) => after))).toEqual([401])
      expect(statuses(reads.filter(({ after }) => !after))).toContain(200)
      expect((yield* get(path, otherKey)).status).toBe(200)
    })
  )

  live("also ends its access to the connections that it created", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* keys.revoke(id)
      yield* expectErrorWithoutWrites(get(path, key), unauthenticated)
      yield* expectErrorWithoutWrites(
        post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }),
        unauthenticated
      )
      yield* expectErrorWithoutWrites(post(`${path}/access-token`, key, { origin: shopOrigin }), unauthenticated)
    })
  )
})

const clock = adjustableClock()

withLayer("rotating a key", Layer.provide(apiInMemory(), clock.layer), (live) => {
  live("under load keeps the old key valid during the overlap, and no longer", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const rotate = Effect.map(keys.rotate(id, Duration.hours(1), "test"), (issued) => Redacted.value(issued.key))
      const successor = { key: "" }
      const rotation = Effect.map(rotate, (issued) => Object.assign(successor, { key: issued }))
      const reads = yield* readsAround(200, get(path, key), rotation)
      expect(statuses(reads)).toEqual([200])
      expect((yield* get(path, successor.key)).status).toBe(200)
      yield* clock.move("1 hour")
      yield* expectError(yield* get(path, key), unauthenticated)
      expect((yield* get(path, successor.key)).status).toBe(200)
    })
  )

  live("without an overlap revokes the old key at once", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const successor = yield* keys.rotate(id, Duration.zero, "test")
      yield* expectError(yield* get(path, key), unauthenticated)
      expect((yield* get(path, Redacted.value(successor.key))).status).toBe(200)
    })
  )

  live("keeps the old key valid for seven days at most", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id, key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* keys.rotate(id, Duration.days(30), "test")
      yield* clock.move("6 days")
      expect((yield* get(path, key)).status).toBe(200)
      yield* clock.move("1 day")
      yield* expectError(yield* get(path, key), unauthenticated)
    })
  )
})
