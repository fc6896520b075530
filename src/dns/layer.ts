import { type Array, Layer } from "effect"
import type { Network } from "../domain/names/IpAddress.ts"
import { DnsClient } from "./transport/DnsClient.ts"
import type { Endpoint } from "./transport/Endpoint.ts"
import { Delegations } from "./zone/Delegations.ts"
import { KnownAnswers } from "./zone/KnownAnswers.ts"
import { PublicResolvers } from "./zone/PublicResolvers.ts"
import { CachedResolver, Resolver } from "./zone/Resolver.ts"
import { ZoneReader } from "./zone/ZoneReader.ts"

/** Reads the public DNS; tests pass a `client` that reaches a DNS of their own. */
export const dnsLayer = <R = never>(
  settings: {
    /** Recursive resolvers that find zones and answer questions beyond a zone (`DNS_RESOLVERS`). */
    readonly resolvers: Array.NonEmptyReadonlyArray<Endpoint>
    /** Recursive resolvers that show a zone as the public sees it (`DNS_PUBLIC_RESOLVERS`). */
    readonly publicResolvers: ReadonlyArray<Endpoint>
    /** Private networks that queries may be sent to (`OUTBOUND_ALLOW`). */
    readonly outboundAllow: ReadonlyArray<Network>
    /** The rate of queries to one name server address that answers (`DNS_QUERIES_PER_SECOND`). */
    readonly dnsQueriesPerSecond: number
  },
  client: Layer.Layer<DnsClient, never, R> = DnsClient.layer({
    allowed: settings.outboundAllow,
    limits: { queriesPerSecond: settings.dnsQueriesPerSecond }
  })
) =>
  Layer.mergeAll(
    Delegations.layer,
    ZoneReader.layer,
    CachedResolver.layer,
    KnownAnswers.layer({
      allowed: settings.outboundAllow,
      queriesPerSecond: settings.dnsQueriesPerSecond * shareOfLooks
    }),
    PublicResolvers.layer(settings.publicResolvers)
  ).pipe(Layer.provide(Resolver.layer(settings.resolvers)), Layer.provide(client))

/** The part of the queries to one address that may ask again for what is known; the rest is for people who wait. */
const shareOfLooks = 0.2
