import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Option } from "effect"
import { Retention } from "../src/lifecycle/scheduler/Retention.ts"
import { AuditStore } from "../src/persistence/stores/audit/AuditStore.ts"
import { CredentialStore } from "../src/persistence/stores/access/CredentialStore.ts"
import { ErasureStore } from "../src/persistence/stores/erasure/ErasureStore.ts"
import { ExpiredRows } from "../src/persistence/stores/erasure/ExpiredRows.ts"
import { UsageStore } from "../src/persistence/stores/usage/UsageStore.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"

/** The tables that retention empties when nothing happens any more. */
export const expiringTables = ["idempotency_keys", "leases", "browser_tokens", "credentials"] as const

/** Deletes what the service's retention deletes within two days after the last event. */
export const runRetention = ({ run }: ProofDatabase) =>
  run(
    Effect.zipRight(
      ageRows,
      Effect.provide(
        Effect.flatMap(Retention, ({ clean }) => clean),
        retentionInTwoDays
      )
    )
  )

const retentionInTwoDays = Layer.provide(
  Retention.layer({ auditRetention: Duration.days(730), endedRetention: Option.none() }),
  Layer.mergeAll(ErasureStore.layer, ExpiredRows.layer, CredentialStore.layer, AuditStore.layer, UsageStore.layer)
)

/** Moves rows two days into the past, because the database's clock cannot be moved. */
const ageRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update idempotency_keys set created_at = created_at - interval '2 days'`
  yield* sql`update leases set until = until - interval '2 days'`
  yield* sql`update browser_tokens set expires_at = expires_at - interval '2 days'`
  yield* sql`update credentials set expires_at = expires_at - interval '2 days'`
})
