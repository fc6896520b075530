import { HttpServer } from "@effect/platform"
import { Effect } from "effect"
import { connect, type Socket } from "node:net"

/** A request as sent over the wire: its request line, its `Host` headers, its other headers, and its body in pieces. */
export interface RawRequest {
  readonly line: string
  readonly hosts?: ReadonlyArray<string>
  readonly headers?: ReadonlyArray<string>
  readonly body?: Iterable<string | Uint8Array>
}

/** Sends a request that fetch would not send, on its own connection, and returns the response once all is sent. */
export const sendRaw = ({
  body = [],
  headers = [],
  hosts = ["service"],
  line
}: RawRequest): Effect.Effect<Response, never, HttpServer.HttpServer> =>
  Effect.flatMap(socketToService, (socket) =>
    Effect.async<Response>((resume) => {
      let received = Buffer.alloc(0)
      let sent = false
      const finish = () => {
        socket.destroy()
        const response = responseIn(received)
        resume(
          response === undefined ? Effect.dieMessage(`no answer but ${received.toString()}`) : Effect.succeed(response)
        )
      }
      const finishIfWhole = () => sent && isWhole(received) && finish()
      socket.on("data", (bytes: Uint8Array) => {
        received = Buffer.concat([received, bytes])
        finishIfWhole()
      })
      socket.on("error", () => undefined)
      socket.on("close", finish)
      socket.write([line, ...hosts.map((host) => `Host: ${host}`), ...headers, "", ""].join("\r\n"))
      writeAll(socket, body[Symbol.iterator](), () => {
        sent = true
        finishIfWhole()
      })
    })
  )

/** A TCP connection to the service under test. */
export const socketToService = Effect.map(HttpServer.HttpServer, ({ address }): Socket => {
  if (address._tag !== "TcpAddress") throw new Error("the service does not listen on TCP")
  return connect(address.port, address.hostname)
})

/** Writes the pieces one by one as the socket drains, so 140 MB are never in memory at once. */
const writeAll = (socket: Socket, pieces: Iterator<string | Uint8Array>, whenSent: () => void): void => {
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    if (!socket.write(next.value)) {
      socket.once("drain", () => writeAll(socket, pieces, whenSent))
      return
    }
  }
  whenSent()
}

const endOfHead = "\r\n\r\n"

/** A response without a length is whole when the service closes the connection. */
const isWhole = (received: Buffer): boolean => {
  const end = received.indexOf(endOfHead)
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.subarray(0, end).toString("latin1"))?.[1]
  return length !== undefined && received.length >= end + endOfHead.length + Number(length)
}

const responseIn = (received: Buffer): Response | undefined => {
  const end = received.indexOf(endOfHead)
  if (end === -1) return undefined
  const [statusLine = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n")
  const status = Number(statusLine.split(" ")[1])
  const headers = lines.map((text): [string, string] => [
    text.slice(0, text.indexOf(":")),
    text.slice(text.indexOf(":") + 1).trim()
  ])
  const body = received.subarray(end + endOfHead.length)
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers })
}
