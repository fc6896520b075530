import { Effect } from "effect"
import { createBenchDatabase, insertDiscoveredConnections } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { generateLoad, type LoadResult } from "./generateLoad.ts"
import { requestsFor } from "./httpRequests.ts"
import { median, quantile, type Report, roundToThreeDigits } from "./Report.ts"

/**
 * Measures what the line of the log costs for each request: two processes of the service, one without a log, get the
 * same load in turn. Their processor times are compared, which other programs on the machine hardly change.
 */
export const requestLog: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    yield* insertDiscoveredConnections(database, 1, connections)
    const silent = yield* startBenchSubject("httpApi", database)
    const logging = yield* startBenchSubject("httpApi", database, { LOG_LEVEL: "info" })
    const loadFor = (subject: BenchSubject, millis: number) =>
      generateLoad(subject, requestsFor("get", database.key, connections), millis)
    yield* loadFor(silent, warmUpMillis)
    yield* loadFor(logging, warmUpMillis)
    const pairs: Array<{ readonly without: LoadResult; readonly withLog: LoadResult }> = []
    for (let round = 0; round < rounds; round += 1) {
      // In turn one comes first.
      const [first, second] = round % 2 === 0 ? [silent, logging] : [logging, silent]
      const [one, other] = [yield* loadFor(first, turnMillis), yield* loadFor(second, turnMillis)]
      pairs.push(round % 2 === 0 ? { without: one, withLog: other } : { without: other, withLog: one })
    }
    const ratios = pairs.map(({ withLog, without }) => withLog.serverMicros / without.serverMicros)
    const microsOf = (which: "without" | "withLog") => median(pairs.map((pair) => pair[which].serverMicros))
    const share = median(ratios) - 1
    return {
      title: "The log of requests, at a get",
      lines: [
        `processor time of a request: ${roundToThreeDigits(microsOf("without"))} µs without, ${roundToThreeDigits(microsOf("withLog"))} µs with it`,
        `${roundToThreeDigits(share * 100)} % more (quartiles ${roundToThreeDigits((quantile(ratios, 0.25) - 1) * 100)} % and ${roundToThreeDigits((quantile(ratios, 0.75) - 1) * 100)} %)`
      ],
      figures: { withoutMicros: microsOf("without"), withMicros: microsOf("withLog"), ratios },
      targets: [{ kind: "gate", what: "processor time for the log, as a share", value: share, atMost: 0.05 }]
    }
  })
)

const connections = 1_000

const warmUpMillis = 6_000

const turnMillis = 1_000

const rounds = 20
