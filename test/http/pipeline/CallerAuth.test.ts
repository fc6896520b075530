import { expect } from "bun:test"
import { Duration, Effect, Layer } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { ApiKeys } from "../../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../../src/security/BrowserTokens.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, issueKey, jsonOf, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

const unauthenticated = { status: 401, code: "unauthenticated" }
const foreignOrigin = { status: 403, code: "origin_not_allowed" }
const notFound = { status: 404, code: "not_found" }

/** A new connection with a browser token for the shop's origin. */
const issuedToken = Effect.gen(function* () {
  const { id: keyId, key } = yield* issueKey()
  const path = yield* createConnectionPath(key)
  const authorization = yield* issueBearer(key, path)
  return { keyId, key, path, authorization, token: authorization.slice("Bearer ".length) }
})

type IssuedToken = Effect.Effect.Success<typeof issuedToken>

const read = (path: string, authorization: string, origin = shopOrigin) =>
  send(path, { headers: { authorization, origin } })

const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"))

const clock = adjustableClock()

withLayer("a browser with a token", Layer.provide(apiInMemory(), clock.layer), (live) => {
  live("reads its connection and gets CORS headers", () =>
    Effect.gen(function* () {
      const { authorization, path } = yield* issuedToken
      const response = yield* read(path, authorization)
      expect(response.status).toBe(200)
      expect((yield* jsonOf(response)).connection.id).toBe(path.slice("/v1/connections/".length))
      expect(corsHeadersOf(response)).toEqual({
        "access-control-allow-origin": shopOrigin,
        "access-control-expose-headers": "etag, idempotent-replayed, preference-applied, retry-after, x-request-id",
        vary: "Origin"
      })
    })
  )

  live("may write the scheme in any letter case (RFC 9110 11.1)", () =>
    Effect.gen(function* () {
      const { path, token } = yield* issuedToken
      expect((yield* read(path, `bearer ${token}`)).status).toBe(200)
      expect((yield* read(path, `BEARER ${token}`)).status).toBe(200)
    })
  )

  live("gets 304 for the current ETag", () =>
    Effect.gen(function* () {
      const { authorization, path } = yield* issuedToken
      const response = yield* send(path, { headers: { authorization, origin: shopOrigin, "if-none-match": '"1"' } })
      expect(response.status).toBe(304)
      expect(response.headers.get("access-control-allow-origin")).toBe(shopOrigin)
    })
  )

  const wrongOrigins: ReadonlyArray<readonly [name: string, headers: ReadonlyArray<string>]> = [
    ["missing", []],
    ["empty", ["Origin:"]],
    ["null", ["Origin: null"]],
    ["another", ["Origin: https://evil.example.com"]],
    ["the same on another port", [`Origin: ${shopOrigin}:8443`]],
    ["the same with a slash", [`Origin: ${shopOrigin}/`]],
    ["doubled in one header", [`Origin: ${shopOrigin}, ${shopOrigin}`]],
    ["doubled in two headers", [`Origin: ${shopOrigin}`, `Origin: ${shopOrigin}`]],
    ["one of two", [`Origin: ${shopOrigin}`, "Origin: https://evil.example.com"]]
  ]
  wrongOrigins.forEach(([name, headers]) =>
    live(`gets 403 without CORS headers if its Origin is ${name}`, () =>
      Effect.gen(function* () {
        const { authorization, path } = yield* issuedToken
        const line = `GET ${path} HTTP/1.1`
        const response = yield* sendRaw({ line, headers: [`Authorization: ${authorization}`, ...headers] })
        yield* expectError(response, foreignOrigin)
        expect(corsHeadersOf(response)).toEqual({ vary: "Origin" })
      })
    )
  )

  live("gets 404 for every connection but its own", () =>
    Effect.gen(function* () {
      const { authorization, key } = yield* issuedToken
      const { key: foreignKey } = yield* issueKey(tenancyOf("other", "tenant"))
      yield* expectError(yield* read(yield* createConnectionPath(key), authorization), notFound)
      yield* expectError(yield* read(yield* createConnectionPath(foreignKey), authorization), notFound)
      yield* expectError(yield* read("/v1/connections/con_missing", authorization), notFound)
    })
  )

  live("cannot create a connection or issue a token", () =>
    Effect.gen(function* () {
      const { authorization, path } = yield* issuedToken
      const headers = { authorization, origin: shopOrigin, "content-type": "application/json" }
      const bodyOf = (body: unknown) => ({ method: "POST", headers, body: JSON.stringify(body) })
      const create = send("/v1/connections", bodyOf({ intent: sampleIntent, allowDuplicate: true }))
      const issue = send(`${path}/access-token`, bodyOf({ origin: shopOrigin }))
      yield* expectErrorWithoutWrites(create, unauthenticated)
      yield* expectErrorWithoutWrites(issue, unauthenticated)
    })
  )

  live("is rejected if it also sends an API key", () =>
    Effect.gen(function* () {
      const { authorization, key, path } = yield* issuedToken
      const withKey = (value: string) =>
        send(path, { headers: { authorization, origin: shopOrigin, "x-api-key": value } })
      yield* expectError(yield* withKey(key), { status: 403, code: "api_key_in_browser" })
      yield* expectError(yield* withKey("hello"), unauthenticated)
      yield* expectError(yield* withKey(""), unauthenticated)
    })
  )
})

withLayer("an invalid token", apiInMemory(), (live) => {
  const invalid: ReadonlyArray<readonly [name: string, headers: (issued: IssuedToken) => Record<string, string>]> = [
    ["forged", () => ({ authorization: `Bearer dct_${"A".repeat(43)}` })],
    ["truncated", ({ authorization }) => ({ authorization: authorization.slice(0, -1) })],
    ["longer", ({ authorization }) => ({ authorization: `${authorization}A` })],
    ["in another letter case", ({ token }) => ({ authorization: `Bearer ${token.toLowerCase()}` })],
    ["in base64", ({ token }) => ({ authorization: `Bearer ${btoa(token)}` })],
    ["percent-encoded", ({ token }) => ({ authorization: `Bearer ${token.replace("_", "%5F")}` })],
    ["without a scheme", ({ token }) => ({ authorization: token })],
    ["under another scheme", ({ token }) => ({ authorization: `Basic ${token}` })],
    ["after two blanks", ({ token }) => ({ authorization: `Bearer  ${token}` })],
    ["sent twice", ({ authorization }) => ({ authorization: `${authorization}, ${authorization}` })],
    ["an API key", ({ key }) => ({ authorization: `Bearer ${key}` })],
    ["used as an API key", ({ token }) => ({ "x-api-key": token })],
    ["in a cookie", ({ token }) => ({ cookie: `access_token=${token}` })]
  ]
  invalid.forEach(([name, headersOf]) =>
    live(`answers 401: ${name}`, () =>
      Effect.gen(function* () {
        const issued = yield* issuedToken
        const request = send(issued.path, { headers: { origin: shopOrigin, ...headersOf(issued) } })
        yield* expectErrorWithoutWrites(request, unauthenticated)
      })
    )
  )

  live("answers 401: in the query", () =>
    Effect.gen(function* () {
      const { path, token } = yield* issuedToken
      const request = send(`${path}?access_token=${token}&authorization=Bearer%20${token}`, {
        headers: { origin: shopOrigin }
      })
      yield* expectErrorWithoutWrites(request, unauthenticated)
    })
  )
})

withLayer("a token becomes invalid from the next request on", Layer.provide(apiInMemory(), clock.layer), (live) => {
  const ends: ReadonlyArray<
    readonly [
      name: string,
      end: (issued: IssuedToken) => Effect.Effect<unknown, unknown, ApiKeys | BrowserTokens | Tables>
    ]
  > = [
    ["after 15 minutes", () => clock.move("15 minutes")],
    [
      "when the tokens of the connection are revoked",
      ({ path }) => Effect.flatMap(BrowserTokens, ({ revoke }) => revoke(tenancyOf("app", "tenant"), idIn(path)))
    ],
    [
      "when the API key that issued it is revoked",
      ({ keyId }) => Effect.flatMap(ApiKeys, ({ revoke }) => revoke(keyId))
    ],
    [
      "when the API key that issued it is rotated",
      ({ keyId }) => Effect.flatMap(ApiKeys, ({ rotate }) => rotate(keyId, Duration.zero, "test"))
    ],
    ["when the connection is canceled", ({ path }) => setState(path, "canceled")],
    ["when the connection is disconnected", ({ path }) => setState(path, "disconnected")],
    ["when the connection expires", ({ path }) => setState(path, "expired")]
  ]
  ends.forEach(([name, end]) =>
    live(name, () =>
      Effect.gen(function* () {
        const issued = yield* issuedToken
        expect((yield* read(issued.path, issued.authorization)).status).toBe(200)
        yield* end(issued)
        yield* expectError(yield* read(issued.path, issued.authorization), unauthenticated)
      })
    )
  )

  live("but not before, and not when unrelated keys and tokens are revoked", () =>
    Effect.gen(function* () {
      const { authorization, path } = yield* issuedToken
      const unrelated = yield* issuedToken
      yield* clock.move("14 minutes")
      yield* Effect.flatMap(BrowserTokens, ({ revoke }) => revoke(tenancyOf("app", "stranger"), idIn(path)))
      yield* Effect.flatMap(BrowserTokens, ({ revoke }) => revoke(tenancyOf("app", "tenant"), idIn(unrelated.path)))
      yield* Effect.flatMap(ApiKeys, ({ revoke }) => revoke(unrelated.keyId))
      expect((yield* read(path, authorization)).status).toBe(200)
    })
  )
})

const idIn = (path: string) => ConnectionId.make(path.slice("/v1/connections/".length))

const setState = (path: string, state: "canceled" | "disconnected" | "expired") =>
  Effect.map(Tables, ({ connections }) => {
    const row = connections.get(idIn(path))
    if (row !== undefined) row.state = state
  })
