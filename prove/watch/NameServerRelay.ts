import { Effect, type Scope } from "effect"
import { createSocket, type Socket as UdpSocket } from "node:dgram"
import { connect, createServer, type Server as TcpServer, type Socket } from "node:net"

/**
 * How a relay treats questions: it passes them on, with the answers later by some milliseconds; drops them; or has closed
 * its port.
 */
export type RelayBehaviour = { readonly delayMillis: number } | "silent" | "closed"

/** Stands at port 53 of an address before a name server, which can die, lag and come back by it. */
export interface NameServerRelay {
  readonly address: string
  readonly behave: (behaviour: RelayBehaviour) => Effect.Effect<void>
}

interface RelayOptions {
  readonly address: string
  readonly upstream: string
  /** Called for each question over UDP that arrives, with its name in lower case, without the final dot. */
  readonly onQuestion: (name: string) => void
}

export const startNameServerRelay = (options: RelayOptions): Effect.Effect<NameServerRelay, never, Scope.Scope> =>
  Effect.gen(function* () {
    let behaviour: RelayBehaviour = { delayMillis: 0 }
    const current = () => behaviour
    let close: (() => Promise<void>) | undefined
    const open = async () => {
      const ends = await Promise.all([relayUdp(options, current), relayTcp(options, current)])
      close = async () => {
        close = undefined
        await Promise.all(ends.map((end) => end()))
      }
    }
    yield* Effect.acquireRelease(Effect.promise(open), () => Effect.promise(async () => close?.()))
    return {
      address: options.address,
      behave: (next) =>
        Effect.promise(async () => {
          behaviour = next
          if (next === "closed") await close?.()
          else if (close === undefined) await open()
        })
    }
  })

type EndRelay = () => Promise<void>

/** Relays datagrams, each question under an id of its own at the server. */
const relayUdp = async (
  { address, onQuestion, upstream }: RelayOptions,
  current: () => RelayBehaviour
): Promise<EndRelay> => {
  const pending = new Map<number, { readonly id: number; readonly port: number; readonly host: string }>()
  let nextId = 0
  // A client that no longer waits for its answer, or a server that is not there, causes errors.
  const server = createSocket("udp4").on("error", ignore)
  const listener = createSocket({ type: "udp4", recvBufferSize: receiveBytes })
  let isOpen = true
  server.on("message", (answer) => {
    const asked = pending.get(answer.readUInt16BE(0))
    pending.delete(answer.readUInt16BE(0))
    const behaviour = current()
    if (asked === undefined || typeof behaviour === "string") return
    answer.writeUInt16BE(asked.id, 0)
    const send = () => void (isOpen && listener.send(answer, asked.port, asked.host))
    if (behaviour.delayMillis === 0) send()
    else setTimeout(send, behaviour.delayMillis)
  })
  listener.on("message", (query, { address: host, port }) => {
    if (query.length < 17) return
    onQuestion(readName(query))
    if (typeof current() === "string") return
    nextId = (nextId + 1) % 65_536
    pending.set(nextId, { id: query.readUInt16BE(0), port, host })
    query.writeUInt16BE(nextId, 0)
    server.send(query, 53, upstream)
  })
  await bind(listener, 53, address)
  await bind(server, 0, "127.0.0.1")
  return async () => {
    isOpen = false
    listener.close()
    server.close()
  }
}

const receiveBytes = 4 * 1024 * 1024

const bind = (socket: UdpSocket, port: number, address: string) =>
  new Promise<void>((done, fail) => {
    socket.once("error", fail)
    socket.bind(port, address, () => {
      socket.off("error", fail).on("error", ignore)
      done()
    })
  })

const relayTcp = async ({ address, upstream }: RelayOptions, current: () => RelayBehaviour): Promise<EndRelay> => {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const server = connect(53, upstream)
    for (const socket of [client, server]) {
      sockets.add(socket.on("close", () => sockets.delete(socket)))
      socket.on("error", ignore)
    }
    client.on("data", (bytes) => {
      if (typeof current() !== "string") server.write(bytes)
    })
    server.on("data", (bytes) => {
      const behaviour = current()
      if (typeof behaviour !== "string") setTimeout(() => client.write(bytes), behaviour.delayMillis)
    })
    client.on("close", () => server.destroy())
    server.on("close", () => client.destroy())
  })
  await new Promise<void>((done, fail) => void listener.once("error", fail).listen(53, address, done))
  return () => closeTcp(listener, sockets)
}

const closeTcp = (listener: TcpServer, sockets: ReadonlySet<Socket>) => {
  for (const socket of sockets) socket.destroy()
  return new Promise<void>((done) => void listener.close(() => done()))
}

/** Reads the name of the question, which is never compressed. */
const readName = (query: Buffer): string => {
  const labels: Array<string> = []
  for (let at = 12; at < query.length;) {
    const length = query[at] ?? 0
    if (length === 0) break
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return labels.join(".").toLowerCase()
}

const ignore = () => {}
