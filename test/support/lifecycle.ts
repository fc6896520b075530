import { WorkflowEngine } from "@effect/workflow"
import { Effect, Layer } from "effect"
import type { Delegations } from "../../src/dns/Delegation.ts"
import type { PublicAnswers } from "../../src/dns/PublicAnswers.ts"
import { PublicView } from "../../src/dns/PublicView.ts"
import type { ZoneReader } from "../../src/dns/ZoneReader.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { Applying } from "../../src/lifecycle/applying/Applying.ts"
import { defaultClocks } from "../../src/lifecycle/state/Clocks.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { Discovery } from "../../src/lifecycle/zone/Discovery.ts"
import { Commits } from "../../src/lifecycle/steps/Commits.ts"
import { Dispatch } from "../../src/lifecycle/phases/Dispatch.ts"
import { HeldCredentials } from "../../src/lifecycle/access/HeldCredentials.ts"
import { Leases } from "../../src/lifecycle/applying/Leases.ts"
import { Neighbours } from "../../src/lifecycle/zone/Neighbours.ts"
import * as Phases from "../../src/lifecycle/phases/Phases.ts"
import { PhasesInFlight } from "../../src/lifecycle/phases/PhasesInFlight.ts"
import { Planner } from "../../src/lifecycle/zone/Planner.ts"
import { Plans } from "../../src/lifecycle/zone/Plans.ts"
import { Provisioning } from "../../src/lifecycle/zone/Provisioning.ts"
import { Revocations } from "../../src/lifecycle/steps/Revocations.ts"
import { Signals } from "../../src/lifecycle/steps/Signals.ts"
import { Steps } from "../../src/lifecycle/steps/Steps.ts"
import { Survey } from "../../src/lifecycle/zone/Survey.ts"
import { Verification } from "../../src/lifecycle/verification/Verification.ts"
import { Watching } from "../../src/lifecycle/verification/Watching.ts"
import { ZoneAccess } from "../../src/lifecycle/zone/ZoneAccess.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { storesInMemory } from "./apiUnderTest.ts"
import { dnsOf } from "./discovery.ts"
import { ScriptedInternet } from "./lab/ScriptedInternet.ts"
import type { InternetSpec } from "./lab/topology.ts"
import { masterKey, sealingWith } from "./sealing.ts"

/** What the lifecycle reads and writes in the world. */
type Outside = Delegations | ZoneReader | PublicAnswers | PublicView | Providers

/** What may be asked of connections, without those who may ask. */
const commands = Connections.layer.pipe(
  Layer.provideMerge(Commits.layer),
  Layer.provideMerge(Layer.merge(Revocations.layer, OAuthSessions.layer)),
  Layer.provideMerge(Layer.mergeAll(sealingWith(masterKey(1)), Signals.layer, Steps.layer(defaultClocks))),
  Layer.provideMerge(Identifiers.layer)
)

/** How many phases a process of these tests has under way at most. */
export const phasesAtOnce = 64

/** The whole lifecycle, its phases in the engine's memory. Whoever hands stores in finds their rows after a restart. */
export const lifecycleOver = <E, R>(outside: Layer.Layer<Outside, E, R>, stores = storesInMemory) =>
  Layer.mergeAll(Connections.layer, Phases.layer, Dispatch.layer).pipe(
    Layer.provide(Layer.mergeAll(Discovery.layer, Provisioning.layer, Watching.layer)),
    Layer.provide(Layer.mergeAll(Plans.layer, ZoneAccess.layer, Applying.layer, Verification.layer)),
    Layer.provide(Survey.layer),
    Layer.provide(Layer.mergeAll(Planner.layer, Neighbours.layer, HeldCredentials.layer)),
    Layer.provide(Leases.layer()),
    Layer.provideMerge(Layer.mergeAll(WorkflowEngine.layerMemory, PhasesInFlight.layer({ capacity: phasesAtOnce }))),
    Layer.provideMerge(commands),
    Layer.provide(outside),
    Layer.provideMerge(stores)
  )

/** The lifecycle over an internet of its own, for one test; no provider can be written to. */
export const onInternet = <A, E, R>(spec: InternetSpec, test: (internet: ScriptedInternet) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(ScriptedInternet.make(spec), (internet) =>
    Effect.provide(
      test(internet),
      lifecycleOver(Layer.merge(Providers.layer([]), Layer.provideMerge(PublicView.layer([]), dnsOf(internet))))
    )
  )
