import { expect } from "bun:test"
import { Effect } from "effect"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, get, issueKey, jsonOf, patch, post, send, tenancyOf } from "../../support/testApi.ts"
import { type AdminCall, sendAsAdmin } from "../support/adminRequests.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { type ExpectedError, expectError } from "../support/expectError.ts"

const root = "/v1/admin/applications"

const ask = (path: string, call: AdminCall = {}) => sendAsAdmin(`${root}${path}`, call)

const bodyOf = (path: string, call?: AdminCall) => Effect.flatMap(ask(path, call), jsonOf)

/** Confirms a number of connections. */
const confirm = (connections: number): AdminCall => ({ body: { connections } })

const actionsOf = (application: string) =>
  Effect.map(bodyOf(`/${application}/audit`), ({ entries }) =>
    entries.map(({ action }: { readonly action: string }) => action)
  )

/** A tenant with a key, and connections that have ended. */
const tenantWith = (tenancy: Tenancy, ended: number) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancy)
    const paths = yield* Effect.replicateEffect(createConnectionPath(key), ended)
    yield* Effect.forEach(paths, (path) => moveTo(path, "canceled", {}, tenancy))
    return { key, paths }
  })

withLayer("the erasure of a tenant", apiInMemory(), (live) => {
  live("is counted first, without a change", () =>
    Effect.gen(function* () {
      const { key } = yield* tenantWith(tenancyOf("counted", "bakery"), 2)
      yield* createConnectionPath(key)
      const count = { erasure: { connections: 2, liveConnections: 1, apiKeys: 1 } }
      expect(yield* bodyOf("/counted/tenants/bakery/erasure")).toEqual(count)
      expect(yield* bodyOf("/counted/tenants/bakery/erasure")).toEqual(count)
    })
  )

  live("is refused while a connection lives, however many are confirmed, and keeps its keys valid", () =>
    Effect.gen(function* () {
      const { key } = yield* tenantWith(tenancyOf("living", "bakery"), 1)
      yield* createConnectionPath(key)
      const refused = yield* ask("/living/tenants/bakery/erasure", confirm(1))
      const message = yield* expectError(refused, { status: 409, code: "tenant_has_live_connections" })
      expect(message).toContain("1 connection that has not ended")
      expect((yield* get("/v1/usage", key)).status).toBe(200)
    })
  )

  live("is refused with another number than there are, and says how many there are", () =>
    Effect.gen(function* () {
      const { key } = yield* tenantWith(tenancyOf("miscounted", "bakery"), 2)
      const refused = yield* ask("/miscounted/tenants/bakery/erasure", confirm(3))
      const message = yield* expectError(refused, { status: 409, code: "connection_count_differs" })
      expect(message).toContain("erase: 2")
      expect((yield* get("/v1/usage", key)).status).toBe(200)
    })
  )

  live("with the right number erases everything of this tenant and nothing of another one, and is audited", () =>
    Effect.gen(function* () {
      const { key, paths } = yield* tenantWith(tenancyOf("erased", "bakery"), 2)
      const other = yield* tenantWith(tenancyOf("erased", "florist"), 1)
      expect(yield* bodyOf("/erased/tenants/bakery/erasure", confirm(2))).toEqual({ erased: 2, remaining: 0 })
      expect((yield* get("/v1/usage", key)).status).toBe(401)
      expect(yield* bodyOf("/erased/tenants")).toMatchObject({ tenants: [{ id: "florist" }] })
      expect((yield* get(other.paths[0] ?? "", other.key)).status).toBe(200)
      const { key: later } = yield* issueKey(tenancyOf("erased", "bakery"))
      for (const path of paths) expect((yield* get(path, later)).status).toBe(404)
      const actions = yield* actionsOf("erased")
      expect(actions.slice(0, 5)).toEqual([
        "api_key.created",
        "tenant.erased",
        "connection.erased",
        "connection.erased",
        "api_key.revoked"
      ])
    })
  )

  live("of a tenant that nobody knows counts nothing, and is not audited", () =>
    Effect.gen(function* () {
      yield* tenantWith(tenancyOf("known", "bakery"), 0)
      const before = yield* actionsOf("known")
      expect(yield* bodyOf("/known/tenants/mistyped/erasure", confirm(0))).toEqual({ erased: 0, remaining: 0 })
      expect(yield* actionsOf("known")).toEqual(before)
    })
  )

  live(
    "takes it out of the filters of webhook endpoints, and the last one leaves no endpoint with every tenant's events",
    () =>
      Effect.gen(function* () {
        const { key } = yield* tenantWith(tenancyOf("filtered", "florist"), 0)
        yield* tenantWith(tenancyOf("filtered", "bakery"), 1)
        const url = "https://hooks.example.com/"
        const create = (settings: object) =>
          Effect.flatMap(post("/v1/webhook-endpoints", key, { url, ...settings }), jsonOf)
        const { endpoint: all } = yield* create({})
        const { endpoint: both } = yield* create({ tenantIds: ["bakery", "florist"] })
        const { endpoint: only } = yield* create({ tenantIds: ["bakery"] })
        expect(yield* bodyOf("/filtered/tenants/bakery/erasure", confirm(1))).toEqual({ erased: 1, remaining: 0 })
        const { endpoints } = yield* jsonOf(yield* get("/v1/webhook-endpoints", key))
        const filters = endpoints.map(({ id, tenantIds }: typeof only) => [id, tenantIds])
        expect(filters).toEqual([
          [all.id, undefined],
          [both.id, ["florist"]],
          [only.id, []]
        ])
        // Another setting of it can be changed without an event of other tenants.
        const path = `/v1/webhook-endpoints/${only.id}`
        const changed = yield* patch(path, key, { description: "the bakery" })
        expect((yield* jsonOf(changed)).endpoint).toMatchObject({ description: "the bakery", tenantIds: [] })
        const { webhookDeliveries } = yield* Tables
        webhookDeliveries.clear()
        yield* createConnectionPath(key)
        const { webhookDeliveries: deliveries } = yield* Tables
        expect([...deliveries.values()].map(({ endpointId }) => endpointId)).not.toContain(only.id)
      })
  )

  live("erases 1,000 connections at once, and goes on when called with the number left", () =>
    Effect.gen(function* () {
      const tenancy = tenancyOf("large", "bakery")
      const { key, paths } = yield* tenantWith(tenancy, 1)
      const { connections } = yield* Tables
      const [template] = [...connections.values()].filter(({ id }) => paths[0]?.endsWith(id))
      if (template === undefined) return yield* Effect.dieMessage("the connection is there")
      for (let nth = 0; nth < 1_001; nth += 1) {
        const id = `${template.id}${nth}` as typeof template.id
        connections.set(id, { ...template, id })
      }
      const path = "/large/tenants/bakery/erasure"
      expect(yield* bodyOf(path, confirm(1_002))).toEqual({ erased: 1_000, remaining: 2 })
      expect((yield* get("/v1/usage", key)).status).toBe(401)
      expect(yield* bodyOf(path, confirm(2))).toEqual({ erased: 2, remaining: 0 })
    })
  )

  live("answers 404 for a missing application, 401 without an admin key and 403 from a browser", () =>
    Effect.gen(function* () {
      const path = "/missing/tenants/bakery/erasure"
      yield* expectError(yield* ask(path), { status: 404, code: "application_not_found" })
      yield* expectError(yield* ask(path, confirm(0)), { status: 404, code: "application_not_found" })
      yield* expectError(yield* send(`${root}${path}`), { status: 401, code: "unauthenticated" })
      const inBrowser = yield* ask(path, { headers: { origin: "https://shop.example.com" } })
      yield* expectError(inBrowser, { status: 403, code: "api_key_in_browser" })
    })
  )
})

withLayer("the deletion of an application", apiInMemory(), (live) => {
  live("is refused while connections live, and says how many; its keys and endpoints stay", () =>
    Effect.gen(function* () {
      const { key } = yield* tenantWith(tenancyOf("full", "bakery"), 1)
      const { key: second } = yield* issueKey(tenancyOf("full", "florist"))
      yield* Effect.forEach([key, key, second], createConnectionPath)
      yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" })
      const { error } = yield* bodyOf("/full", { method: "DELETE" })
      const { code, details, message } = error
      expect([code, message]).toEqual([
        "application_not_empty",
        expect.stringContaining("3 connections that have not ended")
      ])
      expect(details).toEqual([{ pointer: "", code: "application_has_live_connections", message }])
      const { endpoints } = yield* jsonOf(yield* get("/v1/webhook-endpoints", second))
      expect(endpoints).toHaveLength(1)
    })
  )

  live("takes its keys, ended connections, tenants, endpoints and secrets with it, and leaves the audit log", () =>
    Effect.gen(function* () {
      const { key, paths } = yield* tenantWith(tenancyOf("ended", "bakery"), 2)
      yield* tenantWith(tenancyOf("ended", "florist"), 1)
      expect((yield* ask("/ended", { method: "DELETE" })).status).toBe(204)
      expect((yield* ask("/ended")).status).toBe(404)
      expect((yield* get("/v1/usage", key)).status).toBe(401)
      const actions: ReadonlyArray<string> = yield* actionsOf("ended")
      expect(actions[0]).toBe("application.deleted")
      expect(actions.filter((action) => action === "connection.erased")).toHaveLength(3)
      expect(actions.filter((action) => action === "api_key.revoked")).toHaveLength(2)

      const { key: later } = yield* issueKey(tenancyOf("ended", "bakery"))
      expect((yield* get(paths[0] ?? "", later)).status).toBe(404)
    })
  )

  live("waits until its endpoints have every connection.erased, but for none that is paused", () =>
    Effect.gen(function* () {
      const { key } = yield* tenantWith(tenancyOf("reported", "bakery"), 2)
      const url = "https://hooks.example.com/"
      const { endpoint } = yield* jsonOf(yield* post("/v1/webhook-endpoints", key, { url }))
      yield* post("/v1/webhook-endpoints", key, { url, status: "paused" })
      const remove = ask("/reported", { method: "DELETE" })
      const refusal: ExpectedError = {
        status: 409,
        code: "application_not_empty",
        details: [["", "application_has_pending_deliveries"]]
      }
      expect(yield* expectError(yield* remove, refusal)).toContain("wait for 2 deliveries of connection.erased")
      const { webhookDeliveries } = yield* Tables
      const [first, second] = [...webhookDeliveries.values()].filter(
        ({ endpointId, event }) => endpointId === endpoint.id && event.type === "connection.erased"
      )
      if (first === undefined || second === undefined) return yield* Effect.dieMessage("both are reported")
      first.status = "failed"
      expect(yield* expectError(yield* remove, refusal)).toContain("wait for 1 delivery of connection.erased")
      second.status = "delivered"
      expect((yield* remove).status).toBe(204)
      const { key: later } = yield* issueKey(tenancyOf("reported", "bakery"))
      expect((yield* jsonOf(yield* get("/v1/webhook-endpoints", later))).endpoints).toEqual([])
    })
  )

  live("of more than 1,000 ended connections says how many are left, until it is repeated often enough", () =>
    Effect.gen(function* () {
      const { paths } = yield* tenantWith(tenancyOf("huge", "bakery"), 1)
      const { connections } = yield* Tables
      const [template] = [...connections.values()].filter(({ id }) => paths[0]?.endsWith(id))
      if (template === undefined) return yield* Effect.dieMessage("the connection is there")
      for (let nth = 0; nth < 1_001; nth += 1) {
        const id = `${template.id}${nth}` as typeof template.id
        connections.set(id, { ...template, id })
      }
      const message = yield* expectError(yield* ask("/huge", { method: "DELETE" }), {
        status: 409,
        code: "application_not_empty",
        details: [["", "application_has_ended_connections"]]
      })
      expect(message).toContain("1000 ended connections of the application were erased, and 2 are left")
      expect((yield* ask("/huge", { method: "DELETE" })).status).toBe(204)
    })
  )
})
