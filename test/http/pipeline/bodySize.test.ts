import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { BodyRateFloor } from "../../../src/http/pipeline/limitJsonBody.ts"
import { withLayer } from "../../support/effectTest.ts"
import { timeByTurns } from "../../support/timeByTurns.ts"
import { apiInMemory, issueKey, sampleIntent, send } from "../../support/testApi.ts"
import { type ExpectedError, expectErrorWithoutWrites } from "../support/expectError.ts"
import { type RawRequest, sendRaw, socketToService } from "../support/sendRaw.ts"

const limit = 256 * 1_024
const megabyte = 1_024 * 1_024
const tooLarge = { status: 413, code: "body_too_large" }
const line = "POST /v1/connections HTTP/1.1"

/** A JSON body of exactly `length` bytes, which violates every schema. */
const bodyOf = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`

const unknownField = [
  ["/intent", "missing"],
  ["/a", "unknown_field"]
] as const

const chunked = (piece: string): string => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`

const chunkedHeaders = (key: string) => [
  `x-api-key: ${key}`,
  "Content-Type: application/json",
  "Transfer-Encoding: chunked"
]

const inSmallPieces = (text: string) => (text.match(/.{1,7}/gs) ?? []).map(chunked).join("") + "0\r\n\r\n"

function* megabytes(count: number, wrap: (piece: string) => string) {
  const piece = wrap("x".repeat(megabyte))
  for (let sent = 0; sent < count; sent += 1) yield piece
}

withLayer("the size of a body", apiInMemory(), (live) => {
  live("may be 256 KiB", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const headers = { "x-api-key": key, "content-type": "application/json" }
      const request = send("/v1/connections", { method: "POST", headers, body: bodyOf(limit) })
      yield* expectErrorWithoutWrites(request, { status: 400, code: "invalid_request", details: unknownField })
    })
  )

  live("may not exceed 256 KiB by one byte", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const headers = { "x-api-key": key, "content-type": "application/json" }
      const request = send("/v1/connections", { method: "POST", headers, body: bodyOf(limit + 1) })
      yield* expectErrorWithoutWrites(request, tooLarge)
    })
  )

  live("is counted in bytes, not characters", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const headers = { "x-api-key": key, "content-type": "application/json" }
      const request = send("/v1/connections", { method: "POST", headers, body: `"${"€".repeat(limit / 3)}"` })
      yield* expectErrorWithoutWrites(request, tooLarge)
    })
  )

  live("is counted while a body without a length arrives", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const body = [chunked(bodyOf(limit)), chunked(" "), "0\r\n\r\n"]
      yield* expectErrorWithoutWrites(sendRaw({ line, headers: chunkedHeaders(key), body }), tooLarge)
    })
  )

  live("does not depend on the chunks in which a body arrives", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const text = JSON.stringify({ intent: { ...sampleIntent, domain: "bücher.example" } })
      const response = yield* sendRaw({ line, headers: chunkedHeaders(key), body: [inSmallPieces(text)] })
      expect(response.status).toBe(201)
    })
  )

  const floods: ReadonlyArray<readonly [name: string, requestFor: (key: string) => RawRequest, error: ExpectedError]> =
    [
      ["chunked", (key) => ({ line, headers: chunkedHeaders(key), body: megabytes(140, chunked) }), tooLarge],
      [
        "declared",
        (key) => ({
          line,
          headers: [`x-api-key: ${key}`, "Content-Type: application/json", `Content-Length: ${140 * megabyte}`],
          body: megabytes(140, (piece) => piece)
        }),
        tooLarge
      ],
      [
        "chunked, without a valid key",
        () => ({ line, headers: chunkedHeaders("x"), body: megabytes(140, chunked) }),
        { status: 401, code: "unauthenticated" }
      ]
    ]
  floods.forEach(([name, requestFor, error]) =>
    live(`of 140 MB, ${name}, is rejected and not kept in memory`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const before = process.memoryUsage.rss()
        yield* expectErrorWithoutWrites(sendRaw(requestFor(key)), error)
        expect(process.memoryUsage.rss() - before).toBeLessThan(64 * megabyte)
      })
    )
  )

  const smuggled: ReadonlyArray<readonly [name: string, headers: ReadonlyArray<string>]> = [
    ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
    ["two lengths", ["Content-Length: 4", "Content-Length: 5"]],
    ["a negative length", ["Content-Length: -1"]],
    ["a length that is not a number", ["Content-Length: 0x10"]]
  ]
  smuggled.forEach(([name, headers]) =>
    live(`must be unambiguous, against request smuggling: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const body = ["0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: service\r\n\r\n"]
        const response = yield* sendRaw({ line, headers: [`x-api-key: ${key}`, ...headers], body })
        expect(response.status).toBe(400)
      })
    )
  )
})

const rateFloor = { graceMillis: 200, bytesPerSecond: 10_000, maxMillis: 1_500 }

const impatientApi = Layer.provide(apiInMemory(), Layer.succeed(BodyRateFloor, rateFloor)).pipe(
  Layer.merge(Layer.scopedDiscard(timeByTurns))
)

const unfinishedRequest = (key: string, framing: string, body: string): RawRequest => ({
  line,
  headers: [`x-api-key: ${key}`, "Content-Type: application/json", framing],
  body: [body]
})
withLayer("a body that does not arrive", impatientApi, (live) => {
  const framings = [
    ["with a length", "Content-Length: 100", "{"],
    ["with a great length", "Content-Length: 100000", "{"],
    ["in chunks", "Transfer-Encoding: chunked", chunked("{")]
  ] as const
  framings.forEach(([name, framing, body]) => {
    live(`is given up after a while, and its connection is closed: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = sendRaw(unfinishedRequest(key, framing, body))
        expect((yield* response).headers.get("connection")).toBe("close")
        yield* expectErrorWithoutWrites(response, { status: 408, code: "body_too_slow" })
      })
    )

    live(`is not waited for if the credential is invalid: ${name}`, () =>
      Effect.gen(function* () {
        const request = sendRaw(unfinishedRequest("x", framing, body))
        yield* expectErrorWithoutWrites(request, { status: 401, code: "unauthenticated" })
      })
    )
  })
})

/** Sends a body of 20,000 bytes as white space, so many bytes every 50 ms, until the response comes. */
const sendAtRate = (key: string, framing: "length" | "chunks", bytesEachTime: number) =>
  Effect.gen(function* () {
    const socket = yield* socketToService
    const header = framing === "length" ? "Content-Length: 20000" : "Transfer-Encoding: chunked"
    const head = [line, "Host: service", `x-api-key: ${key}`, "Content-Type: application/json", header, "", ""]
    const piece = " ".repeat(bytesEachTime)
    const status = Effect.async<number>((resume) => {
      socket.once("data", (bytes: Uint8Array) => resume(Effect.succeed(Number(bytes.toString().split(" ")[1]))))
      socket.on("error", () => undefined)
      socket.write(head.join("\r\n"))
    })
    const drip = Effect.gen(function* () {
      for (let sent = 0; sent < 20_000; sent += bytesEachTime) {
        socket.write(framing === "length" ? piece : chunked(piece))
        yield* Effect.sleep("50 millis")
      }
      if (framing === "chunks") socket.write("0\r\n\r\n")
    })
    const answer = yield* Effect.zipRight(Effect.fork(drip), status)
    socket.destroy()
    return answer
  })

withLayer("a body that arrives piece by piece", impatientApi, (live) => {
  for (const framing of ["length", "chunks"] as const) {
    live(`is ended while it stays below the rate, and waited for above it: with ${framing}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        expect(yield* sendAtRate(key, framing, 100)).toBe(408)
        expect(yield* sendAtRate(key, framing, 2_000)).toBe(400)
      })
    )
  }

  live("is ended after the longest time, however fast it is", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      expect(yield* sendAtRate(key, "chunks", 600)).toBe(408)
    })
  )
})
