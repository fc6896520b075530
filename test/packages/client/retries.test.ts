import { ApiError, DomainConnectionClient, NoResponse } from "@domain-connection/client"
import { describe, expect, test } from "bun:test"

type ScriptedStep = "no connection" | "hangs" | Response

const failed = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { code, message: code, status, requestId: "req_1", documentationUrl: "" } },
    { status, headers }
  )

const busy = (status: number, code: string) => failed(status, code, { "retry-after": "0" })

const done = (body: object = {}) => Response.json(body)

/** A client of a service with scripted answers, and what it sent. */
const scripted = (
  script: ReadonlyArray<ScriptedStep>,
  options: { maxRetries?: number; timeoutSeconds?: number } = {}
) => {
  const sent: Array<{ readonly url: string; readonly method: string; readonly headers: Headers }> = []
  const client = new DomainConnectionClient({
    baseUrl: "https://connect.example/",
    apiKey: "dck_test",
    ...options,
    fetch: (url, init) => {
      const step = script[sent.length]
      sent.push({ url, method: init.method ?? "", headers: new Headers(init.headers) })
      if (step instanceof Response) return Promise.resolve(step)
      if (step !== "hangs") return Promise.reject(new TypeError("fetch failed"))
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)))
    }
  })
  return { client, sent, keys: () => sent.map(({ headers }) => headers.get("idempotency-key")) }
}

const reasonOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => "it succeeded",
    (reason: unknown) => reason
  )

describe("a request is repeated", () => {
  test("with the same idempotency key after a lost connection", async () => {
    const { client, keys } = scripted(["no connection", done({ connection: { id: "con_1" } })])
    expect((await client.createConnection({ intent: { domain: "a.example", records: [] } })).connection.id).toBe(
      "con_1"
    )
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys()[0] ?? ""])
  })

  test("with the key of the caller", async () => {
    const { client, keys } = scripted([busy(503, "unavailable"), done()])
    await client.retryConnection("con_1", { idempotencyKey: "order-1" })
    expect(keys()).toEqual(["order-1", "order-1"])
  })

  for (const [status, code] of [
    [429, "rate_limited"],
    [429, "too_many_streams"],
    [503, "draining"],
    [409, "idempotency_in_progress"]
  ] as const)
    test(`after ${status} ${code}`, async () => {
      const { client, sent } = scripted([busy(status, code), done()])
      await client.createConnection({ intent: { domain: "a.example", records: [] } })
      expect(sent).toHaveLength(2)
    })

  test("after an answer of a proxy that is none of the service", async () => {
    const { client, sent } = scripted([new Response("<h1>Bad gateway</h1>", { status: 502 }), done({ connection: {} })])
    await client.getConnection("con_1")
    expect(sent).toHaveLength(2)
  })

  test("as often as the client may, and then its last error is thrown", async () => {
    const { client, sent } = scripted([busy(503, "unavailable"), busy(503, "unavailable"), busy(503, "draining")], {
      maxRetries: 2
    })
    expect(await reasonOf(client.getUsage())).toMatchObject({ code: "draining", status: 503, retryAfter: 0 })
    expect(sent).toHaveLength(3)
  })
})

describe("a request is not repeated", () => {
  test("if it writes and takes no idempotency key", async () => {
    const { client, keys } = scripted(["no connection", done()])
    const error = await reasonOf(client.issueBrowserToken("con_1", { origin: "https://shop.example" }))
    expect(error).toBeInstanceOf(NoResponse)
    expect(error.cause).toBeInstanceOf(TypeError)
    expect(keys()).toEqual([null])
  })

  for (const [status, code] of [
    [400, "invalid_request"],
    [409, "state_conflict"],
    [429, "quota_exceeded"],
    [500, "internal_error"]
  ] as const)
    test(`after ${status} ${code}`, async () => {
      const { client, sent } = scripted([busy(status, code), done()])
      expect(await reasonOf(client.recheckConnection("con_1"))).toMatchObject({ code, status })
      expect(sent).toHaveLength(1)
    })

  test("if the service requests a wait of more than a minute, which the error reports", async () => {
    const { client, sent } = scripted([failed(429, "rate_limited", { "retry-after": "61" }), done()])
    expect(await reasonOf(client.getUsage())).toMatchObject({ code: "rate_limited", retryAfter: 61 })
    expect(sent).toHaveLength(1)
  })

  test("once the caller has given up", async () => {
    const controller = new AbortController()
    const { client, sent } = scripted(["hangs", done()])
    const call = reasonOf(client.getUsage({ signal: controller.signal }))
    controller.abort(new Error("the customer left"))
    expect((await call).message).toBe("the customer left")
    expect(sent).toHaveLength(1)
    expect((await reasonOf(client.getUsage({ signal: controller.signal }))).message).toBe("the customer left")
    expect(sent).toHaveLength(1)
  })
})

describe("a request", () => {
  test("without an answer in time fails", async () => {
    const { client } = scripted(["hangs"], { timeoutSeconds: 0.01, maxRetries: 0 })
    const error = await reasonOf(client.getUsage())
    expect(error).toBeInstanceOf(NoResponse)
    expect(error.message).toBe("the service did not answer in time")
  })

  test("has the credential, the path without surprises, and the query without what is absent", async () => {
    const { client, sent } = scripted([done(), done({ connections: [] }), done({ connections: [] })])
    await client.getConnection("con_1/../../usage?x")
    await client.listConnections({ domain: "bäcker.example", limit: 2 })
    await client.listConnections({ state: ["active", "degraded"], metadata: { plan: "pro", "a b": "&" } })
    expect(sent.map(({ url }) => url)).toEqual([
      "https://connect.example/v1/connections/con_1%2F..%2F..%2Fusage%3Fx",
      "https://connect.example/v1/connections?domain=b%C3%A4cker.example&limit=2",
      "https://connect.example/v1/connections?state=active%2Cdegraded&metadata%5Bplan%5D=pro&metadata%5Ba+b%5D=%26"
    ])
    expect(sent.map(({ headers }) => headers.get("x-api-key"))).toEqual(["dck_test", "dck_test", "dck_test"])
  })

  test("may ask the service to wait", async () => {
    const { client, sent } = scripted([done()])
    await client.createConnection({ intent: { domain: "a.example", records: [] } }, { waitSeconds: 20 })
    expect(sent[0]?.headers.get("prefer")).toBe("wait=20")
  })

  test("whose answer is no JSON of the service fails with what is known of it", async () => {
    const { client } = scripted([new Response("teapot", { status: 418, headers: { "x-request-id": "req_2" } })])
    const error = await reasonOf(client.getUsage())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: "unreadable_answer", status: 418, requestId: "req_2", details: [] })
  })
})
