import { expect } from "bun:test"
import { Effect, Option, Redacted } from "effect"
import { actAs } from "../../../src/domain/access/Actor.ts"
import type { KeyScope } from "../../../src/domain/access/Tenancy.ts"
import { AdminKeys } from "../../../src/security/AdminKeys.ts"
import { withLayer } from "../../support/effectTest.ts"
import {
  apiInMemory,
  get,
  issueKey,
  jsonOf,
  post,
  sampleIntent,
  send,
  serviceUrl,
  tenancyOf
} from "../../support/testApi.ts"
import { createInState, sendCommand } from "../support/commandFixtures.ts"
import { issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const keyOf = (application: string, tenant = "tenant", scopes?: ReadonlyArray<KeyScope>) =>
  issueKey(tenancyOf(application, tenant), scopes)

const entriesOf = (key: string, query = "") =>
  Effect.map(Effect.flatMap(get(`/v1/audit${query}`, key), jsonOf), ({ entries }): Array<any> => entries)

const actionsOf = (key: string, query = "") =>
  Effect.map(entriesOf(key, query), (entries) => entries.map(({ action }) => action))

const withId = (id: string) => ({ "x-request-id": id })

withLayer("GET /v1/audit", apiInMemory(), (live) => {
  live("shows who created a connection and its tokens, by which request, from where, and no secret", () =>
    Effect.gen(function* () {
      const { id, key } = yield* keyOf("created")
      const created = yield* post("/v1/connections", key, { intent: sampleIntent }, withId("request-1"))
      const { connection } = yield* jsonOf(created)
      const path = `/v1/connections/${connection.id}`
      const token = yield* jsonOf(yield* post(`${path}/access-token`, key, { origin: shopOrigin }, withId("request-2")))
      const link = yield* jsonOf(yield* post(`${path}/share-link`, key, undefined, withId("request-3")))
      yield* send(`${path}/access-token`, { method: "DELETE", headers: { "x-api-key": key, ...withId("request-4") } })
      const [revoked, linked, issued, creation, keyCreated, applicationCreated] = yield* entriesOf(key)
      const by = (requestId: string) => ({
        actor: { type: "api_key", id },
        applicationId: "created",
        tenantId: "tenant",
        connectionId: connection.id,
        requestId,
        address: "127.0.0.1"
      })
      expect(creation).toMatchObject({ action: "connection.created", to: "requested", ...by("request-1") })
      expect(issued).toMatchObject({ action: "browser_token.issued", origin: shopOrigin, ...by("request-2") })
      expect(issued.tokenId).toMatch(/^tok_[0-9a-f]{16}$/)
      expect(linked).toMatchObject({ action: "share_link.issued", ...by("request-3") })
      expect(revoked).toMatchObject({ action: "browser_tokens.revoked", ...by("request-4") })
      expect(keyCreated).toMatchObject({ action: "api_key.created", keyId: id, actor: { type: "service" } })
      expect(applicationCreated).toMatchObject({ action: "application.created", applicationId: "created" })
      const text = JSON.stringify(yield* entriesOf(key))
      for (const secret of [key, token.accessToken, link.path.split("#")[1]]) expect(text).not.toContain(secret)
      expect(text).not.toContain("shops.example.net")
    })
  )

  live("shows what a customer did in the browser, by the id of the token", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      const authorization = yield* issueBearer(key, path)
      yield* send(`${path}/cancel`, { method: "POST", headers: { authorization, origin: shopOrigin } })
      const [canceled, , issued] = yield* entriesOf(key, `?connectionId=${path.split("/").at(-1)}`)
      expect(canceled).toMatchObject({ action: "connection.canceled", from: "awaiting_authorization", to: "canceled" })
      expect(canceled.actor.type).toBe("browser_token")
      expect(["browser_token.issued", "connection.created"]).toContain(issued?.action)
      const tokens = yield* entriesOf(key, `?actor=${canceled.actor.id}`)
      expect(tokens.map(({ action }) => action)).toEqual(["connection.canceled"])
    })
  )

  live("leads from what a customer did to the link by which the customer came, and to the key that made the link", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* createInState("awaiting_authorization")
      const link = yield* jsonOf(yield* post(`${path}/share-link`, key, undefined))
      const origin = yield* serviceUrl
      const opened = yield* send("/v1/share-links/redeem", {
        method: "POST",
        headers: { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" },
        body: JSON.stringify({ code: link.path.split("#")[1] })
      })
      const authorization = `Bearer ${(yield* jsonOf(opened)).accessToken}`
      yield* send(`${path}/cancel`, { method: "POST", headers: { authorization, origin } })
      const [canceled, redeemed, linked] = yield* entriesOf(key, `?connectionId=${id}`)
      expect(canceled).toMatchObject({
        action: "connection.canceled",
        actor: { type: "browser_token", id: redeemed.tokenId }
      })
      expect(redeemed).toMatchObject({
        action: "browser_token.redeemed",
        actor: { type: "share_link", id: linked.tokenId },
        origin,
        address: "127.0.0.1"
      })
      expect(linked).toMatchObject({ action: "share_link.issued", actor: { type: "api_key" } })
    })
  )

  live(
    "shows an approval with the digest of its plan and the acknowledged warnings, and a refused one not at all",
    () =>
      Effect.gen(function* () {
        const { connection, id, key, path } = yield* createInState("planned")
        const digest = connection.plan?.digest
        yield* sendCommand(path, key, { name: "approval", body: { digest, acknowledge: [] } })
        yield* sendCommand(path, key, { name: "approval", body: { digest, acknowledge: ["mx_replaced"] } })
        const approvals = yield* entriesOf(key, `?connectionId=${id}&action=connection.approved`)
        expect(approvals).toMatchObject([{ from: "planned", to: "applying", digest, acknowledged: ["mx_replaced"] }])
      })
  )

  live("shows a stored credential, and a command that leaves the state as it is", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* createInState("awaiting_authorization")
      const secret = "a-token-of-a-customer"
      const body = { method: "direct_credential", credential: { apiToken: secret } }
      yield* sendCommand(path, key, { name: "authorization", body })
      expect(yield* actionsOf(key, `?connectionId=${id}`)).toEqual([
        "credential.stored",
        "connection.authorized",
        "connection.created"
      ])
      expect(JSON.stringify(yield* entriesOf(key))).not.toContain(secret)
      const other = yield* createInState("active")
      yield* sendCommand(other.path, other.key, { name: "recheck" })
      const [recheck] = yield* entriesOf(other.key, `?connectionId=${other.id}`)
      expect(recheck.action).toBe("connection.recheck_requested")
      expect(recheck.to).toBeUndefined()
    })
  )

  live("shows what became of webhook endpoints, with the tenant of the key that did it", () =>
    Effect.gen(function* () {
      const { id, key } = yield* keyOf("endpoints", "bakery")
      const created = yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" })
      const { endpoint } = yield* jsonOf(created)
      const path = `/v1/webhook-endpoints/${endpoint.id}`
      const { delivery } = yield* jsonOf(yield* post(`${path}/test`, key, undefined))
      yield* post(`${path}/deliveries/${delivery.eventId}/replay`, key, undefined)
      yield* post(`${path}/replay`, key, { from: "2020-01-01T00:00:00.000Z" })
      yield* post(`${path}/secret`, key, undefined)
      const headers = { "x-api-key": key, "content-type": "application/json" }
      yield* send(path, {
        method: "PUT",
        headers,
        body: JSON.stringify({ url: "https://hooks.example.com/2", status: "paused" })
      })
      yield* send(path, { method: "DELETE", headers: { "x-api-key": key } })
      const entries = yield* entriesOf(key, `?actor=${id}`)
      expect(entries.map(({ action }) => action.replace("webhook_endpoint.", ""))).toEqual([
        "deleted",
        "changed",
        "secret_rotated",
        "replayed",
        "replayed",
        "created"
      ])
      for (const entry of entries) {
        expect(entry).toMatchObject({ endpointId: endpoint.id, applicationId: "endpoints", tenantId: "bakery" })
      }
      expect(entries[1].settings).toEqual(["url", "status"])
      expect([entries[3].replayed, entries[4].eventId]).toEqual([1, delivery.eventId])
    })
  )

  live("filters by tenant, action and time, and shows all tenants of the application, and of no other", () =>
    Effect.gen(function* () {
      const { key } = yield* keyOf("filtered", "one")
      const other = yield* keyOf("filtered", "two")
      const stranger = yield* keyOf("stranger", "one")
      for (const each of [key, other.key, stranger.key]) yield* post("/v1/connections", each, { intent: sampleIntent })
      expect(yield* entriesOf(key)).toHaveLength(5)
      const ofTwo = yield* entriesOf(key, "?tenantId=two&action=connection.created")
      expect(ofTwo).toMatchObject([{ tenantId: "two", action: "connection.created" }])
      const at = ofTwo[0].occurredAt
      expect(yield* actionsOf(key, `?tenantId=two&action=connection.created&after=${at}`)).toHaveLength(1)
      expect(yield* actionsOf(key, `?tenantId=two&action=connection.created&before=${at}`)).toEqual([])
    })
  )

  live("has pages, newest first, which together contain every entry once", () =>
    Effect.gen(function* () {
      const { key } = yield* keyOf("pages")
      for (let nth = 0; nth < 4; nth += 1)
        yield* post("/v1/connections", key, { intent: { ...sampleIntent, domain: `d${nth}.com` } })
      const all = yield* entriesOf(key)
      const first = yield* jsonOf(yield* get("/v1/audit?limit=3", key))
      const second = yield* jsonOf(yield* get(`/v1/audit?limit=3&cursor=${first.nextCursor}`, key))
      expect([...first.entries, ...second.entries]).toEqual(all)
      expect(second.nextCursor).toBeUndefined()
      expect(
        all
          .map(({ id }) => id)
          .toSorted()
          .toReversed()
      ).toEqual(all.map(({ id }) => id))
    })
  )

  live("needs a scope that no other scope includes and that no key of a tenant has by default", () =>
    Effect.gen(function* () {
      const { key } = yield* keyOf("scopes", "tenant", ["connections:read", "connections:write", "webhooks:read"])
      yield* expectErrorWithoutWrites(get("/v1/audit", key), { status: 403, code: "insufficient_scope" })
    })
  )

  live("shows what administrators did with the application, its keys, ask secrets and endpoints", () =>
    Effect.gen(function* () {
      const { id: adminId, key: adminKey } = yield* (yield* AdminKeys).issue({
        name: Option.none(),
        environment: "live"
      })
      const ask = (path: string, method = "POST", body?: unknown) =>
        send(`/v1/admin/applications${path}`, {
          method,
          headers: {
            "x-admin-key": Redacted.value(adminKey),
            "content-type": "application/json",
            ...withId("by-admin")
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      const entriesAt = (path: string) => Effect.map(Effect.flatMap(ask(path, "GET"), jsonOf), ({ entries }) => entries)
      yield* ask("", "POST", { id: "governed", name: "The Shop" })
      yield* ask("/governed", "PATCH", { returnOrigins: [shopOrigin] })
      const { apiKey } = yield* jsonOf(yield* ask("/governed/api-keys", "POST", { tenantId: "tenant" }))
      yield* ask("/governed/tenants/tenant/revoke-keys")
      const { askSecret } = yield* jsonOf(yield* ask("/governed/ask-secrets"))
      const { askSecret: successor } = yield* jsonOf(
        yield* ask(`/governed/ask-secrets/${askSecret.id}/rotate`, "POST", {})
      )
      yield* ask(`/governed/ask-secrets/${successor.id}`, "DELETE")
      const entries = yield* entriesAt("/governed/audit")
      expect(entries).toMatchObject([
        { action: "ask_secret.revoked", keyId: successor.id },
        { action: "ask_secret.rotated", keyId: askSecret.id, successorId: successor.id },
        { action: "ask_secret.created", keyId: askSecret.id },
        { action: "api_key.revoked", keyId: apiKey.id, tenantId: "tenant" },
        { action: "api_key.created", keyId: apiKey.id, tenantId: "tenant" },
        { action: "application.changed", settings: ["returnOrigins"] },
        { action: "application.created" }
      ])
      const by = { actor: { type: "admin_key", id: adminId }, requestId: "by-admin", address: "127.0.0.1" }
      for (const entry of entries) expect(entry).toMatchObject({ ...by, applicationId: "governed" })
      expect(yield* entriesAt("/governed/audit?action=application.created&limit=1")).toHaveLength(1)
      expect((yield* ask("/governed", "DELETE")).status).toBe(204)
      expect((yield* entriesAt("/governed/audit?limit=1"))[0].action).toBe("application.deleted")
    })
  )

  live("shows to administrators who created and revoked admin keys, and to no application", () =>
    Effect.gen(function* () {
      const keys = yield* AdminKeys
      const issue = keys.issue({ name: Option.some("back office"), environment: "live" })
      const { id } = yield* actAs({ actor: { type: "command_line", id: "command_line" } })(issue)
      const headers = { "x-admin-key": Redacted.value((yield* issue).key) }
      yield* keys.revoke(id)
      const ask = (query: string) => Effect.flatMap(send(`/v1/admin/audit${query}`, { headers }), jsonOf)
      const { entries, nextCursor } = yield* ask("?limit=1")
      expect(entries).toMatchObject([{ action: "admin_key.revoked", keyId: id }])
      expect((yield* ask(`?limit=1&cursor=${nextCursor}`)).entries).toMatchObject([{ action: "admin_key.created" }])
      const byCommandLine = yield* ask("?actor=command_line")
      expect(byCommandLine.entries).toMatchObject([{ action: "admin_key.created", keyId: id }])
      expect(byCommandLine.entries[0].applicationId).toBeUndefined()
      const { key } = yield* keyOf("foreign-to-admin-keys")
      expect(yield* actionsOf(key)).toEqual(["api_key.created", "application.created"])
    })
  )

  const refused = [
    "action=everything",
    "tenantId=a%20b",
    "after=yesterday",
    "limit=0",
    "cursor=%00",
    "cursor=aud_999999",
    "who=me"
  ]
  for (const query of refused) {
    live(`answers 400 to ?${query}`, () =>
      Effect.gen(function* () {
        const { key } = yield* keyOf("refused")
        const response = yield* get(`/v1/audit?${query}`, key)
        expect(response.status).toBe(400)
        expect((yield* jsonOf(response)).error.details[0].pointer).toBe(`/${query.split("=")[0]}`)
      })
    )
  }
})
