import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
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
import { moveTo } from "../support/commandFixtures.ts"
import { issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const created = (key: string, fields: object = {}) =>
  Effect.map(
    Effect.flatMap(post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true, ...fields }), jsonOf),
    ({ connection }) => `/v1/connections/${connection.id}`
  )

const idOf = (path: string): string => path.split("/").at(-1) ?? ""

const connectionAt = (path: string, key: string) =>
  Effect.map(Effect.flatMap(get(path, key), jsonOf), ({ connection }) => connection)

withLayer("PATCH of what a platform attached", apiInMemory(), (live) => {
  live("changes the fields in the body, leaves the others, and removes those that are null", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "fields"))
      const path = yield* created(key, { externalId: "shop 1", metadata: { plan: "pro", region: "eu" } })
      const changes = [
        [{ metadata: { plan: "free" } }, { externalId: "shop 1", metadata: { plan: "free" } }],
        [{ externalId: "shop 2" }, { externalId: "shop 2", metadata: { plan: "free" } }],
        [{ externalId: null, metadata: { a: "b" } }, { metadata: { a: "b" } }],
        [{ metadata: null }, {}]
      ] as const
      for (const [change, expected] of changes) {
        const response = yield* patch(path, key, change)
        expect(response.status).toBe(200)
        const { externalId, metadata } = (yield* jsonOf(response)).connection
        expect({ externalId, metadata }).toEqual({ externalId: undefined, metadata: undefined, ...expected })
      }
    })
  )

  live("makes no plan, changes no state and no check, sends no webhook, and is audited", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("audited", "fields"), [
        "connections:read",
        "connections:write",
        "audit:read",
        "webhooks:write"
      ])
      yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" })
      const path = yield* created(key)
      yield* moveTo(path, "active", {}, tenancyOf("audited", "fields"))
      const { connections, webhookEvents } = yield* Tables
      const row = [...connections.values()].find(({ id }) => id === idOf(path))
      const before = [row?.phase, row?.dueAt, row?.progress, row?.events.length, webhookEvents.size]
      const { etag, ...rest } = Object.fromEntries((yield* get(path, key)).headers)
      expect(rest["content-type"]).toBe("application/json")
      const shown = yield* connectionAt(path, key)
      const response = yield* patch(path, key, { metadata: { plan: "pro" } })
      expect(response.headers.get("etag")).not.toBe(etag ?? "")
      const { updatedAt, ...after } = (yield* jsonOf(response)).connection
      expect({ ...after, updatedAt: shown.updatedAt }).toEqual({ ...shown, metadata: { plan: "pro" } })
      expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(shown.updatedAt))
      expect([row?.phase, row?.dueAt, row?.progress, row?.events.length, webhookEvents.size]).toEqual(before)
      const { entries } = yield* jsonOf(yield* get(`/v1/audit?connectionId=${idOf(path)}&limit=1`, key))
      expect(entries).toMatchObject([
        { action: "connection.changed", settings: ["metadata"], connectionId: idOf(path) }
      ])
    })
  )

  live("writes and audits nothing where nothing differs", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "same"))
      const path = yield* created(key, { externalId: "same", metadata: { a: "b" } })
      const etag = (yield* get(path, key)).headers.get("etag")
      const again = yield* patch(path, key, { externalId: "same", metadata: { a: "b" } })
      expect([again.status, again.headers.get("etag")]).toEqual([200, etag])
    })
  )

  live("goes together with a new intent, or neither is written", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "together"))
      const path = yield* created(key)
      const blog = { ...sampleIntent, records: [{ host: "blog", type: "CNAME", value: "shops.example.net" }] }
      const { connection } = yield* jsonOf(yield* patch(path, key, { intent: blog, externalId: "blog" }))
      expect(connection).toMatchObject({ externalId: "blog", effectiveIntent: { records: [{ host: "blog" }] } })
      const elsewhere = { intent: { ...blog, domain: "example.org" }, externalId: "other" }
      yield* expectErrorWithoutWrites(patch(path, key, elsewhere), {
        status: 422,
        code: "unprocessable",
        details: [["/intent/domain", "domain_differs", { suggestion: "example.com" }]]
      })
    })
  )

  live("honours If-Match and Idempotency-Key", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "guarded"))
      const path = yield* created(key)
      const etag = (yield* get(path, key)).headers.get("etag") ?? ""
      const once = { "idempotency-key": "once", "if-match": etag }
      const first = yield* patch(path, key, { externalId: "guarded" }, once)
      const again = yield* patch(path, key, { externalId: "guarded" }, once)
      expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([200, 200, "true"])
      expect(yield* jsonOf(again)).toEqual(yield* jsonOf(first))
      yield* expectErrorWithoutWrites(patch(path, key, { externalId: "other" }, once), {
        status: 422,
        code: "idempotency_key_reused"
      })
      yield* expectErrorWithoutWrites(patch(path, key, { externalId: "other" }, { "if-match": etag }), {
        status: 412,
        code: "precondition_failed"
      })
    })
  )

  live("answers 409 to an external id that another connection has, with its id", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "taken"))
      const [first, second] = [yield* created(key, { externalId: "shop" }), yield* created(key)]
      const response = yield* patch(second, key, { externalId: "shop" })
      expect(response.status).toBe(409)
      expect((yield* jsonOf(response)).error).toMatchObject({ code: "external_id_taken", connectionId: idOf(first) })
      yield* patch(first, key, { externalId: "store" })
      expect((yield* patch(second, key, { externalId: "shop" })).status).toBe(200)
      expect((yield* patch(first, key, { externalId: "shop" })).status).toBe(409)
    })
  )

  live("finds the connection by what it has now", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "found"))
      const path = yield* created(key, { externalId: "old", metadata: { plan: "pro" } })
      yield* patch(path, key, { externalId: "new", metadata: { plan: "free" } })
      const idsFor = (query: string) =>
        Effect.map(Effect.flatMap(get(`/v1/connections?${query}`, key), jsonOf), ({ connections }) =>
          connections.map(({ id }: { readonly id: string }) => id)
        )
      expect([yield* idsFor("externalId=old"), yield* idsFor("metadata[plan]=pro")]).toEqual([[], []])
      const found = [[idOf(path)], [idOf(path)]]
      expect([yield* idsFor("externalId=new"), yield* idsFor("metadata[plan]=free")]).toEqual(found)
    })
  )

  live("is refused once the connection has ended", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "ended"))
      const path = yield* created(key)
      yield* post(`${path}/cancel`, key, undefined)
      yield* expectErrorWithoutWrites(patch(path, key, { metadata: { a: "b" } }), {
        status: 409,
        code: "connection_ended"
      })
    })
  )

  live("needs one of the three fields, in the limits that a creation has", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "limits"))
      const path = yield* created(key)
      const refused = [
        [{}, ""],
        [{ allowDuplicate: true }, ""],
        [{ externalId: "" }, "/externalId"],
        [{ metadata: { a: 1 } }, "/metadata/a"],
        [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) }, "/metadata"]
      ] as const
      for (const [body, pointer] of refused)
        yield* expectErrorWithoutWrites(patch(path, key, body), {
          status: 400,
          code: "invalid_request",
          details: [[pointer, "invalid"]]
        })
      yield* expectErrorWithoutWrites(patch(path, key, { name: "x" }), {
        status: 400,
        code: "invalid_request",
        details: [["/name", "unknown_field"]]
      })
    })
  )

  live("is for servers with the scope, on connections of their own", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "own"))
      const path = yield* created(key)
      const reader = yield* issueKey(tenancyOf("app", "own"), ["connections:read"])
      const stranger = yield* issueKey(tenancyOf("app", "stranger"))
      const body = { externalId: "mine" }
      yield* expectErrorWithoutWrites(patch(path, reader.key, body), { status: 403, code: "insufficient_scope" })
      yield* expectErrorWithoutWrites(patch(path, stranger.key, body), { status: 404, code: "not_found" })
      const authorization = yield* issueBearer(key, path)
      const headers = { authorization, origin: shopOrigin, "content-type": "application/json" }
      const inBrowser = send(path, { method: "PATCH", headers, body: JSON.stringify(body) })
      expect((yield* inBrowser).status).toBeGreaterThanOrEqual(401)
    })
  )
})
