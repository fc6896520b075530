import { HttpApiBuilder, HttpServer, HttpServerRequest } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Duration, Effect, Layer, type Option } from "effect"
import { testModePath } from "../domain/testmode/testModePath.ts"
import { ConcurrencyLimiter } from "../limits/ConcurrencyLimiter.ts"
import { CredentialGate } from "../limits/CredentialGate.ts"
import { RateLimiter, type RateLimits } from "../limits/RateLimiter.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { Api } from "./endpoints/Api.ts"
import { McpRoutes } from "./endpoints/agents/McpRoutes.ts"
import { AdminHandlers } from "./endpoints/administration/AdminHandlers.ts"
import { AdminKeysHandlers } from "./endpoints/administration/AdminKeysHandlers.ts"
import { AdminWebhooksHandlers } from "./endpoints/webhooks/AdminWebhooksHandlers.ts"
import { AdminConnectionsHandlers } from "./endpoints/operations/AdminConnectionsHandlers.ts"
import { AllowedDomainsHandlers } from "./endpoints/allowedDomains/AllowedDomainsHandlers.ts"
import { AuditHandlers } from "./endpoints/audit/AuditHandlers.ts"
import { ConnectionsHandlers } from "./endpoints/connections/ConnectionsHandlers.ts"
import { DomainEntryHandlers } from "./endpoints/domainEntry/DomainEntryHandlers.ts"
import { EventStreams } from "./endpoints/observation/EventStreams.ts"
import { LifecycleHandlers } from "./endpoints/lifecycle/LifecycleHandlers.ts"
import { monitoringRoutes } from "./pages/MonitoringRoutes.ts"
import { ObservationHandlers } from "./endpoints/observation/ObservationHandlers.ts"
import { ProvidersHandlers } from "./endpoints/providers/ProvidersHandlers.ts"
import { SharingHandlers } from "./endpoints/sharing/SharingHandlers.ts"
import { type StreamLimits, OpenStreams } from "../limits/OpenStreams.ts"
import { TestModeHandlers } from "./endpoints/testmode/TestModeHandlers.ts"
import { UsageHandlers } from "./endpoints/usage/UsageHandlers.ts"
import { WebhooksHandlers } from "./endpoints/webhooks/WebhooksHandlers.ts"
import { ConnectRoutes } from "./pages/ConnectRoutes.ts"
import { DocumentationRoutes } from "./pages/documentation/DocumentationRoutes.ts"
import { OperatorRoutes } from "./pages/OperatorRoutes.ts"
import { OAuthRoutes } from "./pages/OAuthRoutes.ts"
import { TestDomainConnectRoutes } from "./pages/TestDomainConnectRoutes.ts"
import { TestSignInRoutes } from "./pages/TestSignInRoutes.ts"
import {
  adminAuthLayer,
  apiKeyAuthLayer,
  callerAuthLayer,
  domainEntryAuthLayer,
  hostedPageOnlyLayer
} from "./pipeline/authenticate.ts"
import { Drain } from "./pipeline/Drain.ts"
import { Endpoints } from "./pipeline/Endpoints.ts"
import { makePipeline } from "./pipeline/pipeline.ts"
import { listenAt, type ListenSettings, withoutPort, type RequestHandler } from "./pipeline/serve.ts"

/** The address on which the service listens, and the limits of its callers. */
export interface HttpSettings extends ListenSettings {
  readonly publicUrl: Option.Option<string>
  readonly rates: RateLimits
  /** How long the service goes on serving once it is to stop. */
  readonly drainDelay?: Duration.Duration
  /** The port of `/metrics` alone; without it, or with 0, that of the API. */
  readonly metricsPort?: number
  /** Without it any number of event streams and waiting requests may be open. */
  readonly streams?: StreamLimits
}

/** The room http: the API, its documents, the pages and the monitoring on one port, which opens when all is built. */
export const httpLayer = (settings: HttpSettings) =>
  httpLayerOn(listenAt(settings), { ...settings, moreRoutes: monitoringRoutes(settings) })

/** The layer of http for test mode, without port or monitoring: no proxy knows that it should hide `/metrics` there. */
export const testHttpLayer = (settings: HttpSettings, onServe: (handler: RequestHandler) => Effect.Effect<void>) =>
  httpLayerOn(withoutPort(onServe), {
    ...settings,
    drainDelay: Duration.zero,
    mountPath: testModePath,
    moreRoutes: Layer.merge(TestSignInRoutes, TestDomainConnectRoutes)
  })

/** Serves all requests of a server by the pipeline. */
const httpLayerOn = <E>(
  server: Layer.Layer<HttpServer.HttpServer, E>,
  {
    drainDelay = Duration.zero,
    host,
    moreRoutes,
    mountPath = "",
    port,
    publicUrl,
    rates,
    streams = unlimitedStreams
  }: HttpSettings & { readonly mountPath?: string; readonly moreRoutes: Layer.Layer<never, RoutesError, RouteServices> }
) => {
  const serving = Layer.unwrapEffect(
    Effect.map(makePipeline, (pipeline) =>
      Layer.provideMerge(HttpServer.serve(Effect.flatMap(HttpServerRequest.HttpServerRequest, pipeline)), server)
    )
  )
  return Drain.onShutdown(drainDelay).pipe(
    Layer.provideMerge(serving),
    Layer.provide(
      Layer.mergeAll(apiLayer, DocumentationRoutes, ConnectRoutes, OperatorRoutes, OAuthRoutes, moreRoutes)
    ),
    Layer.provide(OpenStreams.layer(streams)),
    Layer.provide(CredentialGate.layer),
    Layer.provide(
      Layer.mergeAll(
        ConcurrencyLimiter.layer,
        Drain.layer,
        Endpoints.layer(Api),
        PublicUrl.layer({ host, port, publicUrl, mountPath }),
        RateLimiter.layer(rates),
        BunHttpServer.layerContext
      )
    )
  )
}

/** All endpoints of the API; a group without handlers is a type error. Agents call them, too. */
const apiLayer = Layer.provide(
  Layer.merge(HttpApiBuilder.api(Api), McpRoutes),
  Layer.mergeAll(
    AdminHandlers,
    AdminKeysHandlers,
    AdminWebhooksHandlers,
    AdminConnectionsHandlers,
    AllowedDomainsHandlers,
    ConnectionsHandlers,
    DomainEntryHandlers,
    LifecycleHandlers,
    ObservationHandlers,
    ProvidersHandlers,
    SharingHandlers,
    TestModeHandlers,
    UsageHandlers,
    WebhooksHandlers,
    AuditHandlers
  )
).pipe(
  Layer.provide(
    Layer.mergeAll(
      adminAuthLayer,
      apiKeyAuthLayer,
      callerAuthLayer,
      domainEntryAuthLayer,
      hostedPageOnlyLayer,
      EventStreams.layer
    )
  )
)

const unlimitedStreams: StreamLimits = { perConnection: Infinity, perTenant: Infinity }

type RoutesError = Layer.Layer.Error<ReturnType<typeof monitoringRoutes>>

type RouteServices = Layer.Layer.Context<typeof TestSignInRoutes | ReturnType<typeof monitoringRoutes>>
