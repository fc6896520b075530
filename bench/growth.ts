import { Effect } from "effect"
import { createBenchDatabase, insertDiscoveredConnections } from "./BenchDatabase.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report } from "./Report.ts"
import { generateLoad } from "./generateLoad.ts"
import { requestsFor } from "./httpRequests.ts"

/** Measures get under the same load while the table grows to a million rows. */
export const growth: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    const service = yield* startBenchSubject("httpApi", database)
    const getAmong = (connections: number, millis: number) =>
      generateLoad(service, requestsFor("get", database.key, connections), millis)

    yield* insertDiscoveredConnections(database, 1, 1)
    yield* getAmong(1, warmUpMillis)
    const steps = yield* Effect.forEach(sizes, (connections, index) =>
      Effect.gen(function* () {
        if (index > 0) yield* insertDiscoveredConnections(database, 1 + (sizes[index - 1] ?? 0), connections)
        return { connections, ...(yield* getAmong(connections, roundMillis)) }
      })
    )
    const [first, last] = [steps.at(0)?.perSecond ?? 0, steps.at(-1)?.perSecond ?? 0]
    return {
      title: "Growth: reading one connection of a growing table, each with a document of three thousand bytes",
      lines: formatTable([
        ["connections", "", "requests/s", "p50 ms", "p99 ms"],
        ...steps.map(({ connections, p50, p99, perSecond }) => [
          connections.toLocaleString("en"),
          "",
          perSecond.toFixed(0),
          p50.toFixed(2),
          p99.toFixed(2)
        ])
      ]),
      figures: steps,
      targets: [
        {
          kind: "aim",
          what: "reads per second of one connection in a million ÷ of the only one",
          value: last / first,
          atLeast: 0.8
        }
      ]
    }
  })
)

const sizes = [1, 1_000, 100_000, 1_000_000]
const roundMillis = 3_000
const warmUpMillis = 4_000
