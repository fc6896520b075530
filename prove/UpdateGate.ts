import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy in front of a DNS server with dynamic updates (RFC 2136) that can hold an update. */
export interface UpdateGate {
  readonly port: number
  /** Runs an effect before the next update is forwarded. */
  readonly interceptNext: (before: Effect.Effect<unknown>) => void
}

/** Opens a TCP port on 127.0.0.1 that forwards to port 53 of an address. */
export const startUpdateGate = (address: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(address)),
      ({ close }) => Effect.sync(close)
    ),
    ({ gate }) => gate
  )

const open = async (address: string) => {
  const sockets = new Set<Socket>()
  let next: Effect.Effect<unknown> | undefined
  const server = createServer((client) => {
    const upstream = connect(53, address)
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}))
    client.on("data", (bytes) => {
      const before = isUpdate(Buffer.from(bytes)) ? next : undefined
      if (before === undefined) return void upstream.write(bytes)
      next = undefined
      void Effect.runPromise(before).then(() => upstream.write(bytes))
    })
    upstream.on("data", (bytes) => client.write(bytes))
    client.on("close", () => upstream.end())
    upstream.on("close", () => client.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const listening = server.address()
  const gate: UpdateGate = {
    port: listening !== null && typeof listening === "object" ? listening.port : 0,
    interceptNext: (before) => {
      next = before
    }
  }
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { gate, close }
}

/** Whether the opcode is UPDATE (RFC 2136 section 2.2); the flags follow the length and the id. */
const isUpdate = (bytes: Buffer): boolean => bytes.length > 4 && ((bytes[4] ?? 0) >> 3) % 16 === 5
