import { expect, test } from "bun:test"
import { storefront } from "../../examples/storefront/server.ts"

interface Said {
  readonly status: number
  readonly body: object
}

const created = (id: string): Said => ({ status: 202, body: { connection: { id } } })
const token = (accessToken: string): Said => ({ status: 201, body: { accessToken } })
const refused = (status: number, code: string): Said => ({ status, body: { error: { code, message: code } } })

/** What the page gets for its tokens, and what the service was asked, while it says these things one after the other. */
const visits = async (count: number, script: ReadonlyArray<Said>) => {
  const asked: Array<string> = []
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { body, status } = script[asked.length] ?? refused(500, "the service was asked too much")
      asked.push(new URL(url).pathname)
      return Response.json(body, { status })
    }
  })
  const serviceUrl = service.url.origin
  const shop = storefront({ apiKey: "dck_", intent: { domain: "a.example", records: [] }, port: 0, serviceUrl })
  const got: Array<unknown> = []
  for (let visit = 0; visit < count; visit += 1) {
    const answer = await fetch(`${shop.url.origin}/token`, { method: "POST" })
    got.push(answer.ok ? await answer.json() : answer.status)
  }
  await Promise.all([service.stop(true), shop.stop(true)])
  return { asked, got }
}

test("the storefront asks again for a connection that could not be created", async () => {
  const { asked, got } = await visits(2, [refused(503, "unavailable"), created("con_1"), token("dct_1")])
  expect(got).toEqual([502, { connectionId: "con_1", token: "dct_1" }])
  expect(asked).toEqual(["/v1/connections", "/v1/connections", "/v1/connections/con_1/access-token"])
})

test("the storefront keeps its connection while tokens cannot be issued", async () => {
  const { got } = await visits(2, [created("con_1"), refused(503, "unavailable"), token("dct_1")])
  expect(got).toEqual([502, { connectionId: "con_1", token: "dct_1" }])
})

test("the storefront begins a new connection when its own has ended", async () => {
  const { got } = await visits(1, [
    created("con_1"),
    refused(409, "connection_ended"),
    created("con_2"),
    token("dct_2")
  ])
  expect(got).toEqual([{ connectionId: "con_2", token: "dct_2" }])
})
