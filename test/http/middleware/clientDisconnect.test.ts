import { expect } from "bun:test"
import { Deferred, Effect, FiberId, Layer } from "effect"
import type { Socket } from "node:net"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { issueKey, post, sampleIntent, send } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { rowCounts, withoutWrites } from "../support/expectError.ts"
import { captureLog } from "../support/logCapture.ts"
import { socketToService } from "../support/sendRaw.ts"

/** A commit says when it has begun and ends when it is let go. */
const commit = { begun: Deferred.unsafeMake<void>(FiberId.none), goOn: Effect.unsafeMakeLatch(true) }

const heldCommits = overrideService(ConnectionStore, ({ create }) => ({
  create: (...all) =>
    Deferred.succeed(commit.begun, undefined).pipe(Effect.zipRight(commit.goOn.await), Effect.zipRight(create(...all)))
}))

const log = captureLog()

const body = JSON.stringify({ intent: sampleIntent })

const headOf = (key: string, framing: string) =>
  [
    "POST /v1/connections HTTP/1.1",
    "Host: service",
    `x-api-key: ${key}`,
    "idempotency-key: once",
    framing,
    "",
    ""
  ].join("\r\n")

const write = (socket: Socket, text: string) =>
  Effect.async<void>((resume) => {
    socket.write(text, () => resume(Effect.void))
  })

/** Ends a connection from the client's side, and lets the service notice before going on. */
const hangUp = (socket: Socket) =>
  Effect.async<void>((resume) => {
    socket.once("close", () => resume(Effect.void))
    socket.destroy()
  }).pipe(Effect.zipRight(Effect.forEach([1, 2, 3], () => send("/healthz"))))

withLayer("a client that hangs up", Layer.provide(apiWith(heldCommits), log.layer), (live) => {
  const unfinished: ReadonlyArray<readonly [name: string, framing: string, start: string]> = [
    ["of a declared length", "Content-Length: 1000", '{"intent":'],
    ["in chunks", "Transfer-Encoding: chunked", 'a\r\n{"intent":\r\n'],
    [
      "in chunks, with nothing but its end missing",
      "Transfer-Encoding: chunked",
      `${body.length.toString(16)}\r\n${body}\r\n`
    ]
  ]
  unfinished.forEach(([name, framing, start]) =>
    live(`in the middle of a body ${name} leaves neither a row nor a line in the log`, () =>
      withoutWrites(
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          const socket = yield* socketToService
          yield* write(socket, headOf(key, framing) + start)
          yield* hangUp(socket)
          expect(log.lines).toEqual([])
        })
      )
    )
  )

  live("during the commit gets its row all the same, and its answer by repeating the request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const before = yield* rowCounts
      yield* commit.goOn.close
      const socket = yield* socketToService
      yield* write(socket, headOf(key, `Content-Length: ${body.length}`) + body)
      yield* Deferred.await(commit.begun)
      yield* hangUp(socket)
      expect(yield* rowCounts).toEqual(before)
      yield* commit.goOn.open
      const again = yield* post("/v1/connections", key, body, { "idempotency-key": "once" })
      expect(again.status).toBe(201)
      expect(again.headers.get("idempotent-replayed")).toBe("true")
      expect(yield* rowCounts).toEqual({
        ...before,
        connections: before.connections + 1,
        idempotency: before.idempotency + 1
      })
      expect(log.lines).toEqual([])
    })
  )
})
