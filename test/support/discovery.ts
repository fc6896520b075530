import { Layer } from "effect"
import { Delegations } from "../../src/dns/Delegation.ts"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { PublicAnswers } from "../../src/dns/PublicAnswers.ts"
import { Resolver } from "../../src/dns/Resolver.ts"
import { ZoneReader } from "../../src/dns/ZoneReader.ts"
import { Planner } from "../../src/lifecycle/zone/Planner.ts"
import { Survey } from "../../src/lifecycle/zone/Survey.ts"
import { Providers } from "../../src/providers/Providers.ts"
import type { ScriptedInternet } from "./lab/ScriptedInternet.ts"

/** Reading the DNS of a scripted internet, with patience for a machine of its own only. */
export const dnsOf = (internet: ScriptedInternet) => {
  const resolver = internet.dial(internet.resolver)
  return Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer).pipe(
    Layer.provideMerge(Resolver.layer([resolver])),
    Layer.provideMerge(DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "600 millis" }))
  )
}

/** Looking at domains in a scripted internet; no provider is declared. */
export const surveyOn = (internet: ScriptedInternet) =>
  Survey.layer.pipe(
    Layer.provide(Planner.layer),
    Layer.provideMerge(Providers.layer([])),
    Layer.provide(dnsOf(internet))
  )
