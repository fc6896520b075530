import { connect } from "node:net"
import type { Endpoint } from "./Endpoint.ts"

/** A way to a server, open for one question; after it is closed it is silent. */
export interface DnsSocket {
  /** What cannot be sent is heard as a fault. */
  readonly send: (message: Uint8Array) => void
  readonly close: () => void
}

/** Who listens to a channel. */
export interface DnsSocketListener {
  readonly onMessage: (bytes: Uint8Array) => void
  /** Nothing gets through: there is no route, or nobody listens there. */
  readonly onFailure: () => void
}

/** A connection of its own (RFC 7766), of which one message is taken. */
export const openTcpSocket = (server: Endpoint, listener: DnsSocketListener): DnsSocket => {
  const socket = connect({ host: server.host, port: server.port })
  const received = Buffer.alloc(2 + 65_535)
  let length = 0
  socket.on("error", listener.onFailure)
  socket.on("close", listener.onFailure)
  socket.on("data", (chunk) => {
    length += Buffer.from(chunk).copy(received, length)
    // Before a message stands its length in two bytes, at most 65,535 (RFC 1035 section 4.2.2).
    const end = 2 + received.readUInt16BE()
    if (length >= end) listener.onMessage(received.subarray(2, end))
  })
  return {
    send: (message) => socket.write(Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])),
    close: () => {
      socket.removeAllListeners().on("error", () => {})
      socket.destroy()
    }
  }
}

/** A socket of its own, connected, so that the kernel hands over nothing from another address or port. */
export const openUdpSocket = (server: Endpoint, listener: DnsSocketListener): DnsSocket => {
  let isOpen = true
  const whileOpen = (act: () => void) => {
    if (isOpen) act()
  }
  // Without a route, or a free descriptor, Bun throws instead of refusing by its promise.
  const socket = Promise.try(() =>
    Bun.udpSocket({
      // Bun binds to IPv4 unless told otherwise, and cannot connect from there to IPv6.
      hostname: server.host.includes(":") ? "::" : "0.0.0.0",
      connect: { hostname: server.host, port: server.port },
      socket: {
        data: (_, bytes) => whileOpen(() => listener.onMessage(bytes)),
        error: () => whileOpen(listener.onFailure)
      }
    })
  )
  const use = (act: (open: Awaited<typeof socket>) => void) =>
    void socket.then(act).catch(() => whileOpen(listener.onFailure))
  return {
    send: (message) => use((open) => whileOpen(() => void open.send(message))),
    close: () => {
      if (!isOpen) return
      isOpen = false
      use((open) => open.close())
    }
  }
}
