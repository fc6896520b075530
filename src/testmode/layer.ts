import { Layer } from "effect"
import { dnsLayer } from "../dns/layer.ts"
import { testResolver, testDnsClient } from "./testDnsClient.ts"
import { testProviders } from "./testProviders.ts"
import { TestZones } from "./TestZones.ts"

/** The internet of test mode: a DNS and providers in this process, on zones in the database. No packet leaves. */
export const testInternetLayer = Layer.merge(
  dnsLayer(
    { resolvers: [testResolver], publicResolvers: [testResolver], outboundAllow: [], dnsQueriesPerSecond: 1 },
    Layer.provide(testDnsClient, TestZones.layer)
  ),
  testProviders
).pipe(Layer.provideMerge(TestZones.layer))
