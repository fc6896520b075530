import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { createServer } from "node:net"
import { sendProviderRequest } from "../../src/providers/callProvider.ts"
import { live } from "../support/effectTest.ts"
import { httpClient } from "./httpClient.ts"

/** The outcome of this response with a limit of 1,000 bytes: its length, or the kind of error. */
const outcomeOf = (answer: string) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const listening = createServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${answer}`)).listen(
          0,
          "127.0.0.1",
          () => resume(Effect.succeed(listening))
        )
      }),
      (listening) => Effect.sync(() => listening.close())
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const limits = { timeout: "2 seconds", admits: (bytes: number) => bytes <= 1_000, secrets: [] } as const
    return yield* sendProviderRequest(httpClient, HttpClientRequest.get(`http://127.0.0.1:${port}/`), limits).pipe(
      Effect.match({ onFailure: ({ kind }) => kind, onSuccess: ({ text }) => text.length })
    )
  })

const chunked = (length: number) => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n0\r\n\r\n`

for (const [about, answer, outcome] of [
  ["with a length is accepted", `content-length: 1000\r\n\r\n${"x".repeat(1_000)}`, 1_000],
  ["with a length over the limit is rejected", `content-length: 1001\r\n\r\n${"x".repeat(1_001)}`, "too_large"],
  ["in chunks is accepted", `transfer-encoding: chunked\r\n\r\n${chunked(1_000)}`, 1_000],
  ["in chunks over the limit is rejected", `transfer-encoding: chunked\r\n\r\n${chunked(1_001)}`, "too_large"],
  [
    "in chunks is measured by its actual length, not by its header",
    `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${chunked(1_001)}`,
    "too_large"
  ],
  ["that is incomplete counts as unreachable", `content-length: 1000\r\n\r\n${"x".repeat(10)}`, "unreachable"]
] as const)
  live(`a response ${about}`, () => Effect.map(outcomeOf(answer), (result) => expect(result).toBe(outcome)))
