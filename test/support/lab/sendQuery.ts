import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { connect } from "node:net"
import { decode, type LabMessage, queryFor } from "./packet.ts"

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** A datagram and the port it came from. */
interface Datagram {
  readonly bytes: Uint8Array
  readonly port: number
}

/** Sends a query over UDP and returns the response; none within a minute is a defect. */
export const sendQuery = (
  to: ServerAddress,
  name: string,
  type: string,
  options?: Partial<LabMessage>
): Effect.Effect<LabMessage> =>
  Effect.promise(async () => {
    const datagram = await exchangeUdp(to, queryFor(name, type, options))
    if (datagram === undefined) throw new Error(`no answer to ${name} ${type}`)
    return decode(datagram.bytes)
  })

/** Sends a query over UDP and returns the first datagram, or `undefined` if none comes in time. */
export const exchangeUdp = (
  to: ServerAddress,
  query: Uint8Array,
  timeoutMillis = 60_000
): Promise<Datagram | undefined> =>
  new Promise((done) => {
    const socket = createSocket("udp4")
    const finish = (answer?: Datagram) => {
      clearTimeout(timer)
      socket.close()
      done(answer)
    }
    const timer = setTimeout(finish, timeoutMillis)
    socket.once("message", (bytes, { port }) => finish({ bytes, port })).once("error", () => finish())
    socket.send(query, to.port, to.host)
  })

/** Sends a query over TCP and returns the first message, or `undefined` if the connection ends before. */
export const exchangeTcp = (to: ServerAddress, query: Uint8Array): Promise<Uint8Array | undefined> =>
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
