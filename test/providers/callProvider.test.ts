import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { createServer } from "node:net"
import { sendProviderRequest } from "../../src/providers/callProvider.ts"
import { live } from "../support/effectTest.ts"
import { httpClient } from "./httpClient.ts"

/** What comes of an answer of these bytes where at most 1,000 are allowed: their number, or the kind of trouble. */
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
    const limits = { timeout: "2 seconds", maxBytes: 1_000, secrets: [] } as const
    return yield* sendProviderRequest(httpClient, HttpClientRequest.get(`http://127.0.0.1:${port}/`), limits).pipe(
      Effect.match({ onFailure: ({ kind }) => kind, onSuccess: ({ text }) => text.length })
    )
  })

const chunked = (length: number) => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n0\r\n\r\n`

for (const [about, answer, outcome] of [
  ["that says how long it is is taken", `content-length: 1000\r\n\r\n${"x".repeat(1_000)}`, 1_000],
  [
    "that says how long it is is refused where that is too much",
    `content-length: 1001\r\n\r\n${"x".repeat(1_001)}`,
    "malformed"
  ],
  ["in pieces is taken", `transfer-encoding: chunked\r\n\r\n${chunked(1_000)}`, 1_000],
  ["in pieces is refused where they are too much", `transfer-encoding: chunked\r\n\r\n${chunked(1_001)}`, "malformed"],
  [
    "in pieces is not believed what else it says of its length",
    `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${chunked(1_001)}`,
    "malformed"
  ],
  ["of which the end is missing is none", `content-length: 1000\r\n\r\n${"x".repeat(10)}`, "unreachable"]
] as const)
  live(`an answer ${about}`, () => Effect.map(outcomeOf(answer), (seen) => expect(seen).toBe(outcome)))
