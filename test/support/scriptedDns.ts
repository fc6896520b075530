import { type Duration, Layer } from "effect"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../src/dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import { PlanMaker } from "../../src/lifecycle/plan/PlanMaker.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { timeByTurns } from "./timeByTurns.ts"
import type { ScriptedInternet } from "./lab/ScriptedInternet.ts"

/** Reads the DNS of a scripted internet, with a timeout that a busy machine does not use up. */
export const scriptedDns = (internet: ScriptedInternet, timeout: Duration.DurationInput = "3 seconds") => {
  const resolver = internet.dial(internet.resolver)
  return Layer.mergeAll(Delegations.layer, ZoneReader.layer, CachedResolver.layer).pipe(
    Layer.provideMerge(Resolver.layer([resolver])),
    Layer.provideMerge(DnsClient.layer({ allowed: [], dial: internet.dial, timeout })),
    Layer.merge(Layer.scopedDiscard(timeByTurns))
  )
}

/** Makes plans for domains in a scripted internet, without connections and declared providers. */
export const scriptedPlanMaker = (internet: ScriptedInternet) =>
  PlanMaker.layerWithoutDatabase.pipe(Layer.provideMerge(Providers.layer([])), Layer.provide(scriptedDns(internet)))
