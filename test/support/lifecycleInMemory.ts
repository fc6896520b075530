import { Effect, Layer } from "effect"
import type { Delegations } from "../../src/dns/zone/Delegations.ts"
import { PublicResolvers } from "../../src/dns/zone/PublicResolvers.ts"
import type { CachedResolver } from "../../src/dns/zone/Resolver.ts"
import type { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import type { ControlProof } from "../../src/domain/access/Application.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { lifecycleServices } from "../../src/lifecycle/layer.ts"
import { defaultStateTimeouts } from "../../src/lifecycle/state/StateTimeouts.ts"
import { ApplicationStore } from "../../src/persistence/stores/access/ApplicationStore.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { ScriptedInternet } from "./lab/ScriptedInternet.ts"
import type { InternetSpec } from "./lab/ScriptedTopology.ts"
import { masterKey, sealingLayer } from "./masterKeys.ts"
import { scriptedDns } from "./scriptedDns.ts"
import { storesInMemory } from "./testApi.ts"

/** What the lifecycle depends on: DNS and providers. */
type LifecycleDependencies = Delegations | ZoneReader | CachedResolver | PublicResolvers | Providers

/** The maximum number of concurrent phases in these tests. */
const phaseCapacity = 64

/**
 * The lifecycle without loops. Given stores keep their rows over a restart. Applications need no proof of control unless the
 * test is about it, so that connections whose records stood already become active.
 */
export const lifecycleInMemory = <E, R>(
  dependencies: Layer.Layer<LifecycleDependencies, E, R>,
  stores = storesInMemory,
  controlProof: ControlProof = "off"
) =>
  lifecycleServices({ stateTimeouts: defaultStateTimeouts, phasesInFlight: phaseCapacity }).pipe(
    // Not the whole room: the keys of the API record their use every few seconds, which costs hours of test time.
    Layer.provideMerge(OAuthSessions.layer),
    Layer.provideMerge(sealingLayer(masterKey(1))),
    Layer.provideMerge(Identifiers.layer),
    Layer.provide(dependencies),
    Layer.provide(controlSettings(controlProof)),
    Layer.provideMerge(stores)
  )

/** Every application has this setting. */
const controlSettings = (controlProof: ControlProof) =>
  Layer.mock(ApplicationStore, { findSettings: () => Effect.succeed({ controlProof }) })

/** Runs a test with the lifecycle over its own scripted internet, without declared providers. */
export const withScriptedInternet = <A, E, R>(
  spec: InternetSpec,
  test: (internet: ScriptedInternet) => Effect.Effect<A, E, R>,
  controlProof: ControlProof = "off"
) =>
  Effect.flatMap(ScriptedInternet.make(spec), (internet) =>
    Effect.provide(
      test(internet),
      lifecycleInMemory(
        Layer.merge(Providers.layer([]), Layer.provideMerge(PublicResolvers.layer([]), scriptedDns(internet))),
        storesInMemory,
        controlProof
      )
    )
  )
