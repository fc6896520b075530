import { expect } from "bun:test"
import { Effect, Option, Redacted } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import {
  apiInMemory,
  get,
  issueAdminKey,
  issueKey,
  jsonOf,
  post,
  sampleIntent,
  send,
  tenancyOf
} from "../../support/testApi.ts"
import { AdminKeys } from "../../../src/security/AdminKeys.ts"
import { type AdminCall, sendAsAdmin } from "../support/adminRequests.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"

const root = "/v1/admin/applications"

/** Sends a request about applications as an administrator. */
const ask = (path: string, call: AdminCall = {}) => sendAsAdmin(`${root}${path}`, call)

const bodyOf = (path: string, request?: AdminCall) => Effect.flatMap(ask(path, request), jsonOf)

const statusOf = (path: string, request?: AdminCall) => Effect.map(ask(path, request), ({ status }) => status)

const idsOf = (page: any) => page.applications.map(({ id }: { readonly id: string }) => id)

const settings = {
  name: "Bäckerei & Söhne",
  logoUrl: "https://shop.example.com/logo.svg",
  supportEmail: "help@shop.example.com",
  supportUrl: "https://shop.example.com/help",
  returnOrigins: ["https://admin.example.com"],
  controlProof: "when_contested"
}

withLayer("an application", apiInMemory(), (live) => {
  live("is created with its settings, read, changed and deleted", () =>
    Effect.gen(function* () {
      const created = yield* ask("", { body: { id: "shop", ...settings } })
      expect([created.status, created.headers.get("location"), created.headers.get("etag")]).toEqual([
        201,
        `${root}/shop`,
        '"1"'
      ])
      const { application } = yield* jsonOf(created)
      expect(application).toEqual({
        id: "shop",
        ...settings,
        createdAt: expect.any(String),
        updatedAt: application.createdAt
      })
      const read = yield* ask("/shop")
      expect([read.headers.get("etag"), yield* jsonOf(read)]).toEqual(['"1"', { application }])
      const replacement = { ...settings, name: "The Shop", controlProof: "off" }
      const changed = yield* ask("/shop", { method: "PUT", body: replacement })
      expect(changed.headers.get("etag")).toBe('"2"')
      expect((yield* jsonOf(changed)).application).toEqual({
        id: "shop",
        ...replacement,
        createdAt: application.createdAt,
        updatedAt: expect.any(String)
      })
      expect(yield* statusOf("/shop", { method: "DELETE", headers: { "if-match": '"2"' } })).toBe(204)
      expect(yield* statusOf("/shop")).toBe(404)
    })
  )

  live("refuses a replacement that leaves settings out, names them, and keeps them", () =>
    Effect.gen(function* () {
      const { application } = yield* bodyOf("", { body: { id: "replaced", ...settings } })
      const { error } = yield* bodyOf("/replaced", { method: "PUT", body: { name: "The Shop" } })
      expect([error.status, error.code, error.details.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
        409,
        "settings_omitted",
        ["/logoUrl", "/supportEmail", "/supportUrl", "/returnOrigins", "/controlProof"]
      ])
      expect(yield* bodyOf("/replaced")).toEqual({ application })
      // What has its default is not lost.
      yield* ask("", { body: { id: "bare", name: "One" } })
      expect(yield* statusOf("/bare", { method: "PUT", body: { name: "Two" } })).toBe(200)
    })
  )

  live("is changed in single settings, where null removes one, or brings its default back", () =>
    Effect.gen(function* () {
      yield* ask("", { body: { id: "patched", ...settings } })
      const patch = (body: object) => ask("/patched", { method: "PATCH", body })
      const named = yield* Effect.flatMap(patch({ name: "The Shop" }), jsonOf)
      expect(named.application).toMatchObject({ ...settings, name: "The Shop" })
      const removed = yield* Effect.flatMap(patch({ returnOrigins: null, controlProof: null }), jsonOf)
      const { returnOrigins: _, ...others } = named.application
      expect(removed.application).toEqual({ ...others, controlProof: "required", updatedAt: expect.any(String) })
      expect((yield* patch({ returnOrigins: [] })).status).toBe(400)
      expect((yield* patch({ colour: "red" })).status).toBe(400)
      expect(yield* statusOf("/patched", { method: "PATCH", body: {}, headers: { "if-match": '"1"' } })).toBe(412)
    })
  )

  live("is changed only in the version that If-Match names", () =>
    Effect.gen(function* () {
      yield* ask("", { body: { id: "matched" } })
      const put = (etag: string) =>
        statusOf("/matched", { method: "PUT", body: { name: "One" }, headers: { "if-match": etag } })
      expect([yield* put('"1"'), yield* put('"1"'), yield* put('"2"')]).toEqual([200, 412, 200])
      expect(yield* statusOf("/matched", { method: "DELETE", headers: { "if-match": '"1"' } })).toBe(412)
    })
  )

  const faults: ReadonlyArray<readonly [pointer: string, body: object]> = [
    ["/id", { id: "a/b" }],
    ["/name", { name: "" }],
    ["/name", { name: "two\nlines" }],
    ["/logoUrl", { logoUrl: "http://shop.example.com/logo.png" }],
    ["/logoUrl", { logoUrl: "https://shop;sandbox/logo.png" }],
    ["/logoUrl", { logoUrl: "https://*/logo.png" }],
    ["/logoUrl", { logoUrl: `https://shop.example.com/${"x".repeat(2_000)}` }],
    ["/supportUrl", { supportUrl: "javascript:alert(1)" }],
    ["/supportUrl", { supportUrl: "https://user:secret@shop.example.com/" }],
    ["/supportEmail", { supportEmail: "help" }],
    ["/returnOrigins", { returnOrigins: [] }],
    ["/returnOrigins/0", { returnOrigins: ["https://shop.example.com/"] }],
    ["/returnOrigins/0", { returnOrigins: ["http://shop.example.com"] }],
    ["/controlProof", { controlProof: "sometimes" }],
    ["/colour", { colour: "red" }]
  ]
  faults.forEach(([pointer, body]) =>
    live(`is refused with ${JSON.stringify(body).slice(0, 60)}, at ${pointer}`, () =>
      Effect.gen(function* () {
        const { error } = yield* bodyOf("", { body: { id: "faulty", ...body } })
        expect([error.code, error.details.map((detail: { readonly pointer: string }) => detail.pointer)]).toEqual([
          "invalid_request",
          [pointer]
        ])
        expect(yield* statusOf("/faulty")).toBe(404)
      })
    )
  )

  live("is listed in pages, also if only an API key was made for it", () =>
    Effect.gen(function* () {
      yield* ask("", { body: { id: "zz-1" } })
      yield* issueKey(tenancyOf("zz-2", "tenant"))
      yield* ask("", { body: { id: "zz-3" } })
      const first = yield* bodyOf("?cursor=zz&limit=2")
      expect([idsOf(first), first.nextCursor]).toEqual([["zz-1", "zz-2"], "zz-2"])
      const last = yield* bodyOf(`?cursor=${first.nextCursor}&limit=2`)
      expect([idsOf(last), last.nextCursor]).toEqual([["zz-3"], undefined])
    })
  )

  live("that is created twice with one idempotency key is created once", () =>
    Effect.gen(function* () {
      const create = ask("", { body: { id: "repeated", name: "One" }, headers: { "idempotency-key": "repeated" } })
      const [first, second] = yield* Effect.all([create, create])
      expect([first.status, second.status, second.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"])
      expect(yield* jsonOf(second)).toEqual(yield* jsonOf(first))
      expect(yield* statusOf("", { body: { id: "repeated" } })).toBe(409)
    })
  )

  live("restricts the pages to which the customers of its servers return", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("returning", "tenant"))
      yield* ask("/returning", { method: "PUT", body: { returnOrigins: ["https://admin.example.com"] } })
      const path = yield* createConnectionPath(key)
      const authorize = (returnUrl: string) =>
        Effect.flatMap(post(`${path}/authorization`, key, { method: "oauth2_pkce", returnUrl }), jsonOf)
      const refused = yield* authorize("https://other.example.com/")
      expect([refused.error.code, refused.error.message]).toEqual([
        "return_url_not_allowed",
        "returnUrl must be a page of one of the application's returnOrigins"
      ])
      expect((yield* authorize("https://admin.example.com/done")).error.code).not.toBe("return_url_not_allowed")
    })
  )
})

withLayer("the tenants of an application", apiInMemory(), (live) => {
  live("are listed with their keys or connections, and have their usage", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "bakery"))
      yield* issueKey(tenancyOf("app", "florist"))
      yield* createConnectionPath(key)
      expect(yield* bodyOf("/app/tenants")).toMatchObject({ tenants: [{ id: "bakery" }, { id: "florist" }] })
      expect(yield* bodyOf("/app/tenants?limit=1")).toMatchObject({ tenants: [{ id: "bakery" }], nextCursor: "bakery" })
      const { tenant } = yield* bodyOf("/app/tenants/bakery")
      const { quotas } = yield* Effect.flatMap(get("/v1/usage", key), jsonOf)
      expect([tenant.id, tenant.usage.quotas]).toEqual(["bakery", quotas])
      expect(quotas.connections.used).toBe(1)
    })
  )

  live("lose all keys at once, and no other tenant does", () =>
    Effect.gen(function* () {
      const lost = yield* Effect.replicateEffect(issueKey(tenancyOf("app", "lost")), 2)
      const { key: kept } = yield* issueKey(tenancyOf("app", "kept"))
      expect(yield* bodyOf("/app/tenants/lost/revoke-keys", { body: "" })).toEqual({ revoked: 2 })
      const statuses = yield* Effect.forEach([...lost.map(({ key }) => key), kept], (key) => get("/v1/usage", key))
      expect(statuses.map(({ status }) => status)).toEqual([401, 401, 200])
    })
  )
})

withLayer("an API key that an administrator makes", apiInMemory(), (live) => {
  live("works for its tenant with its scopes, and is listed without its secret", () =>
    Effect.gen(function* () {
      yield* ask("", { body: { id: "app" } })
      const body = { tenantId: "bakery", scopes: ["connections:read"] }
      const { apiKey, key } = yield* bodyOf("/app/api-keys", { body })
      expect(key).toMatch(/^dck_live_\w{49}$/)
      expect(apiKey).toEqual({
        id: expect.stringMatching(/^key_/),
        prefix: key.slice(0, 12),
        tenantId: "bakery",
        scopes: ["connections:read"],
        createdAt: expect.any(String)
      })
      expect((yield* get("/v1/connections", key)).status).toBe(200)
      expect((yield* post("/v1/connections", key, { intent: sampleIntent })).status).toBe(403)
      const listed = yield* bodyOf("/app/api-keys?tenantId=bakery")
      expect(listed).toEqual({ apiKeys: [apiKey] })
      expect(yield* bodyOf("/app/api-keys?tenantId=florist")).toEqual({ apiKeys: [] })
    })
  )

  live("has by default the scopes of its tenant alone", () =>
    Effect.gen(function* () {
      yield* ask("", { body: { id: "scopes" } })
      const { apiKey } = yield* bodyOf("/scopes/api-keys", { body: { tenantId: "bakery" } })
      expect([apiKey.prefix.slice(0, 9), apiKey.scopes]).toEqual([
        "dck_live_",
        ["connections:read", "connections:write", "tokens:issue"]
      ])
    })
  )

  live("is shown again to a repeated request with the same idempotency key, and to no other", () =>
    Effect.gen(function* () {
      yield* ask("", { body: { id: "once" } })
      const create = (tenantId: string) =>
        ask("/once/api-keys", { body: { tenantId }, headers: { "idempotency-key": "first" } })
      const first = yield* create("bakery")
      const second = yield* create("bakery")
      expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, "true"])
      expect(yield* jsonOf(second)).toEqual(yield* jsonOf(first))
      expect((yield* create("florist")).status).toBe(422)
      expect((yield* bodyOf("/once/api-keys")).apiKeys.length).toBe(1)
    })
  )

  live("is replaced by a successor of the same tenant, scopes and environment", () =>
    Effect.gen(function* () {
      const { id, key } = yield* issueKey(tenancyOf("rotated", "bakery"), ["connections:read"])
      const answer = yield* bodyOf(`/rotated/api-keys/${id}/rotate`, { body: { overlapSeconds: 0 } })
      expect(answer.key).toStartWith("dck_live_")
      expect([answer.apiKey.tenantId, answer.apiKey.scopes]).toEqual(["bakery", ["connections:read"]])
      expect([(yield* get("/v1/usage", key)).status, (yield* get("/v1/usage", answer.key)).status]).toEqual([401, 200])
      const [old] = (yield* bodyOf("/rotated/api-keys")).apiKeys
      expect([old.id, old.expiresAt]).toEqual([id, expect.any(String)])
      expect(yield* statusOf(`/rotated/api-keys/${id}/rotate`, { body: {} })).toBe(404)
    })
  )

  live("stays valid for a day after a rotation that names no overlap", () =>
    Effect.gen(function* () {
      const { id, key } = yield* issueKey(tenancyOf("overlap", "bakery"))
      yield* ask(`/overlap/api-keys/${id}/rotate`, { body: {} })
      expect((yield* get("/v1/usage", key)).status).toBe(200)
      const [old] = (yield* bodyOf("/overlap/api-keys")).apiKeys
      const hours = (Date.parse(old.expiresAt) - Date.parse(old.createdAt)) / 3_600_000
      expect(Math.round(hours)).toBe(24)
    })
  )

  live("can be revoked, but not through another application", () =>
    Effect.gen(function* () {
      const { id, key } = yield* issueKey(tenancyOf("revoked", "bakery"))
      yield* issueKey(tenancyOf("neighbour", "bakery"))
      expect(yield* statusOf(`/neighbour/api-keys/${id}`, { method: "DELETE" })).toBe(404)
      expect((yield* get("/v1/usage", key)).status).toBe(200)
      expect(yield* statusOf(`/revoked/api-keys/${id}`, { method: "DELETE" })).toBe(204)
      expect((yield* get("/v1/usage", key)).status).toBe(401)
    })
  )
})

withLayer("administration", apiInMemory(), (live) => {
  live("takes admin keys only, and an admin key opens nothing else, with answers that do not tell them apart", () =>
    Effect.gen(function* () {
      const admin = yield* issueAdminKey
      const { key } = yield* issueKey()
      const requests: ReadonlyArray<readonly [path: string, headers: Record<string, string>]> = [
        [root, {}],
        [root, { "x-api-key": key }],
        [root, { "x-api-key": admin }],
        [root, { "x-admin-key": key }],
        [root, { authorization: `Bearer ${admin}` }],
        ["/v1/connections", { "x-admin-key": admin }],
        ["/v1/connections", { "x-api-key": admin }],
        ["/v1/usage", { authorization: `Bearer ${admin}` }]
      ]
      const messages = yield* Effect.forEach(requests, ([path, headers]) =>
        Effect.flatMap(send(path, { headers }), (response) =>
          expectError(response, { status: 401, code: "unauthenticated" })
        )
      )
      expect(new Set(messages.map((message) => message.split(":")[0]))).toEqual(
        new Set([
          "a valid admin key is required in the header x-admin-key",
          "a valid API key is required in the header x-api-key"
        ])
      )
      expect((yield* send(root, { headers: { "x-admin-key": admin } })).status).toBe(200)
    })
  )

  live("refuses a revoked admin key at once, and one from a browser", () =>
    Effect.gen(function* () {
      const keys = yield* AdminKeys
      const { id, key } = yield* keys.issue({ name: Option.none(), environment: "live" })
      const headers = { "x-admin-key": Redacted.value(key) }
      expect((yield* send(root, { headers })).status).toBe(200)
      expect((yield* send(root, { headers: { ...headers, origin: "https://shop.example.com" } })).status).toBe(403)
      yield* keys.revoke(id)
      const response = yield* send(root, { headers })
      expect(response.headers.get("www-authenticate")).toBe('ApiKey header="x-admin-key"')
      yield* expectError(response, { status: 401, code: "unauthenticated" })
    })
  )

  live("answers no preflight, so that no page can call it", () =>
    Effect.gen(function* () {
      const response = yield* send(root, { method: "OPTIONS", headers: { origin: "https://shop.example.com" } })
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([405, null])
    })
  )
})
