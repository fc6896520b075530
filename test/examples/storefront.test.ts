import { expect, test } from "bun:test"
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
  const { requests, tokens } = await requestTokens(2, [refused(503, "unavailable"), created("con_1"), token("dct_1")])
  expect(tokens).toEqual([502, { connectionId: "con_1", token: "dct_1" }])
  expect(requests).toEqual(["/v1/connections", "/v1/connections", "/v1/connections/con_1/access-token"])
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
