import type { Socket } from "bun"
import { Effect } from "effect"
import type { BenchSubject } from "./BenchSubject.ts"
import { type ProcessorUse, startProcessorMeter } from "./ProcessorMeter.ts"
import type { RequestSet } from "./httpRequests.ts"

/** Latencies in milliseconds; the processor times are per request. */
export interface LoadResult extends ProcessorUse {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** The number of clients; each has one request in flight at a time. */
export const clientCount = 32

/**
 * Keeps raw sockets on loopback busy for a time. It reads only status and length of each response, because it shares the
 * processor with the subject. A response with an unexpected status is a defect.
 */
export const generateLoad = (
  subject: BenchSubject,
  requestSet: RequestSet,
  millis: number,
  clients = clientCount
): Effect.Effect<LoadResult> =>
  Effect.promise(async () => {
    const meter = new Meter(subject)
    const running = Array.from({ length: clients }, () => runClient(subject, requestSet, meter))
    const [result] = await Promise.all([measure(meter, millis), ...running])
    return result
  })

const measure = async (meter: Meter, millis: number): Promise<LoadResult> => {
  await Bun.sleep(warmUpMillis)
  meter.begin()
  await Bun.sleep(millis)
  return meter.end()
}

/** Nothing is counted during this time. */
const warmUpMillis = 200

/** Collects latencies between `begin` and `end`; after that the clients stop. */
class Meter {
  isOver = false
  readonly #subject: BenchSubject
  readonly #latencies: Array<number> = []
  #start: { readonly millis: number; readonly endUse: () => ProcessorUse } | undefined

  constructor(subject: BenchSubject) {
    this.#subject = subject
  }

  begin(): void {
    this.#start = { endUse: startProcessorMeter(this.#subject), millis: performance.now() }
  }

  record(millis: number): void {
    if (this.#start !== undefined && !this.isOver) this.#latencies.push(millis)
  }

  end(): LoadResult {
    if (this.#start === undefined) throw new Error("the measurement has not begun")
    const seconds = (performance.now() - this.#start.millis) / 1_000
    const use = this.#start.endUse()
    this.isOver = true
    const sorted = Float64Array.from(this.#latencies).toSorted()
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
    return {
      perSecond: sorted.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
      serverMicros: use.serverMicros / sorted.length,
      databaseMicros: use.databaseMicros / sorted.length,
      clientMicros: use.clientMicros / sorted.length,
      foreignShare: use.foreignShare
    }
  }
}

/** The part of the current response that a client has read, and when it sent the request. */
interface ClientState {
  pending: Buffer
  sentAt: number
}

const runClient = async (
  { name, port }: BenchSubject,
  { requests, status }: RequestSet,
  meter: Meter
): Promise<void> => {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  const sendNext = (socket: Socket<ClientState>) => {
    socket.data.sentAt = performance.now()
    socket.write(requests[Math.floor(Math.random() * requests.length)] ?? "")
  }
  await Bun.connect<ClientState>({
    hostname: "127.0.0.1",
    port,
    data: { pending: Buffer.alloc(0), sentAt: 0 },
    socket: {
      open: sendNext,
      data: (socket, chunk) => {
        const { data } = socket
        data.pending = data.pending.length === 0 ? chunk : Buffer.concat([data.pending, chunk])
        const response = completeResponse(data.pending)
        if (response === undefined) return
        if (response.status !== status) reject(new Error(`${name} answers ${data.pending.toString()}`))
        meter.record(performance.now() - data.sentAt)
        data.pending = data.pending.subarray(response.length)
        if (meter.isOver) socket.end()
        else sendNext(socket)
      },
      close: () => (meter.isOver ? resolve() : reject(new Error(`${name} closes the connection`))),
      error: (_, error) => reject(error)
    }
  })
  return closed
}

/** The status and length of the response at the start of these bytes; `undefined` while it is incomplete. */
const completeResponse = (bytes: Buffer): { readonly status: number; readonly length: number } | undefined => {
  const headEnd = bytes.indexOf("\r\n\r\n")
  if (headEnd === -1) return undefined
  const head = bytes.toString("latin1", 0, headEnd)
  const length = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length < length ? undefined : { status: Number(head.slice(9, 12)), length }
}
