import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { NoAnswer } from "./NoAnswer.ts"
import type { Exchange } from "./openUdp.ts"
import { maxAnswerBytes, type Message } from "./wire/decodeAnswer.ts"

/** Sends a question over a TCP connection of its own (RFC 7766) and takes one answer of at most 16 KB. */
export const overTcp = ({ accept, query, server }: Exchange): Effect.Effect<Message, NoAnswer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => connect({ host: server.host, port: server.port })),
    (socket) =>
      Effect.flatMap(converse(socket, query), (bytes) =>
        Effect.mapError(accept(bytes), () => new NoAnswer({ reason: "malformed" }))
      ),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Before a message stands its length, in two bytes (RFC 1035 section 4.2.2). */
const converse = (socket: Socket, query: Uint8Array): Effect.Effect<Uint8Array, NoAnswer> =>
  Effect.async((resume) => {
    let received = Buffer.alloc(0)
    const fail = (reason: NoAnswer["reason"]) => resume(Effect.fail(new NoAnswer({ reason })))
    socket.on("error", () => fail("no_route"))
    socket.on("close", () => fail("no_route"))
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)])
      if (received.length < 2) return
      const length = received.readUInt16BE()
      if (length > maxAnswerBytes) fail("too_large")
      else if (received.length >= length + 2) resume(Effect.succeed(received.subarray(2, length + 2)))
    })
    socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 0xff), query]))
  })
