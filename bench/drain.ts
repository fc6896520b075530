import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import { createBenchDatabase, insertPerConnection, runOnDatabase } from "./BenchDatabase.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { type Report, roundToThreeDigits } from "./Report.ts"
import { requestedConnection } from "./typicalConnection.ts"
import { portsByAddress, typicalInternet } from "./typicalInternet.ts"

/**
 * How fast a backlog of connections that are due at once is discovered: as it is, over name servers of this process that
 * answer at once, and with discoveries that take no time, which leaves the dispatcher, the engine and the database.
 */
export const drain: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(typicalInternet)
    const discoveries = yield* drainedBy({ PORTS: JSON.stringify(portsByAddress(internet)) })
    const phases = yield* drainedBy({})
    const unlimited = yield* drainedBy({ PHASES_IN_FLIGHT: String(backlog) })
    return {
      title: `Drain: ${backlog} connections that are due at once`,
      lines: [
        `discoveries: ${inWords(discoveries)}`,
        `phases whose discovery takes no time: ${inWords(phases)}`,
        `the same with room for all at once, the engine's own rate: ${inWords(unlimited)}`
      ],
      figures: { discoveries, phases, unlimited },
      targets: []
    }
  })
)

const backlog = 500
const longestMillis = 40_000

/** `left` had not moved when the time was over; `failed` ended in `failed`. */
interface Drained {
  readonly perSecond: number
  readonly failed: number
  readonly left: number
}

const inWords = ({ failed, left, perSecond }: Drained): string =>
  `${roundToThreeDigits(perSecond)}/s${failed > 0 ? `, ${failed} failed` : ""}${left > 0 ? `, ${left} left over` : ""}`

const drainedBy = (settings: Readonly<Record<string, string>>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* createBenchDatabase
      yield* insertPerConnection(database, backlog, requestedConnection)
      yield* startBenchSubject("lifecycle", database, settings)
      return yield* runOnDatabase(database, drained)
    })
  )

const drained: Effect.Effect<Drained, unknown, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const beganAt = performance.now()
  const elapsed = () => performance.now() - beganAt
  const standing = sql<{ readonly left: number; readonly failed: number }>`
    select count(*) filter (where state = 'requested')::int as left, count(*) filter (where state = 'failed')::int as failed
    from connections`
  yield* sql`update connections set due_at = now()`
  const [{ failed, left } = { failed: 0, left: backlog }] = yield* Effect.repeat(Effect.delay(standing, "20 millis"), {
    until: ([now]) => now?.left === 0 || elapsed() > longestMillis
  })
  return { perSecond: (backlog - left) / (elapsed() / 1_000), failed, left }
})
