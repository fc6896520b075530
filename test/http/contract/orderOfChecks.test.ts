import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { shopOrigin } from "../support/connectionRequests.ts"
import { type ExpectedError, expectErrorWithoutWrites } from "../support/expectError.ts"

const create = "/v1/connections"
const tokenOfMissing = "/v1/connections/con_missing/access-token"
const tooLong = `/v1/connections/${"a".repeat(201)}`

interface FaultyRequest {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends a request with several faults; `key` is valid unless the headers replace it. */
const sendFaulty = (key: string, { body, headers, method = "POST", path }: FaultyRequest) =>
  send(path, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    ...(method === "GET" ? {} : { body: body ?? "{" })
  })

const text = { "content-type": "text/plain" }
const invalidKey = { "x-api-key": "hello" }
const inBrowser = { origin: shopOrigin }

const invalid = (...details: NonNullable<ExpectedError["details"]>): ExpectedError => ({
  status: 400,
  code: "invalid_request",
  details
})
const notFoundRoute: ExpectedError = { status: 404, code: "route_not_found" }
const methodNotAllowed: ExpectedError = { status: 405, code: "method_not_allowed" }
const unsupported: ExpectedError = { status: 415, code: "unsupported_media_type" }
const tooLarge: ExpectedError = { status: 413, code: "body_too_large" }
const unauthenticated: ExpectedError = { status: 401, code: "unauthenticated" }
const apiKeyInBrowser: ExpectedError = { status: 403, code: "api_key_in_browser" }
const outOfScope: ExpectedError = { status: 403, code: "insufficient_scope" }
const rateLimited: ExpectedError = { status: 429, code: "rate_limited" }
const malformed: ExpectedError = { status: 400, code: "malformed_json" }
const notCanonical: ExpectedError = {
  status: 400,
  code: "origin_not_canonical",
  details: [["/origin", "origin_not_canonical"]]
}

withLayer("a request with two faults", apiInMemory(), (live) => {
  const cases: ReadonlyArray<readonly [name: string, request: FaultyRequest, answer: ExpectedError]> = [
    ["the path before the method", { path: "/v1/nothing", method: "DELETE" }, notFoundRoute],
    ["the path before the key", { path: "/v1/nothing", headers: invalidKey }, notFoundRoute],
    ["the method before the media type", { path: create, method: "PUT", headers: text }, methodNotAllowed],
    ["the method before the key", { path: create, method: "PUT", headers: invalidKey }, methodNotAllowed],
    ["the media type before the key", { path: create, headers: { ...text, ...invalidKey } }, unsupported],
    ["the media type before a key in a browser", { path: create, headers: { ...text, ...inBrowser } }, unsupported],
    ["the size before the key", { path: create, headers: invalidKey, body: "x".repeat(300_000) }, tooLarge],
    ["the key before broken JSON", { path: create, headers: invalidKey }, unauthenticated],
    [
      "the key before a body that violates the schema",
      { path: create, headers: invalidKey, body: "{}" },
      unauthenticated
    ],
    [
      "the key before an invalid header",
      { path: create, headers: { ...invalidKey, "idempotency-key": "a b" } },
      unauthenticated
    ],
    ["the key before an id that is too long", { path: tooLong, method: "GET", headers: invalidKey }, unauthenticated],
    [
      "the key before a connection that is missing",
      { path: tokenOfMissing, headers: invalidKey, body: "{}" },
      unauthenticated
    ],
    [
      "the key before its use in a browser",
      { path: create, headers: { ...invalidKey, ...inBrowser } },
      unauthenticated
    ],
    ["the key in a browser before broken JSON", { path: create, headers: inBrowser }, apiKeyInBrowser],
    [
      "an id that is too long before broken JSON",
      { path: `${tooLong}/access-token` },
      invalid(["/connectionId", "invalid"])
    ],
    ["broken JSON before a connection that is missing", { path: tokenOfMissing }, malformed],
    [
      "a body that violates the schema before a connection that is missing",
      { path: tokenOfMissing, body: "{}" },
      invalid(["/origin", "missing"])
    ],
    [
      "an origin that is not canonical before a connection that is missing",
      { path: tokenOfMissing, body: '{"origin":"null"}' },
      notCanonical
    ],
    [
      "a field that violates the schema with an invalid domain",
      { path: create, body: '{"intent":{"domain":"a..b","records":[]}}' },
      invalid(["/intent/domain", "domain_has_empty_label"], ["/intent/records", "invalid"])
    ],
    [
      "an invalid header with an invalid domain",
      {
        path: create,
        headers: { "idempotency-key": "a b" },
        body: JSON.stringify({ intent: { ...sampleIntent, domain: "a..b" } })
      },
      invalid(["/intent/domain", "domain_has_empty_label"], ["/idempotency-key", "invalid"])
    ]
  ]
  cases.forEach(([name, request, answer]) =>
    live(`reports ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(sendFaulty(key, request), answer)
      })
    )
  )

  const readerOnly: ReadonlyArray<readonly [name: string, request: FaultyRequest, answer: ExpectedError]> = [
    ["the scope before broken JSON", { path: create }, outOfScope],
    ["the scope before a body that violates the schema", { path: create, body: "{}" }, outOfScope],
    ["the scope before a connection that is missing", { path: tokenOfMissing, body: "{}" }, outOfScope],
    ["a key in a browser before its scope", { path: create, headers: inBrowser }, apiKeyInBrowser]
  ]
  readerOnly.forEach(([name, request, answer]) =>
    live(`reports ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey(undefined, ["connections:read"])
        yield* expectErrorWithoutWrites(sendFaulty(key, request), answer)
      })
    )
  )
})

withLayer("a request above the quota with another fault", apiInMemory({ rates: { server: 1 } }), (live) => {
  const cases: ReadonlyArray<readonly [name: string, request: FaultyRequest, answer: ExpectedError]> = [
    ["the quota before the scope", { path: create, body: "{}" }, rateLimited],
    ["the quota before broken JSON", { path: create }, rateLimited],
    ["the quota before a connection that is missing", { path: tokenOfMissing }, rateLimited],
    ["the key in a browser before the quota", { path: create, headers: inBrowser }, apiKeyInBrowser],
    ["the media type before the quota", { path: create, headers: text }, unsupported]
  ]
  cases.forEach(([name, request, answer], at) =>
    live(`reports ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey(tenancyOf("app", `tenant-${at}`), ["connections:read"])
        yield* sendFaulty(key, { path: "/v1/connections/con_any", method: "GET" })
        yield* expectErrorWithoutWrites(sendFaulty(key, request), answer)
      })
    )
  )
})
