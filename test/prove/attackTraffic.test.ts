import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { AttackTrafficOperations, Flood } from "../../prove/responsive/attackTrafficProcess.ts"
import { startChildProcess } from "../../prove/responsive/ChildProcess.ts"
import { live } from "../support/effectTest.ts"
import { freePort } from "../support/freePort.ts"

/** A server that answers `/status/<n>` with this status, never answers `/never`, and sends much at `/large`. */
const startServer = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        idleTimeout: 60,
        fetch: async (request) => {
          const { pathname } = new URL(request.url)
          if (pathname === "/never") await Bun.sleep(60_000)
          if (pathname === "/large") return new Response(Buffer.alloc(megabytes * 2 ** 20))
          return new Response(await request.text(), { status: Number(pathname.split("/").at(-1)) || 200 })
        }
      })
    ),
    (server) => Effect.promise(() => server.stop(true))
  ),
  ({ port = 0 }) => ({ port, url: `http://127.0.0.1:${port}` })
)

const megabytes = 20

const startTraffic = startChildProcess<AttackTrafficOperations>("attackTrafficProcess.ts")

const get = (path: string) => ({ method: "GET", path, headers: {} })

/** A flood whose answers may take long, because the machine may be busy. */
const flood = (url: string, paths: ReadonlyArray<string>, graceMillis = 60_000): Flood => ({
  url,
  requests: paths.map(get),
  perSecond: 200,
  millis: 100,
  graceMillis
})

describe("the attackers' traffic", () => {
  live("a flood sends its requests in turn and counts the answers by status", () =>
    Effect.gen(function* () {
      const [{ url }, traffic] = yield* Effect.all([startServer, startTraffic])
      const { answers, sent } = yield* traffic("flood", flood(url, ["/status/200", "/status/403"]))
      expect({ answers, sent }).toEqual({ sent: 20, answers: { "200": 10, "403": 10 } })
    })
  )

  live("requests without an answer are not those that did not arrive", () =>
    Effect.gen(function* () {
      const [{ url }, traffic] = yield* Effect.all([startServer, startTraffic])
      expect((yield* traffic("flood", flood(url, ["/never"], 300))).answers).toEqual({ unanswered: 20 })
      const nobody = `http://127.0.0.1:${freePort()}`
      expect((yield* traffic("flood", flood(nobody, ["/"]))).answers).toEqual({ failed: 20 })
    })
  )

  live("a client that does not read has the status, and leaves the rest with the server", () =>
    Effect.gen(function* () {
      const [{ port }, traffic] = yield* Effect.all([startServer, startTraffic])
      const requests = ["GET /large HTTP/1.1\r\nhost: a\r\n\r\n"]
      const options = { hostname: "127.0.0.1", port, requests, count: 3, perSecond: 100 }
      yield* traffic("openSockets", { ...options, isResponseRead: false, hasSlowBody: false })
      const status = yield* traffic("closeSockets", undefined)
      expect(status.answers).toEqual({ "200": 3 })
      expect(status.bytesRead).toBeLessThan(3 * 5 * 2 ** 20)
      expect(status.endedByServer).toBe(0)
    })
  )

  live("a slow body keeps its socket open without an answer", () =>
    Effect.gen(function* () {
      const [{ port }, traffic] = yield* Effect.all([startServer, startTraffic])
      const requests = ["POST /status/200 HTTP/1.1\r\nhost: a\r\ncontent-length: 500\r\n\r\n{"]
      const options = { hostname: "127.0.0.1", port, requests, count: 3, perSecond: 100 }
      const opened = yield* traffic("openSockets", { ...options, isResponseRead: true, hasSlowBody: true })
      yield* traffic("closeSockets", undefined)
      expect(opened.answers).toEqual({ unanswered: 3 })
      expect(opened.bytesWritten).toBe(3 * (requests[0]?.length ?? 0))
    })
  )

  live("sockets that nobody accepts are counted as failed", () =>
    Effect.gen(function* () {
      const traffic = yield* startTraffic
      const options = { hostname: "127.0.0.1", port: freePort(), requests: [""], count: 2, perSecond: 100 }
      const { answers } = yield* traffic("openSockets", { ...options, isResponseRead: true, hasSlowBody: false })
      expect(answers).toEqual({ failed: 2 })
    })
  )
})
