import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Config, ConfigError, Effect, Either, FiberRef, Layer, Option } from "effect"
import { ServiceConfig } from "./settings/Config.ts"
import * as Telemetry from "./Telemetry.ts"
import { ConnectionOperations } from "./administration/ConnectionOperations.ts"
import { administrationLayer } from "./administration/layer.ts"
import { dnsLayer } from "./dns/layer.ts"
import type { DnsClient } from "./dns/transport/DnsClient.ts"
import type { CachedResolver } from "./dns/zone/Resolver.ts"
import { Identifiers } from "./domain/values/Identifiers.ts"
import { httpLayer } from "./http/layer.ts"
import { oauthPaths, PublicUrl } from "./http/PublicUrl.ts"
import { DomainConnect } from "./lifecycle/authorize/DomainConnect.ts"
import { lifecycleLayer } from "./lifecycle/layer.ts"
import { withLooks } from "./lifecycle/state/StateTimeouts.ts"
import { persistenceLayer } from "./persistence/layer.ts"
import { findEmbeddedDatabase } from "./persistence/postgres/PostgresDirectory.ts"
import type { DomainConnectDirectory } from "./providers/domainConnect/DomainConnectDirectory.ts"
import { domainConnectDirectoryLayer, providersLayer } from "./providers/layer.ts"
import { runProgram } from "./runProgram.ts"
import { eventLoopMetrics } from "./runtime/eventLoopMetrics.ts"
import { beginMetrics, liveLabels } from "./runtime/metrics.ts"
import { processMetrics } from "./runtime/processMetrics.ts"
import { securityLayer } from "./security/layer.ts"
import { startupBanner } from "./startupBanner.ts"
import { publicDomainsOnly, testEnvironmentLayer, TestKeys } from "./testEnvironment.ts"
import { webhooksLayer } from "./webhooks/layer.ts"

/**
 * The whole service, one layer for each room; the last one is built first, and the port opens when all else runs.
 * Tests replace the DNS transport and the providers.
 */
export const serviceLayer = (
  config: ServiceConfig,
  dnsClient?: Layer.Layer<DnsClient>,
  providers = providersLayer(config),
  domainConnectDirectory: Layer.Layer<DomainConnectDirectory, never, CachedResolver> = domainConnectDirectoryLayer(
    config
  )
) =>
  httpLayer(config).pipe(
    Layer.provide(testEnvironmentLayer(config)),
    Layer.provideMerge(TestKeys.layer),
    Layer.provide(ConnectionOperations.layer),
    Layer.provide(lifecycleLayer({ ...config, stateTimeouts: withLooks(config.stateTimeouts) })),
    Layer.provide(Layer.provide(domainConnectLayer(config), domainConnectDirectory)),
    Layer.provide(webhooksLayer(config)),
    Layer.provide(administrationLayer),
    Layer.provide(dnsLayer(config, dnsClient)),
    Layer.provideMerge(providers),
    Layer.provideMerge(securityLayer(config)),
    Layer.provide(persistenceLayer(config)),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer, publicDomainsOnly)),
    Layer.merge(Layer.mergeAll(beginMetrics, eventLoopMetrics, processMetrics)),
    Layer.provide(Telemetry.layer(config)),
    Layer.locally(FiberRef.currentMetricLabels, liveLabels)
  )

/** Domain Connect for live connections: test mode has providers of its own, which take no part. */
const domainConnectLayer = (config: ServiceConfig) =>
  Layer.unwrapEffect(
    Effect.map(PublicUrl, ({ of }) => DomainConnect.layer({ redirectUri: of(oauthPaths.callback) }))
  ).pipe(Layer.provide(PublicUrl.layer(config)))

/** The service by its settings, until it is interrupted. */
export const runService = Effect.gen(function* () {
  const config = yield* StartConfig
  const data = yield* findEmbeddedDatabase(config.dataDirectory)
  const needsPublicUrl = Option.isNone(config.publicUrl) && (yield* detectContainer)
  const banner = startupBanner({
    databaseUrl: config.databaseUrl,
    data,
    needsPublicUrl,
    isImage: config.requiresPublicUrl,
    needsTrustedProxies: hasUnnamedClients(config)
  })
  return yield* Layer.launch(Layer.provide(banner, serviceLayer(config)))
}).pipe(Effect.provide(BunContext.layer))

/** Whether a proxy, which TLS needs, hides the addresses of the clients. */
const hasUnnamedClients = ({ publicUrl, trustedProxies }: Pick<ServiceConfig, "publicUrl" | "trustedProxies">) =>
  trustedProxies.length === 0 && Option.exists(publicUrl, (url) => url.startsWith("https:"))

/** The files by which Docker and Podman mark their containers. */
const detectContainer = Effect.flatMap(FileSystem.FileSystem, (files) =>
  Effect.exists(["/.dockerenv", "/run/.containerenv"], (path) => Effect.orElseSucceed(files.exists(path), () => false))
)

/**
 * The settings of a service that starts. In a container browsers can never reach the default of `PUBLIC_URL`; the
 * commands do not need it.
 */
const StartConfig = Config.mapOrFail(ServiceConfig, (config) =>
  config.requiresPublicUrl && Option.isNone(config.publicUrl)
    ? Either.left(
        ConfigError.InvalidData(
          ["PUBLIC_URL"],
          "must be set in a container: the https URL under which customers' browsers reach the service"
        )
      )
    : Either.right(config)
)

if (import.meta.main) runProgram(runService)
