import { connect } from "node:net"
import type { Endpoint } from "./Endpoint.ts"

/** A socket to one server, opened for one query or a few; once it is closed its listener is not called any more. */
export interface DnsSocket {
  /** Reports a message that cannot be sent through `onFailure`. */
  readonly send: (message: Uint8Array) => void
  readonly close: () => void
}

interface DnsSocketListener {
  readonly onMessage: (bytes: Uint8Array) => void
  /** The server cannot be reached: there is no route, or no server listens there. */
  readonly onFailure: () => void
}

/** Opens a TCP connection for one query (RFC 7766), which receives one message. */
export const openTcpSocket = (server: Endpoint, listener: DnsSocketListener): DnsSocket => {
  const socket = connect({ host: server.host, port: server.port })
  const received = Buffer.alloc(2 + 65_535)
  let length = 0
  socket.on("error", listener.onFailure)
  socket.on("close", listener.onFailure)
  socket.on("data", (chunk) => {
    length += Buffer.from(chunk).copy(received, length)
    // The length of a message precedes it in two bytes, at most 65,535 (RFC 1035 section 4.2.2).
    const end = 2 + received.readUInt16BE()
    if (length < end) return
    // Whatever follows, the message may have to wait until it is read.
    socket.removeAllListeners().on("error", () => {})
    socket.pause()
    listener.onMessage(received.subarray(2, end))
  })
  return {
    send: (message) => socket.write(Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])),
    close: () => {
      socket.removeAllListeners().on("error", () => {})
      socket.destroy()
    }
  }
}

/** Opens a connected UDP socket, so that the kernel drops packets from another address or port. */
export const openUdpSocket = (server: Endpoint, listener: DnsSocketListener): DnsSocket => {
  let isOpen = true
  const ifOpen = (act: () => void) => {
    if (isOpen) act()
  }
  // Without a route, or a free descriptor, Bun throws instead of rejecting its promise.
  const socket = Promise.try(() =>
    Bun.udpSocket({
      // Bun binds to IPv4 by default, and cannot connect from there to IPv6.
      hostname: server.host.includes(":") ? "::" : "0.0.0.0",
      connect: { hostname: server.host, port: server.port },
      socket: {
        data: (_, bytes) => ifOpen(() => listener.onMessage(bytes)),
        error: () => ifOpen(listener.onFailure)
      }
    })
  )
  const withSocket = (act: (open: Awaited<typeof socket>) => void) =>
    void socket.then(act).catch(() => ifOpen(listener.onFailure))
  return {
    send: (message) => withSocket((open) => ifOpen(() => void open.send(message))),
    close: () => {
      if (!isOpen) return
      isOpen = false
      withSocket((open) => open.close())
    }
  }
}
