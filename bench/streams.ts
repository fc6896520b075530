import { Effect } from "effect"
import { type BenchDatabase, connectionIdOf, createBenchDatabase, insertPerConnection } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report, roundToThreeDigits, type Target } from "./Report.ts"
import { startStreamClients, type StreamStatus } from "./StreamClients.ts"
import { generateLoad, type LoadResult } from "./generateLoad.ts"
import { type EndpointName, requestsFor, tokenRequest } from "./httpRequests.ts"
import { residentMegabytesOf } from "./processes.ts"
import { discoveredConnection } from "./typicalConnection.ts"

/**
 * Measures the cost of two streams for each of a thousand connections, one by the platform's server and one by the
 * customer's browser: memory, and the speed of the API meanwhile. Checks that all of them receive events.
 */
export const streams: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    yield* insertPerConnection(database, connections, discoveredConnection)
    const service = yield* startBenchSubject("httpApi", database)
    const clients = yield* startStreamClients
    const requests = yield* streamRequests(service, database)

    yield* Effect.sleep("5 seconds")
    const before = residentMegabytesOf(service.pid)
    yield* clients.open(service.port, requests)
    yield* Effect.sleep("50 seconds")
    const megabytes = residentMegabytesOf(service.pid) - before
    const idle = yield* clients.status
    yield* clients.close

    const follow = ({ port }: BenchSubject) => clients.open(port, requests)
    const turns = yield* turnsOf([service, yield* startBenchSubject("httpApi", database)], database, {
      ...clients,
      follow
    })
    yield* follow(service)
    const { millis } = yield* clients.change(cancellations(service, database))
    return reportOf({ megabytes, idle, millis, turns })
  })
)

const connections = 1_000
const changes = 200
const endpoints: ReadonlyArray<EndpointName> = ["get", "create"]

const apiOf = ({ port }: BenchSubject) => `http://127.0.0.1:${port}/v1/connections`

/** The raw HTTP requests of two streams for each connection: first with the API key, then with browser tokens. */
const streamRequests = (service: BenchSubject, database: BenchDatabase) =>
  Effect.gen(function* () {
    const ids = Array.from({ length: connections }, (_, index) => connectionIdOf(index + 1))
    const tokens = yield* Effect.forEach(ids, (id) => tokenFor(id, service, database), { concurrency: 16 })
    return [
      ...ids.map((id) => streamRequest(id, `x-api-key: ${database.key}`)),
      ...tokens.map((token, index) =>
        streamRequest(connectionIdOf(index + 1), `authorization: Bearer ${token}\r\norigin: ${tokenRequest.origin}`)
      )
    ]
  })

const streamRequest = (id: string, credential: string) =>
  `GET /v1/connections/${id}/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n\r\n`

const tokenFor = (id: string, service: BenchSubject, { key }: BenchDatabase) =>
  Effect.promise(async (): Promise<string> => {
    const response = await fetch(`${apiOf(service)}/${id}/access-token`, postInit(key, tokenRequest))
    const { accessToken }: any = await response.json()
    return accessToken
  })

/** Commands that cancel connections. Only the server's stream gets the event: the browser token becomes invalid. */
const cancellations = (service: BenchSubject, { key }: BenchDatabase) =>
  Array.from({ length: changes }, (_, index) => ({
    url: `${apiOf(service)}/${connectionIdOf(index + 1)}/cancel`,
    ...postInit(key, {})
  }))

const postInit = (key: string, body: object) => ({
  method: "POST",
  headers: { "x-api-key": key, "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** One endpoint under load for a short time, on a process with or without open streams. */
interface EndpointTurn {
  readonly endpoint: EndpointName
  readonly hasStreams: boolean
  readonly load: LoadResult
}

/**
 * Two processes take short turns, so that other load on the machine affects both alike. First one of them has the
 * streams, then the other, because no two processes are equally fast.
 */
const turnsOf = (
  services: readonly [BenchSubject, BenchSubject],
  { key }: BenchDatabase,
  {
    close,
    follow
  }: { readonly follow: (service: BenchSubject) => Effect.Effect<unknown>; readonly close: Effect.Effect<unknown> }
) =>
  Effect.gen(function* () {
    const turns = (millis: number, followed?: BenchSubject) =>
      Effect.forEach(endpoints, (endpoint) =>
        Effect.forEach(services, (service) =>
          Effect.map(generateLoad(service, requestsFor(endpoint, key, connections), millis), (load): EndpointTurn => {
            return { endpoint, hasStreams: service === followed, load }
          })
        )
      )
    yield* turns(warmUpMillis)
    const all = yield* Effect.forEach(services, (followed) =>
      follow(followed).pipe(
        Effect.zipRight(Effect.replicateEffect(turns(turnMillis, followed), rounds)),
        Effect.zipLeft(close)
      )
    )
    return all.flat(3)
  })

const warmUpMillis = 4_000
const turnMillis = 1_000
const rounds = 20

interface StreamMeasurements {
  readonly megabytes: number
  readonly idle: StreamStatus
  readonly millis: ReadonlyArray<number>
  readonly turns: ReadonlyArray<EndpointTurn>
}

const reportOf = ({ idle, megabytes, millis, turns }: StreamMeasurements): Report => {
  const speeds = endpoints.flatMap((endpoint) =>
    [true, false].map((hasStreams) => {
      const loads = turns
        .filter((turn) => turn.endpoint === endpoint && turn.hasStreams === hasStreams)
        .map(({ load }) => load)
      const meanOf = (figure: keyof LoadResult) => loads.reduce((sum, load) => sum + load[figure], 0) / loads.length
      return {
        endpoint,
        hasStreams,
        perSecond: meanOf("perSecond"),
        p50: meanOf("p50"),
        p99: meanOf("p99"),
        serverMicros: meanOf("serverMicros")
      }
    })
  )
  const speedOf = (endpoint: EndpointName, hasStreams: boolean) =>
    speeds.find((speed) => speed.endpoint === endpoint && speed.hasStreams === hasStreams)?.perSecond ?? Number.NaN
  const sorted = millis.toSorted((first, second) => first - second)
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((share) => sorted[Math.floor(share * (changes - 1))])
  return {
    title: `Streams: ${2 * connections} idle event streams on one process`,
    lines: [
      `from a command to its event: p50 ${roundToThreeDigits(p50)} ms, p99 ${roundToThreeDigits(p99)} ms`,
      ...formatTable([
        ["", "", "requests/s", "p50 ms", "p99 ms", "CPU µs"],
        ...speeds.map((speed) => [
          speed.hasStreams ? speed.endpoint : "",
          speed.hasStreams ? "with the streams" : "without them",
          speed.perSecond.toFixed(0),
          speed.p50.toFixed(2),
          speed.p99.toFixed(2),
          speed.serverMicros.toFixed(0)
        ])
      ]),
      `The means of ${2 * rounds} turns of ${turnMillis / 1_000} s.`
    ],
    figures: { megabytes, idle, changeMillis: { p50, p99 }, speeds },
    targets: [
      { kind: "gate", what: "MB of memory that the streams take", value: megabytes, atMost: 100 },
      { kind: "gate", what: "live streams", value: idle.live, atLeast: 2 * connections },
      { kind: "gate", what: "heartbeats on each stream", value: idle.heartbeats, atLeast: 3 },
      ...endpoints.map((endpoint): Target => ({
        kind: "gate",
        what: `${endpoint} with the streams ÷ without them`,
        value: speedOf(endpoint, true) / speedOf(endpoint, false),
        atLeast: minimumRatio
      }))
    ]
  }
}

/** Two equal processes differ by this much on a machine with other work. */
const minimumRatio = 0.9
