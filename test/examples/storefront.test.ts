import { describe, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { Effect } from "effect"
import { startStorefront } from "../../examples/storefront/server.ts"
import { withLayer } from "../support/effectTest.ts"
import { apiInMemory, issueKey, serviceUrl } from "../support/testApi.ts"

interface ScriptedResponse {
  readonly status: number
  readonly body: object
}

const found = (...ids: ReadonlyArray<string>): ScriptedResponse => ({
  status: 200,
  body: { connections: ids.map((id) => ({ id, state: "active" })) }
})
const checked = (heldBy: string): ScriptedResponse => ({ status: 200, body: { heldBy } })
const created = (id: string): ScriptedResponse => ({ status: 202, body: { connection: { id } } })
const token = (accessToken: string): ScriptedResponse => ({ status: 201, body: { accessToken } })
const refused = (status: number, code: string, more: object = {}): ScriptedResponse => ({
  status,
  body: { error: { code, message: code, ...more } }
})

/** Requests tokens from a storefront over a service with scripted responses; returns both sides of it. */
const requestTokens = async (count: number, script: ReadonlyArray<ScriptedResponse>) => {
  const requests: Array<string> = []
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ method, url }) => {
      const { body, status } = script[requests.length] ?? refused(500, "more requests than expected")
      requests.push(`${method} ${new URL(url).pathname}`)
      return Response.json(body, { status })
    }
  })
  const serviceUrl = service.url.origin
  const shop = startStorefront({ apiKey: "dck_", intent: { domain: "a.example", records: [] }, port: 0, serviceUrl })
  const tokens: Array<unknown> = []
  for (let nth = 0; nth < count; nth += 1) {
    const response = await fetch(`${shop.url.origin}/token`, { method: "POST" })
    tokens.push(response.ok ? await response.json() : response.status)
  }
  await Promise.all([service.stop(true), shop.stop(true)])
  return { requests, tokens }
}

const firstConnection = [found(), checked("nobody"), created("con_1"), token("dct_1")]

test("the storefront requests a connection again after a failure", async () => {
  const { requests, tokens } = await requestTokens(2, [refused(500, "internal_error"), ...firstConnection])
  expect(tokens).toEqual([502, { connectionId: "con_1", token: "dct_1", isHeldByAnother: false }])
  expect(requests).toEqual([
    "GET /v1/connections",
    "GET /v1/connections",
    "POST /v1/domains/check",
    "POST /v1/connections",
    "POST /v1/connections/con_1/access-token"
  ])
})

test("the storefront's customer notices nothing of a short outage", async () => {
  const { tokens } = await requestTokens(1, [refused(503, "unavailable"), ...firstConnection])
  expect(tokens).toEqual([{ connectionId: "con_1", token: "dct_1", isHeldByAnother: false }])
})

test("the storefront keeps its connection while tokens cannot be issued", async () => {
  const outage = [...firstConnection.slice(0, 3), refused(503, "unavailable")]
  const { tokens } = await requestTokens(2, [...outage, found("con_1"), token("dct_1")])
  expect(tokens).toEqual([502, { connectionId: "con_1", token: "dct_1", isHeldByAnother: false }])
})

test("the storefront creates a new connection when its own has ended", async () => {
  const ended = { status: 200, body: { connections: [{ id: "con_0", state: "disconnected" }] } }
  const { tokens } = await requestTokens(1, [ended, ...firstConnection.slice(1)])
  expect(tokens).toEqual([{ connectionId: "con_1", token: "dct_1", isHeldByAnother: false }])
})

test("the storefront tells its customer that another one uses the domain", async () => {
  const { tokens } = await requestTokens(1, [found(), checked("another_tenant"), created("con_1"), token("dct_1")])
  expect(tokens).toEqual([{ connectionId: "con_1", token: "dct_1", isHeldByAnother: true }])
})

for (const code of ["external_id_taken", "connection_exists"])
  test(`the storefront uses the connection that is there already (${code})`, async () => {
    const exists = refused(409, code, { connectionId: "con_7" })
    const { tokens } = await requestTokens(1, [found(), checked("nobody"), exists, token("dct_1")])
    expect(tokens).toEqual([{ connectionId: "con_7", token: "dct_1", isHeldByAnother: false }])
  })

withLayer("a storefront at the service", apiInMemory(), (live) => {
  live("finds its connection again after a restart, and adds a host to it", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = [{ host: "www", type: "CNAME", value: "shops.example" }] as const
      const settings = { apiKey: key, port: 0, serviceUrl: yield* serviceUrl, intent: { domain: "a.example", records } }
      const visit = (path: string, form?: Record<string, string>) =>
        Effect.promise(async (): Promise<any> => {
          const shop = startStorefront(settings)
          const init = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }
          const answer = await (await fetch(`${shop.url.origin}${path}`, init)).json()
          await shop.stop(true)
          return answer
        })
      const first = yield* visit("/token", {})
      const second = yield* visit("/token", {})
      expect([second.connectionId, second.token.slice(0, 4)]).toEqual([first.connectionId, "dct_"])
      expect(yield* visit("/hosts", { host: "blog" })).toMatchObject({ state: "requested" })
      expect((yield* visit("/status")).records).toEqual([
        "www.a.example CNAME shops.example",
        "blog.a.example CNAME shops.example"
      ])
    })
  )
})

test("the storefront shows its records as DNS settings take them, and whether it may disconnect", async () => {
  const connection = {
    id: "con_1",
    state: "active",
    allowedActions: ["recheck", "disconnect", "update"],
    effectiveIntent: {
      records: [{ name: "www.shop.example", zoneHost: "www.shop", type: "CNAME", value: "shops.example" }]
    },
    plan: { warningDetails: [{ message: "A website is replaced." }] }
  }
  let isKnown = false
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ method, url }) => {
      const isList = method === "GET" && new URL(url).pathname === "/v1/connections"
      return Response.json(isList ? { connections: isKnown ? [connection] : [] } : { connection })
    }
  })
  const serviceUrl = service.url.origin
  const shop = startStorefront({ apiKey: "dck_", intent: { domain: "a.example", records: [] }, port: 0, serviceUrl })
  const readStatus = async () => (await fetch(`${shop.url.origin}/status`)).json()
  expect(await readStatus()).toEqual({
    state: "none",
    warnings: [],
    records: [],
    canDisconnect: false,
    canAddHost: false
  })
  isKnown = true
  expect(await readStatus()).toEqual({
    state: "active",
    warnings: ["A website is replaced."],
    records: ["www.shop CNAME shops.example"],
    canDisconnect: true,
    canAddHost: true
  })
  expect(await (await fetch(`${shop.url.origin}/disconnect`, { method: "POST" })).json()).toEqual({ state: "active" })
  await Promise.all([service.stop(true), shop.stop(true)])
})

const secret = `whsec_${btoa("the secret of the storefront")}`

const event = (state: string, version: number, more: object = {}) => ({
  type: `connection.${state}`,
  timestamp: "2026-01-31T09:30:05.000Z",
  data: {
    connection: { id: "con_1", state, effectiveIntent: { records: [{ name: "www.bakery.example" }] }, ...more },
    version
  }
})

/** Sends events to a storefront; returns how it answered each, and what it then shows at the customer's host. */
const sendEvents = async (events: ReadonlyArray<object>, { signedBy = secret, webhookSecret = secret } = {}) => {
  const intent = { domain: "bakery.example", records: [] }
  const shop = startStorefront({ apiKey: "dck_", intent, port: 0, serviceUrl: "http://127.0.0.1:9", webhookSecret })
  const outcomes: Array<number> = []
  for (const each of events) {
    const body = JSON.stringify(each)
    const at = new Date()
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(signedBy).sign("evt_1", at, body)
    }
    outcomes.push((await fetch(`${shop.url.origin}/webhooks`, { method: "POST", headers, body })).status)
  }
  const shown = await fetch(shop.url.origin, { headers: { host: "www.bakery.example" } })
  const text = await shown.text()
  await shop.stop(true)
  return { outcomes, text, isOnline: text.endsWith(" at www.bakery.example") }
}

describe("the storefront's webhooks", () => {
  test("put the shop online at its domain when that is active, and keep it while it is degraded", async () => {
    expect(await sendEvents([])).toMatchObject({ outcomes: [], isOnline: false })
    expect(await sendEvents([event("applied", 4), event("active", 5)])).toMatchObject({
      outcomes: [204, 204],
      isOnline: true
    })
    expect((await sendEvents([event("active", 5), event("degraded", 6)])).isOnline).toBe(true)
  })

  test("take it off when the domain is disconnected, in whatever order they come", async () => {
    expect((await sendEvents([event("active", 5), event("disconnected", 9)])).isOnline).toBe(false)
    expect((await sendEvents([event("disconnected", 9), event("active", 5), event("active", 5)])).isOnline).toBe(false)
  })

  test("take it off when another customer has taken its host", async () => {
    const lost = event("degraded", 6, { failure: { code: "control_lost" } })
    expect((await sendEvents([event("active", 5), lost])).isOnline).toBe(false)
    // A new intent of the one that lost its host brings nothing back.
    const changing = event("awaiting_authorization", 7, { pendingIntent: {}, control: { status: "unproven" } })
    expect((await sendEvents([event("active", 5), lost, changing])).isOnline).toBe(false)
    expect((await sendEvents([changing, lost])).isOnline).toBe(false)
    // So does the loss while a new intent is written, or verified.
    for (const state of ["applying", "verifying"]) {
      const lostMeanwhile = { ...event(state, 6), type: "connection.degraded" }
      expect((await sendEvents([event("active", 5), lostMeanwhile])).isOnline).toBe(false)
    }
  })

  test("keep it at the hosts that a new intent leaves in place, until that is active", async () => {
    const allowedNames = ["www.bakery.example"]
    const changing = event("awaiting_authorization", 6, { pendingIntent: {}, allowedNames })
    expect((await sendEvents([event("active", 5), changing])).isOnline).toBe(true)
    expect((await sendEvents([changing, event("active", 5)])).isOnline).toBe(true)
    const applied = event("applied", 9, { state: "verifying", allowedNames })
    expect((await sendEvents([changing, applied])).isOnline).toBe(true)
    expect((await sendEvents([applied, changing])).isOnline).toBe(true)
  })

  test("take it off at a host that a new intent brings or removes, while that is verified", async () => {
    const records = [{ name: "www.bakery.example" }, { name: "blog.bakery.example" }]
    const applied = { state: "verifying", effectiveIntent: { records }, allowedNames: ["blog.bakery.example"] }
    expect((await sendEvents([event("active", 5), event("applied", 9, applied)])).isOnline).toBe(false)
    const active = event("active", 10, { effectiveIntent: { records } })
    expect((await sendEvents([event("applied", 9, applied), active])).isOnline).toBe(true)
  })

  test("name the shop, which the connection has in its metadata", async () => {
    const { text } = await sendEvents([event("active", 5, { metadata: { shop: "Bakery" } })])
    expect(text).toBe("Bakery at www.bakery.example")
  })

  test("count only if they are signed, and if the storefront has a secret", async () => {
    const signedBy = `whsec_${btoa("the secret of somebody else")}`
    expect(await sendEvents([event("active", 5)], { signedBy })).toMatchObject({ outcomes: [401], isOnline: false })
    expect(await sendEvents([event("active", 5)], { webhookSecret: "" })).toMatchObject({
      outcomes: [404],
      isOnline: false
    })
  })

  test("about endpoints change nothing", async () => {
    const test = { type: "endpoint.test", timestamp: "2026-01-31T09:30:05.000Z", data: { endpoint: { id: "whe_1" } } }
    expect(await sendEvents([test])).toMatchObject({ outcomes: [204], isOnline: false })
  })
})
