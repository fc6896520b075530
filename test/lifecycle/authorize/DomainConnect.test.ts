import { expect } from "bun:test"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { CachedResolver } from "../../../src/dns/zone/Resolver.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { defaultApplicationSettings } from "../../../src/domain/access/Application.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { DomainConnect } from "../../../src/lifecycle/authorize/DomainConnect.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { domainConnectDirectoryLayer } from "../../../src/providers/layer.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { DomainConnectKeys } from "../../../src/security/DomainConnectKeys.ts"
import { template } from "../../support/DomainConnectLab.ts"
import { effect } from "../../support/effectTest.ts"
import { requestedConnection } from "../../persistence/connectionFixtures.ts"

effect("a provider that never answers holds a discovery up for two seconds, and the reason says so", () =>
  Effect.gen(function* () {
    const asked = Promise.withResolvers<void>()
    // Requests go to this proxy, which takes each of them and stays silent.
    const proxy = yield* Effect.acquireRelease(
      Effect.sync(() => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => asked.resolve() } })),
      (listener) => Effect.sync(() => listener.stop(true))
    )
    const directory = domainConnectDirectoryLayer({
      domainConnectHosts: ["connect.example"],
      outboundAllow: [],
      outboundProxy: Option.some(`http://127.0.0.1:${proxy.port}`)
    })
    const zone = DomainName.make("customer.example")
    const layer = DomainConnect.layer({ redirectUri: "https://platform.example/callback" }).pipe(
      Layer.provide(directory),
      Layer.provide(Providers.layer([])),
      Layer.provide(
        Layer.mergeAll(
          Layer.mock(CachedResolver, {
            lookUp: (questions) =>
              Effect.delay(
                Effect.succeed(questions.map((question) => [question, ["connect.example"]] as const)),
                "1 second"
              )
          }),
          Layer.mock(Delegations, {
            find: () =>
              Effect.succeed({
                zone,
                nameServers: [],
                parentNameServers: ["ns1.connect.example"],
                childNameServers: [],
                hasParentChildMismatch: false,
                isSigned: false
              })
          }),
          Layer.mock(ApplicationStore, {
            findSettings: () =>
              Effect.succeed({ ...defaultApplicationSettings, domainConnectTemplates: [JSON.stringify(template)] })
          }),
          Layer.mock(DomainConnectKeys, { list: () => Effect.succeed([]) })
        )
      )
    )
    const { discover } = yield* Effect.provide(DomainConnect, layer)
    const discovery = yield* Effect.fork(discover(requestedConnection()))
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => asked.promise)
    yield* TestClock.adjust("999 millis")
    expect(yield* Fiber.poll(discovery)).toEqual(Option.none())
    yield* TestClock.adjust("1 millis")
    const way = yield* Effect.map(Fiber.join(discovery), Option.getOrThrow)
    expect([way.provider, way.reasons]).toEqual([Option.none(), ["the provider has not answered within 2s"]])
  })
)
