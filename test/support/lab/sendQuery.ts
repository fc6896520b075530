import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { connect } from "node:net"
import { decode, type Message, queryFor } from "./packet.ts"

export interface Target {
  readonly host: string
  readonly port: number
}

/** A datagram and the port it came from. */
export interface Datagram {
  readonly bytes: Uint8Array
  readonly port: number
}

/** What a server answers over UDP; no answer in a second is a defect. */
export const sendQuery = (to: Target, name: string, type: string, options?: Partial<Message>): Effect.Effect<Message> =>
  Effect.promise(async () => {
    const datagram = await exchangeUdp(to, queryFor(name, type, options))
    if (datagram === undefined) throw new Error(`no answer to ${name} ${type}`)
    return decode(datagram.bytes)
  })

/** The first datagram that comes back, or `undefined` when none does in time. */
export const exchangeUdp = (to: Target, query: Uint8Array, waitMillis = 1000): Promise<Datagram | undefined> =>
  new Promise((done) => {
    const socket = createSocket("udp4")
    const finish = (answer?: Datagram) => {
      clearTimeout(timer)
      socket.close()
      done(answer)
    }
    const timer = setTimeout(finish, waitMillis)
    socket.once("message", (bytes, { port }) => finish({ bytes, port })).once("error", () => finish())
    socket.send(query, to.port, to.host)
  })

/** The first message that comes back over TCP, or `undefined` when the connection ends before it does. */
export const exchangeTcp = (to: Target, query: Uint8Array): Promise<Uint8Array | undefined> =>
  new Promise((done) => {
    let received = Buffer.alloc(0)
    const socket = connect(to.port, to.host, () =>
      socket.write(Buffer.concat([Buffer.of(query.length >>> 8, query.length & 0xff), query]))
    )
    socket.on("error", () => done(undefined)).on("close", () => done(undefined))
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      done(received.subarray(2, 2 + received.readUInt16BE()))
      socket.destroy()
    })
  })
