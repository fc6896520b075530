import type { Socket } from "bun"
import type { ChangeRequest, StreamClientCommand, StreamClientReply, StreamStatus } from "./StreamClients.ts"

process.on("message", (order: StreamClientCommand) => {
  void answerTo(order).then((answer) => process.send?.(answer))
})

const answerTo = (order: StreamClientCommand): Promise<StreamClientReply> =>
  carriedOut(order).then(standing, (cause) => ({ error: String(cause) }))

let streams: ReadonlyArray<Follower> = []

/** For each change, how long it took to be heard of. */
const carriedOut = async (order: StreamClientCommand): Promise<ReadonlyArray<number>> => {
  switch (order._tag) {
    case "Open":
      streams = order.requests.map((request) => new Follower(order.port, request))
      await openAll(streams.values())
      return []
    case "Change": {
      const millis: Array<number> = []
      for (const [index, command] of order.commands.entries()) millis.push(await heardAfter(command, streams[index]))
      return millis
    }
    case "Close":
      await Promise.all(streams.map((stream) => stream.end()))
      return []
    case "Look":
      return []
  }
}

/** One after the other, as customers come: a crowd that comes all at once costs what any crowd of requests costs. */
const openAll = (unopened: IterableIterator<Follower>) => {
  const openNext = async () => {
    for (const stream of unopened) await stream.open()
  }
  return Promise.all(Array.from({ length: openedAtOnce }, openNext))
}

const openedAtOnce = 16

const heardAfter = async ({ url, ...command }: ChangeRequest, stream: Follower | undefined): Promise<number> => {
  const heard = stream?.nextNews()
  const sentAt = performance.now()
  const { ok, status } = await fetch(url, command)
  if (!ok) throw new Error(`the service answers a command by ${status}`)
  return ((await heard) ?? Number.NaN) - sentAt
}

const standing = (millis: ReadonlyArray<number>): StreamStatus => {
  const live = streams.filter(({ isLive }) => isLive)
  return { live: live.length, heartbeats: Math.min(...live.map(({ heartbeats }) => heartbeats)), millis }
}

/** One stream, of which no more is read than whether it lives. */
class Follower {
  isLive = false
  heartbeats = 0
  readonly #port: number
  readonly #request: string
  readonly #closed = Promise.withResolvers<void>()
  #socket: Socket | undefined
  #onNews: ((at: number) => void) | undefined

  constructor(port: number, request: string) {
    this.#port = port
    this.#request = request
  }

  /** Returns once the stream has told its connection. */
  async open(): Promise<void> {
    const told = this.nextNews()
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: this.#port,
      socket: {
        open: (socket) => void socket.write(this.#request),
        data: (_, chunk) => this.#hear(chunk.toString("latin1")),
        close: () => {
          this.isLive = false
          this.#closed.resolve()
        }
      }
    })
    await Promise.race([told, this.#closed.promise])
    if (!this.isLive) throw new Error("the service ended a stream that had told nothing")
  }

  /** When it tells something next. */
  nextNews(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#onNews = resolve
    return promise
  }

  async end(): Promise<void> {
    this.#socket?.end()
    await this.#closed.promise
  }

  /** A comment is a heartbeat; the event of the connection comes last of all that is told at a time. */
  #hear(text: string): void {
    this.heartbeats += text.split("\n: \n\n").length - 1
    if (!text.includes("event: connection\n")) return
    this.isLive = true
    this.#onNews?.(performance.now())
  }
}
