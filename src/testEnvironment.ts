import { BunContext } from "@effect/platform-bun"
import {
  Context,
  Deferred,
  Effect,
  ExecutionStrategy,
  Exit,
  FiberRef,
  HashMap,
  Layer,
  MetricLabel,
  Option,
  Runtime,
  Scope
} from "effect"
import type { ServiceConfig } from "./settings/Config.ts"
import { ConnectionOperations } from "./administration/ConnectionOperations.ts"
import { administrationLayer } from "./administration/layer.ts"
import { testModePath } from "./domain/testmode/testModePath.ts"
import type { ValueIssue } from "./domain/error/ErrorDetail.ts"
import { isAtOrBelow } from "./domain/names/DomainName.ts"
import { Identifiers } from "./domain/values/Identifiers.ts"
import { testHttpLayer } from "./http/layer.ts"
import { type RequestHandler, TestModeRequests } from "./http/pipeline/serve.ts"
import { oauthPaths, PublicUrl, testDomainConnectPath } from "./http/PublicUrl.ts"
import { DomainConnect } from "./lifecycle/authorize/DomainConnect.ts"
import { lifecycleLayer } from "./lifecycle/layer.ts"
import { AllowedDomains } from "./lifecycle/plan/AllowedDomains.ts"
import { testTables } from "./persistence/commandDatabase.ts"
import { testPersistenceLayer } from "./persistence/layer.ts"
import { DatabaseUrl } from "./persistence/postgres/databasePool.ts"
import { ApiKeyStore } from "./persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys, type IssuedApiKey } from "./security/ApiKeys.ts"
import { securityLayer } from "./security/layer.ts"
import { TestDomainConnect } from "./testmode/TestDomainConnect.ts"
import { testDomainConnectDirectory } from "./testmode/testDomainConnectDirectory.ts"
import { TestMode } from "./testmode/TestMode.ts"
import { findTestZone, topLevelDomain } from "./testmode/TestZoneName.ts"
import { testInternetLayer } from "./testmode/layer.ts"
import { webhooksLayer } from "./webhooks/layer.ts"

/**
 * Test mode: the same rooms as in `main`, composed a second time over a schema of its own and an internet in this process.
 * It is built when its first request comes, so that a service that nobody tests pays nothing for it.
 */
export const testEnvironmentLayer = (config: ServiceConfig) =>
  Layer.scoped(
    TestModeRequests,
    Effect.gen(function* () {
      const databaseUrl = yield* DatabaseUrl
      const scope = yield* Effect.scope
      const runtime = yield* Effect.runtime<never>()
      const build = Effect.gen(function* () {
        const handler = yield* Deferred.make<RequestHandler>()
        const service = testServiceLayer(config, databaseUrl, (respond) =>
          Effect.asVoid(Deferred.succeed(handler, respond))
        )
        const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
        yield* Effect.onError(Layer.buildWithScope(service, own), (cause) => Scope.close(own, Exit.failCause(cause)))
        return yield* Deferred.await(handler)
      })
      const semaphore = yield* Effect.makeSemaphore(1)
      let built: RequestHandler | undefined
      const findHandler = yield* semaphore
        .withPermits(1)(
          Effect.suspend(() =>
            built === undefined
              ? Effect.tap(build, (handler) => Effect.sync(() => void (built = handler)))
              : Effect.succeed(built)
          )
        )
        .pipe(
          Effect.tapErrorCause((cause) => Effect.logError("Test mode cannot be started", cause)),
          // Anybody can send a request of test mode: an attempt that fails is not repeated by each of them.
          Effect.cachedWithTTL("10 seconds")
        )
      const runPromise = Runtime.runPromise(runtime)
      const respond: RequestHandler = (source, findClient) =>
        built === undefined
          ? runPromise(findHandler).then((handler) => handler(source, findClient), respondUnavailable)
          : built(source, findClient)
      return { respond: Option.some(respond) }
    })
  )

const testServiceLayer = (
  config: ServiceConfig,
  databaseUrl: typeof DatabaseUrl.Service,
  onServe: (handler: RequestHandler) => Effect.Effect<void>
) =>
  testHttpLayer(config, onServe).pipe(
    Layer.provide(Layer.mergeAll(TestMode.layer, ConnectionOperations.layer, TestDomainConnect.layer)),
    Layer.provide(lifecycleLayer({ ...config, phasesInFlight: Math.min(config.phasesInFlight, testPhasesInFlight) })),
    Layer.provide(testDomainConnectLayer(config)),
    Layer.provide(administrationLayer),
    Layer.provide(webhooksLayer(config)),
    Layer.provide(Layer.merge(testInternetLayer, testDomainsOnly)),
    Layer.provideMerge(securityLayer({ ...config, isTestMode: true })),
    Layer.provide(testPersistenceLayer({ ...config, databaseUrl })),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    // Its metrics and logs must be distinguishable from those of live connections.
    Layer.locally(FiberRef.currentMetricLabels, [MetricLabel.make("environment", "test")]),
    Layer.locallyWith(FiberRef.currentLogAnnotations, HashMap.set<string, unknown>("environment", "test"))
  )

/** Domain Connect, whose only provider has its pages at this service. */
const testDomainConnectLayer = (config: ServiceConfig) =>
  Layer.unwrapEffect(
    Effect.map(PublicUrl, ({ of }) =>
      DomainConnect.layer({ redirectUri: of(oauthPaths.callback) }).pipe(
        Layer.provide(testDomainConnectDirectory(of(testDomainConnectPath)))
      )
    )
  ).pipe(Layer.provide(PublicUrl.layer({ ...config, mountPath: testModePath })))

/** Issues API keys of test mode, without building the rest of it. */
export class TestKeys extends Context.Tag("TestKeys")<
  TestKeys,
  { readonly issue: (...args: Parameters<ApiKeysIssue>) => Effect.Effect<IssuedApiKey, unknown> }
>() {
  static readonly layer = Layer.effect(
    TestKeys,
    Effect.map(DatabaseUrl, (url) => ({
      issue: (request) =>
        Effect.provide(
          Effect.flatMap(ApiKeys, ({ issue }) => issue(request)),
          ApiKeys.layer.pipe(
            Layer.provide(ApiKeyStore.layer),
            Layer.provide(Layer.provide(testTables, Layer.succeed(DatabaseUrl, url))),
            Layer.provide(Identifiers.layer)
          )
        )
    }))
  )
}

type ApiKeysIssue = (typeof ApiKeys.Service)["issue"]

/** The most phases of test mode at once, so that tests never keep the processor from live connections. */
const testPhasesInFlight = 8

const respondUnavailable = () => new Response(undefined, { status: 503 })

/** Only the domains of test mode can be connected with its keys. */
export const testDomainsOnly = Layer.succeed(AllowedDomains, {
  findIssue: (domain): ValueIssue | undefined => (findTestZone(domain) === undefined ? testDomainRequired : undefined)
})

const testDomainRequired: ValueIssue = {
  code: "test_domain_required",
  message:
    "an API key of test mode connects the domains of test mode only, such as one-click.test or shop-7-one-click.test",
  suggestion: "one-click.test"
}

/** Live connections have any domain but those below `.test`, which never exist in the public DNS (RFC 6761). */
export const publicDomainsOnly = Layer.succeed(AllowedDomains, {
  findIssue: (domain): ValueIssue | undefined => (isAtOrBelow(domain, topLevelDomain) ? domainOfTestMode : undefined)
})

const domainOfTestMode: ValueIssue = {
  code: "domain_of_test_mode",
  message:
    "names below .test exist in test mode only: send an API key that begins with dck_test_, or another domain with this one"
}
