import { createServer, type Socket } from "node:net"
import { serveOperations } from "./ChildProcess.ts"
import { type ReceiverBehaviour, receiverBehaviours } from "./receiverBehaviours.ts"

/** The requests that came, by behaviour, and the most that were open at the same time without a whole head of an answer. */
export interface ReceivedRequests {
  readonly requests: Readonly<Record<ReceiverBehaviour, number>>
  readonly mostWaiting: number
}

const requests = { silent: 0, slow: 0, endless: 0, failing: 0 }
const waiting = new Set<Socket>()
let mostWaiting = 0

const receivers = {
  /** Listens at an address; the first word of the path of a request names the behaviour. Returns the port. */
  start: ({ hostname }: { readonly hostname: string }): Promise<number> =>
    new Promise((done, fail) => {
      const server = createServer((socket) => {
        socket.on("error", () => socket.destroy())
        socket.once("close", () => waiting.delete(socket))
        socket.once("data", (chunk) => {
          const behaviour = receiverBehaviours.find((each) => chunk.toString("latin1").startsWith(`POST /${each}/`))
          if (behaviour === undefined) return void socket.destroy()
          requests[behaviour] += 1
          answer[behaviour](socket)
          socket.resume()
        })
      })
      server.once("error", fail).listen(0, hostname, () => {
        const address = server.address()
        done(typeof address === "object" && address !== null ? address.port : 0)
      })
    }),
  received: async (): Promise<ReceivedRequests> => ({ requests, mostWaiting })
}

export type HostileReceiversOperations = typeof receivers

const keepWaiting = (socket: Socket) => {
  waiting.add(socket)
  mostWaiting = Math.max(mostWaiting, waiting.size)
}

const answer: { readonly [_ in ReceiverBehaviour]: (socket: Socket) => void } = {
  silent: keepWaiting,
  slow: (socket) => {
    keepWaiting(socket)
    socket.write("HTTP/1.1 200 OK\r\n")
    const timer = setInterval(() => socket.write("x-slow: yes\r\n"), 250)
    socket.once("close", () => clearInterval(timer))
  },
  endless: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    const writeOn = () => {
      while (!socket.destroyed && socket.write(bodyChunk));
    }
    socket.on("drain", writeOn)
    writeOn()
  },
  failing: (socket) => void socket.end("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n")
}

const bodyChunk = `4000\r\n${"x".repeat(0x4000)}\r\n`

serveOperations(receivers)
