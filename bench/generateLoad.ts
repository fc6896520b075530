import type { Socket } from "bun"
import { Effect } from "effect"
import type { BenchSubject } from "./BenchSubject.ts"
import type { RequestSet } from "./httpRequests.ts"
import { cpuMicrosOf } from "./processes.ts"

/** Latencies in milliseconds, and processor time in microseconds a request: the subject's own and the generator's. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly ownMicros: number
  readonly clientMicros: number
}

/** How many clients there are; each has one request on its way at a time. */
export const clientCount = 32

/**
 * Keeps raw sockets busy on loopback for so long. It reads of each answer no more than status and length, to take little
 * of the processor that it shares with what it measures. An answer with another status is a defect.
 */
export const generateLoad = (subject: BenchSubject, asked: RequestSet, millis: number): Effect.Effect<LoadResult> =>
  Effect.promise(async () => {
    const meter = new Meter(subject)
    const running = Array.from({ length: clientCount }, () => runClient(subject, asked, meter))
    const [result] = await Promise.all([measured(meter, millis), ...running])
    return result
  })

const measured = async (meter: Meter, millis: number): Promise<LoadResult> => {
  await Bun.sleep(settlingMillis)
  meter.begin()
  await Bun.sleep(millis)
  return meter.end()
}

/** Before this time is over nothing is counted. */
const settlingMillis = 200

/** Gathers what the clients see between `begin` and `end`; after that they ask no more. */
class Meter {
  isOver = false
  readonly #subject: BenchSubject
  readonly #latencies: Array<number> = []
  #isOn = false
  #began = { millis: 0, own: 0, client: process.cpuUsage() }

  constructor(subject: BenchSubject) {
    this.#subject = subject
  }

  begin(): void {
    this.#began = { millis: performance.now(), own: cpuMicrosOf(this.#subject.pid), client: process.cpuUsage() }
    this.#isOn = true
  }

  note(millis: number): void {
    if (this.#isOn) this.#latencies.push(millis)
  }

  end(): LoadResult {
    this.#isOn = false
    this.isOver = true
    const seconds = (performance.now() - this.#began.millis) / 1_000
    const own = cpuMicrosOf(this.#subject.pid) - this.#began.own
    const client = process.cpuUsage(this.#began.client)
    const sorted = Float64Array.from(this.#latencies).toSorted()
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
    return {
      perSecond: sorted.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
      ownMicros: own / sorted.length,
      clientMicros: (client.user + client.system) / sorted.length
    }
  }
}

/** What a client has read of the present answer, and when it asked. */
interface Reading {
  pending: Buffer
  askedAt: number
}

const runClient = async (
  { name, port }: BenchSubject,
  { requests, status }: RequestSet,
  meter: Meter
): Promise<void> => {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  const ask = (socket: Socket<Reading>) => {
    socket.data.askedAt = performance.now()
    socket.write(requests[Math.floor(Math.random() * requests.length)] ?? "")
  }
  await Bun.connect<Reading>({
    hostname: "127.0.0.1",
    port,
    data: { pending: Buffer.alloc(0), askedAt: 0 },
    socket: {
      open: ask,
      data: (socket, chunk) => {
        const { data } = socket
        data.pending = data.pending.length === 0 ? chunk : Buffer.concat([data.pending, chunk])
        const answer = wholeAnswer(data.pending)
        if (answer === undefined) return
        if (answer.status !== status) reject(new Error(`${name} answers ${data.pending.toString()}`))
        meter.note(performance.now() - data.askedAt)
        data.pending = data.pending.subarray(answer.length)
        if (meter.isOver) socket.end()
        else ask(socket)
      },
      close: () => (meter.isOver ? resolve() : reject(new Error(`${name} closes the connection`))),
      error: (_, error) => reject(error)
    }
  })
  return closed
}

/** Status and length of the answer with which these bytes begin, once it is whole. */
const wholeAnswer = (bytes: Buffer): { readonly status: number; readonly length: number } | undefined => {
  const headEnd = bytes.indexOf("\r\n\r\n")
  if (headEnd === -1) return undefined
  const head = bytes.toString("latin1", 0, headEnd)
  const length = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length < length ? undefined : { status: Number(head.slice(9, 12)), length }
}
