import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { gunzipSync } from "node:zlib"
import type { VendorAnswer } from "./VendorCall.ts"

/** Where a fake listens; without anything on a free port of 127.0.0.1, without TLS. */
export interface VendorListener {
  readonly address?: string
  readonly port?: number
  /** Key and certificate chain in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query, still encoded. */
  readonly target: string
  readonly headers: Headers
  readonly text: string
}

/** What is done with a connection: an answer, a reset before its first byte, or nothing until the client gives up. */
export type Reaction = VendorAnswer | "cut" | "silence"

/** Serves HTTP on loopback until the scope closes; returns the origin. */
export const serveVendor = (
  react: (request: ReceivedRequest) => Promise<Reaction>,
  { address = "127.0.0.1", port = 0, tls }: VendorListener
): Effect.Effect<string, Error, Scope.Scope> => {
  const listener: RequestListener = async (message, response) =>
    sendReaction(response, await react(await read(message)))
  const open = Effect.async<Server, Error>((resume) => {
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(port, address, () => resume(Effect.succeed(server)))
  })
  return Effect.map(
    Effect.acquireRelease(open, (server) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
    ),
    (server) => {
      const bound = server.address()
      const boundPort = bound !== null && typeof bound === "object" ? bound.port : port
      return `${tls === undefined ? "http" : "https"}://${address}:${boundPort}`
    }
  )
}

const read = async (message: IncomingMessage): Promise<ReceivedRequest> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk)
  const { headers, method = "GET", url = "/" } = message
  const single = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
  const body = Buffer.concat(chunks)
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body
  return { method, target: url, headers: new Headers(single), text: plain.toString() }
}

const sendReaction = (response: ServerResponse, reaction: Reaction): void => {
  if (reaction === "silence") return
  if (reaction === "cut") return void response.socket?.destroy()
  const { headers, text } = toMessage(reaction)
  response.writeHead(reaction.status, headers).end(text)
}

/** The headers and the body of an answer as they are sent. */
export const toMessage = ({ body, headers, text = body === undefined ? "" : JSON.stringify(body) }: VendorAnswer) => ({
  text,
  headers: {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    "content-length": String(Buffer.byteLength(text)),
    ...headers
  }
})
