import { type Context, Effect, Layer, Option, type Redacted } from "effect"
import { ClusterEvents } from "./postgres/ClusterEvents.ts"
import * as DatabaseClock from "./postgres/DatabaseClock.ts"
import { DatabaseReadiness } from "./postgres/DatabaseReadiness.ts"
import { LiveProcesses } from "./postgres/LiveProcesses.ts"
import * as SingleInstanceLock from "./postgres/SingleInstanceLock.ts"
import { databasePool, type DatabasePool, DatabaseUrl, warmUpPool } from "./postgres/databasePool.ts"
import { migrationsLayer, testSchema, testSchemaLayer } from "./postgres/migrate.ts"
import { AdminKeyStore } from "./stores/access/AdminKeyStore.ts"
import { AdminRequestStore } from "./stores/access/AdminRequestStore.ts"
import { ApiKeyStore } from "./stores/access/ApiKeyStore.ts"
import { ApplicationStore } from "./stores/access/ApplicationStore.ts"
import { AskSecretStore } from "./stores/access/AskSecretStore.ts"
import { AuditStore } from "./stores/audit/AuditStore.ts"
import { BrowserTokenStore } from "./stores/access/BrowserTokenStore.ts"
import { ConnectionInspections } from "./stores/connections/ConnectionInspections.ts"
import { ConnectionStore } from "./stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "./stores/connections/ConnectionViews.ts"
import { CredentialStore } from "./stores/access/CredentialStore.ts"
import { DomainConnectKeyStore } from "./stores/access/DomainConnectKeyStore.ts"
import { ErasureStore } from "./stores/erasure/ErasureStore.ts"
import { ExpiredRows } from "./stores/erasure/ExpiredRows.ts"
import { HostHolderStore } from "./stores/connections/HostHolderStore.ts"
import { JournalStore } from "./stores/phases/JournalStore.ts"
import { LeaseStore } from "./stores/phases/LeaseStore.ts"
import { MasterKeyStore } from "./stores/access/MasterKeyStore.ts"
import { OAuthSessionStore } from "./stores/access/OAuthSessionStore.ts"
import { PhaseStore } from "./stores/phases/PhaseStore.ts"
import { WatchStore } from "./stores/phases/WatchStore.ts"
import { TestTimeStore } from "./stores/testmode/TestTimeStore.ts"
import { TestZoneStore } from "./stores/testmode/TestZoneStore.ts"
import { UsageStore } from "./stores/usage/UsageStore.ts"
import { WebhookDeliveryStore } from "./stores/webhooks/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "./stores/webhooks/WebhookEndpointStore.ts"

interface PersistenceSettings {
  /** The PostgreSQL of the operator (`DATABASE_URL`); without it an embedded one runs. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** Where the embedded PostgreSQL keeps its files (`DATA_DIR`). */
  readonly dataDirectory: string
  /** Whether several processes work on the database (`CLUSTER`). */
  readonly isClustered: boolean
  /** How many connections the process keeps (`DATABASE_CONNECTIONS`). */
  readonly databaseConnections: number
}

/**
 * The stores on a database that is up to date. Requests and phases have pools of their own, so that waiting phases leave
 * requests their connections; a disconnect reads its credential, and a plan its zone tenants, from the other one.
 * From here on the clock of the process is the database's.
 */
export const persistenceLayer = (settings: PersistenceSettings) =>
  Layer.merge(
    Layer.provide(
      storesOfRequests,
      Layer.tap(databasePool(Math.ceil(settings.databaseConnections / 2), undefined, "requests"), warmUpPools)
    ),
    storesOfPhases
  ).pipe(
    Layer.provideMerge(clusterPeers(settings)),
    Layer.provideMerge(migrationsLayer),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provideMerge(databasePool(Math.floor(settings.databaseConnections / 2), undefined, "phases")),
    Layer.provideMerge(DatabaseUrl.layer(settings))
  )

/** Once both pools have connections of their own, so that neither takes all that the database allows. */
const warmUpPools = (ofRequests: Context.Context<DatabasePool>) =>
  Effect.zipRight(Effect.provide(warmUpPool, ofRequests), warmUpPool)

/** The stores of what the operator administers, and of which master keys the database was sealed with. */
const storesOfAdministration = Layer.mergeAll(
  AdminKeyStore.layer,
  AdminRequestStore.layer,
  ApplicationStore.layer,
  AskSecretStore.layer,
  DomainConnectKeyStore.layer,
  ErasureStore.layer,
  MasterKeyStore.layer
)

/**
 * The stores of test mode, in a schema of their own on the same database: each statement names it in its transaction, so
 * that none can reach a live row. The lock of the live service excludes a second process here too.
 */
export const testPersistenceLayer = ({
  databaseUrl,
  isClustered
}: Pick<PersistenceSettings, "isClustered"> & { readonly databaseUrl: Redacted.Redacted }) =>
  Layer.merge(
    Layer.provide(storesOfRequests, databasePool(testConnections, testSchema, "requests")),
    storesOfPhases
  ).pipe(
    Layer.provideMerge(Layer.merge(TestZoneStore.layer, TestTimeStore.layer)),
    Layer.provideMerge(
      isClustered ? Layer.provideMerge(LiveProcesses.layer, ClusterEvents.layer(databaseUrl)) : LiveProcesses.aloneLayer
    ),
    Layer.provideMerge(migrationsLayer),
    Layer.provide(testSchemaLayer),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provideMerge(databasePool(testConnections, testSchema, "phases")),
    Layer.provide(Layer.succeed(DatabaseUrl, databaseUrl))
  )

const testConnections = 3

/** The stores that requests use, on the pool of the requests. */
export const storesOfRequests = Layer.mergeAll(
  AuditStore.layer,
  ConnectionInspections.layer,
  ConnectionStore.layer,
  ConnectionViews.layer,
  OAuthSessionStore.layer,
  ApiKeyStore.layer,
  storesOfAdministration,
  BrowserTokenStore.layer,
  UsageStore.layer,
  WebhookEndpointStore.layer,
  DatabaseReadiness.layer
)

/** The stores that phases and webhooks use, on the pool of the phases. */
export const storesOfPhases = Layer.mergeAll(
  PhaseStore.layer,
  CredentialStore.layer,
  LeaseStore.layer,
  JournalStore.layer,
  HostHolderStore.layer,
  WebhookDeliveryStore.layer,
  WatchStore.layer,
  ExpiredRows.layer
)

/** The processes of a cluster exchange events; a process outside one takes the lock that excludes a second one. */
const clusterPeers = ({ databaseUrl, isClustered }: PersistenceSettings) =>
  Option.match(isClustered ? databaseUrl : Option.none(), {
    onNone: () => Layer.provide(LiveProcesses.aloneLayer, SingleInstanceLock.layer),
    onSome: (url) => Layer.provideMerge(LiveProcesses.layer, ClusterEvents.layer(url))
  })
