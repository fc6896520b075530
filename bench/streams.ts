import { Effect } from "effect"
import { type BenchDatabase, connectionIdOf, createBenchDatabase, insertPerConnection } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report, roundToThreeDigits, type Target } from "./Report.ts"
import { startStreamClients, type StreamStatus } from "./StreamClients.ts"
import { generateLoad, type LoadResult } from "./generateLoad.ts"
import { type EndpointName, requestsFor, tokenRequest } from "./httpRequests.ts"
import { residentMegabytes } from "./processes.ts"
import { discoveredConnection } from "./typicalConnection.ts"

/**
 * What it costs that each of a thousand connections is followed by its platform's server and by its customer's browser:
 * memory, and the speed of the API beside these streams. And whether all of them hear.
 */
export const streams: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    yield* insertPerConnection(database, connections, discoveredConnection)
    const service = yield* startBenchSubject("service", database)
    const followers = yield* startStreamClients
    const requests = yield* streamRequests(service, database)

    yield* Effect.sleep("5 seconds")
    const before = residentMegabytes(service.pid)
    yield* followers.open(service.port, requests)
    yield* Effect.sleep("50 seconds")
    const megabytes = residentMegabytes(service.pid) - before
    const idle = yield* followers.status
    yield* followers.close

    const follow = ({ port }: BenchSubject) => followers.open(port, requests)
    const turns = yield* turnsOf([service, yield* startBenchSubject("service", database)], database, {
      ...followers,
      follow
    })
    yield* follow(service)
    const { millis } = yield* followers.change(cancellations(service, database))
    return reportOf({ megabytes, idle, millis, turns })
  })
)

const connections = 1_000
const changes = 200
const endpoints: ReadonlyArray<EndpointName> = ["get", "create"]

const apiOf = ({ port }: BenchSubject) => `http://127.0.0.1:${port}/v1/connections`

/** The whole HTTP requests of two streams of each connection: with the key first, then with browser tokens. */
const streamRequests = (service: BenchSubject, database: BenchDatabase) =>
  Effect.gen(function* () {
    const ids = Array.from({ length: connections }, (_, index) => connectionIdOf(index + 1))
    const tokens = yield* Effect.forEach(ids, (id) => tokenFor(id, service, database), { concurrency: 16 })
    return [
      ...ids.map((id) => streamRequest(id, `x-api-key: ${database.key}`)),
      ...tokens.map((token, at) =>
        streamRequest(connectionIdOf(at + 1), `authorization: Bearer ${token}\r\norigin: ${tokenRequest.origin}`)
      )
    ]
  })

const streamRequest = (id: string, credential: string) =>
  `GET /v1/connections/${id}/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n\r\n`

const tokenFor = (id: string, service: BenchSubject, { key }: BenchDatabase) =>
  Effect.promise(async (): Promise<string> => {
    const answer = await fetch(`${apiOf(service)}/${id}/access-token`, posting(key, tokenRequest))
    const { accessToken }: any = await answer.json()
    return accessToken
  })

/** The last news of a connection, which only its server hears: its browser's token is no longer good. */
const cancellations = (service: BenchSubject, { key }: BenchDatabase) =>
  Array.from({ length: changes }, (_, index) => ({
    url: `${apiOf(service)}/${connectionIdOf(index + 1)}/cancel`,
    ...posting(key, {})
  }))

const posting = (key: string, body: object) => ({
  method: "POST",
  headers: { "x-api-key": key, "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** One endpoint under load for a moment, by a process with the streams or without them. */
interface Turn {
  readonly endpoint: EndpointName
  readonly beside: boolean
  readonly load: LoadResult
}

/**
 * Two processes take turns, so short that what else the machine does falls on both alike; first one of them has the
 * streams, then the other, since no two are equally fast.
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
          Effect.map(generateLoad(service, requestsFor(endpoint, key, connections), millis), (load): Turn => {
            return { endpoint, beside: service === followed, load }
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

interface Measured {
  readonly megabytes: number
  readonly idle: StreamStatus
  readonly millis: ReadonlyArray<number>
  readonly turns: ReadonlyArray<Turn>
}

const reportOf = ({ idle, megabytes, millis, turns }: Measured): Report => {
  const speeds = endpoints.flatMap((endpoint) =>
    [true, false].map((beside) => {
      const loads = turns.filter((turn) => turn.endpoint === endpoint && turn.beside === beside).map(({ load }) => load)
      const meanOf = (figure: keyof LoadResult) => loads.reduce((sum, load) => sum + load[figure], 0) / loads.length
      return {
        endpoint,
        beside,
        perSecond: meanOf("perSecond"),
        p50: meanOf("p50"),
        p99: meanOf("p99"),
        ownMicros: meanOf("ownMicros")
      }
    })
  )
  const speedOf = (endpoint: EndpointName, beside: boolean) =>
    speeds.find((speed) => speed.endpoint === endpoint && speed.beside === beside)?.perSecond ?? Number.NaN
  const sorted = millis.toSorted((one, other) => one - other)
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((share) => sorted[Math.floor(share * (changes - 1))])
  return {
    title: `Streams: ${2 * connections} idle event streams on one process`,
    lines: [
      `from the command that changes a connection to its event: p50 ${roundToThreeDigits(p50)} ms, p99 ${roundToThreeDigits(p99)} ms`,
      ...formatTable([
        ["", "", "requests/s", "p50 ms", "p99 ms", "own µs"],
        ...speeds.map((speed) => [
          speed.beside ? speed.endpoint : "",
          speed.beside ? "beside the streams" : "without them",
          speed.perSecond.toFixed(0),
          speed.p50.toFixed(2),
          speed.p99.toFixed(2),
          speed.ownMicros.toFixed(0)
        ])
      ]),
      `The means of ${2 * rounds} turns of ${turnMillis / 1_000} s.`
    ],
    figures: { megabytes, idle, changeMillis: { p50, p99 }, speeds },
    targets: [
      { kind: "gate", what: "MB more", value: megabytes, atMost: 100 },
      { kind: "gate", what: "streams that live", value: idle.live, atLeast: 2 * connections },
      { kind: "gate", what: "heartbeats that each has heard", value: idle.heartbeats, atLeast: 3 },
      ...endpoints.map((endpoint): Target => ({
        kind: "gate",
        what: `${endpoint} beside the streams ÷ without them`,
        value: speedOf(endpoint, true) / speedOf(endpoint, false),
        atLeast: asFast
      }))
    ]
  }
}

/** Two equal processes are no closer to each other on a machine with other work. */
const asFast = 0.9
