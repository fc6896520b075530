import { Layer } from "effect"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { CachedResolver } from "../../src/dns/zone/CachedResolver.ts"
import { Delegations } from "../../src/dns/zone/Delegation.ts"
import { Resolver } from "../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import { FactResolver } from "../../src/lifecycle/plan/FactResolver.ts"
import { ZoneSurvey } from "../../src/lifecycle/plan/ZoneSurvey.ts"
import { Providers } from "../../src/providers/Providers.ts"
import type { ScriptedInternet } from "./lab/ScriptedInternet.ts"

/** Reads the DNS of a scripted internet, with a short timeout because all servers are local. */
export const scriptedDns = (internet: ScriptedInternet) => {
  const resolver = internet.dial(internet.resolver)
  return Layer.mergeAll(Delegations.layer, ZoneReader.layer, CachedResolver.layer).pipe(
    Layer.provideMerge(Resolver.layer([resolver])),
    Layer.provideMerge(DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "600 millis" }))
  )
}

/** Surveys domains in a scripted internet, without declared providers. */
export const scriptedZoneSurvey = (internet: ScriptedInternet) =>
  ZoneSurvey.layer.pipe(
    Layer.provide(FactResolver.layer),
    Layer.provideMerge(Providers.layer([])),
    Layer.provide(scriptedDns(internet))
  )
