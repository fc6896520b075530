import type { Socket } from "bun"
import type { ChangeRequest, StreamClientCommand, StreamClientReply, StreamStatus } from "./StreamClients.ts"

process.on("message", (command: StreamClientCommand) => {
  void replyTo(command).then((reply) => process.send?.(reply))
})

const replyTo = (command: StreamClientCommand): Promise<StreamClientReply> =>
  execute(command).then(statusAfter, (cause) => ({ error: String(cause) }))

let streams: ReadonlyArray<StreamClient> = []

/** Executes a command; returns for each change the time until its event. */
const execute = async (command: StreamClientCommand): Promise<ReadonlyArray<number>> => {
  switch (command._tag) {
    case "Open":
      streams = command.requests.map((request) => new StreamClient(command.port, request))
      await openAll(streams.values())
      return []
    case "Change": {
      const millis: Array<number> = []
      for (const [index, change] of command.commands.entries()) millis.push(await eventDelay(change, streams[index]))
      return millis
    }
    case "Close":
      await Promise.all(streams.map((stream) => stream.end()))
      return []
    case "Status":
      return []
  }
}

/** Opens the streams a few at a time, as customers come: a crowd at once would measure the cost of many requests. */
const openAll = (unopened: IterableIterator<StreamClient>) => {
  const openNext = async () => {
    for (const stream of unopened) await stream.open()
  }
  return Promise.all(Array.from({ length: openConcurrency }, openNext))
}

const openConcurrency = 16

const eventDelay = async ({ url, ...command }: ChangeRequest, stream: StreamClient | undefined): Promise<number> => {
  const event = stream?.nextEvent()
  const sentAt = performance.now()
  const { ok, status } = await fetch(url, command)
  if (!ok) throw new Error(`the service answers a command with ${status}`)
  return ((await event) ?? Number.NaN) - sentAt
}

const statusAfter = (millis: ReadonlyArray<number>): StreamStatus => {
  const live = streams.filter(({ isLive }) => isLive)
  return { live: live.length, heartbeats: Math.min(...live.map(({ heartbeats }) => heartbeats)), millis }
}

/** One stream. It reads only whether the stream is alive. */
class StreamClient {
  isLive = false
  heartbeats = 0
  readonly #port: number
  readonly #request: string
  readonly #closed = Promise.withResolvers<void>()
  #socket: Socket | undefined
  #onEvent: ((at: number) => void) | undefined

  constructor(port: number, request: string) {
    this.#port = port
    this.#request = request
  }

  /** Returns once the stream has sent its connection. */
  async open(): Promise<void> {
    const firstEvent = this.nextEvent()
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: this.#port,
      socket: {
        open: (socket) => void socket.write(this.#request),
        data: (_, chunk) => this.#read(chunk.toString("latin1")),
        close: () => {
          this.isLive = false
          this.#closed.resolve()
        }
      }
    })
    await Promise.race([firstEvent, this.#closed.promise])
    if (!this.isLive) throw new Error("the service ended a stream before its first event")
  }

  /** The time of the next event. */
  nextEvent(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#onEvent = resolve
    return promise
  }

  async end(): Promise<void> {
    this.#socket?.end()
    await this.#closed.promise
  }

  /** A comment is a heartbeat. The event `connection` comes last in each group of events. */
  #read(text: string): void {
    this.heartbeats += text.split("\n: \n\n").length - 1
    if (!text.includes("event: connection\n")) return
    this.isLive = true
    this.#onEvent?.(performance.now())
  }
}
