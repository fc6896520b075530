import { expect } from "bun:test"
import { Effect, Either, Fiber, Layer, Option, TestClock } from "effect"
import { CachedResolver } from "../../../src/dns/zone/Resolver.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { defaultApplicationSettings } from "../../../src/domain/access/Application.ts"
import { DomainConnectKeyId } from "../../../src/domain/access/DomainConnectKey.ts"
import { Connection } from "../../../src/domain/connection/Connection.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { DomainConnectOffer } from "../../../src/domain/provider/DomainConnectOffer.ts"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { digestOf, generateSigningKey } from "../../../src/domainConnect/signature.ts"
import { parseTemplate } from "../../../src/domainConnect/Template.ts"
import { DomainConnect } from "../../../src/lifecycle/authorize/DomainConnect.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { DomainConnectDirectory } from "../../../src/providers/domainConnect/DomainConnectDirectory.ts"
import { unknownProvider } from "../../../src/providers/catalog/catalog.ts"
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

/** The link of an offer while the application has this template, and these keys, of which the last one is published. */
const linkOf = (
  offered: Partial<DomainConnectOffer>,
  registered: object = template,
  labels: ReadonlyArray<string> = ["k1"]
) =>
  Effect.gen(function* () {
    const { applicationId } = requestedConnection()
    const keys = labels.map((label) => ({ applicationId, domain: keyDomainOf(template), label, publicKey: "" }))
    const layer = DomainConnect.layer({ redirectUri: `https://${template.syncRedirectDomain}/` }).pipe(
      Layer.provide(
        Layer.mergeAll(
          Layer.mock(DomainConnectDirectory, {
            // Only the last key is there; the DNS of the others never answers.
            checkKey: ({ label }) =>
              label === labels.at(-1)
                ? Effect.succeed({ step: "key" as const, isGood: true, message: "" })
                : Effect.never
          }),
          Layer.mock(Delegations, {}),
          Layer.mock(ApplicationStore, {
            findSettings: () =>
              Effect.succeed({ ...defaultApplicationSettings, domainConnectTemplates: [JSON.stringify(registered)] })
          }),
          Layer.mock(DomainConnectKeys, {
            list: () => Effect.succeed(keys),
            open: () => Effect.succeedSome(generateSigningKey())
          }),
          Providers.layer([])
        )
      )
    )
    const { makeLink } = yield* Effect.provide(DomainConnect, layer)
    const { providerId, serviceId } = template
    const offer: DomainConnectOffer = {
      providerId,
      serviceId,
      displayName: "Connect",
      syncUrl: "https://connect.example",
      zone: "customer.example",
      host: "",
      variables: {},
      groups: ["site"],
      removes: [],
      ...offered
    }
    const provider = new Provider({ ...unknownProvider, domainConnect: offer })
    return yield* makeLink(Connection.make({ ...requestedConnection(), provider }), "state")
  })

const keyDomainOf = ({ syncPubKeyDomain }: typeof template) => DomainConnectKeyId.fields.domain.make(syncPubKeyDomain)

const digest = digestOf(Either.getOrThrow(parseTemplate(JSON.stringify(template))))

effect("a link is made only while the application has the template of the offer, or the offer does not say", () =>
  Effect.gen(function* () {
    const other = { ...template, records: template.records.slice(1) }
    expect(Option.isSome(yield* linkOf({ templateDigest: digest }))).toBe(true)
    expect(Option.isSome(yield* linkOf({ templateDigest: digest }, other))).toBe(false)
    expect(Option.isSome(yield* linkOf({}, other))).toBe(true)
  })
)

effect("a link waits two seconds at most for all keys together", () =>
  Effect.gen(function* () {
    const link = yield* Effect.fork(linkOf({}, template, ["k3", "k2", "k1"]))
    yield* TestClock.adjust("2 seconds")
    expect(Option.getOrThrow(yield* Fiber.join(link))).toContain("key=k1")
  })
)
