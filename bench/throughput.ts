import { Effect } from "effect"
import { createBenchDatabase, insertDiscoveredConnections } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { formatTable, median, type Report, roundToThreeDigits, type Target } from "./Report.ts"
import { clientCount, generateLoad, type LoadResult } from "./generateLoad.ts"
import { type EndpointName, endpointNames, requestsFor } from "./httpRequests.ts"
import { type RecordedResponses, recordResponses, responseDifferences } from "./responseParity.ts"

/**
 * Compares three endpoints of this service with those of its peers, on one database and under the same load. They take
 * turns in short rounds, because the machine's speed changes from minute to minute.
 */
export const throughput: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    yield* insertDiscoveredConnections(database, 1, connections)
    const recordings = yield* Effect.forEach(names, (name) => recordResponses(name, database))
    const differences = responseDifferences(recordings)
    if (differences.length > 0) return yield* Effect.dieMessage(differences.join("\n"))

    const subjects = yield* Effect.forEach(names, (name) => startBenchSubject(name, database))
    const turn = (endpoint: EndpointName, subject: BenchSubject, millis: number) =>
      Effect.map(generateLoad(subject, requestsFor(endpoint, database.key, connections), millis), (load) => ({
        endpoint,
        subject: subject.name,
        load
      }))
    const round = Effect.forEach(endpointNames, (endpoint) =>
      Effect.forEach(subjects, (subject) => turn(endpoint, subject, roundMillis))
    )
    yield* Effect.forEach(endpointNames, (endpoint) =>
      Effect.forEach(subjects, (subject) => turn(endpoint, subject, warmUpMillis))
    )
    const turns = (yield* Effect.replicateEffect(round, rounds)).flat(2)
    return reportOf(turns, recordings)
  })
)

const names = ["httpApi", "floor", "preparedFloor", "bunSql", "hono"] as const
type SubjectName = (typeof names)[number]

/** The gates compare with the floor, which uses the service's driver by its defaults; the others show what is possible. */
const descriptions: Readonly<Record<SubjectName, string>> = {
  httpApi: "this service, its dispatcher paused",
  floor: "by hand on Bun.serve and pg, the driver of the service, its statements not prepared",
  preparedFloor: "the same with prepared statements, such as the service has; no gate",
  bunSql: "by hand on Bun.serve and Bun.SQL, the fastest driver there is; no gate",
  hono: "what a user would write instead: Hono on Bun with postgres.js"
}

const connections = 1_000
const rounds = 3
const roundMillis = 2_000
/** Long enough for Bun's compiler to optimize a service with many parts. */
const warmUpMillis = 2_500

interface SubjectTurn {
  readonly endpoint: EndpointName
  readonly subject: string
  readonly load: LoadResult
}

/** The medians of one endpoint, and the throughput of the service divided by that of each peer. */
interface Comparison {
  readonly endpoint: EndpointName
  readonly medians: Readonly<Record<SubjectName, LoadResult>>
  readonly httpApiTo: Readonly<Record<Exclude<SubjectName, "httpApi">, number>>
}

const reportOf = (turns: ReadonlyArray<SubjectTurn>, recordings: ReadonlyArray<RecordedResponses>): Report => {
  const comparisons = endpointNames.map((endpoint) =>
    comparisonOf(
      turns.filter((turn) => turn.endpoint === endpoint),
      endpoint
    )
  )
  return {
    title: "HTTP: this service and the subjects that it is compared with",
    lines: [
      ...names.map((name) => `${name}: ${descriptions[name]}`),
      ...formatTable([
        ["", "", "requests/s", "p50 ms", "p99 ms", "CPU µs", "httpApi ÷ it"],
        ...comparisons.flatMap(rowsOf)
      ]),
      `${clientCount} clients, ${connections} connections, the median of ${rounds} rounds of ${roundMillis / 1_000} s; the load generator took ${roundToThreeDigits(median(turns.map(({ load }) => load.clientMicros)))} µs a request.`,
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
    targets: [
      ...comparisons.flatMap(targetsOf),
      ...recordings.filter(({ name }) => name === "httpApi").map(createTarget)
    ]
  }
}

const comparisonOf = (turns: ReadonlyArray<SubjectTurn>, endpoint: EndpointName): Comparison => {
  const of = (name: SubjectName): LoadResult => {
    const loads = turns.filter(({ subject }) => subject === name).map(({ load }) => load)
    const medianOf = (figure: keyof LoadResult) => median(loads.map((load) => load[figure]))
    return {
      perSecond: medianOf("perSecond"),
      p50: medianOf("p50"),
      p99: medianOf("p99"),
      ownMicros: medianOf("ownMicros"),
      clientMicros: medianOf("clientMicros")
    }
  }
  const medians = {
    httpApi: of("httpApi"),
    floor: of("floor"),
    preparedFloor: of("preparedFloor"),
    bunSql: of("bunSql"),
    hono: of("hono")
  }
  const httpApiTo = ({ perSecond }: LoadResult) => medians.httpApi.perSecond / perSecond
  return {
    endpoint,
    medians,
    httpApiTo: {
      floor: httpApiTo(medians.floor),
      preparedFloor: httpApiTo(medians.preparedFloor),
      bunSql: httpApiTo(medians.bunSql),
      hono: httpApiTo(medians.hono)
    }
  }
}

const rowsOf = ({ endpoint, medians, httpApiTo }: Comparison): ReadonlyArray<ReadonlyArray<string>> =>
  names.map((name) => {
    const { ownMicros, p50, p99, perSecond } = medians[name]
    return [
      name === "httpApi" ? endpoint : "",
      name,
      perSecond.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      ownMicros.toFixed(0),
      name === "httpApi" ? "" : httpApiTo[name].toFixed(2)
    ]
  })

const toFloorAtLeast = { create: 0.35, get: 0.5, token: 0.5 }

const targetsOf = ({ endpoint, httpApiTo }: Comparison): ReadonlyArray<Target> => [
  { kind: "gate", what: `${endpoint} ÷ floor`, value: httpApiTo.floor, atLeast: toFloorAtLeast[endpoint] },
  { kind: "aim", what: `${endpoint} ÷ Hono`, value: httpApiTo.hono, atLeast: 1 }
]

/** One of the round trips is the key check. */
const createTarget = ({ roundTrips: { create } }: RecordedResponses): Target => ({
  kind: "gate",
  what: "round trips of create after the key check",
  value: create - 1,
  atMost: 1
})
