import { expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Array, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { countEach } from "../../prove/countEach.ts"
import { databasePoolAt } from "../../src/persistence/postgres/databasePool.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { adjustableMonotonicClock } from "../http/support/adjustableMonotonicClock.ts"
import { issueBearer, shopOrigin } from "../http/support/connectionRequests.ts"
import { sendRaw } from "../http/support/sendRaw.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { withLayer } from "../support/effectTest.ts"
import { scriptedService } from "../support/scriptedService.ts"
import { get, issueKey, jsonOf, post, sampleIntent, send, tenancyOf } from "../support/testApi.ts"

/** The whole service on PostgreSQL, with the limits that it has by default. */
const service = (environment: Readonly<Record<string, string>> = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { layer } = yield* scriptedService(urlOf(yield* freshDatabase), ["example.com"], environment)
      return layer
    })
  )

/** A key of a tenant of its own. */
const issueKeyOf = (tenant: string) => issueKey(tenancyOf("app", tenant))

const countConnections = (key: string) =>
  Effect.map(Effect.flatMap(get("/v1/connections", key), jsonOf), ({ connections }) => connections.length)

const codeOf = (response: Response) => Effect.map(jsonOf(response), ({ error }) => error?.code)

const createPath = (key: string) =>
  Effect.map(
    Effect.flatMap(post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }), jsonOf),
    ({ connection }) => `/v1/connections/${connection.id}`
  )

withLayer("a request that no client of ours would send", service(), (live) => {
  live(
    "is refused with 400 if it nests 20,000 arrays, at the seventeenth and before any is parsed, and creates nothing",
    () =>
      Effect.gen(function* () {
        const { key } = yield* issueKeyOf("nested")
        // Were it parsed, the second would be malformed: its arrays never end.
        for (const tail of ["]".repeat(20_000) + "}", ""]) {
          const refused = yield* post("/v1/connections", key, `{"intent":${"[".repeat(20_000)}${tail}`)
          const { error } = yield* jsonOf(refused)
          expect([refused.status, error.code, error.details]).toEqual([
            400,
            "invalid_request",
            [{ pointer: `/intent${"/0".repeat(15)}`, code: "nested_too_deeply", message: expect.any(String) }]
          ])
        }
        expect(yield* countConnections(key)).toBe(0)
      })
  )

  const record = { host: "shop", type: "TXT", value: "v" }
  const tooMuch: ReadonlyArray<readonly [string, object, number, string]> = [
    ["201 records", { records: Array.makeBy(201, (nth) => ({ ...record, host: `h${nth}` })) }, 400, "/intent/records"],
    ["a label of 64 bytes", { records: [{ ...record, host: "a".repeat(64) }] }, 422, "/intent/records/0/host"],
    ["a name of 256 bytes", { domain: `${"a.".repeat(126)}example` }, 422, "/intent/domain"],
    [
      "a value of 65,536 characters",
      { records: [{ ...record, value: "v".repeat(65_536) }] },
      400,
      "/intent/records/0/value"
    ],
    [
      "200 records, each with a label of 64 bytes and a fault in its value",
      {
        records: Array.makeBy(200, (nth) => ({
          host: `${"a".repeat(64)}.h${nth}`,
          type: "A",
          value: "v".repeat(1_000)
        }))
      },
      422,
      "/intent/records/0/host"
    ]
  ]
  tooMuch.forEach(([what, fields, status, pointer]) =>
    live(`is refused with what is wrong, in a short answer: ${what}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKeyOf("oversized")
        const refused = yield* post("/v1/connections", key, { intent: { ...sampleIntent, ...fields } })
        const text = yield* Effect.promise(() => refused.text())
        expect(refused.status).toBe(status)
        expect(JSON.parse(text).error.details[0].pointer).toBe(pointer)
        expect(text.length).toBeLessThanOrEqual(8_192)
        expect(yield* countConnections(key)).toBe(0)
      })
    )
  )

  const odd: ReadonlyArray<readonly [line: string, status: number]> = [
    ["GET /v1/nothing", 404],
    ["PUT /v1/connections", 405],
    ["TRACE /v1/connections", 405],
    ["GET /v1/connections/%zz", 404],
    ["GET /v1/connections/%00", 400],
    ["GET /v1/connections/", 404],
    [`GET /v1/connections/${"a".repeat(201)}`, 400]
  ]
  odd.forEach(([line, status]) =>
    live(`gets our error body: ${line.slice(0, 40)}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKeyOf("odd")
        const answer = yield* sendRaw({ line: `${line} HTTP/1.1`, headers: [`x-api-key: ${key}`] })
        const { error } = yield* jsonOf(answer)
        expect([answer.status, error.status, error.requestId]).toEqual([
          status,
          status,
          answer.headers.get("x-request-id")
        ])
      })
    )
  )
})

/** The status that a browser with a token gets. */
const readAsBrowser = (path: string, authorization: string) =>
  Effect.map(send(path, { headers: { authorization, origin: shopOrigin } }), ({ status }) => status)

/** Reads without a pause, twenty at a time, until the scope closes; collects the statuses. */
const readOften = (path: string, key: string) =>
  Effect.gen(function* () {
    const statuses: Array<number> = []
    const read = Effect.tap(get(path, key), ({ status }) => Effect.sync(() => statuses.push(status)))
    yield* Effect.forkScoped(Effect.all(Array.replicate(Effect.forever(read), 20), { concurrency: "unbounded" }))
    return statuses
  })

withLayer(
  "credentials that end under load",
  service({ RATE_LIMIT_PER_MINUTE: "0", REFUSED_CREDENTIALS_PER_MINUTE: "0" }),
  (live) => {
    live("a revoked key gets 401 from the moment of the revocation, and nothing else", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id, key } = yield* issueKeyOf("revoked")
        const path = yield* createPath(key)
        const reads = yield* readOften(path, key)
        yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => reads.length >= 500 })
        yield* keys.revoke(id)
        const after = yield* Effect.all(Array.replicate(get(path, key), 500), { concurrency: 20 })
        expect(countEach(after.map(({ status }) => String(status)))).toEqual({ 401: 500 })
        expect(countEach(reads.slice(0, 400).map(String))).toEqual({ 200: 400 })
      })
    )

    live("a rotated key works until the end of its overlap without one error, and gets 401 afterwards", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id, key } = yield* issueKeyOf("rotated")
        const path = yield* createPath(key)
        const reads = yield* readOften(path, key)
        const successor = Redacted.value((yield* keys.rotate(id, Duration.seconds(10), "live")).key)
        const begun = reads.length
        yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => reads.length >= begun + 200 })
        expect(countEach(reads.slice(0, begun + 200).map(String))).toEqual({ 200: begun + 200 })
        yield* Effect.repeat(get(path, key), {
          until: ({ status }) => status === 401,
          schedule: Schedule.spaced("50 millis")
        })
        expect((yield* get(path, successor)).status).toBe(200)
      })
    )

    live("a browser token opens its own connection only, until it is revoked, its key is, or the connection ends", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id, key } = yield* issueKeyOf("browser")
        const [own, other] = [yield* createPath(key), yield* createPath(key)]
        const revoked = yield* issueBearer(key, own)
        expect([yield* readAsBrowser(own, revoked), yield* readAsBrowser(other, revoked)]).toEqual([200, 404])
        yield* send(`${own}/access-token`, { method: "DELETE", headers: { "x-api-key": key } })
        expect(yield* readAsBrowser(own, revoked)).toBe(401)
        const ended = yield* issueBearer(key, other)
        yield* post(`${other}/cancel`, key, {})
        expect(yield* readAsBrowser(other, ended)).toBe(401)
        const orphaned = yield* issueBearer(key, own)
        yield* keys.revoke(id)
        expect(yield* readAsBrowser(own, orphaned)).toBe(401)
      })
    )
  }
)

/** The service, and its database. */
const serviceWithDatabase = Layer.unwrapScoped(
  Effect.gen(function* () {
    const url = urlOf(yield* freshDatabase)
    const { layer } = yield* scriptedService(url, ["example.com"])
    return Layer.merge(layer, databasePoolAt(url, 1))
  })
)

withLayer("a browser token", serviceWithDatabase, (live) => {
  live("opens nothing any more from its expiry on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { key } = yield* issueKeyOf("expired")
      const path = yield* createPath(key)
      const token = yield* issueBearer(key, path)
      expect(yield* readAsBrowser(path, token)).toBe(200)
      yield* sql`update browser_tokens set expires_at = now()`
      expect(yield* readAsBrowser(path, token)).toBe(401)
    })
  )
})

const create = (key: string, intent: object) =>
  post("/v1/connections", key, { intent, allowDuplicate: true }, { "idempotency-key": "order-7" })

withLayer("an Idempotency-Key", service({ RATE_LIMIT_PER_MINUTE: "0" }), (live) => {
  live("makes one connection of fifty requests at once; the others get that one or a conflict", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKeyOf("fifty")
      const answers = yield* Effect.all(Array.replicate(create(key, sampleIntent), 50), { concurrency: "unbounded" })
      const first = answers.filter(({ headers, status }) => status === 201 && !headers.has("idempotent-replayed"))
      expect(first).toHaveLength(1)
      expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409]))).toEqual(new Set())
      expect(yield* countConnections(key)).toBe(1)
    })
  )

  live("is refused with another body, and is free for another tenant", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKeyOf("first")
      const { key: foreign } = yield* issueKeyOf("second")
      const first = yield* Effect.flatMap(create(key, sampleIntent), jsonOf)
      const other = yield* create(key, { ...sampleIntent, domain: "example.org" })
      expect([other.status, yield* codeOf(other)]).toEqual([422, "idempotency_key_reused"])
      const independent = yield* create(foreign, sampleIntent)
      expect(independent.status).toBe(201)
      expect((yield* jsonOf(independent)).connection.id).not.toBe(first.connection.id)
      expect([yield* countConnections(key), yield* countConnections(foreign)]).toEqual([1, 1])
    })
  )
})

const clock = adjustableMonotonicClock()

const limitedService = Layer.provide(service({ RATE_LIMIT_PER_MINUTE: "20" }), clock.layer)

withLayer("a burst above the rate", limitedService, (live) => {
  live("gets 429 with the time to wait, and 201 after it, and others go on", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKeyOf("burst")
      const { key: other } = yield* issueKeyOf("other")
      const answers = yield* Effect.all(
        Array.replicate(post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }), 60),
        {
          concurrency: "unbounded"
        }
      )
      const tally = countEach(answers.map(({ status }) => String(status)))
      expect(tally["429"]).toBe(40)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.every(({ headers }) => Number(headers.get("retry-after")) <= 60)).toBe(true)
      expect(refused.every(({ headers }) => headers.get("ratelimit")?.startsWith('"default";r=0') === true)).toBe(true)
      expect((yield* post("/v1/connections", other, { intent: sampleIntent, allowDuplicate: true })).status).toBe(201)
      yield* clock.move("59 seconds")
      expect((yield* post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })).status).toBe(429)
      yield* clock.move("1 second")
      expect((yield* post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })).status).toBe(201)
    })
  )
})
