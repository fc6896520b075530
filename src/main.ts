import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, Option } from "effect"
import { httpServer } from "./api/HttpServer.ts"
import { ServiceConfig } from "./Config.ts"
import { Delegations } from "./dns/Delegation.ts"
import { DnsClient } from "./dns/DnsClient.ts"
import { PublicAnswers } from "./dns/PublicAnswers.ts"
import { PublicView } from "./dns/PublicView.ts"
import { Resolver } from "./dns/Resolver.ts"
import { ZoneReader } from "./dns/ZoneReader.ts"
import { Identifiers } from "./domain/Identifiers.ts"
import { firstStart } from "./FirstStart.ts"
import { Applying } from "./lifecycle/applying/Applying.ts"
import { Connections } from "./lifecycle/commands/Connections.ts"
import { Discovery } from "./lifecycle/zone/Discovery.ts"
import { Commits } from "./lifecycle/steps/Commits.ts"
import { Dispatch } from "./lifecycle/phases/Dispatch.ts"
import * as Engine from "./lifecycle/phases/Engine.ts"
import { HeldCredentials } from "./lifecycle/access/HeldCredentials.ts"
import { Leases } from "./lifecycle/applying/Leases.ts"
import { Neighbours } from "./lifecycle/zone/Neighbours.ts"
import { backlogShown } from "./lifecycle/phases/phaseMetrics.ts"
import * as Phases from "./lifecycle/phases/Phases.ts"
import { PhasesInFlight } from "./lifecycle/phases/PhasesInFlight.ts"
import { Planner } from "./lifecycle/zone/Planner.ts"
import { Plans } from "./lifecycle/zone/Plans.ts"
import { ProviderVisits } from "./lifecycle/access/ProviderVisits.ts"
import { Provisioning } from "./lifecycle/zone/Provisioning.ts"
import { Retention } from "./lifecycle/phases/Retention.ts"
import { Revocations } from "./lifecycle/steps/Revocations.ts"
import { Signals } from "./lifecycle/steps/Signals.ts"
import { Steps } from "./lifecycle/steps/Steps.ts"
import { Survey } from "./lifecycle/zone/Survey.ts"
import { Verification } from "./lifecycle/verification/Verification.ts"
import { Watching } from "./lifecycle/verification/Watching.ts"
import { ZoneAccess } from "./lifecycle/zone/ZoneAccess.ts"
import { Announcements } from "./persistence/Announcements.ts"
import { ApiKeyStore } from "./persistence/ApiKeyStore.ts"
import { Backlog } from "./persistence/Backlog.ts"
import { BrowserTokenStore } from "./persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "./persistence/ConnectionStore.ts"
import { ConnectionViews } from "./persistence/ConnectionViews.ts"
import { CredentialStore } from "./persistence/CredentialStore.ts"
import * as DatabaseClock from "./persistence/DatabaseClock.ts"
import { DatabaseReadiness } from "./persistence/DatabaseReadiness.ts"
import { Journal } from "./persistence/Journal.ts"
import { LeaseStore } from "./persistence/LeaseStore.ts"
import { OAuthSessionStore } from "./persistence/OAuthSessionStore.ts"
import { OldRows } from "./persistence/OldRows.ts"
import { PhaseStore } from "./persistence/PhaseStore.ts"
import { migrated, postgres } from "./persistence/Postgres.ts"
import * as SingleInstance from "./persistence/SingleInstance.ts"
import { Providers } from "./providers/Providers.ts"
import { runProgram } from "./runProgram.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { BrowserTokens } from "./security/BrowserTokens.ts"
import { Credentials } from "./security/Credentials.ts"
import { Fingerprints } from "./security/Fingerprints.ts"
import { OAuthSessions } from "./security/OAuthSessions.ts"
import { MasterKeys } from "./security/MasterKeys.ts"
import * as Telemetry from "./Telemetry.ts"

/** The whole service, what is provided last being built first; the port opens when the rest is there. */
export const service = (
  config: ServiceConfig,
  dns = DnsClient.layer({ allowed: config.outboundAllow }),
  providers = Providers.layerFile(config.providersFile)
) =>
  httpServer(config).pipe(
    Layer.provide(Layer.mergeAll(Dispatch.loop, Retention.loop, backlogShown)),
    Layer.provide(lifecycle(config)),
    Layer.provide(reading(config)),
    Layer.provide(dns),
    Layer.provideMerge(providers),
    Layer.provideMerge(security(config)),
    Layer.provide(stores),
    Layer.provide(Layer.provideMerge(company(config), migrated)),
    Layer.provide(DatabaseClock.layer),
    Layer.provide(postgres(config)),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer(config))
  )

/** What happens to connections: commands, phases, and all that these are made of. */
const lifecycle = (config: ServiceConfig) =>
  Layer.mergeAll(Connections.layer, Phases.layer, Dispatch.layer, Retention.layer).pipe(
    Layer.provide(Layer.mergeAll(Discovery.layer, Provisioning.layer, Watching.layer)),
    Layer.provide(Layer.mergeAll(Plans.layer, ZoneAccess.layer, Applying.layer, Verification.layer)),
    Layer.provideMerge(Layer.mergeAll(Survey.layer, ProviderVisits.layer)),
    Layer.provide(Commits.layer),
    Layer.provide(Layer.mergeAll(Planner.layer, Neighbours.layer, HeldCredentials.layer, Revocations.layer)),
    Layer.provide(Leases.layer()),
    Layer.provideMerge(Layer.mergeAll(Signals.layer, Steps.layer(config.clocks))),
    Layer.provide(Layer.mergeAll(PhasesInFlight.layer({ capacity: config.phasesInFlight }), engine(config)))
  )

const engine = ({ cluster, runnerHost, runnerPort }: ServiceConfig) =>
  cluster ? Engine.shared({ host: runnerHost, port: runnerPort }) : Engine.layer

/** The other processes on the database: none, or those that hear what this one announces. */
const company = ({ cluster, databaseUrl }: ServiceConfig) =>
  Option.match(cluster ? databaseUrl : Option.none(), {
    onNone: () => SingleInstance.layer,
    onSome: Announcements.layer
  })

/** Reading the public DNS. */
const reading = ({ publicResolvers, resolvers }: ServiceConfig) =>
  Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer, PublicView.layer(publicResolvers)).pipe(
    Layer.provide(Resolver.layer(resolvers))
  )

/** Who may call, which requests were sent before, and the secrets that customers hand in. */
const security = ({ browserTokenLifetime, dataDirectory, masterKeys }: ServiceConfig) =>
  Layer.mergeAll(
    ApiKeys.layer,
    BrowserTokens.layer({ lifetime: browserTokenLifetime }),
    Credentials.layer,
    Fingerprints.layer,
    OAuthSessions.layer
  ).pipe(Layer.provide(MasterKeys.layer({ configured: masterKeys, dataDirectory })))

const stores = Layer.mergeAll(
  ConnectionStore.layer,
  ConnectionViews.layer,
  PhaseStore.layer,
  CredentialStore.layer,
  OAuthSessionStore.layer,
  LeaseStore.layer,
  Journal.layer,
  OldRows.layer,
  Backlog.layer,
  ApiKeyStore.layer,
  BrowserTokenStore.layer,
  DatabaseReadiness.layer
)

/** The embedded database is used where no other is named. */
const embeddedIn = ({ databaseUrl, dataDirectory }: ServiceConfig): Option.Option<string> =>
  Option.match(databaseUrl, { onNone: () => Option.some(dataDirectory), onSome: () => Option.none() })

const program = Effect.flatMap(ServiceConfig, (config) =>
  Layer.launch(Layer.provide(firstStart({ embeddedIn: embeddedIn(config) }), service(config)))
)

if (import.meta.main) runProgram(program)
