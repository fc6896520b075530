import { WorkflowEngine } from "@effect/workflow"
import { Effect, Layer } from "effect"
import { Delegations } from "../../src/dns/Delegation.ts"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { PublicAnswers } from "../../src/dns/PublicAnswers.ts"
import { Resolver } from "../../src/dns/Resolver.ts"
import { ZoneReader } from "../../src/dns/ZoneReader.ts"
import { Discovery } from "../../src/lifecycle/Discovery.ts"
import { Dispatch } from "../../src/lifecycle/Dispatch.ts"
import * as Phases from "../../src/lifecycle/Phases.ts"
import { PhasesInFlight } from "../../src/lifecycle/PhasesInFlight.ts"
import { Survey } from "../../src/lifecycle/Survey.ts"
import { ScriptedInternet } from "./lab/ScriptedInternet.ts"
import type { InternetSpec } from "./lab/topology.ts"
import { rooms, storesInMemory } from "./apiUnderTest.ts"

/** Reading the DNS of a scripted internet, with patience for a machine of its own only. */
export const dnsOf = (internet: ScriptedInternet) => {
  const resolver = internet.dial(internet.resolver)
  return Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer).pipe(
    Layer.provideMerge(Resolver.layer([resolver])),
    Layer.provideMerge(DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "600 millis" }))
  )
}

/** The lifecycle with its phases on the engine's memory; discovery is handed in. */
export const lifecycleInMemory = <E, R>(discovery: Layer.Layer<Discovery, E, R>) =>
  Layer.mergeAll(Phases.layer, Dispatch.layer).pipe(
    Layer.provide(discovery),
    Layer.provideMerge(Layer.mergeAll(WorkflowEngine.layerMemory, PhasesInFlight.layer({ capacity: 64 }))),
    Layer.provideMerge(rooms),
    Layer.provideMerge(storesInMemory)
  )

/** The lifecycle over an internet of its own, for one test. */
export const onInternet = <A, E, R>(spec: InternetSpec, test: (internet: ScriptedInternet) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(ScriptedInternet.make(spec), (internet) =>
    Effect.provide(
      test(internet),
      lifecycleInMemory(Discovery.layer.pipe(Layer.provide(Survey.layer), Layer.provide(dnsOf(internet))))
    )
  )
