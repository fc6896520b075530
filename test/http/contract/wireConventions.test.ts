import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, sampleIntent, send } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionFixtures.ts"
import { expectError } from "../support/expectError.ts"

const textOf = (response: Response) => Effect.promise(() => response.text())

const contentType = ({ headers }: Response) => headers.get("content-type")

/** One answer of every kind: with what it is asked for, and its status. */
const every = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const path = yield* createConnectionPath(key)
  const json = { "content-type": "application/json", "x-api-key": key }
  const requests: ReadonlyArray<readonly [status: number, path: string, init: RequestInit]> = [
    [200, path, { headers: json }],
    [304, path, { headers: { ...json, "if-none-match": '"1"' } }],
    [201, "/v1/connections", { method: "POST", headers: json, body: JSON.stringify({ intent: sampleIntent }) }],
    [201, `${path}/access-token`, { method: "POST", headers: json, body: JSON.stringify({ origin: shopOrigin }) }],
    [204, path, { method: "OPTIONS", headers: { origin: shopOrigin } }],
    [400, "/v1/connections", { method: "POST", headers: json, body: "{" }],
    [401, path, {}],
    [403, path, { headers: { ...json, origin: shopOrigin } }],
    [404, "/v1/connections/con_missing", { headers: json }],
    [404, "/v1/nothing", { headers: json }],
    [405, path, { method: "PATCH", headers: json }],
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

withLayer("every answer under /v1", apiInMemory(), (live) => {
  live("is JSON that nobody may keep or sniff, and has its request's id", () =>
    Effect.gen(function* () {
      for (const { answer, status, to } of yield* every) {
        const seen = {
          to,
          status: answer.status,
          type: answer.headers.get("content-type"),
          cache: answer.headers.get("cache-control"),
          sniff: answer.headers.get("x-content-type-options"),
          id: answer.headers.get("x-request-id")
        }
        expect(seen).toEqual({
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

  live("holds no null and no time without milliseconds", () =>
    Effect.gen(function* () {
      for (const { answer } of yield* every) {
        const text = yield* textOf(answer)
        expect(text).not.toContain("null")
        const times = text.match(/\d{4}-\d\d-\d\dT[^"]*/g) ?? []
        expect(times.filter((time) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time))).toEqual([])
      }
    })
  )

  live("does not name the software that it comes from", () =>
    Effect.gen(function* () {
      for (const { answer } of yield* every) {
        expect(answer.headers.has("server")).toBe(false)
        expect(answer.headers.has("x-powered-by")).toBe(false)
      }
    })
  )

  live("is the same whatever the client says that it accepts", () =>
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
  const kept = ["abcdefgh", "a".repeat(128), "req_01.a-B"]
  const replaced = [
    "abcdefg",
    "a".repeat(129),
    "with a blank",
    "<script>alert()</script>",
    "ümlautümlaut",
    '{"a":"bcdef"}'
  ]

  live("is the client's own where it may stand in a log line", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(kept, (id) => send("/v1/nothing", { headers: { "x-request-id": id } }))
      expect(answers.map(({ headers }) => headers.get("x-request-id"))).toEqual(kept)
      const bodies = yield* Effect.forEach(answers, jsonOf)
      expect(bodies.map(({ error }) => error.requestId)).toEqual(kept)
    })
  )

  live("is a new one where the client's could do harm", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(replaced, (id) => send("/v1/nothing", { headers: { "x-request-id": id } }))
      const ids = answers.map(({ headers }) => headers.get("x-request-id"))
      expect(ids.filter((id) => !/^req_[0-9a-hjkmnp-tv-z]{26}$/.test(id ?? ""))).toEqual([])
      expect(new Set(ids).size).toBe(replaced.length)
    })
  )
})

const clock = adjustableClock()

withLayer("ids", Layer.provide(apiInMemory(), clock.layer), (live) => {
  live("sort by the time of their making", () =>
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

  live("makes a read that knows it 304, without a body", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.forEach(current, (tag) => get(path, key, { "if-none-match": tag }))
      const seen = yield* Effect.forEach(answers, (answer) =>
        Effect.map(textOf(answer), (text) => [answer.status, answer.headers.get("etag"), contentType(answer), text])
      )
      expect(seen).toEqual(current.map(() => [304, '"1"', null, ""]))
    })
  )

  live("leaves a read that knows another a 200", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const answers = yield* Effect.forEach(stale, (tag) => get(path, key, { "if-none-match": tag }))
      expect(answers.map(({ status }) => status)).toEqual(stale.map(() => 200))
    })
  )

  live("does not show whether a connection of somebody else is there", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* get("/v1/connections/con_missing", key, { "if-none-match": "*" })
      yield* expectError(response, { status: 404, code: "not_found" })
    })
  )
})
