import { expect } from "bun:test"
import { Effect } from "effect"
import type { KeyScope } from "../../src/domain/access/Tenancy.ts"
import { withLayer } from "../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, send, tenancyOf } from "../support/testApi.ts"

const url = "https://hooks.example.com/"

const create = (key: string, body: object = { url }, headers: Record<string, string> = {}) =>
  post("/v1/webhook-endpoints", key, body, headers)

const keyOf = (application: string, scopes?: ReadonlyArray<KeyScope>, tenant = "tenant") =>
  Effect.map(issueKey(tenancyOf(application, tenant), scopes), ({ key }) => key)

const sendSettings =
  (method: "PATCH" | "PUT") =>
  (path: string, key: string, body: object, headers: Record<string, string> = {}) =>
    send(path, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })

const put = sendSettings("PUT")
const patch = sendSettings("PATCH")

const remove = (path: string, key: string, headers: Record<string, string> = {}) =>
  send(path, { method: "DELETE", headers: { "x-api-key": key, ...headers } })

const bodyOf = <E, R>(response: Effect.Effect<Response, E, R>) => Effect.flatMap(response, jsonOf)

const expectRefused = (response: Response, code: string) =>
  Effect.gen(function* () {
    const { error } = yield* jsonOf(response)
    expect([response.status, error.code, error.details[0].code]).toEqual([429, "quota_exceeded", code])
    expect(Number(response.headers.get("retry-after"))).toBeWithin(1, 3_601)
  })

withLayer("a webhook endpoint", apiInMemory(), (live) => {
  live("is created with a secret, which no other answer shows", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("created")
      const settings = { url, description: "production", eventTypes: ["connection.active"], tenantIds: ["bakery"] }
      const response = yield* create(key, settings)
      const { endpoint, secret } = yield* jsonOf(response)
      expect([response.status, response.headers.get("location"), response.headers.get("etag")]).toEqual([
        201,
        `/v1/webhook-endpoints/${endpoint.id}`,
        '"1"'
      ])
      expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
      expect(endpoint).toMatchObject({ ...settings, status: "enabled" })
      expect(yield* bodyOf(get("/v1/webhook-endpoints", key))).toEqual({ endpoints: [endpoint] })
      expect(yield* bodyOf(get(`/v1/webhook-endpoints/${endpoint.id}`, key))).toEqual({ endpoint })
    })
  )

  live("is created once for an idempotency key, and the repeated request shows its secret again", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("repeated")
      const headers = { "idempotency-key": "first" }
      const first = yield* create(key, { url }, headers)
      const second = yield* create(key, { url }, headers)
      expect(second.headers.get("idempotent-replayed")).toBe("true")
      expect(yield* jsonOf(second)).toEqual(yield* jsonOf(first))
    })
  )

  live("is shown to the keys of its application only, and belongs to all tenants of that", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* bodyOf(create(yield* keyOf("owner")))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      expect((yield* get(path, yield* keyOf("owner", undefined, "another"))).status).toBe(200)
      const foreign = yield* keyOf("stranger")
      expect((yield* get(path, foreign)).status).toBe(404)
      expect((yield* remove(path, foreign)).status).toBe(404)
      expect(yield* bodyOf(get("/v1/webhook-endpoints", foreign))).toEqual({ endpoints: [] })
    })
  )

  live("needs scopes that no other scope includes", () =>
    Effect.gen(function* () {
      const connections = yield* keyOf("scopes", ["connections:read", "connections:write", "tokens:issue"])
      expect((yield* create(connections)).status).toBe(403)
      const reader = yield* keyOf("scopes", ["webhooks:read"])
      expect([(yield* create(reader)).status, (yield* get("/v1/webhook-endpoints", reader)).status]).toEqual([403, 200])
    })
  )

  const filtered = { url, description: "old", eventTypes: ["connection.active"], tenantIds: ["bakery"] }

  live("is replaced as a whole, by the version that the client has read", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("changed")
      const { endpoint } = yield* bodyOf(create(key, filtered))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      const replacement = { ...filtered, url: "https://other.example.com/", tenantIds: ["florist"] }
      const changed = yield* put(path, key, { ...replacement, status: "paused" }, { "if-match": '"1"' })
      const { endpoint: after } = yield* jsonOf(changed)
      expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"2"'])
      expect(after).toEqual({
        id: endpoint.id,
        ...replacement,
        status: "paused",
        pauseReason: "requested",
        createdAt: endpoint.createdAt,
        updatedAt: expect.any(String)
      })
      const kept = yield* bodyOf(put(path, key, replacement))
      expect(kept.endpoint.status).toBe("paused")
      expect((yield* put(path, key, replacement, { "if-match": '"1"' })).status).toBe(412)
    })
  )

  live("keeps its filters from a replacement that leaves them out, which is refused by their names", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("replaced")
      const { endpoint } = yield* bodyOf(create(key, filtered))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      const refused = yield* put(path, key, { url, status: "paused" })
      const { error } = yield* jsonOf(refused)
      expect([refused.status, error.code, error.details]).toEqual([
        409,
        "settings_omitted",
        ["/description", "/eventTypes", "/tenantIds"].map((pointer) => ({
          pointer,
          code: "setting_omitted",
          message: expect.any(String)
        }))
      ])
      expect(error.message).toBe(
        "the request leaves out description, eventTypes, tenantIds, which are set: send them too, or change single settings with PATCH, where null removes one"
      )
      expect(yield* bodyOf(get(path, key))).toEqual({ endpoint })
    })
  )

  live("is changed in single settings, where null removes one", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("patched")
      const { endpoint } = yield* bodyOf(create(key, filtered))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      const paused = yield* bodyOf(patch(path, key, { status: "paused" }))
      expect(paused.endpoint).toMatchObject({ ...filtered, status: "paused", pauseReason: "requested" })
      const { endpoint: after } = yield* bodyOf(patch(path, key, { tenantIds: ["florist"], description: null }))
      const { description: _, ...others } = paused.endpoint
      expect(after).toEqual({ ...others, tenantIds: ["florist"], updatedAt: expect.any(String) })
      expect((yield* patch(path, key, {}, { "if-match": '"1"' })).status).toBe(412)
      expect((yield* patch(path, key, { url: "https://10.1.2.3/" })).status).toBe(400)
      for (const fault of [{ url: null }, { status: null }, { colour: "red" }, { eventTypes: [] }])
        expect((yield* patch(path, key, fault)).status).toBe(400)
    })
  )

  live("is paused and resumed with all of its settings", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("paused")
      const { endpoint } = yield* bodyOf(create(key, filtered))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      const paused = yield* bodyOf(post(`${path}/pause`, key, ""))
      expect(paused.endpoint).toMatchObject({ ...filtered, status: "paused", pauseReason: "requested" })
      expect(yield* bodyOf(post(`${path}/resume`, key, ""))).toEqual({
        endpoint: { ...endpoint, updatedAt: expect.any(String) }
      })
      expect((yield* post(`${path}/pause`, key, "", { "if-match": '"1"' })).status).toBe(412)
      expect((yield* post(`${path}/pause`, yield* keyOf("stranger"), "")).status).toBe(404)
      expect((yield* post(`${path}/resume`, yield* keyOf("paused", ["webhooks:read"]), "")).status).toBe(403)
    })
  )

  live("is deleted once", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("deleted")
      const { endpoint } = yield* bodyOf(create(key))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      expect((yield* remove(path, key, { "if-match": '"7"' })).status).toBe(412)
      expect([(yield* remove(path, key)).status, (yield* remove(path, key)).status]).toEqual([204, 404])
    })
  )

  live("is sent 120 test events of its application in an hour, and no more", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("testing")
      const { endpoint } = yield* bodyOf(create(key))
      const path = `/v1/webhook-endpoints/${endpoint.id}/test`
      const sent = yield* Effect.replicateEffect(post(path, key, ""), 120)
      expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]))
      yield* expectRefused(yield* post(path, key, ""), "test_events_per_hour")
      const { endpoint: another } = yield* bodyOf(create(key))
      yield* expectRefused(yield* post(`/v1/webhook-endpoints/${another.id}/test`, key, ""), "test_events_per_hour")
    })
  )

  live("is replayed as many deliveries in an hour as its application may, one by one and many at once", () =>
    Effect.gen(function* () {
      const key = yield* keyOf("replaying")
      const { endpoint } = yield* bodyOf(create(key))
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      const [first] = yield* Effect.replicateEffect(bodyOf(post(`${path}/test`, key, "")), 6)
      const replayOne = post(`${path}/deliveries/${first.delivery.eventId}/replay`, key, "")
      const replayAll = post(`${path}/replay`, key, { from: "2020-01-01T00:00:00.000Z" })
      const replays = Effect.map(bodyOf(get("/v1/usage", key)), ({ rates }) => rates.replays)
      expect(yield* bodyOf(replayAll)).toEqual({ replayed: 6 })
      yield* expectRefused(yield* replayAll, "replays_per_hour")
      expect(yield* replays).toMatchObject({ limit: 10, used: 6 })
      const single = yield* Effect.replicateEffect(replayOne, 4)
      expect(single.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      yield* expectRefused(yield* replayOne, "replays_per_hour")
      const unknown = yield* post(`${path}/deliveries/evt_unknown/replay`, key, "")
      const { resetsAt, used } = yield* replays
      expect([unknown.status, used]).toEqual([404, 10])
      expect(Date.parse(resetsAt) - Date.now()).toBeWithin(0, 3_600_001)
    })
  )
})
