import { expect } from "bun:test"
import { Deferred, Effect, FiberId, Layer } from "effect"
import type { Socket } from "node:net"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { issueKey, post, sampleIntent, send } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { rowCounts, withoutWrites } from "../support/expectError.ts"
import { captureLog } from "../support/logCapture.ts"
import { socketToService } from "../support/sendRaw.ts"

/** Reports the start of a commit, which waits while `resume` is closed. */
const commit = { started: Deferred.unsafeMake<void>(FiberId.none), resume: Effect.unsafeMakeLatch(true) }

const pausedCommits = overrideService(ConnectionStore, ({ create }) => ({
  create: (...parameters) =>
    Deferred.succeed(commit.started, undefined).pipe(
      Effect.zipRight(commit.resume.await),
      Effect.zipRight(create(...parameters))
    )
}))

const log = captureLog()

const body = JSON.stringify({ intent: sampleIntent, allowDuplicate: true })

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

/** Closes a socket as the client, and waits until the service has noticed. */
const disconnect = (socket: Socket) =>
  Effect.async<void>((resume) => {
    socket.once("close", () => resume(Effect.void))
    socket.destroy()
  }).pipe(Effect.zipRight(Effect.forEach([1, 2, 3], () => send("/healthz"))))

withLayer("a client that disconnects", Layer.provide(apiWith(pausedCommits), log.layer), (live) => {
  const unfinished: ReadonlyArray<readonly [name: string, framing: string, start: string]> = [
    ["of a declared length", "Content-Length: 1000", '{"intent":'],
    ["in chunks", "Transfer-Encoding: chunked", 'a\r\n{"intent":\r\n'],
    [
      "in chunks, with only its last chunk missing",
      "Transfer-Encoding: chunked",
      `${body.length.toString(16)}\r\n${body}\r\n`
    ]
  ]
  unfinished.forEach(([name, framing, start]) =>
    live(`in the middle of a body ${name} leaves no row and no log line`, () =>
      withoutWrites(
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          const socket = yield* socketToService
          yield* write(socket, headOf(key, framing) + start)
          yield* disconnect(socket)
          expect(log.lines).toEqual([])
        })
      )
    )
  )

  live("during the commit still gets its connection, and its response by repeating the request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const before = yield* rowCounts
      yield* commit.resume.close
      const socket = yield* socketToService
      yield* write(socket, headOf(key, `Content-Length: ${body.length}`) + body)
      yield* Deferred.await(commit.started)
      yield* disconnect(socket)
      expect(yield* rowCounts).toEqual(before)
      yield* commit.resume.open
      const replay = yield* post("/v1/connections", key, body, { "idempotency-key": "once" })
      expect(replay.status).toBe(201)
      expect(replay.headers.get("idempotent-replayed")).toBe("true")
      expect(yield* rowCounts).toEqual({
        ...before,
        connections: before.connections + 1,
        idempotency: before.idempotency + 1
      })
      expect(log.lines).toEqual([])
    })
  )
})
