import type { Socket } from "bun"

/** What a client does with its socket after the request. */
export interface SocketPlan {
  /** Whether the client reads the whole response, or only its beginning. */
  readonly isResponseRead: boolean
  /** Whether the client goes on sending the body, one byte a second. */
  readonly hasSlowBody: boolean
}

/** A raw HTTP client that keeps its socket open as long as the server allows. */
export class PersistentSocket {
  /** The status of the response, `unanswered` before it, or `failed` without a connection. */
  status = "unanswered"
  bytesWritten = 0
  bytesRead = 0
  isEndedByServer = false
  readonly #request: string
  readonly #plan: SocketPlan
  readonly #settled = Promise.withResolvers<void>()
  #socket: Socket | undefined
  #drip: ReturnType<typeof setInterval> | undefined
  /** The beginning of the response. */
  #head = ""

  constructor(request: string, plan: SocketPlan) {
    this.#request = request
    this.#plan = plan
  }

  /** Returns once the status of the response is known, or at once if the body is still being sent. */
  async open(hostname: string, port: number): Promise<void> {
    const { hasSlowBody, isResponseRead } = this.#plan
    try {
      this.#socket = await Bun.connect({
        hostname,
        port,
        socket: {
          open: (socket) => {
            this.bytesWritten += socket.write(this.#request)
            if (hasSlowBody) this.#drip = setInterval(() => this.#sendByte(), 1_000)
            if (hasSlowBody) this.#settled.resolve()
          },
          data: (socket, chunk) => {
            this.#read(chunk)
            if (!isResponseRead && this.status !== "unanswered") socket.pause()
          },
          close: () => this.#end()
        }
      })
    } catch {
      this.status = "failed"
      this.#end()
    }
    await this.#settled.promise
  }

  close(): void {
    clearInterval(this.#drip)
    this.#socket?.terminate()
  }

  #sendByte(): void {
    if (!this.isEndedByServer) this.bytesWritten += Math.max(0, this.#socket?.write(" ") ?? 0)
  }

  #read(chunk: Uint8Array): void {
    this.bytesRead += chunk.length
    if (this.#head.length >= statusEnd) return
    this.#head += Buffer.from(chunk.subarray(0, statusEnd)).toString("latin1")
    if (this.#head.length < statusEnd) return
    this.status = this.#head.slice(statusEnd - 3, statusEnd)
    this.#settled.resolve()
  }

  #end(): void {
    clearInterval(this.#drip)
    this.isEndedByServer = true
    this.#settled.resolve()
  }
}

/** Where the status ends in `HTTP/1.1 200`. */
const statusEnd = 12
