import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer, Option, Record } from "effect"
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
import requestedHosts from "../migrations/0035_requested_hosts.ts"
import lists from "../migrations/0038_lists.ts"
import replans from "../migrations/0039_replans.ts"
import shareLinks from "../migrations/0040_share_links.ts"
import domainConnectKeys from "../migrations/0041_domain_connect_keys.ts"
import traces from "../migrations/0044_traces.ts"
import processVersions from "../migrations/0045_process_versions.ts"
import keyScopes from "../migrations/0049_key_scopes.ts"
import operatorLists from "../migrations/0050_operator_lists.ts"
import watches from "../migrations/0051_watches.ts"
import lookOwners from "../migrations/0052_look_owners.ts"
import silentServers from "../migrations/0053_silent_servers.ts"
import endpointEvents from "../migrations/0054_endpoint_events.ts"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { type PostgresTooOld, requirePostgresVersion } from "./postgresVersion.ts"
import { retryAtStart } from "./retryAtStart.ts"
import { findAppliedMigrations, MigrationFailed, runMigrations, type SchemaTooNew } from "./runMigrations.ts"
import { findLongTransactions, type SessionInTheWay } from "./sessionsInTheWay.ts"

/**
 * Creates and updates the tables, or fails if a newer version has changed them. Processes that start together wait for the
 * one that migrates. It retries if the server goes away, as an embedded one does with its process.
 */
export const migrationsLayer = Layer.effectDiscard(
  retryAtStart(
    Effect.zipRight(
      requirePostgresVersion,
      Effect.suspend(() => runMigrations(migrations))
    )
  ).pipe(
    Effect.catchTag(
      "SqlError",
      (error) =>
        new MigrationFailed({ message: `the tables of the database cannot be updated: ${readSqlErrorReason(error)}` })
    )
  )
)

/** The findings of a database that an upgrade to this version would meet. */
export interface UpgradeCheck {
  /** The newest migration that the database has; none in a database without tables. */
  readonly newest: Option.Option<string>
  readonly pending: ReadonlyArray<PendingMigration>
  /** The sessions whose long transactions would delay the migrations. */
  readonly longTransactions: ReadonlyArray<SessionInTheWay>
}

interface PendingMigration {
  readonly name: string
  readonly endsOlderVersions: Option.Option<string>
}

/** Finds what an upgrade would run and wait for. It changes nothing. */
export const checkUpgrade: Effect.Effect<UpgradeCheck, PostgresTooOld | SchemaTooNew | SqlError, SqlClient.SqlClient> =
  retryAtStart(
    Effect.gen(function* () {
      yield* requirePostgresVersion
      const { newest, pending } = yield* findAppliedMigrations(migrations)
      return {
        newest,
        pending: pending.map((name) => ({
          name,
          endsOlderVersions: Option.filter(Record.get(endsOlderVersions, name), () => Option.isSome(newest))
        })),
        longTransactions: pending.length === 0 ? [] : yield* findLongTransactions
      }
    })
  )

/** Every file of `migrations/`. None removes or changes what the version before uses, except indexes: both may run. */
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
  "0031_erasure": erasure,
  "0035_requested_hosts": requestedHosts,
  "0038_lists": lists,
  "0039_replans": replans,
  "0040_share_links": shareLinks,
  "0041_domain_connect_keys": domainConnectKeys,
  "0044_traces": traces,
  "0045_process_versions": processVersions,
  "0049_key_scopes": keyScopes,
  "0050_operator_lists": operatorLists,
  "0051_watches": watches,
  "0052_look_owners": lookOwners,
  "0053_silent_servers": silentServers,
  "0054_endpoint_events": endpointEvents
}

/** The migrations after which no older version may run, and why: it works on, but lacks what the new one relies on. */
const endsOlderVersions: Readonly<Record<string, string>> = {
  "0015_control":
    "older versions make connections active without taking their hosts, so that two tenants could have one",
  "0023_host_claims":
    "older versions take hosts without numbering the claim, so that records of another tenant could prove control",
  "0027_former_hosts":
    "older versions do not remember who asked for a host, so that records of a former customer could prove control",
  "0035_requested_hosts":
    "older versions remember who asked for a host elsewhere, so that records of a former customer could prove control",
  "0040_share_links":
    "older versions ignore the role of a browser token, so that a helper whom a link let in could decide for the customer",
  "0049_key_scopes": "older versions ignore the scopes and the end of an admin key, so that it could do everything"
} satisfies Partial<Record<keyof typeof migrations, string>>

export const testSchema = "domain_connection_test"

/** Creates the schema of test mode; processes that do so at the same time do not fail. */
export const testSchemaLayer = Layer.effectDiscard(
  retryAtStart(
    Effect.zipRight(
      requirePostgresVersion,
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
)
