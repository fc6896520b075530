import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, Option } from "effect"
import { ServiceConfig } from "./Config.ts"
import * as Telemetry from "./Telemetry.ts"
import { dnsLayer } from "./dns/layer.ts"
import { DnsClient } from "./dns/transport/DnsClient.ts"
import { Identifiers } from "./domain/Identifiers.ts"
import { httpLayer } from "./http/layer.ts"
import { ApprovedPlanWriter } from "./lifecycle/apply/ApprovedPlanWriter.ts"
import { Leases } from "./lifecycle/apply/Leases.ts"
import { PlanApplier } from "./lifecycle/apply/PlanApplier.ts"
import { ZoneAccess } from "./lifecycle/apply/ZoneAccess.ts"
import { CredentialProvider } from "./lifecycle/authorize/CredentialProvider.ts"
import { OAuthFlow } from "./lifecycle/authorize/OAuthFlow.ts"
import { Connections } from "./lifecycle/commands/Connections.ts"
import { CommandRunner } from "./lifecycle/commit/CommandRunner.ts"
import { ConnectionSignals } from "./lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "./lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "./lifecycle/commit/Transitions.ts"
import { DiscoverPhase } from "./lifecycle/phases/DiscoverPhase.ts"
import { ProvisionPhase } from "./lifecycle/phases/ProvisionPhase.ts"
import { RestorePhase } from "./lifecycle/phases/RestorePhase.ts"
import { VerifyPhase } from "./lifecycle/phases/VerifyPhase.ts"
import { FactResolver } from "./lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "./lifecycle/plan/PlanMaker.ts"
import { ZoneSurvey } from "./lifecycle/plan/ZoneSurvey.ts"
import { ZoneTenants } from "./lifecycle/plan/ZoneTenants.ts"
import { Dispatcher } from "./lifecycle/scheduler/Dispatcher.ts"
import * as Phases from "./lifecycle/scheduler/PhaseWorkflows.ts"
import { PhasesInFlight } from "./lifecycle/scheduler/PhasesInFlight.ts"
import { Retention } from "./lifecycle/scheduler/Retention.ts"
import * as Engine from "./lifecycle/scheduler/WorkflowEngine.ts"
import { backlogMetrics } from "./lifecycle/scheduler/phaseMetrics.ts"
import { Verification } from "./lifecycle/verify/Verification.ts"
import { ClusterEvents } from "./persistence/postgres/ClusterEvents.ts"
import * as DatabaseClock from "./persistence/postgres/DatabaseClock.ts"
import { DatabaseReadiness } from "./persistence/postgres/DatabaseReadiness.ts"
import * as SingleInstance from "./persistence/postgres/SingleInstanceLock.ts"
import { databasePool, migrationsLayer } from "./persistence/postgres/databasePool.ts"
import { ApiKeyStore } from "./persistence/stores/ApiKeyStore.ts"
import { Backlog } from "./persistence/stores/Backlog.ts"
import { BrowserTokenStore } from "./persistence/stores/BrowserTokenStore.ts"
import { ConnectionStore } from "./persistence/stores/ConnectionStore.ts"
import { ConnectionViews } from "./persistence/stores/ConnectionViews.ts"
import { CredentialStore } from "./persistence/stores/CredentialStore.ts"
import { ExpiredRows } from "./persistence/stores/ExpiredRows.ts"
import { JournalStore } from "./persistence/stores/JournalStore.ts"
import { LeaseStore } from "./persistence/stores/LeaseStore.ts"
import { OAuthSessionStore } from "./persistence/stores/OAuthSessionStore.ts"
import { PhaseStore } from "./persistence/stores/PhaseStore.ts"
import { providersLayer } from "./providers/layer.ts"
import { runProgram } from "./runProgram.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { BrowserTokens } from "./security/BrowserTokens.ts"
import { Credentials } from "./security/Credentials.ts"
import { MasterKeys } from "./security/MasterKeys.ts"
import { OAuthSessions } from "./security/OAuthSessions.ts"
import { RequestFingerprints } from "./security/RequestFingerprints.ts"
import { startupBanner } from "./startupBanner.ts"

/** The whole service, what is provided last being built first; the port opens when the rest is there. */
export const service = (
  config: ServiceConfig,
  dns = DnsClient.layer({ allowed: config.outboundAllow }),
  providers = providersLayer(config)
) =>
  httpLayer(config).pipe(
    Layer.provide(Layer.mergeAll(Dispatcher.loop, Retention.loop, backlogMetrics)),
    Layer.provide(lifecycle(config)),
    Layer.provide(dnsLayer(config, dns)),
    Layer.provideMerge(providers),
    Layer.provideMerge(security(config)),
    Layer.provide(stores),
    Layer.provide(Layer.provideMerge(company(config), migrationsLayer)),
    Layer.provide(DatabaseClock.layer),
    Layer.provide(databasePool(config)),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer(config))
  )

/** What happens to connections: commands, phases, and all that these are made of. */
const lifecycle = (config: ServiceConfig) =>
  Layer.mergeAll(Connections.layer, Phases.phaseWorkflowsLayer, Dispatcher.layer, Retention.layer).pipe(
    Layer.provide(Layer.mergeAll(DiscoverPhase.layer, ProvisionPhase.layer, RestorePhase.layer, VerifyPhase.layer)),
    Layer.provide(Layer.mergeAll(ApprovedPlanWriter.layer, Verification.layer)),
    Layer.provide(Layer.mergeAll(ZoneAccess.layer, PlanApplier.layer)),
    Layer.provideMerge(Layer.merge(PlanMaker.layer(config.stateTimeouts), OAuthFlow.layer)),
    Layer.provide(CommandRunner.layer),
    Layer.provide(
      Layer.mergeAll(
        FactResolver.layer,
        ZoneSurvey.layer,
        ZoneTenants.layer,
        CredentialProvider.layer,
        TokenRevocations.layer
      )
    ),
    Layer.provide(Leases.layer()),
    Layer.provideMerge(Layer.mergeAll(ConnectionSignals.layer, Transitions.layer(config.stateTimeouts))),
    Layer.provide(Layer.mergeAll(PhasesInFlight.layer({ capacity: config.phasesInFlight }), engine(config)))
  )

const engine = ({ cluster, runnerHost, runnerPort }: ServiceConfig) =>
  cluster ? Engine.clusteredEngine({ host: runnerHost, port: runnerPort }) : Engine.singleProcessEngine

/** The other processes on the database: none, or those that hear what this one announces. */
const company = ({ cluster, databaseUrl }: ServiceConfig) =>
  Option.match(cluster ? databaseUrl : Option.none(), {
    onNone: () => SingleInstance.layer,
    onSome: ClusterEvents.layer
  })

/** Who may call, which requests were sent before, and the secrets that customers hand in. */
const security = ({ browserTokenLifetime, dataDirectory, masterKeys }: ServiceConfig) =>
  Layer.mergeAll(
    ApiKeys.layer,
    BrowserTokens.layer({ lifetime: browserTokenLifetime }),
    Credentials.layer,
    RequestFingerprints.layer,
    OAuthSessions.layer
  ).pipe(Layer.provide(MasterKeys.layer({ configured: masterKeys, dataDirectory })))

const stores = Layer.mergeAll(
  ConnectionStore.layer,
  ConnectionViews.layer,
  PhaseStore.layer,
  CredentialStore.layer,
  OAuthSessionStore.layer,
  LeaseStore.layer,
  JournalStore.layer,
  ExpiredRows.layer,
  Backlog.layer,
  ApiKeyStore.layer,
  BrowserTokenStore.layer,
  DatabaseReadiness.layer
)

/** The embedded database is used where no other is named. */
const embeddedIn = ({ databaseUrl, dataDirectory }: ServiceConfig): Option.Option<string> =>
  Option.match(databaseUrl, { onNone: () => Option.some(dataDirectory), onSome: () => Option.none() })

const program = Effect.flatMap(ServiceConfig, (config) =>
  Layer.launch(Layer.provide(startupBanner({ embeddedIn: embeddedIn(config) }), service(config)))
)

if (import.meta.main) runProgram(program)
