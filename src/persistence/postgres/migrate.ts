import { Migrator, SqlClient } from "@effect/sql"
import { Array, Data, Duration, Effect, Layer, Order, Schedule, Schema } from "effect"
import connections from "../migrations/0001_connections.ts"
import keys from "../migrations/0002_keys.ts"
import credentials from "../migrations/0003_credentials.ts"
import journal from "../migrations/0004_journal.ts"
import lifecycle from "../migrations/0005_lifecycle.ts"
import retention from "../migrations/0006_retention.ts"
import oauth from "../migrations/0007_oauth.ts"
import tokenGeneration from "../migrations/0008_token_generation.ts"
import dueByTenant from "../migrations/0009_due_by_tenant.ts"
import usage from "../migrations/0010_usage.ts"
import connectionHosts from "../migrations/0011_connection_hosts.ts"
import processes from "../migrations/0012_processes.ts"
import webhooks from "../migrations/0013_webhooks.ts"
import applications from "../migrations/0014_applications.ts"
import control from "../migrations/0015_control.ts"
import audit from "../migrations/0016_audit.ts"
import connectionNames from "../migrations/0017_connection_names.ts"
import admin from "../migrations/0018_admin.ts"
import testZones from "../migrations/0019_test_zones.ts"
import changedIntents from "../migrations/0020_changed_intents.ts"
import usageHistory from "../migrations/0021_usage_history.ts"
import adminAudit from "../migrations/0022_admin_audit.ts"
import hostClaims from "../migrations/0023_host_claims.ts"
import testZoneUsage from "../migrations/0024_test_zone_usage.ts"
import testEvents from "../migrations/0025_test_events.ts"
import webhookRates from "../migrations/0026_webhook_rates.ts"
import formerHosts from "../migrations/0027_former_hosts.ts"
import billedTenants from "../migrations/0028_billed_tenants.ts"
import masterKeys from "../migrations/0029_master_keys.ts"
import keptJournals from "../migrations/0030_kept_journals.ts"
import erasure from "../migrations/0031_erasure.ts"
import { decodeRows } from "../stores/decodeRows.ts"
import { retryAtStart } from "./retryAtStart.ts"

/** A newer version of the service has changed the tables; `message` names both versions of the schema. */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{ readonly message: string }> {}

/**
 * Creates and updates the tables of the service before anything that uses them is built, or fails if a newer version has
 * changed them. It tries again if the server goes away meanwhile, as an embedded one does
 * with the process that started it.
 */
export const migrationsLayer = Layer.effectDiscard(retryAtStart(Effect.suspend(() => migrate)))

/** Brings the tables of the service up to date. Processes that start together wait for each other. */
const migrate = Effect.suspend(() =>
  Effect.scoped(
    Effect.all(
      [
        migrationLock,
        requireKnownSchema,
        Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })
      ],
      { discard: true }
    )
  )
)

/** A program that does not know the newest tables could ignore what protects them, such as the generation of tokens. */
const requireKnownSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql`select to_regclass('migrations') is not null as exists`
  if (table?.["exists"] !== true) return
  const applied = yield* decodeApplied(yield* sql`select migration_id as id, name from migrations`)
  const known = Object.keys(migrations)
  const unknown = applied.filter(({ id }) => !known.some((name) => Number.parseInt(name, 10) === id))
  if (!Array.isNonEmptyReadonlyArray(unknown)) return
  const newest = Array.max(unknown, byId)
  return yield* new SchemaTooNew({
    message:
      `the database has the schema ${String(newest.id).padStart(4, "0")}_${newest.name} of a newer version of this ` +
      `program, which knows schemas up to ${known.at(-1)}: start the newer version, or restore the backup from before ` +
      "its start (docs/operations.md)"
  })
})

const decodeApplied = decodeRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))

const byId = Order.mapInput(Order.number, ({ id }: { readonly id: number }) => id)

/**
 * Every file of `migrations/`, by its name. None removes or changes what the version before reads or writes, so that a
 * running old program keeps working next to a new one; an index may be replaced.
 */
export const migrations = {
  "0001_connections": connections,
  "0002_keys": keys,
  "0003_credentials": credentials,
  "0004_journal": journal,
  "0005_lifecycle": lifecycle,
  "0006_retention": retention,
  "0007_oauth": oauth,
  "0008_token_generation": tokenGeneration,
  "0009_due_by_tenant": dueByTenant,
  "0010_usage": usage,
  "0011_connection_hosts": connectionHosts,
  "0012_processes": processes,
  "0013_webhooks": webhooks,
  "0014_applications": applications,
  "0015_control": control,
  "0016_audit": audit,
  "0017_connection_names": connectionNames,
  "0018_admin": admin,
  "0019_test_zones": testZones,
  "0020_changed_intents": changedIntents,
  "0021_usage_history": usageHistory,
  "0022_admin_audit": adminAudit,
  "0023_host_claims": hostClaims,
  "0024_test_zone_usage": testZoneUsage,
  "0025_test_events": testEvents,
  "0026_webhook_rates": webhookRates,
  "0027_former_hosts": formerHosts,
  "0028_billed_tenants": billedTenants,
  "0029_master_keys": masterKeys,
  "0030_kept_journals": keptJournals,
  "0031_erasure": erasure
}

/**
 * Holds the advisory lock under which tables are created, on a connection of its own. It polls instead of waiting
 * inside the database, where `lock_timeout` would end the wait.
 */
const migrationLock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const attempt = connection.executeValues("select pg_try_advisory_lock(727002)", [])
  yield* Effect.acquireRelease(
    attempt.pipe(
      Effect.filterOrFail(([row]) => row?.[0] === true),
      Effect.retry({ schedule: Schedule.spaced(Duration.millis(100)), while: (error) => error._tag !== "SqlError" })
    ),
    () => Effect.ignore(connection.executeValues("select pg_advisory_unlock(727002)", []))
  )
})

/** The PostgreSQL schema of test mode. */
export const testSchema = "domain_connection_test"

/** Creates the schema of test mode; processes that do so at the same time do not fail. */
export const testSchemaLayer = Layer.effectDiscard(
  retryAtStart(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        do $$ begin
          create schema if not exists domain_connection_test;
        exception when unique_violation or duplicate_schema then null;
        end $$`
    )
  )
)
