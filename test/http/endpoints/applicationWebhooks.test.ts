import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, tenancyOf } from "../../support/testApi.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"
import { expectError } from "../support/expectError.ts"

const url = "https://hooks.example.com/"

/** Creates an endpoint of an application as an administrator. */
const createEndpoint = (application: string, body: object = { url }) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancyOf(application, "bakery"))
    const list = `/v1/admin/applications/${application}/webhook-endpoints`
    const create = sendAsAdmin(list, { body, headers: { "idempotency-key": "first" } })
    const created = yield* create
    const { endpoint, secret } = yield* jsonOf(created)
    return { create, created, endpoint, key, list, path: `${list}/${endpoint.id}`, secret }
  })

withLayer("a webhook endpoint that an administrator makes", apiInMemory(), (live) => {
  live("is the application's, for its API keys too", () =>
    Effect.gen(function* () {
      const { create, created, endpoint, key, list, path, secret } = yield* createEndpoint("hooks")
      expect([created.status, created.headers.get("location")]).toEqual([201, path])
      expect(secret).toStartWith("whsec_")
      const again = yield* create
      expect([again.headers.get("idempotent-replayed"), (yield* jsonOf(again)).secret]).toEqual(["true", secret])
      expect(yield* Effect.flatMap(sendAsAdmin(list), jsonOf)).toEqual({ endpoints: [endpoint] })
      expect(yield* Effect.flatMap(get("/v1/webhook-endpoints", key), jsonOf)).toEqual({ endpoints: [endpoint] })
    })
  )

  live("is shown, changed, paused and deleted by the rules of its API keys", () =>
    Effect.gen(function* () {
      const { endpoint, key, path } = yield* createEndpoint("changed")
      const shown = yield* sendAsAdmin(path)
      expect([shown.headers.get("etag"), yield* jsonOf(shown)]).toEqual(['"1"', { endpoint }])
      const put = (etag: string) =>
        sendAsAdmin(path, { method: "PUT", body: { url, status: "paused" }, headers: { "if-match": etag } })
      const paused = yield* put('"1"')
      expect([paused.headers.get("etag"), (yield* jsonOf(paused)).endpoint]).toMatchObject([
        '"2"',
        { status: "paused", pauseReason: "requested" }
      ])
      yield* expectError(yield* put('"1"'), { status: 412, code: "precondition_failed" })
      const refused = yield* sendAsAdmin(path, { method: "PUT", body: { url: "https://10.1.2.3/" } })
      expect((yield* jsonOf(refused)).error.code).toBe("webhook_url_not_allowed")
      expect((yield* sendAsAdmin(path, { method: "DELETE", headers: { "if-match": '"1"' } })).status).toBe(412)
      expect((yield* sendAsAdmin(path, { method: "DELETE" })).status).toBe(204)
      expect(yield* Effect.flatMap(get("/v1/webhook-endpoints", key), jsonOf)).toEqual({ endpoints: [] })
    })
  )

  live("gets a new secret, and a test event", () =>
    Effect.gen(function* () {
      const { endpoint, key, path, secret } = yield* createEndpoint("rotated")
      const rotated = yield* Effect.flatMap(sendAsAdmin(`${path}/secret`, { body: "" }), jsonOf)
      expect(rotated.secret).toStartWith("whsec_")
      expect(rotated.secret).not.toBe(secret)
      const { delivery } = yield* Effect.flatMap(sendAsAdmin(`${path}/test`, { body: "" }), jsonOf)
      expect(delivery).toMatchObject({ type: "endpoint.test", status: "pending" })
      const deliveries = yield* Effect.flatMap(get(`/v1/webhook-endpoints/${endpoint.id}/deliveries`, key), jsonOf)
      expect(deliveries).toEqual({ deliveries: [delivery] })
    })
  )

  live("is reached through its own application only", () =>
    Effect.gen(function* () {
      const { path } = yield* createEndpoint("own")
      yield* issueKey(tenancyOf("neighbour", "bakery"))
      const response = yield* sendAsAdmin(path.replace("/own/", "/neighbour/"))
      yield* expectError(response, { status: 404, code: "webhook_endpoint_not_found" })
    })
  )

  live("has its changes in the audit log, with the admin key that made them", () =>
    Effect.gen(function* () {
      const { endpoint, path } = yield* createEndpoint("audited")
      yield* sendAsAdmin(path, { method: "PUT", body: { url, description: "the shop" } })
      yield* sendAsAdmin(`${path}/secret`, { body: "" })
      yield* sendAsAdmin(path, { method: "DELETE" })
      const { entries } = yield* Effect.flatMap(sendAsAdmin("/v1/admin/applications/audited/audit"), jsonOf)
      const made = entries.filter(({ endpointId }: { readonly endpointId?: string }) => endpointId === endpoint.id)
      expect(made.map(({ action, actor }: any) => [action, actor.type])).toEqual(
        ["deleted", "secret_rotated", "changed", "created"].map((what) => [`webhook_endpoint.${what}`, "admin_key"])
      )
    })
  )
})
