import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, sampleIntent, send, textOf } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"

const contentType = ({ headers }: Response) => headers.get("content-type")

/** One response of every kind, with its request and the expected status. */
const everyResponse = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const path = yield* createConnectionPath(key)
  const json = { "content-type": "application/json", "x-api-key": key }
  const requests: ReadonlyArray<readonly [status: number, path: string, init: RequestInit]> = [
    [200, path, { headers: json }],
    [304, path, { headers: { ...json, "if-none-match": '"1"' } }],
    [
      201,
      "/v1/connections",
      { method: "POST", headers: json, body: JSON.stringify({ intent: sampleIntent, allowDuplicate: true }) }
    ],
    [201, `${path}/access-token`, { method: "POST", headers: json, body: JSON.stringify({ origin: shopOrigin }) }],
    [204, path, { method: "OPTIONS", headers: { origin: shopOrigin } }],
    [400, "/v1/connections", { method: "POST", headers: json, body: "{" }],
    [401, path, {}],
    [403, path, { headers: { ...json, origin: shopOrigin } }],
    [404, "/v1/connections/con_missing", { headers: json }],
    [404, "/v1/nothing", { headers: json }],
    [405, path, { method: "PUT", headers: json }],
    [415, "/v1/connections", { method: "POST", headers: { ...json, "content-type": "text/plain" }, body: "x" }],
    [
      422,
      "/v1/connections",
      {
        method: "POST",
        headers: json,
        body: '{"intent":{"domain":"com","records":[{"host":"@","type":"A","value":"192.0.2.1"}]}}'
      }
    ]
  ]
  return yield* Effect.forEach(requests, ([status, to, init]) =>
    Effect.map(send(to, init), (answer) => ({ status, to, init, answer }))
  )
})

withLayer("every response under /v1", apiInMemory(), (live) => {
  live("is JSON with a request id, and forbids caching and sniffing", () =>
    Effect.gen(function* () {
      for (const { answer, status, to } of yield* everyResponse) {
        const actual = {
          to,
          status: answer.status,
          type: answer.headers.get("content-type"),
          cache: answer.headers.get("cache-control"),
          sniff: answer.headers.get("x-content-type-options"),
          id: answer.headers.get("x-request-id")
        }
        expect(actual).toEqual({
          to,
          status,
          type: status === 204 || status === 304 ? null : "application/json",
          cache: "no-store",
          sniff: "nosniff",
          id: expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
        })
      }
    })
  )

  live("has no null and no time without milliseconds", () =>
    Effect.gen(function* () {
      for (const { answer } of yield* everyResponse) {
        const text = yield* textOf(answer)
        expect(text).not.toContain("null")
        const times = text.match(/\d{4}-\d\d-\d\dT[^"]*/g) ?? []
        expect(times.filter((time) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time))).toEqual([])
      }
    })
  )

  live("does not name the server software", () =>
    Effect.gen(function* () {
      for (const { answer } of yield* everyResponse) {
        expect(answer.headers.has("server")).toBe(false)
        expect(answer.headers.has("x-powered-by")).toBe(false)
      }
    })
  )

  live("is the same for every Accept header", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.forEach(["text/html", "application/xml", "*/*"], (accept) =>
        get(path, key, { accept })
      )
      expect(answers.map((answer) => [answer.status, contentType(answer)])).toEqual([
        [200, "application/json"],
        [200, "application/json"],
        [200, "application/json"]
      ])
    })
  )
})

withLayer("the id of a request", apiInMemory(), (live) => {
  const safeIds = ["abcdefgh", "a".repeat(128), "req_01.a-B"]
  const unsafeIds = [
    "abcdefg",
    "a".repeat(129),
    "with a blank",
    "<script>alert()</script>",
    "ümlautümlaut",
    '{"a":"bcdef"}'
  ]

  live("is the client's own if it is safe to log", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(safeIds, (id) => send("/v1/nothing", { headers: { "x-request-id": id } }))
      expect(answers.map(({ headers }) => headers.get("x-request-id"))).toEqual(safeIds)
      const bodies = yield* Effect.forEach(answers, jsonOf)
      expect(bodies.map(({ error }) => error.requestId)).toEqual(safeIds)
    })
  )

  live("is a new one if the client's is unsafe to log", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(unsafeIds, (id) => send("/v1/nothing", { headers: { "x-request-id": id } }))
      const ids = answers.map(({ headers }) => headers.get("x-request-id"))
      expect(ids.filter((id) => !/^req_[0-9a-hjkmnp-tv-z]{26}$/.test(id ?? ""))).toEqual([])
      expect(new Set(ids).size).toBe(unsafeIds.length)
    })
  )
})

const clock = adjustableClock()

withLayer("ids", Layer.provide(apiInMemory(), clock.layer), (live) => {
  live("sort by creation time", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const paths = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.zipRight(clock.move("1 millis"), createConnectionPath(key))
      )
      expect(paths.toSorted()).toEqual(paths)
    })
  )
})

withLayer("the ETag of a connection", apiInMemory(), (live) => {
  const current = ['"1"', 'W/"1"', "*", '"7", "1"', '"a,b" , W/"1"']
  const stale = ['"2"', "1", '"1', "nonsense", ","]

  live("lets a conditional read answer 304 without a body", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.forEach(current, (tag) => get(path, key, { "if-none-match": tag }))
      const actual = yield* Effect.forEach(answers, (answer) =>
        Effect.map(textOf(answer), (text) => [answer.status, answer.headers.get("etag"), contentType(answer), text])
      )
      expect(actual).toEqual(current.map(() => [304, '"1"', null, ""]))
    })
  )

  live("lets a read with another ETag answer 200", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.forEach(stale, (tag) => get(path, key, { "if-none-match": tag }))
      expect(answers.map(({ status }) => status)).toEqual(stale.map(() => 200))
    })
  )

  live("does not reveal whether a connection of another tenant exists", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* get("/v1/connections/con_missing", key, { "if-none-match": "*" })
      yield* expectError(response, { status: 404, code: "not_found" })
    })
  )
})
