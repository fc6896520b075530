import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { ServiceConfig } from "./Config.ts"
import * as Telemetry from "./Telemetry.ts"
import { DnsClient } from "./dns/transport/DnsClient.ts"
import { CachedResolver } from "./dns/zone/CachedResolver.ts"
import { Delegations } from "./dns/zone/Delegation.ts"
import { PublicResolvers } from "./dns/zone/PublicResolvers.ts"
import { Resolver } from "./dns/zone/Resolver.ts"
import { ZoneReader } from "./dns/zone/ZoneReader.ts"
import { Identifiers } from "./domain/Identifiers.ts"
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
import { Providers } from "./providers/Providers.ts"
import { runProgram } from "./runProgram.ts"
import { startupBanner } from "./startupBanner.ts"

import { httpServer as httpLayer } from "./http/httpServer.ts"
import { persistenceLayer } from "./persistence/layer.ts"
import { securityLayer } from "./security/layer.ts"

/**
 * The whole service, one layer for each room; what stands last is built first, and the port opens when all else runs.
 * Tests replace the DNS transport and the providers.
 */
export const service = (
  config: ServiceConfig,
  dnsClient = DnsClient.layer({ allowed: config.outboundAllow }),
  providers = providersLayer(config)
) =>
  httpLayer(config).pipe(
    Layer.provide(lifecycleLayer(config)),
    Layer.provide(dnsLayer(config, dnsClient)),
    Layer.provideMerge(providers),
    Layer.provideMerge(securityLayer(config)),
    Layer.provide(persistenceLayer(config)),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer(config))
  )

const program = Effect.flatMap(ServiceConfig, (config) =>
  Layer.launch(Layer.provide(startupBanner(config), service(config)))
)

// The rooms below get a layer.ts of their own.

const providersLayer = ({ providersFile }: ServiceConfig) => Providers.layerFile(providersFile)

const dnsLayer = ({ publicResolvers, resolvers }: ServiceConfig, client: Layer.Layer<DnsClient>) =>
  Layer.mergeAll(
    Delegations.layer,
    ZoneReader.layer,
    CachedResolver.layer,
    PublicResolvers.layer(publicResolvers)
  ).pipe(Layer.provide(Resolver.layer(resolvers)), Layer.provide(client))

const lifecycleLayer = (config: ServiceConfig) =>
  Layer.mergeAll(Dispatcher.loop, Retention.loop, backlogMetrics).pipe(
    Layer.provideMerge(Layer.mergeAll(Connections.layer, Phases.layer, Dispatcher.layer, Retention.layer)),
    Layer.provide(Layer.mergeAll(DiscoverPhase.layer, ProvisionPhase.layer, VerifyPhase.layer)),
    Layer.provide(Layer.mergeAll(PlanMaker.layer, ZoneAccess.layer, PlanApplier.layer, Verification.layer)),
    Layer.provideMerge(Layer.mergeAll(ZoneSurvey.layer, OAuthFlow.layer)),
    Layer.provide(CommandRunner.layer),
    Layer.provide(
      Layer.mergeAll(FactResolver.layer, ZoneTenants.layer, CredentialProvider.layer, TokenRevocations.layer)
    ),
    Layer.provide(Leases.layer()),
    Layer.provideMerge(Layer.mergeAll(ConnectionSignals.layer, Transitions.layer(config.stateTimeouts))),
    Layer.provide(Layer.mergeAll(PhasesInFlight.layer({ capacity: config.phasesInFlight }), engineLayer(config)))
  )

const engineLayer = ({ cluster, runnerHost, runnerPort }: ServiceConfig) =>
  cluster ? Engine.clustered({ host: runnerHost, port: runnerPort }) : Engine.layer

if (import.meta.main) runProgram(program)
