import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"
import type { ServerAddress } from "./sendQuery.ts"

/**
 * The fault of matching requests: `swallow` forwards them and drops the response, `cut` closes the connection when the
 * server responds, `shorten` after half of the response, `garble` alters a bit near its end, `refuse` closes the
 * connection before the server receives them; a function responds in place of the server.
 */
type TcpFault = "swallow" | "cut" | "shorten" | "garble" | "refuse" | ((request: Uint8Array) => Uint8Array)

/** A port of 127.0.0.1 that forwards to another server. */
export interface TcpProxy extends ServerAddress {
  /** Injects a fault into further requests that match; others pass. */
  readonly injectFault: (fault: TcpFault, matches: (request: Uint8Array) => boolean) => Effect.Effect<void>
}

export const tcpProxy = (target: ServerAddress): Effect.Effect<TcpProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(target)),
      ({ close }) => Effect.promise(close)
    ),
    ({ port, rule }) => ({
      host: "127.0.0.1",
      port,
      injectFault: (fault, matches) => Effect.sync(() => Object.assign(rule, { fault, matches }))
    })
  )

interface Rule {
  fault: TcpFault
  matches: (request: Uint8Array) => boolean
}

const open = async (target: ServerAddress) => {
  const rule: Rule = { fault: "cut", matches: () => false }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    let fault: TcpFault | undefined
    client.on("data", (bytes) => {
      if (rule.matches(Buffer.from(bytes))) fault = rule.fault
      if (fault === "refuse") client.destroy()
      else if (typeof fault === "function") client.write(fault(Buffer.from(bytes)))
      else upstream.write(bytes)
    })
    upstream.on("data", (chunk) => {
      const bytes = Buffer.from(chunk)
      if (fault === "garble") bytes.writeUInt8(bytes.readUInt8(bytes.length - 10) ^ 1, bytes.length - 10)
      if (fault === undefined || fault === "garble") client.write(bytes)
      if (fault === "shorten") client.end(bytes.subarray(0, bytes.length / 2))
      if (fault === "cut") client.destroy()
    })
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => fault === "swallow" || client.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  }
  return { rule, port: address !== null && typeof address === "object" ? address.port : 0, close }
}
