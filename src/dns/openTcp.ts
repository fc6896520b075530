import { connect } from "node:net"
import type { Channel, Listener } from "./Channel.ts"
import type { Endpoint } from "./Endpoint.ts"

/** A connection of its own (RFC 7766), of which one message is taken. */
export const openTcp = (server: Endpoint, listener: Listener): Channel => {
  const socket = connect({ host: server.host, port: server.port })
  const received = Buffer.alloc(2 + 65_535)
  let length = 0
  socket.on("error", listener.fault)
  socket.on("close", listener.fault)
  socket.on("data", (chunk) => {
    length += Buffer.from(chunk).copy(received, length)
    // Before a message stands its length in two bytes, at most 65,535 (RFC 1035 section 4.2.2).
    const end = 2 + received.readUInt16BE()
    if (length >= end) listener.message(received.subarray(2, end))
  })
  return {
    send: (message) => socket.write(Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])),
    close: () => {
      socket.removeAllListeners().on("error", () => {})
      socket.destroy()
    }
  }
}
