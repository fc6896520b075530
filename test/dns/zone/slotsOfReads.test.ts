import { expect } from "bun:test"
import { Array, Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { makeStandardEndpoint } from "../../../src/dns/transport/Endpoint.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import { CachedResolver, Resolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import { apexHost, DomainName } from "../../../src/domain/names/DomainName.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { effect } from "../../support/effectTest.ts"
import { tenancyOf } from "../../support/testApi.ts"

type DnsReaders = Delegations | ZoneReader | PublicResolvers | CachedResolver

/** No server and no resolver ever answers, and no query ends. */
const silence = Layer.succeed(DnsClient, { query: () => () => () => {}, resolve: () => () => () => {} })

const resolver = makeStandardEndpoint("192.0.2.1")
const domain = DomainName.make("example.com")
const hosts = [{ host: apexHost, types: ["A"] as const }]
const server = { name: "ns1.example.net", addresses: ["192.0.2.2"] }
const delegation = {
  zone: domain,
  nameServers: [server],
  parentNameServers: [server.name],
  childNameServers: [],
  hasParentChildMismatch: false,
  isSigned: false
}

const layer = Layer.mergeAll(
  Delegations.layer,
  ZoneReader.layer,
  CachedResolver.layer,
  PublicResolvers.layer([resolver])
).pipe(
  Layer.provide(Resolver.layer(Array.of(resolver))),
  Layer.provide(silence),
  Layer.merge(WorkSlots.layer({ capacity: 1 }))
)

const reads = {
  "a search for a delegation": Effect.flatMap(Delegations, ({ find }) => find(domain)),
  "a read of a zone": Effect.flatMap(ZoneReader, ({ read }) => read({ domain, delegation, hosts })),
  "a read of each server": Effect.flatMap(ZoneReader, (reader) => reader.readPerServer({ domain, delegation, hosts })),
  "a read of public resolvers": Effect.flatMap(PublicResolvers, ({ readPerResolver }) =>
    readPerResolver({ domain, zone: domain, hosts })
  ),
  "a look-up": Effect.flatMap(CachedResolver, ({ lookUp }) =>
    lookUp([{ name: domain, type: "A" }], Duration.seconds(5))
  ),
  "a check of the resolvers": Effect.flatMap(CachedResolver, ({ requireAvailable }) => requireAvailable(domain))
}

for (const [name, read] of Object.entries<Effect.Effect<unknown, unknown, DnsReaders>>(reads))
  effect(`${name} holds no slot once it has waited for half a second`, () =>
    Effect.gen(function* () {
      const slots = yield* WorkSlots
      const check = yield* Effect.fork(slots.runCheck(tenancyOf("app", "tenant"), read))
      yield* TestClock.adjust("499 millis")
      expect(yield* slots.free).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* slots.free).toBe(1)
      yield* Fiber.interrupt(check)
    }).pipe(Effect.provide(layer))
  )
