import { WorkflowEngine } from "@effect/workflow"
import { Effect, Layer } from "effect"
import type { CachedResolver } from "../../src/dns/zone/CachedResolver.ts"
import type { Delegations } from "../../src/dns/zone/Delegation.ts"
import { PublicResolvers } from "../../src/dns/zone/PublicResolvers.ts"
import type { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { Leases } from "../../src/lifecycle/apply/Leases.ts"
import { PlanApplier } from "../../src/lifecycle/apply/PlanApplier.ts"
import { ZoneAccess } from "../../src/lifecycle/apply/ZoneAccess.ts"
import { CredentialProvider } from "../../src/lifecycle/authorize/CredentialProvider.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { CommandRunner } from "../../src/lifecycle/commit/CommandRunner.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "../../src/lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "../../src/lifecycle/commit/Transitions.ts"
import { DiscoverPhase } from "../../src/lifecycle/phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../../src/lifecycle/phases/ProvisionPhase.ts"
import { VerifyPhase } from "../../src/lifecycle/phases/VerifyPhase.ts"
import { FactResolver } from "../../src/lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "../../src/lifecycle/plan/PlanMaker.ts"
import { ZoneSurvey } from "../../src/lifecycle/plan/ZoneSurvey.ts"
import { ZoneTenants } from "../../src/lifecycle/plan/ZoneTenants.ts"
import { Dispatcher } from "../../src/lifecycle/scheduler/Dispatcher.ts"
import * as Phases from "../../src/lifecycle/scheduler/PhaseWorkflows.ts"
import { PhasesInFlight } from "../../src/lifecycle/scheduler/PhasesInFlight.ts"
import { defaultStateTimeouts } from "../../src/lifecycle/state/StateTimeouts.ts"
import { Verification } from "../../src/lifecycle/verify/Verification.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { ScriptedInternet } from "./lab/ScriptedInternet.ts"
import type { InternetSpec } from "./lab/ScriptedTopology.ts"
import { masterKey, sealingLayer } from "./masterKeys.ts"
import { scriptedDns } from "./scriptedDns.ts"
import { storesInMemory } from "./testApi.ts"

/** The outside world of the lifecycle: DNS and providers. */
type Outside = Delegations | ZoneReader | CachedResolver | PublicResolvers | Providers

/** The commands on connections, without authentication. */
const commands = Connections.layer.pipe(
  Layer.provideMerge(CommandRunner.layer),
  Layer.provideMerge(Layer.merge(TokenRevocations.layer, OAuthSessions.layer)),
  Layer.provideMerge(
    Layer.mergeAll(sealingLayer(masterKey(1)), ConnectionSignals.layer, Transitions.layer(defaultStateTimeouts))
  ),
  Layer.provideMerge(Identifiers.layer)
)

/** The maximum number of concurrent phases in these tests. */
export const phaseCapacity = 64

/** The whole lifecycle with an in-memory workflow engine. Given stores keep their rows over a restart. */
export const lifecycleInMemory = <E, R>(outside: Layer.Layer<Outside, E, R>, stores = storesInMemory) =>
  Layer.mergeAll(Connections.layer, Phases.layer, Dispatcher.layer).pipe(
    Layer.provide(Layer.mergeAll(DiscoverPhase.layer, ProvisionPhase.layer, VerifyPhase.layer)),
    Layer.provide(Layer.mergeAll(PlanMaker.layer, ZoneAccess.layer, PlanApplier.layer, Verification.layer)),
    Layer.provide(ZoneSurvey.layer),
    Layer.provide(Layer.mergeAll(FactResolver.layer, ZoneTenants.layer, CredentialProvider.layer)),
    Layer.provide(Leases.layer()),
    Layer.provideMerge(Layer.mergeAll(WorkflowEngine.layerMemory, PhasesInFlight.layer({ capacity: phaseCapacity }))),
    Layer.provideMerge(commands),
    Layer.provide(outside),
    Layer.provideMerge(stores)
  )

/** Runs a test with the lifecycle over its own scripted internet, without declared providers. */
export const withScriptedInternet = <A, E, R>(
  spec: InternetSpec,
  test: (internet: ScriptedInternet) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(ScriptedInternet.make(spec), (internet) =>
    Effect.provide(
      test(internet),
      lifecycleInMemory(
        Layer.merge(Providers.layer([]), Layer.provideMerge(PublicResolvers.layer([]), scriptedDns(internet)))
      )
    )
  )
