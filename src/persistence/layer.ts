import { Layer, Option, type Redacted } from "effect"
import { ClusterEvents } from "./postgres/ClusterEvents.ts"
import * as DatabaseClock from "./postgres/DatabaseClock.ts"
import { DatabaseReadiness } from "./postgres/DatabaseReadiness.ts"
import { LiveProcesses } from "./postgres/LiveProcesses.ts"
import * as SingleInstanceLock from "./postgres/SingleInstanceLock.ts"
import { DatabaseUrl, prewarmedDatabasePool } from "./postgres/databasePool.ts"
import { migrationsLayer } from "./postgres/migrate.ts"
import { ApiKeyStore } from "./stores/ApiKeyStore.ts"
import { ApplicationStore } from "./stores/ApplicationStore.ts"
import { BrowserTokenStore } from "./stores/BrowserTokenStore.ts"
import { ConnectionStore } from "./stores/ConnectionStore.ts"
import { ConnectionViews } from "./stores/ConnectionViews.ts"
import { CredentialStore } from "./stores/CredentialStore.ts"
import { ExpiredRows } from "./stores/ExpiredRows.ts"
import { HostHolderStore } from "./stores/HostHolderStore.ts"
import { JournalStore } from "./stores/JournalStore.ts"
import { LeaseStore } from "./stores/LeaseStore.ts"
import { OAuthSessionStore } from "./stores/OAuthSessionStore.ts"
import { PhaseStore } from "./stores/PhaseStore.ts"
import { UsageStore } from "./stores/UsageStore.ts"
import { WebhookDeliveryStore } from "./stores/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "./stores/WebhookEndpointStore.ts"

interface PersistenceSettings {
  /** The PostgreSQL of the operator (`DATABASE_URL`); without it an embedded one runs. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** Where the embedded PostgreSQL keeps its files (`DATA_DIR`). */
  readonly dataDirectory: string
  /** Whether several processes work on the database (`CLUSTER`). */
  readonly isClustered: boolean
}

/**
 * The stores on a database that is up to date, and the pool of the phases. The stores of requests have a pool of their
 * own, so that waiting phases leave requests their connections. Two cross over: a disconnect reads its credential from
 * the pool of the phases, and a plan its zone tenants from the pool of the requests.
 * From here on the clock of the process is the database's: whatever is built with this layer runs on it.
 */
export const persistenceLayer = (settings: PersistenceSettings) =>
  Layer.merge(Layer.provide(storesOfRequests, prewarmedDatabasePool()), storesOfPhases).pipe(
    Layer.provideMerge(clusterPeers(settings)),
    Layer.provideMerge(migrationsLayer),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provideMerge(prewarmedDatabasePool()),
    Layer.provide(DatabaseUrl.layer(settings))
  )

const storesOfRequests = Layer.mergeAll(
  ConnectionStore.layer,
  ConnectionViews.layer,
  OAuthSessionStore.layer,
  ApiKeyStore.layer,
  ApplicationStore.layer,
  BrowserTokenStore.layer,
  UsageStore.layer,
  WebhookEndpointStore.layer,
  DatabaseReadiness.layer
)

const storesOfPhases = Layer.mergeAll(
  PhaseStore.layer,
  CredentialStore.layer,
  LeaseStore.layer,
  JournalStore.layer,
  HostHolderStore.layer,
  WebhookDeliveryStore.layer,
  ExpiredRows.layer
)

/** The processes of a cluster exchange events; a process outside one takes the lock that excludes a second one. */
const clusterPeers = ({ databaseUrl, isClustered }: PersistenceSettings) =>
  Option.match(isClustered ? databaseUrl : Option.none(), {
    onNone: () => Layer.provide(LiveProcesses.aloneLayer, SingleInstanceLock.layer),
    onSome: (url) => Layer.provideMerge(LiveProcesses.layer, ClusterEvents.layer(url))
  })
