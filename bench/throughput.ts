import { Effect } from "effect"
import { createBenchDatabase, insertDiscoveredConnections } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { formatTable, median, type Report, type Target } from "./Report.ts"
import { clientCount, generateLoad, type LoadResult } from "./generateLoad.ts"
import { type EndpointName, endpointNames, requestsFor } from "./httpRequests.ts"
import { type RecordedResponses, recordResponses, responseDifferences } from "./responseParity.ts"
import {
  isUndisturbed,
  type LoadTurn,
  medianLoad,
  mostForeignShare,
  neighbourRatios,
  type RatioSummary,
  rotationOf,
  summarizeRatios
} from "./rotation.ts"

/**
 * Compares three endpoints of this service with those of its peers, on one database and under the same load. They take
 * short turns in rotation. A ratio is the median of those of neighbouring turns; turns that other processes disturbed
 * are dropped and repeated.
 */
export const throughput: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    yield* insertDiscoveredConnections(database, 1, connections)
    const recordings = yield* Effect.forEach(names, (name) => recordResponses(name, database))
    const differences = responseDifferences(recordings)
    if (differences.length > 0) return yield* Effect.dieMessage(differences.join("\n"))

    const service = yield* startBenchSubject("httpApi", database)
    const peers = yield* Effect.forEach(peerNames, (name) => startBenchSubject(name, database))
    const comparisons = yield* Effect.forEach(endpointNames, (endpoint) =>
      Effect.gen(function* () {
        const round = (order: ReadonlyArray<BenchSubject>, millis: number) =>
          Effect.forEach(order, (subject) =>
            Effect.map(
              generateLoad(subject, requestsFor(endpoint, database.key, connections), millis),
              (load): LoadTurn => ({ subject: subject.name, load })
            )
          )
        yield* round([service, ...peers], warmUpMillis)
        const turns: Array<LoadTurn> = []
        for (let count = 0; count < mostRounds && fewestRatios(turns) < aimedRatioCount; count += 1)
          turns.push(...(yield* round(rotationOf(service, peers), turnMillis)))
        return comparisonOf(endpoint, turns)
      })
    )
    return reportOf(comparisons, recordings)
  })
)

const peerNames = ["hono", "preparedFloor"] as const
type PeerName = (typeof peerNames)[number]

const names = ["httpApi", ...peerNames] as const
type SubjectName = (typeof names)[number]

const descriptions: Readonly<Record<SubjectName, string>> = {
  httpApi: "this service, its dispatcher paused",
  hono: "what a user would write instead: Hono on Bun with postgres.js",
  preparedFloor: "by hand on Bun.serve and pg, the driver of the service, with prepared statements as the service has"
}

const connections = 1_000
const turnMillis = 600
/** Eight rounds, if other processes disturb none of them. */
const aimedRatioCount = 15
const mostRounds = 20
/** Below this many, a median says little. */
const minimumRatioCount = 5
/** Bun's compiler optimizes a service with many parts for as long; a creation takes twice the time before. */
const warmUpMillis = 10_000

/** The medians of one endpoint, and the requests/s of the service divided by each peer's, without the dropped turns. */
interface Comparison {
  readonly endpoint: EndpointName
  readonly medians: Readonly<Record<SubjectName, LoadResult>>
  readonly httpApiTo: Readonly<Record<PeerName, RatioSummary>>
  readonly turnCount: number
  readonly droppedCount: number
}

/** The number of ratios to the peer that has the fewest. */
const fewestRatios = (turns: ReadonlyArray<LoadTurn>): number =>
  Math.min(...peerNames.map((peer) => neighbourRatios(turns, "httpApi", peer).length))

const comparisonOf = (endpoint: EndpointName, turns: ReadonlyArray<LoadTurn>): Comparison => {
  const ratioTo = (peer: PeerName) => summarizeRatios(neighbourRatios(turns, "httpApi", peer))
  return {
    endpoint,
    medians: {
      httpApi: medianLoad(turns, "httpApi"),
      hono: medianLoad(turns, "hono"),
      preparedFloor: medianLoad(turns, "preparedFloor")
    },
    httpApiTo: { hono: ratioTo("hono"), preparedFloor: ratioTo("preparedFloor") },
    turnCount: turns.length,
    droppedCount: turns.filter((turn) => !isUndisturbed(turn)).length
  }
}

const reportOf = (comparisons: ReadonlyArray<Comparison>, recordings: ReadonlyArray<RecordedResponses>): Report => ({
  title: "HTTP: this service and the subjects that it is compared with",
  lines: [
    ...names.map((name) => `${name}: ${descriptions[name]}`),
    ...formatTable([
      ["", "", "requests/s", "p50 ms", "p99 ms", "CPU µs", "PostgreSQL µs", "httpApi ÷ it", "quartiles", "ratios"],
      ...comparisons.flatMap(rowsOf)
    ]),
    `${clientCount} clients, ${connections} connections, turns of ${turnMillis} ms, the service in every second; CPU per request, of the load generator ${formatKnown(clientMicrosOf(comparisons), 0)} µs.`,
    ...comparisons.map(droppedLine),
    "All gave the same responses: status, headers, length and content.",
    ...recordings.map(
      ({ name, roundTrips: { create, get, token } }) =>
        `Round trips to the database of ${name}: create ${create}, get ${get}, token ${token}.`
    )
  ],
  figures: {
    subjects: descriptions,
    comparisons,
    roundTrips: recordings.map(({ name, roundTrips }) => ({ name, ...roundTrips }))
  },
  targets: [...comparisons.flatMap(targetsOf), ...recordings.filter(({ name }) => name === "httpApi").map(createTarget)]
})

/** The processor time that the load generator took for a request, where turns are left. */
const clientMicrosOf = (comparisons: ReadonlyArray<Comparison>): number =>
  median(
    comparisons
      .flatMap(({ medians }) => names.map((name) => medians[name].clientMicros))
      .filter((micros) => !Number.isNaN(micros))
  )

const droppedLine = ({ droppedCount, endpoint, medians, turnCount }: Comparison): string =>
  droppedCount === 0 && Number.isNaN(medians.httpApi.foreignShare)
    ? `${endpoint}: ${turnCount} turns; what other processes took is unknown on this system.`
    : `${endpoint}: ${droppedCount} of ${turnCount} turns dropped, in which other processes took more than ${mostForeignShare * 100} % of the machine.`

const rowsOf = ({ endpoint, medians, httpApiTo }: Comparison): ReadonlyArray<ReadonlyArray<string>> =>
  names.map((name) => {
    const { databaseMicros, p50, p99, perSecond, serverMicros } = medians[name]
    return [
      name === "httpApi" ? endpoint : "",
      name,
      formatKnown(perSecond, 0),
      formatKnown(p50, 2),
      formatKnown(p99, 2),
      formatKnown(serverMicros, 0),
      formatKnown(databaseMicros, 0),
      ...(name === "httpApi" ? [] : ratioCells(httpApiTo[name]))
    ]
  })

const ratioCells = (ratios: RatioSummary): ReadonlyArray<string> => [
  formatKnown(ratios.median, 2),
  `${formatKnown(ratios.lowerQuartile, 2)} to ${formatKnown(ratios.upperQuartile, 2)}`,
  `${ratios.count}`
]

const formatKnown = (value: number, digits: number): string => (Number.isNaN(value) ? "–" : value.toFixed(digits))

const toHonoAtLeast = { create: 0.85, get: 1.3, token: 1.2 }

const targetsOf = ({ endpoint, httpApiTo }: Comparison): ReadonlyArray<Target> => [
  { kind: "gate", what: `${endpoint} ÷ Hono`, value: httpApiTo.hono.median, atLeast: toHonoAtLeast[endpoint] },
  ...(endpoint === "create"
    ? [{ kind: "aim" as const, what: "create ÷ Hono", value: httpApiTo.hono.median, atLeast: 1 }]
    : []),
  ...(endpoint === "get"
    ? [{ kind: "gate" as const, what: "get ÷ prepared floor", value: httpApiTo.preparedFloor.median, atLeast: 1.2 }]
    : []),
  {
    kind: "gate",
    what: `undisturbed ratios of ${endpoint}`,
    value: Math.min(httpApiTo.hono.count, httpApiTo.preparedFloor.count),
    atLeast: minimumRatioCount
  }
]

/** One of the round trips is the key check. */
const createTarget = ({ roundTrips: { create } }: RecordedResponses): Target => ({
  kind: "gate",
  what: "round trips of create after the key check",
  value: create - 1,
  atMost: 1
})
