import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import { createBenchDatabase, insertPerConnection, runOnDatabase } from "./BenchDatabase.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { type Report, roundToThreeDigits } from "./Report.ts"
import { requestedConnection } from "./typicalConnection.ts"
import { portsByAddress, typicalInternet } from "./typicalInternet.ts"

/**
 * Measures how fast a backlog of due connections is discovered: with real discoveries over name servers in this process,
 * and with discoveries that take no time, which leaves the dispatcher and the database.
 */
export const drain: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(typicalInternet)
    const discoveries = yield* drainWith({ PORTS: JSON.stringify(portsByAddress(internet)) })
    const phases = yield* drainWith({})
    const unlimited = yield* drainWith({ PHASES_IN_FLIGHT: String(backlog) })
    return {
      title: `Drain: ${backlog} connections that are due at the same time`,
      lines: [
        `discoveries: ${formatResult(discoveries)}`,
        `phases whose discovery takes no time: ${formatResult(phases)}`,
        `the same with room for all at once: ${formatResult(unlimited)}`
      ],
      figures: { discoveries, phases, unlimited },
      targets: []
    }
  })
)

const backlog = 500
const longestMillis = 40_000

/** `undiscovered` connections were still `requested` at the end of the time; `failed` ended in the state `failed`. */
interface DrainResult {
  readonly perSecond: number
  readonly failed: number
  readonly undiscovered: number
}

const formatResult = ({ failed, undiscovered, perSecond }: DrainResult): string =>
  `${roundToThreeDigits(perSecond)}/s${failed > 0 ? `, ${failed} failed` : ""}${undiscovered > 0 ? `, ${undiscovered} left over` : ""}`

const drainWith = (settings: Readonly<Record<string, string>>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* createBenchDatabase
      yield* insertPerConnection(database, backlog, requestedConnection)
      yield* startBenchSubject("lifecycle", database, settings)
      return yield* runOnDatabase(database, measureDrain)
    })
  )

const measureDrain: Effect.Effect<DrainResult, unknown, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  const counts = sql<{ readonly undiscovered: number; readonly failed: number }>`
    select count(*) filter (where state = 'requested')::int as undiscovered, count(*) filter (where state = 'failed')::int as failed
    from connections`
  yield* sql`update connections set due_at = now()`
  const [{ failed, undiscovered } = { failed: 0, undiscovered: backlog }] = yield* Effect.repeat(
    Effect.delay(counts, "20 millis"),
    {
      until: ([current]) => current?.undiscovered === 0 || elapsed() > longestMillis
    }
  )
  return { perSecond: (backlog - undiscovered) / (elapsed() / 1_000), failed, undiscovered }
})
