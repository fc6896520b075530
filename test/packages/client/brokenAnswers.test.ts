import { ApiError, DomainConnectionClient, NoResponse } from "@domain-connection/client"
import { describe, expect, test } from "bun:test"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

type ScriptedAnswer = (response: ServerResponse) => void

/** A server on loopback with scripted answers, a client of it, and the requests that came. */
const withServer = async (
  answers: ReadonlyArray<ScriptedAnswer>,
  use: (client: DomainConnectionClient, requests: ReadonlyArray<IncomingMessage>) => Promise<void>,
  maxRetries = 3
) => {
  const requests: Array<IncomingMessage> = []
  const server = createServer((request, response) => {
    const answer = answers[requests.length] ?? complete({})
    requests.push(request)
    request.resume().on("end", () => answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const client = new DomainConnectionClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "dck_test", maxRetries })
  try {
    await use(client, requests)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const json = { "content-type": "application/json" }

const complete =
  (body: object, status = 200): ScriptedAnswer =>
  (response) =>
    response.writeHead(status, json).end(JSON.stringify(body))

/** Sends the head and a part of the body, and closes the connection. */
const cutOff =
  (status: number, headers: Record<string, string | number>): ScriptedAnswer =>
  (response) =>
    response.writeHead(status, headers).write('{"connection":{"id":', () => response.socket?.destroy())

const cutByLength = (status = 200) => cutOff(status, { ...json, "content-length": 500 })

const cutChunked = cutOff(200, json)

const page =
  (status: number, type = "text/html"): ScriptedAnswer =>
  (response) =>
    response.writeHead(status, { "content-type": type }).end("<h1>Somebody else</h1>")

/** Ends the body in the middle, without an error of the connection. */
const endedEarly: ScriptedAnswer = (response) => response.writeHead(200, json).end('{"connection":{"id":')

const emptyBusy =
  (seconds: string): ScriptedAnswer =>
  (response) =>
    response.writeHead(503, { ...json, "retry-after": seconds }).end()

const connection = { connection: { id: "con_1" } }

const intent = { domain: "a.example", records: [] }

const reasonOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => "it succeeded",
    (reason: unknown) => reason
  )

describe("an answer that breaks off in its body", () => {
  for (const [what, cut] of [
    ["of a declared length", cutByLength()],
    ["in chunks", cutChunked],
    ["that ends in the middle of its JSON", endedEarly],
    ["of an error", cutByLength(409)]
  ] as const)
    test(`${what} has a read repeated`, () =>
      withServer([cut, complete(connection)], async (client, requests) => {
        expect((await client.getConnection("con_1")).connection.id).toBe("con_1")
        expect(requests).toHaveLength(2)
      }))

  test("has a write repeated with the same idempotency key", () =>
    withServer([cutByLength(201), cutByLength(201), complete(connection, 201)], async (client, requests) => {
      expect((await client.createConnection({ intent })).connection.id).toBe("con_1")
      const keys = requests.map(({ headers }) => headers["idempotency-key"])
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0]])
    }))

  test("ends a write without an idempotency key in NoResponse", () =>
    withServer([cutByLength(201)], async (client, requests) => {
      const error = await reasonOf(client.issueBrowserToken("con_1", { origin: "https://shop.example" }))
      expect(error).toBeInstanceOf(NoResponse)
      expect(error.message).toBe("the answer broke off")
      expect(error.cause).toBeInstanceOf(Error)
      expect(requests).toHaveLength(1)
    }))

  test("ends a read in NoResponse after as many repetitions as the client may make", () =>
    withServer(
      [cutByLength(), cutChunked],
      async (client, requests) => {
        const error = await reasonOf(client.getConnection("con_1"))
        expect(error).toBeInstanceOf(NoResponse)
        expect(error.message).toBe("the answer broke off")
        expect(requests).toHaveLength(2)
      },
      1
    ))

  test("ends a request whose caller gives up meanwhile with the reason of the caller", async () => {
    const controller = new AbortController()
    const giveUp: ScriptedAnswer = (response) =>
      response
        .writeHead(200, { ...json, "content-length": 500 })
        .write("{", () => setImmediate(() => controller.abort(new Error("the customer left"))))
    await withServer([giveUp], async (client, requests) => {
      const error = await reasonOf(client.getConnection("con_1", { signal: controller.signal }))
      expect(error.message).toBe("the customer left")
      expect(requests).toHaveLength(1)
    })
  })
})

describe("an answer that is not one of the service", () => {
  test("has its `Retry-After` obeyed and reported, also without a body", () =>
    withServer([emptyBusy("0"), emptyBusy("3600")], async (client, requests) => {
      const error = await reasonOf(client.getConnection("con_1"))
      expect(error).toMatchObject({ code: "unreadable_answer", status: 503, retryAfter: 3_600 })
      expect(requests).toHaveLength(2)
    }))

  for (const status of [502, 503, 504])
    test(`with ${status} has a request repeated, and ends in an error that says so`, () =>
      withServer(
        [page(status), complete(connection), page(status), page(status)],
        async (client, requests) => {
          expect((await client.createConnection({ intent })).connection.id).toBe("con_1")
          const error = await reasonOf(client.getConnection("con_1"))
          expect(error).toBeInstanceOf(ApiError)
          expect(error).toMatchObject({
            code: "unreadable_answer",
            status,
            message: `the answer with status ${status} and the type text/html is not one of the service`
          })
          expect(requests).toHaveLength(4)
        },
        1
      ))

  test("with 502 ends a write without an idempotency key at once", () =>
    withServer([page(502)], async (client, requests) => {
      const error = await reasonOf(client.issueBrowserToken("con_1", { origin: "https://shop.example" }))
      expect(error).toMatchObject({ code: "unreadable_answer", status: 502 })
      expect(requests).toHaveLength(1)
    }))

  for (const type of ["text/html", "text/plain; charset=utf-8"])
    test(`with 200 and the type ${type} is an error that is not repeated`, () =>
      withServer([page(200, type)], async (client, requests) => {
        const error = await reasonOf(client.getConnection("con_1"))
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({
          code: "unreadable_answer",
          status: 200,
          message: `the answer with status 200 and the type ${type} is not one of the service`
        })
        expect(requests).toHaveLength(1)
      }))
})
