import { delayBetween, recordSchedulingDelays } from "./SchedulingDelays.ts"
import type { ProbeSample, ProbeWindow } from "./ProbeSummary.ts"
import { serveOperations } from "./ChildProcess.ts"

/** The service and what the victim requests of it. */
export interface ProbeTarget {
  readonly url: string
  /** The process of the service. */
  readonly pid: number
  readonly key: string
  readonly connectionId: string
  readonly getsPerSecond: number
  readonly discoveryEveryMillis: number
  /** Keys of the victim that the service has not seen. In the window each reads the connection once, at fixed times. */
  readonly newKeys: ReadonlyArray<string>
  readonly newKeyEveryMillis: number
  /** Each discovery is of another subdomain of the next of these zones. */
  readonly zones: ReadonlyArray<string>
  readonly records: ReadonlyArray<object>
  /** The address of a server that does nothing but answer. It is read as often as the connection. */
  readonly referenceUrl: string
}

/** How many requests of each kind are sent one after the other. */
export interface ProbeCounts {
  readonly gets: number
  readonly discoveries: number
}

const delays = recordSchedulingDelays()

/** A request that was sent, and its answer. */
interface SentRequest {
  readonly kind: keyof ProbeWindow
  readonly sentAt: number
  readonly answer: Promise<ReceivedAnswer>
}

/** An answer, or the end of the wait for it. */
interface ReceivedAnswer {
  readonly sentAt: number
  readonly at: number
  readonly failure: string | undefined
}

let target: ProbeTarget
let timers: ReadonlyArray<() => void> = []
let sent: Array<SentRequest> = []
let discoveries = 0

const probe = {
  /** Starts to send, at fixed times whether answers come or not. */
  start: async (given: ProbeTarget): Promise<void> => {
    await probe.stop()
    target = given
    delays.watch(given.pid)
    timers = [
      repeat(1_000 / given.getsPerSecond, () => {
        record("gets", get)
        record("references", getReference)
      }),
      repeat(given.discoveryEveryMillis, () => record("discoveries", discover))
    ]
  },
  stop: async (): Promise<void> => {
    for (const stop of timers) stop()
    timers = []
  },
  /** Forgets everything sent so far, and begins to use the new keys. */
  beginWindow: async (): Promise<void> => {
    sent = []
    const keys = [...target.newKeys]
    const useNext = () => {
      const key = keys.shift()
      if (key !== undefined) record("firstUses", (signal) => getWith(key, signal))
    }
    timers = [...timers, repeat(target.newKeyEveryMillis, useNext)]
  },
  /** Waits a few seconds for the answers to everything sent in the window; without one a request has failed. */
  endWindow: async (): Promise<ProbeWindow> => {
    const all = sent
    sent = []
    const end = Bun.sleep(awaitedMillis)
    const samplesOf = async (kind: keyof ProbeWindow) => {
      const answers = await Promise.all(
        all
          .filter((request) => request.kind === kind)
          .map(({ answer, sentAt }) => Promise.race([answer, end.then(() => withoutAnswer(kind, sentAt))]))
      )
      return answers.map(toSample)
    }
    return {
      gets: await samplesOf("gets"),
      firstUses: await samplesOf("firstUses"),
      discoveries: await samplesOf("discoveries"),
      references: await samplesOf("references")
    }
  },
  /** Sends requests one after the other, besides those at fixed times. */
  sendInTurn: async (counts: ProbeCounts): Promise<ProbeWindow> => ({
    discoveries: await (await inTurn(counts.discoveries, () => send(discover))).map(toSample),
    gets: (await inTurn(counts.gets, () => send(get))).map(toSample),
    firstUses: [],
    references: []
  })
}

export type VictimProbeOperations = typeof probe

/** Runs at fixed intervals from now on; after a delay all missed runs are made up for at once. */
const repeat = (intervalMillis: number, run: () => void): (() => void) => {
  let dueAt = performance.now()
  let timer: ReturnType<typeof setTimeout>
  const tick = () => {
    for (const now = performance.now(); dueAt <= now; dueAt += intervalMillis) run()
    timer = setTimeout(tick, Math.max(1, dueAt - performance.now()))
  }
  tick()
  return () => clearTimeout(timer)
}

const record = (kind: keyof ProbeWindow, request: ProbeRequest) =>
  void sent.push({ kind, sentAt: performance.now(), answer: send(request) })

const inTurn = async <A>(count: number, run: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const results: Array<A> = []
  for (let nth = 0; nth < count; nth += 1) results.push(await run())
  return results
}

/** Returns why the request failed. */
type ProbeRequest = (signal: AbortSignal) => Promise<string | undefined>

const send = async (request: ProbeRequest): Promise<ReceivedAnswer> => {
  const sentAt = performance.now()
  const failure = await request(AbortSignal.timeout(timeoutMillis)).catch((cause) => `no response: ${cause}`)
  return { sentAt, at: performance.now(), failure }
}

/** Delays are recorded a little after they end, so this is for answers of which some came before the last one. */
const toSample = ({ at, failure, sentAt }: ReceivedAnswer): ProbeSample => {
  const times = {
    millis: at - sentAt,
    schedulingDelayMillis: delayBetween(delays.own, sentAt, at),
    machineDelayMillis: delayBetween(delays.machine, sentAt, at)
  }
  return failure === undefined ? times : { ...times, failure }
}

const timeoutMillis = 25_000

/** Longer than any gate allows a healthy discovery to take. */
const awaitedMillis = 7_000

const withoutAnswer = (kind: keyof ProbeWindow, sentAt: number): ReceivedAnswer => ({
  sentAt,
  at: performance.now(),
  failure: `${kind} unanswered`
})

const get: ProbeRequest = (signal) => getWith(target.key, signal)

const getWith = async (key: string, signal: AbortSignal): Promise<string | undefined> => {
  const { connectionId, url } = target
  const response = await fetch(`${url}/v1/connections/${connectionId}`, { signal, headers: { "x-api-key": key } })
  await response.arrayBuffer()
  return response.status === 200 ? undefined : `get ${response.status}`
}

const getReference: ProbeRequest = async (signal) => {
  await (await fetch(target.referenceUrl, { signal })).arrayBuffer()
  return undefined
}

const discover: ProbeRequest = async (signal) => {
  const { key, records, url, zones } = target
  const number = discoveries++
  const domain = `d${number}.${zones[number % zones.length]}`
  const response = await fetch(`${url}/v1/connections`, {
    method: "POST",
    signal,
    headers: { "x-api-key": key, "content-type": "application/json", prefer: "wait=20" },
    body: JSON.stringify({ intent: { domain, records }, allowDuplicate: true })
  })
  const { connection, error }: any = await response.json()
  if (response.status !== 201) return `discovery ${response.status} ${error?.code}`
  if (connection.plan !== undefined) return undefined
  return `discovery ${connection.state} ${connection.failure?.code ?? "without a plan"}`
}

serveOperations(probe)
