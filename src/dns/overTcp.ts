import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { NoAnswer } from "./NoAnswer.ts"
import type { Exchange } from "./overUdp.ts"
import type { Message } from "./wire/decodeAnswer.ts"

/** Sends a question over a TCP connection of its own (RFC 7766) and takes one answer of at most 16 KB. */
export const overTcp = ({ accept, query, server }: Exchange): Effect.Effect<Message, NoAnswer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => connect({ host: server.host, port: server.port })),
    (socket) =>
      Effect.flatMap(converse(socket, query), (bytes) => Effect.mapError(accept(bytes), failure("malformed"))),
    (socket) => Effect.sync(() => socket.destroy())
  )

const maxAnswerBytes = 16_384

const failure = (reason: NoAnswer["reason"]) => () => new NoAnswer({ reason })

/** Before a message stands its length, in two bytes (RFC 1035 section 4.2.2). */
const converse = (socket: Socket, query: Uint8Array): Effect.Effect<Uint8Array, NoAnswer> =>
  Effect.async((resume) => {
    let received = Buffer.alloc(0)
    const fail = (reason: NoAnswer["reason"]) => resume(Effect.fail(new NoAnswer({ reason })))
    socket.on("error", () => fail("no_route"))
    socket.on("close", () => fail("no_route"))
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)])
      const length = received.length < 2 ? Infinity : received.readUInt16BE()
      if (received.length >= length + 2) resume(Effect.succeed(received.subarray(2, length + 2)))
      else if (Number.isFinite(length) && length > maxAnswerBytes) fail("too_large")
    })
    socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 0xff), query]))
  })
