import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"
import type { Target } from "./sendQuery.ts"

/**
 * What becomes of requests that fit: `swallow` lets them reach the server and keeps its answer, `cut` hangs up when the
 * server has answered, `shorten` after half of what it said, `garble` alters a bit near its end, `refuse` hangs up
 * before the server hears of them; a function answers in place of the server.
 */
export type TcpFault = "swallow" | "cut" | "shorten" | "garble" | "refuse" | ((request: Uint8Array) => Uint8Array)

/** A port of 127.0.0.1 behind which another server stands. */
export interface TcpProxy extends Target {
  /** From now on; whatever does not fit passes. */
  readonly meddle: (mischief: TcpFault, fits: (request: Uint8Array) => boolean) => Effect.Effect<void>
}

export const tcpProxy = (target: Target): Effect.Effect<TcpProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(target)),
      ({ close }) => Effect.promise(close)
    ),
    ({ port, rule }) => ({
      host: "127.0.0.1",
      port,
      meddle: (mischief, fits) => Effect.sync(() => Object.assign(rule, { mischief, fits }))
    })
  )

interface Rule {
  mischief: TcpFault
  fits: (request: Uint8Array) => boolean
}

const open = async (target: Target) => {
  const rule: Rule = { mischief: "cut", fits: () => false }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    let mischief: TcpFault | undefined
    client.on("data", (bytes) => {
      if (rule.fits(Buffer.from(bytes))) mischief = rule.mischief
      if (mischief === "refuse") client.destroy()
      else if (typeof mischief === "function") client.write(mischief(Buffer.from(bytes)))
      else upstream.write(bytes)
    })
    upstream.on("data", (chunk) => {
      const bytes = Buffer.from(chunk)
      if (mischief === "garble") bytes.writeUInt8(bytes.readUInt8(bytes.length - 10) ^ 1, bytes.length - 10)
      if (mischief === undefined || mischief === "garble") client.write(bytes)
      if (mischief === "shorten") client.end(bytes.subarray(0, bytes.length / 2))
      if (mischief === "cut") client.destroy()
    })
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => mischief === "swallow" || client.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  }
  return { rule, port: address !== null && typeof address === "object" ? address.port : 0, close }
}
