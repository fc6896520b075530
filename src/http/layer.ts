import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Data, Effect, Layer, type Option, Predicate } from "effect"
import type { Network } from "../domain/IpAddress.ts"
import { testModePath } from "../domain/testModePath.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { Api } from "./contract/Api.ts"
import { AdminHandlers } from "./handlers/AdminHandlers.ts"
import { AdminKeysHandlers } from "./handlers/AdminKeysHandlers.ts"
import { AdminWebhooksHandlers } from "./handlers/AdminWebhooksHandlers.ts"
import { AllowedDomainsHandlers } from "./handlers/AllowedDomainsHandlers.ts"
import { AuditHandlers } from "./handlers/AuditHandlers.ts"
import { ConnectionsHandlers } from "./handlers/ConnectionsHandlers.ts"
import { EventStreams } from "./handlers/EventStreams.ts"
import { LifecycleHandlers } from "./handlers/LifecycleHandlers.ts"
import { MonitoringRoutes } from "./handlers/MonitoringRoutes.ts"
import { ObservationHandlers } from "./handlers/ObservationHandlers.ts"
import { ProvidersHandlers } from "./handlers/ProvidersHandlers.ts"
import { SharingHandlers } from "./handlers/SharingHandlers.ts"
import { type StreamLimits, OpenStreams } from "./handlers/OpenStreams.ts"
import { TestModeHandlers } from "./handlers/TestModeHandlers.ts"
import { UsageHandlers } from "./handlers/UsageHandlers.ts"
import { WebhooksHandlers } from "./handlers/WebhooksHandlers.ts"
import { Authenticator } from "./middleware/Authenticator.ts"
import { ConcurrencyLimiter } from "./middleware/ConcurrencyLimiter.ts"
import { CredentialGate } from "./middleware/CredentialGate.ts"
import { Drain } from "./middleware/Drain.ts"
import { GlobalMiddleware } from "./middleware/GlobalMiddleware.ts"
import {
  adminAuthLayer,
  apiKeyAuthLayer,
  callerAuthLayer,
  hostedPageOnlyLayer
} from "./middleware/authenticationLayers.ts"
import { RateLimiter } from "./middleware/RateLimiter.ts"
import { RouteTable } from "./middleware/RouteTable.ts"
import { ConnectRoutes } from "./pages/ConnectRoutes.ts"
import { DocumentationRoutes } from "./pages/documentation/DocumentationRoutes.ts"
import { OAuthRoutes } from "./pages/OAuthRoutes.ts"
import { TestSignInRoutes } from "./pages/TestSignInRoutes.ts"
import { makeBunServer, makePortlessServer } from "./server/bunServer.ts"
import { CompiledRoutes, routerConfig } from "./server/CompiledRoutes.ts"
import type { RequestHandler } from "./server/TestModeRequests.ts"

/** The address on which the service listens, and the rate limits of its callers; 0 for no limit. */
export interface HttpSettings {
  readonly host: string
  readonly port: number
  /** The URL under which browsers reach the service, if it is another one. */
  readonly publicUrl: Option.Option<string>
  /** Requests per minute of one tenant's servers. */
  readonly rateLimitPerMinute: number
  /** Requests per minute of one connection's browsers. */
  readonly browserRateLimitPerMinute: number
  /** Requests per minute with a refused credential, from one client address. */
  readonly refusedCredentialsPerMinute: number
  /** The networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<Network>
  /** Without it any number of event streams and waiting requests may be open. */
  readonly streams?: StreamLimits
}

/** The room http: the API, its documents, the pages and the monitoring on one port, which opens when all is built. */
export const httpLayer = (settings: HttpSettings) =>
  httpLayerOn(listenAt(settings), { ...settings, moreRoutes: MonitoringRoutes })

/**
 * The same without a port and monitoring, for the requests of test mode: `onServe` gets what responds to them. A proxy that
 * keeps `/metrics` from the public does not know its path there.
 */
export const testHttpLayer = (settings: HttpSettings, onServe: (handler: RequestHandler) => Effect.Effect<void>) =>
  httpLayerOn((endpoints) => Layer.succeed(HttpServer.HttpServer, makePortlessServer(endpoints, onServe)), {
    ...settings,
    mountPath: testModePath,
    moreRoutes: TestSignInRoutes
  })

/** Serves the endpoints on a server that `serverFor` makes for them. */
const httpLayerOn = <E>(
  serverFor: (endpoints: typeof CompiledRoutes.Service) => Layer.Layer<HttpServer.HttpServer, E>,
  {
    host,
    moreRoutes,
    mountPath = "",
    port,
    publicUrl,
    streams = unlimitedStreams,
    ...rates
  }: HttpSettings & { readonly mountPath?: string; readonly moreRoutes: Layer.Layer<never, never, RouteServices> }
) => {
  const server = Layer.unwrapEffect(
    Effect.map(Effect.all([HttpLayerRouter.HttpRouter, CompiledRoutes]), ([router, endpoints]) =>
      Layer.provideMerge(HttpServer.serve(router.asHttpEffect()), serverFor(endpoints))
    )
  )
  return Drain.onShutdown.pipe(
    Layer.provideMerge(server),
    Layer.provide(Layer.merge(routes, moreRoutes)),
    Layer.provide(
      Layer.mergeAll(
        AdminHandlers,
        AdminKeysHandlers,
        AdminWebhooksHandlers,
        AllowedDomainsHandlers,
        ConnectionsHandlers,
        LifecycleHandlers,
        ObservationHandlers,
        ProvidersHandlers,
        SharingHandlers,
        TestModeHandlers,
        UsageHandlers,
        WebhooksHandlers,
        AuditHandlers
      )
    ),
    Layer.provide(
      Layer.mergeAll(adminAuthLayer, apiKeyAuthLayer, callerAuthLayer, hostedPageOnlyLayer, EventStreams.layer)
    ),
    Layer.provide(OpenStreams.layer(streams)),
    Layer.provideMerge(CompiledRoutes.layer(Api)),
    Layer.provide(Authenticator.layer),
    Layer.provide(CredentialGate.layer),
    Layer.provide(
      Layer.mergeAll(
        ConcurrencyLimiter.layer,
        Drain.layer,
        PublicUrl.layer({ host, port, publicUrl, mountPath }),
        RateLimiter.layer({
          server: rates.rateLimitPerMinute,
          browser: rates.browserRateLimitPerMinute,
          refused: rates.refusedCredentialsPerMinute,
          malformed: malformedPerRefused * rates.refusedCredentialsPerMinute
        }),
        RouteTable.layer(Api),
        Layer.provide(HttpLayerRouter.layer, Layer.succeed(HttpLayerRouter.RouterConfig, routerConfig)),
        BunHttpServer.layerContext
      )
    )
  )
}

/** Malformed credentials are refused without a look-up, so their limit is higher. */
const malformedPerRefused = 20

const unlimitedStreams: StreamLimits = { perConnection: Infinity, perTenant: Infinity }

/** The service cannot listen: another program has the port, or the address is none of this machine. */
class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

const listenAt =
  ({ host, port, trustedProxies }: HttpSettings) =>
  (endpoints: typeof CompiledRoutes.Service) =>
    Layer.scoped(
      HttpServer.HttpServer,
      Effect.catchAllDefect(
        makeBunServer({ hostname: host, port, idleTimeout: 60, maxRequestBodySize, trustedProxies }, endpoints),
        (defect) => new ListenError({ message: explainListenDefect(defect, host, port) })
      )
    )

const explainListenDefect = (defect: unknown, host: string, port: number): string =>
  Predicate.hasProperty(defect, "code") && defect.code === "EADDRINUSE"
    ? `cannot listen: another program, perhaps another instance of this service, has port ${port} of ${host}; stop it, or set another PORT`
    : `cannot listen: HOST ${host} must be an address or host name of this machine, and this user may listen on PORT ${port} (${defect})`

const routes = Layer.mergeAll(
  HttpLayerRouter.addHttpApi(Api),
  DocumentationRoutes,
  ConnectRoutes,
  OAuthRoutes,
  GlobalMiddleware
)

type RouteServices = Layer.Layer.Context<typeof TestSignInRoutes | typeof MonitoringRoutes>

/** Far above the limit of `limitJsonBody`, whose 413 has an error body; Bun's 413 has none. */
const maxRequestBodySize = 2 ** 31
