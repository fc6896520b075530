import { describe, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { startStorefront } from "../../examples/storefront/server.ts"

interface ScriptedResponse {
  readonly status: number
  readonly body: object
}

const created = (id: string): ScriptedResponse => ({ status: 202, body: { connection: { id } } })
const token = (accessToken: string): ScriptedResponse => ({ status: 201, body: { accessToken } })
const refused = (status: number, code: string): ScriptedResponse => ({
  status,
  body: { error: { code, message: code } }
})

/** Requests tokens from a storefront over a service with scripted responses; returns both sides of it. */
const requestTokens = async (count: number, script: ReadonlyArray<ScriptedResponse>) => {
  const requests: Array<string> = []
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { body, status } = script[requests.length] ?? refused(500, "more requests than expected")
      requests.push(new URL(url).pathname)
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

test("the storefront requests a connection again after a failure", async () => {
  const { requests, tokens } = await requestTokens(2, [
    refused(500, "internal_error"),
    created("con_1"),
    token("dct_1")
  ])
  expect(tokens).toEqual([502, { connectionId: "con_1", token: "dct_1" }])
  expect(requests).toEqual(["/v1/connections", "/v1/connections", "/v1/connections/con_1/access-token"])
})

test("the storefront's customer notices nothing of a short outage", async () => {
  const { tokens } = await requestTokens(1, [refused(503, "unavailable"), created("con_1"), token("dct_1")])
  expect(tokens).toEqual([{ connectionId: "con_1", token: "dct_1" }])
})

test("the storefront keeps its connection while tokens cannot be issued", async () => {
  const { tokens } = await requestTokens(2, [created("con_1"), refused(503, "unavailable"), token("dct_1")])
  expect(tokens).toEqual([502, { connectionId: "con_1", token: "dct_1" }])
})

test("the storefront creates a new connection when its own has ended", async () => {
  const { tokens } = await requestTokens(1, [
    created("con_1"),
    refused(409, "connection_ended"),
    created("con_2"),
    token("dct_2")
  ])
  expect(tokens).toEqual([{ connectionId: "con_2", token: "dct_2" }])
})

test("the storefront shows its records as DNS settings take them, and whether it may disconnect", async () => {
  const connection = {
    id: "con_1",
    state: "active",
    allowedActions: ["recheck", "disconnect"],
    effectiveIntent: {
      records: [{ name: "www.shop.example", zoneHost: "www.shop", type: "CNAME", value: "shops.example" }]
    },
    plan: { warningDetails: [{ message: "A website is replaced." }] }
  }
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      Response.json(url.endsWith("/access-token") ? { accessToken: "dct_1" } : { connection }, { status: 200 })
  })
  const serviceUrl = service.url.origin
  const shop = startStorefront({ apiKey: "dck_", intent: { domain: "a.example", records: [] }, port: 0, serviceUrl })
  const readStatus = async () => (await fetch(`${shop.url.origin}/status`)).json()
  expect(await readStatus()).toEqual({ state: "none", warnings: [], records: [], canDisconnect: false })
  await fetch(`${shop.url.origin}/token`, { method: "POST" })
  expect(await readStatus()).toEqual({
    state: "active",
    warnings: ["A website is replaced."],
    records: ["www.shop CNAME shops.example"],
    canDisconnect: true
  })
  expect(await (await fetch(`${shop.url.origin}/disconnect`, { method: "POST" })).json()).toEqual({ state: "active" })
  await Promise.all([service.stop(true), shop.stop(true)])
})

const secret = `whsec_${btoa("the secret of the storefront")}`

const event = (state: string, version: number) => ({
  type: `connection.${state}`,
  timestamp: "2026-01-31T09:30:05.000Z",
  data: {
    connection: { id: "con_1", state, effectiveIntent: { records: [{ name: "www.bakery.example" }] } },
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
  return { outcomes, isOnline: text === "The shop at www.bakery.example" }
}

describe("the storefront's webhooks", () => {
  test("put the shop online at its domain when that is active, and keep it while it is degraded", async () => {
    expect(await sendEvents([])).toEqual({ outcomes: [], isOnline: false })
    expect(await sendEvents([event("applied", 4), event("active", 5)])).toEqual({
      outcomes: [204, 204],
      isOnline: true
    })
    expect((await sendEvents([event("active", 5), event("degraded", 6)])).isOnline).toBe(true)
  })

  test("take it off when the domain is disconnected, in whatever order they come", async () => {
    expect((await sendEvents([event("active", 5), event("disconnected", 9)])).isOnline).toBe(false)
    expect((await sendEvents([event("disconnected", 9), event("active", 5), event("active", 5)])).isOnline).toBe(false)
  })

  test("count only if they are signed, and if the storefront has a secret", async () => {
    const signedBy = `whsec_${btoa("the secret of somebody else")}`
    expect(await sendEvents([event("active", 5)], { signedBy })).toEqual({ outcomes: [401], isOnline: false })
    expect(await sendEvents([event("active", 5)], { webhookSecret: "" })).toEqual({ outcomes: [404], isOnline: false })
  })

  test("about endpoints change nothing", async () => {
    const test = { type: "endpoint.test", timestamp: "2026-01-31T09:30:05.000Z", data: { endpoint: { id: "whe_1" } } }
    expect(await sendEvents([test])).toEqual({ outcomes: [204], isOnline: false })
  })
})
