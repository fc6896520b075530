import { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"
import { retryDelays } from "../src/domain/webhook/WebhookDelivery.ts"
import type { Lab } from "../test/support/lab/Lab.ts"
import { startDrillGround } from "./alerts/DrillGround.ts"
import { requestedConnection } from "./alerts/drillSteps.ts"
import { startFaultyReceiver } from "./events/FaultyReceiver.ts"
import { countPending, createEndpoint } from "./events.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"

/**
 * A receiver of webhooks fails for 75 hours, and the service is killed meanwhile: each event arrives. In place of the
 * time that passes, everything that the database knows of the deliveries becomes older.
 */
export const outage: Effect.Effect<ProofResult, never, Lab> = Effect.scoped(
  Effect.gen(function* () {
    const ground = yield* startDrillGround({})
    const receiver = yield* startFaultyReceiver((attempt) => (attempt <= retryDelays.length ? "status" : undefined))
    yield* createEndpoint(ground.api, receiver)
    yield* Effect.forEach(["one", "two", "three"], (name) =>
      requestedConnection(ground.api, `unregistered-${name}.com`)
    )
    let seconds = 0
    for (let round = 1; round <= retryDelays.length; round += 1) {
      const { events, waits } = yield* Effect.repeat(Effect.delay(readDeliveries(ground.database), "200 millis"), {
        until: ({ attempts, events }) => events >= 3 && attempts >= round
      })
      if (round % 3 === 0) yield* Effect.zipRight(ground.kill, ground.start())
      yield* Effect.logInfo("Attempted").pipe(Effect.annotateLogs({ round, events, hours: seconds / 3_600 }))
      seconds += waits
      yield* letPass(ground.database, waits)
    }
    yield* Effect.repeat(Effect.delay(countPending(ground.database), "200 millis"), { until: (count) => count === 0 })
    const byEvent = Map.groupBy(receiver.attempts, ({ webhookId }) => webhookId)
    const missed = [...byEvent].filter(([, attempts]) => attempts.every(({ fault }) => fault !== undefined))
    return {
      figures: {
        hours: Math.round(seconds / 360) / 10,
        events: byEvent.size,
        attempts: [...byEvent.values()].map(({ length }) => length)
      },
      targets: [
        expectNone("events that did not arrive", missed),
        expectNone("requests with a wrong signature", receiver.unsigned),
        { kind: "gate" as const, what: "events", value: byEvent.size, atLeast: 3 },
        { kind: "gate" as const, what: "hours of the outage", value: seconds / 3_600, atLeast: 75 }
      ]
    }
  }).pipe(Effect.orDie)
)

/** How many events there are, how often the least attempted one was tried, and in how many seconds all are due. */
const readDeliveries = ({ run }: ProofDatabase) =>
  run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly events: number; readonly attempts: number; readonly waits: number }>`
        select count(*)::int as events, coalesce(min(attempts), 0)::int as attempts,
          coalesce(extract(epoch from max(due_at) - now()), 0)::float8 as waits
        from webhook_deliveries where status = 'pending'`
    )
  ).pipe(Effect.map(([row]) => row ?? { events: 0, attempts: 0, waits: 0 }))

/** Makes the deliveries, their events and their endpoint older. */
const letPass = ({ run }: ProofDatabase, seconds: number) =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) => {
      const by = sql`${Duration.toSeconds(Duration.seconds(seconds))} * interval '1 second'`
      return Effect.all([
        sql`update webhook_deliveries set due_at = due_at - ${by}, created_at = created_at - ${by},
          attempted_at = attempted_at - ${by}`,
        sql`update webhook_events set created_at = created_at - ${by}`,
        sql`update webhook_endpoints set failing_since = failing_since - ${by}`
      ])
    })
  )
