import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { NoAnswer } from "./NoAnswer.ts"
import type { Exchange } from "./openUdp.ts"
import type { Message } from "./wire/decodeAnswer.ts"

/** Sends a question over a TCP connection of its own (RFC 7766) and takes one answer. */
export const overTcp = ({ accept, query, server }: Exchange): Effect.Effect<Message, NoAnswer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => connect({ host: server.host, port: server.port })),
    (socket) =>
      Effect.flatMap(converse(socket, query), (bytes) =>
        Effect.mapError(accept(bytes), () => new NoAnswer({ reason: "malformed" }))
      ),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Before a message stands its length in two bytes, at most 65,535 (RFC 1035 section 4.2.2). */
const converse = (socket: Socket, query: Uint8Array): Effect.Effect<Uint8Array, NoAnswer> =>
  Effect.async((resume) => {
    const received = Buffer.alloc(2 + 65_535)
    let length = 0
    const fail = (reason: NoAnswer["reason"]) => resume(Effect.fail(new NoAnswer({ reason })))
    socket.on("error", () => fail("no_route"))
    socket.on("close", () => fail("no_route"))
    socket.on("data", (chunk) => {
      length += Buffer.from(chunk).copy(received, length)
      const end = 2 + received.readUInt16BE()
      if (length >= end) resume(Effect.succeed(received.subarray(2, end)))
    })
    socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 0xff), query]))
  })
