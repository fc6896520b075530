import { serveOperations } from "./ChildProcess.ts"
import { PersistentSocket, type SocketPlan } from "./PersistentSocket.ts"
import { countEach } from "../countEach.ts"

/** One HTTP request of an attack. */
export interface AttackRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Requests that are sent at fixed times, whether answers come or not, each in its turn. */
export interface Flood {
  readonly url: string
  readonly requests: ReadonlyArray<AttackRequest>
  readonly perSecond: number
  readonly millis: number
  /** How long answers are awaited after the last request; 5 s. */
  readonly graceMillis?: number
}

/**
 * `answers` counts the responses by status; `unanswered` are requests that the service received and has not answered,
 * `failed` those that did not reach it or whose connection it closed.
 */
export interface FloodResult {
  readonly sent: number
  readonly answers: Readonly<Record<string, number>>
}

/** Sockets that are opened at a rate and stay open. Each has its own request, in turn. */
export interface SocketOptions extends SocketPlan {
  readonly hostname: string
  readonly port: number
  readonly count: number
  readonly perSecond: number
  readonly requests: ReadonlyArray<string>
}

/** `answers` counts the sockets by the status of their response, with the words of `FloodResult`. */
export interface SocketStatus {
  readonly answers: Readonly<Record<string, number>>
  readonly bytesWritten: number
  readonly bytesRead: number
  readonly endedByServer: number
}

let sockets: Array<PersistentSocket> = []

const traffic = {
  flood: async ({ graceMillis = 5_000, millis, perSecond, requests, url }: Flood): Promise<FloodResult> => {
    const answers: Array<Promise<string>> = []
    const aborted = new AbortController()
    await atRate(perSecond, Math.max(1, Math.round((perSecond * millis) / 1_000)), (nth) => {
      const request = requests[nth % requests.length]
      if (request !== undefined) answers.push(send(url, request, aborted.signal))
    })
    await Promise.race([Promise.all(answers), Bun.sleep(graceMillis)])
    aborted.abort()
    return { sent: answers.length, answers: countEach(await Promise.all(answers)) }
  },
  /** Returns once each socket has a response, or is meant to have none, or a few seconds later. */
  openSockets: async ({
    count,
    hostname,
    perSecond,
    port,
    requests,
    ...plan
  }: SocketOptions): Promise<SocketStatus> => {
    const settled: Array<Promise<unknown>> = []
    await atRate(perSecond, count, (nth) => {
      const socket = new PersistentSocket(requests[nth % requests.length] ?? "", plan)
      sockets.push(socket)
      settled.push(socket.open(hostname, port))
    })
    await Promise.race([Promise.all(settled), Bun.sleep(settleMillis)])
    return statusOf(sockets)
  },
  closeSockets: async (): Promise<SocketStatus> => {
    const status = statusOf(sockets)
    for (const socket of sockets) socket.close()
    sockets = []
    return status
  }
}

export type AttackTrafficOperations = typeof traffic

/** How long sockets without a response are awaited. */
const settleMillis = 3_000

const atRate = async (perSecond: number, count: number, run: (nth: number) => void): Promise<void> => {
  const startedAt = performance.now()
  for (let nth = 0; nth < count;) {
    const due = Math.min(count, 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
    while (nth < due) run(nth++)
    await Bun.sleep(2)
  }
}

const send = async (url: string, { body, headers, method, path }: AttackRequest, signal: AbortSignal) => {
  try {
    const response = await fetch(`${url}${path}`, { method, headers, signal, ...(body === undefined ? {} : { body }) })
    await response.arrayBuffer()
    return String(response.status)
  } catch {
    return signal.aborted ? "unanswered" : "failed"
  }
}

const statusOf = (all: ReadonlyArray<PersistentSocket>): SocketStatus => ({
  answers: countEach(all.map(({ status }) => status)),
  bytesWritten: all.reduce((sum, socket) => sum + socket.bytesWritten, 0),
  bytesRead: all.reduce((sum, socket) => sum + socket.bytesRead, 0),
  endedByServer: all.filter(({ isEndedByServer }) => isEndedByServer).length
})

serveOperations(traffic)
