import { ConnectionStopped, DomainConnectionClient, WaitTimeout } from "@domain-connection/client"
import { describe, expect, test } from "bun:test"
import { Effect, Fiber } from "effect"
import { createInState, moveTo } from "../../http/support/commandFixtures.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, serviceUrl } from "../../support/testApi.ts"

const reasonOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => "it succeeded",
    (reason: unknown) => reason
  )

withLayer("waiting for a state, over the service", apiInMemory(), (live) => {
  live("ends when the connection enters it", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* createInState("verifying")
      const client = new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
      const waiting = yield* Effect.fork(Effect.promise(() => client.waitUntil(id, ["active", "degraded"])))
      yield* moveTo(path, "active")
      expect(yield* Fiber.join(waiting)).toMatchObject({ id, state: "active" })
      expect((yield* Effect.promise(() => client.waitUntil(id, ["active"]))).state).toBe("active")
    })
  )

  live("ends with an error that names the failure", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* createInState("verifying")
      const client = new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
      const waiting = yield* Effect.fork(Effect.promise(() => reasonOf(client.waitUntil(id, ["active"]))))
      const { failure } = yield* moveTo(path, "failed")
      const error = yield* Fiber.join(waiting)
      expect(error).toBeInstanceOf(ConnectionStopped)
      expect(error.connection.failure.code).toBe(failure?.code)
      expect(error.message).toStartWith(`${id} is failed: ${failure?.code}, `)
      expect((yield* Effect.promise(() => client.waitUntil(id, ["failed"]))).state).toBe("failed")
    })
  )

  live("ends when the time is over, or the caller gives up", () =>
    Effect.gen(function* () {
      const { id, key } = yield* createInState("verifying")
      const client = new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
      const late = yield* Effect.promise(() => reasonOf(client.waitUntil(id, ["active"], { timeoutSeconds: 0.3 })))
      expect(late).toBeInstanceOf(WaitTimeout)
      expect(late.message).toBe("the connection is verifying, and not active, when the time is over")
      const reason = new Error("the customer left")
      expect(
        yield* Effect.promise(() => reasonOf(client.waitUntil(id, ["active"], { signal: AbortSignal.abort(reason) })))
      ).toBe(reason)
    })
  )

  live("ends at once for an id that does not exist", () =>
    Effect.gen(function* () {
      const { key } = yield* createInState("verifying")
      const client = new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
      const error = yield* Effect.promise(() => reasonOf(client.waitUntil("con_missing", ["active"])))
      expect(error).toMatchObject({ code: "not_found", status: 404 })
    })
  )

  live("the events of a connection can be followed", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* createInState("verifying")
      const client = new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
      yield* moveTo(path, "canceled")
      const events = yield* Effect.promise(() => Array.fromAsync(client.streamEvents(id)))
      expect(events.at(-1)).toMatchObject({
        event: "connection",
        id: expect.any(String),
        data: { id, state: "canceled" }
      })
      expect(events.map(({ event }) => event)).toContain("timeline")
    })
  )
})

const connection = (state: string, updatedAt: string) => ({ id: "con_1", state, updatedAt })

const streamOf = (...texts: ReadonlyArray<string>) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        texts.forEach((text) => controller.enqueue(new TextEncoder().encode(text)))
        controller.close()
      }
    })
  )

const read = (state: string, at: string) => () => Response.json({ connection: connection(state, at) })

const endedStream = () => streamOf(": hello\n\n", `event: connection\nid: 1\ndata: {"state":"applying"}\n\n`)

const refusedStream = () => Response.json({ error: { code: "too_many_streams", message: "too many" } }, { status: 429 })

const lostConnection = () => Promise.reject(new TypeError("fetch failed"))

/** Waits for `active` with scripted answers. */
const waitWith = (script: ReadonlyArray<() => Response | Promise<Response>>) => {
  let requests = 0
  const client = new DomainConnectionClient({
    baseUrl: "https://connect.example",
    maxRetries: 0,
    fetch: async () => (script[requests++] ?? (() => Promise.reject(new Error("more requests than expected"))))()
  })
  return client.waitUntil("con_1", ["active"])
}

describe("waiting for a state goes on", () => {
  test("after a stream that ends, a refused one, and an unavailable service", async () => {
    const before = [read("planned", "1"), endedStream, read("verifying", "2"), refusedStream, lostConnection]
    expect((await waitWith([...before, read("active", "3")])).state).toBe("active")
  })

  test("with events that come in pieces and with other ends of lines", async () => {
    const data = JSON.stringify(connection("active", "2"))
    const pieces = () =>
      streamOf("event: conn", `ection\r\nid: 2\r\ndata: ${data.slice(0, 20)}`, `${data.slice(20)}\r`, "\n\r\n")
    expect((await waitWith([read("verifying", "1"), pieces])).updatedAt).toBe("2")
  })
})
