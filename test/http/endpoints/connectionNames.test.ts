import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import {
  apiInMemory,
  get,
  issueKey,
  jsonOf,
  patch,
  post,
  sampleIntent,
  send,
  tenancyOf
} from "../../support/testApi.ts"
import { issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites, withoutWrites } from "../support/expectError.ts"

const create = (key: string, fields: object = {}, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent: sampleIntent, ...fields }, headers)

/** Creates a connection and returns its path. */
const createdPath = (key: string, fields: object = {}) =>
  Effect.map(Effect.flatMap(create(key, fields), jsonOf), ({ connection }) => `/v1/connections/${connection.id}`)

/** Some of the names are those of fields of a connection. */
const metadata = { plan: "pro", nextCheckAt: "tomorrow", allowedActions: "all" }

const long = (length: number): string => "x".repeat(length)

withLayer("what a platform attaches to a connection", apiInMemory(), (live) => {
  live("is in every answer, whatever its names are, and in the list", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "names"))
      const created = yield* jsonOf(yield* create(key, { externalId: "shop 7 – Zürich", metadata }))
      const path = `/v1/connections/${created.connection.id}`
      expect(created.connection).toMatchObject({ externalId: "shop 7 – Zürich", metadata })
      expect(created.connection.allowedActions).toContain("cancel")
      expect(yield* jsonOf(yield* get(path, key))).toEqual(created)
      const authorization = yield* issueBearer(key, path)
      const seen = yield* jsonOf(yield* send(path, { headers: { authorization, origin: shopOrigin } }))
      expect(seen.connection.metadata).toEqual(metadata)
      const canceled = yield* jsonOf(yield* post(`${path}/cancel`, key, undefined))
      expect(canceled.connection).toMatchObject({ state: "canceled", externalId: "shop 7 – Zürich", metadata })
      const listed = yield* jsonOf(
        yield* get(`/v1/connections?externalId=${encodeURIComponent("shop 7 – Zürich")}`, key)
      )
      expect(listed.connections).toEqual([canceled.connection])
      expect((yield* jsonOf(yield* get("/v1/connections?externalId=shop", key))).connections).toEqual([])
    })
  )

  const refused: ReadonlyArray<readonly [string, object, string, string]> = [
    ["an empty external id", { externalId: "" }, "/externalId", "must be 1 to 200 printable characters"],
    ["an external id of 201 characters", { externalId: long(201) }, "/externalId", "must be 1 to 200"],
    ["an external id with a line break", { externalId: "a\nb" }, "/externalId", "must be 1 to 200 printable"],
    [
      "21 metadata",
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) },
      "/metadata",
      "must have at most 20 entries"
    ],
    [
      "a name of 41 characters",
      { metadata: { [long(41)]: "" } },
      `/metadata/${long(41)}`,
      "must have a name of 1 to 40 characters"
    ],
    ["a name that is empty", { metadata: { "": "" } }, "/metadata/", "must have a name of 1 to 40 characters"],
    ["a value of 501 characters", { metadata: { a: long(501) } }, "/metadata/a", "must have at most 500 characters"],
    ["a value that is no text", { metadata: { a: 1 } }, "/metadata/a", "must be a string"],
    ["a duplicate that is no boolean", { allowDuplicate: "yes" }, "/allowDuplicate", "must be a boolean"]
  ]
  for (const [title, fields, pointer, message] of refused) {
    live(`is refused with a detail: ${title}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey(tenancyOf("app", "refused"))
        const response = yield* withoutWrites(create(key, fields))
        expect(response.status).toBe(400)
        const { details } = (yield* jsonOf(response)).error
        expect(details).toEqual([{ pointer, code: "invalid", message: expect.stringContaining(message) }])
      })
    )
  }
})

withLayer("a second connection with the same domain and records", apiInMemory(), (live) => {
  live("answers 409 with the id of the first, however its records are written", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "twice"))
      const first = yield* jsonOf(yield* create(key))
      const again = { intent: { records: [{ ...sampleIntent.records[0], ttl: 3_600 }], domain: "EXAMPLE.com." } }
      for (const fields of [{}, again]) {
        const response = yield* withoutWrites(create(key, fields))
        expect(response.status).toBe(409)
        const { error } = yield* jsonOf(response)
        expect(error).toMatchObject({ code: "connection_exists", connectionId: first.connection.id })
      }
    })
  )

  live("is created for another tenant, and where duplicates are allowed", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "allowed"))
      const other = yield* issueKey(tenancyOf("app", "another"))
      expect((yield* create(key)).status).toBe(201)
      expect((yield* create(key, { allowDuplicate: true })).status).toBe(201)
      expect((yield* create(other.key)).status).toBe(201)
      expect((yield* withoutWrites(create(key))).status).toBe(409)
    })
  )

  live("is created once the first has ended", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "ended"))
      const { connection } = yield* jsonOf(yield* create(key, { externalId: "shop" }))
      yield* post(`/v1/connections/${connection.id}/cancel`, key, undefined)
      expect((yield* create(key, { externalId: "shop" })).status).toBe(201)
    })
  )

  live("answers a repeated request as before", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "repeated"))
      const once = { "idempotency-key": "once" }
      const first = yield* jsonOf(yield* create(key, { externalId: "shop" }, once))
      const replay = yield* create(key, { externalId: "shop" }, once)
      expect(replay.headers.get("idempotent-replayed")).toBe("true")
      expect(yield* jsonOf(replay)).toEqual(first)
      const other = { status: 422, code: "idempotency_key_reused" }
      yield* expectErrorWithoutWrites(create(key, { externalId: "shop", metadata: { a: "b" } }, once), other)
      yield* expectErrorWithoutWrites(create(key, { externalId: "shop", allowDuplicate: true }, once), other)
    })
  )
})

withLayer("a change to the domain and records of another connection", apiInMemory(), (live) => {
  const blog = { ...sampleIntent, records: [{ host: "blog", type: "CNAME", value: "shops.example.net" }] }

  const news = { ...sampleIntent, records: [{ host: "news", type: "CNAME", value: "shops.example.net" }] }

  live("answers 409 with the id of the other one, which may also change to them, unless duplicates are allowed", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "changed"))
      const [first, second] = [yield* createdPath(key), yield* createdPath(key, { intent: blog })]
      const refusalOf = (intent: typeof sampleIntent) => Effect.flatMap(patch(second, key, { intent }), jsonOf)
      const refusal = { status: 409, code: "connection_exists", connectionId: first.split("/").at(-1) }
      expect((yield* refusalOf(sampleIntent)).error).toMatchObject(refusal)
      expect((yield* patch(first, key, { intent: news })).status).toBe(200)
      expect((yield* refusalOf(news)).error).toMatchObject(refusal)
      expect((yield* patch(second, key, { intent: news, allowDuplicate: true })).status).toBe(200)
      expect((yield* patch(first, key, { intent: news })).status).toBe(200)
    })
  )

  live("is done by one of two requests at the same time", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "racing"))
      const paths = [yield* createdPath(key), yield* createdPath(key, { intent: blog })]
      const answers = yield* Effect.forEach(paths, (path) => patch(path, key, { intent: news }), {
        concurrency: "unbounded"
      })
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })
  )
})
