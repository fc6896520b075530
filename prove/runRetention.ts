import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer } from "effect"
import { Retention } from "../src/lifecycle/scheduler/Retention.ts"
import { CredentialStore } from "../src/persistence/stores/CredentialStore.ts"
import { ExpiredRows } from "../src/persistence/stores/ExpiredRows.ts"
import { skewedClock } from "../test/support/skewedClock.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"

/** The tables that retention empties once nothing happens any more. */
export const expiringTables = [
  "cluster_messages",
  "cluster_replies",
  "idempotency_keys",
  "leases",
  "browser_tokens",
  "credentials"
] as const

/** Deletes what the service deletes in the two days after the last of what happened. */
export const runRetention = ({ run: ask }: ProofDatabase) =>
  ask(
    Effect.zipRight(
      twoDaysPass,
      Effect.provide(
        Effect.flatMap(Retention, ({ clean }) => clean),
        twoDaysLater
      )
    )
  )

const twoDaysLater = Retention.layer.pipe(
  Layer.provide(Layer.merge(ExpiredRows.layer, CredentialStore.layer)),
  // The ids of the engine's rows hold the time.
  Layer.provideMerge(skewedClock(Duration.toMillis("2 days")).layer)
)

/** The database's clock cannot be moved, so that what it wrote moves into the past. */
const twoDaysPass = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update idempotency_keys set created_at = created_at - interval '2 days'`
  yield* sql`update leases set until = until - interval '2 days'`
  yield* sql`update browser_tokens set expires_at = expires_at - interval '2 days'`
  yield* sql`update credentials set expires_at = expires_at - interval '2 days'`
})
