import { Effect } from "effect"
import type { Scope } from "effect"
import { createSocket } from "node:dgram"
import type { Socket as UdpSocket } from "node:dgram"
import { createServer } from "node:net"
import type { Server, Socket } from "node:net"

/** The response: packets, perhaps from another port, or the end of the TCP connection. */
export interface Delivery {
  readonly packets: ReadonlyArray<Uint8Array>
  readonly fromAnotherPort?: boolean
  readonly hangUp?: boolean
}

type Handler = (bytes: Uint8Array, transport: "udp" | "tcp") => Promise<Delivery>

/** One port of 127.0.0.1 that speaks DNS over UDP and TCP. */
export interface SocketPair {
  readonly port: number
  /** Closes the TCP listener: further connections are refused. */
  readonly refuseTcp: () => Promise<void>
}

export const socketPair = (handler: Handler): Effect.Effect<SocketPair, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => open(handler)),
    ({ close }) => Effect.promise(close)
  )

const open = async (handler: Handler) => {
  const connections = new Set<Socket>()
  const [tcp, udp] = await bindBoth()
  const otherPort = createSocket("udp4")
  const closed = new AbortController()
  tcp.on("connection", (socket) => {
    connections.add(socket.on("close", () => connections.delete(socket)))
    serveTcp(socket, handler)
  })
  udp.on("message", async (bytes, { port, address }) => {
    const { packets, fromAnotherPort } = await handler(bytes, "udp")
    if (closed.signal.aborted) return
    for (const packet of packets) (fromAnotherPort ? otherPort : udp).send(packet, port, address)
  })
  const refuseTcp = async () => {
    for (const socket of connections) socket.destroy()
    if (tcp.listening) await new Promise((done) => tcp.close(done))
  }
  const close = async () => {
    closed.abort()
    udp.close()
    otherPort.close()
    await refuseTcp()
  }
  return { port: udp.address().port, refuseTcp, close }
}

/** A TCP and a UDP socket on the same free port. */
const bindBoth = async (): Promise<readonly [Server, UdpSocket]> => {
  const tcp = await new Promise<Server>((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => done(server))
  })
  const address = tcp.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return bindUdp(port).then(
    (udp) => [tcp, udp],
    () => {
      tcp.close()
      return bindBoth()
    }
  )
}

const bindUdp = (port: number) =>
  new Promise<UdpSocket>((done, fail) => {
    // Once it is bound, only a client that no longer waits for its answer causes errors.
    const socket = createSocket("udp4").on("error", fail)
    socket.bind(port, "127.0.0.1", () => done(socket))
  })

/** Serves messages with a length prefix on a TCP connection (RFC 1035 section 4.2.2). */
const serveTcp = (socket: Socket, handler: Handler) => {
  let received = Buffer.alloc(0)
  socket.on("error", () => socket.destroy())
  socket.on("data", async (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const end = 2 + received.readUInt16BE()
      const message = received.subarray(2, end)
      received = received.subarray(end)
      const { packets, hangUp } = await handler(message, "tcp")
      for (const packet of packets)
        socket.write(Buffer.concat([Buffer.of(packet.length >>> 8, packet.length & 0xff), packet]))
      if (hangUp) socket.destroy()
    }
  })
}
