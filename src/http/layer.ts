import { HttpApiScalar, HttpLayerRouter, HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Data, Effect, Layer, type Option } from "effect"
import { oauthPaths, PublicUrl } from "./PublicUrl.ts"
import { Api } from "./contract/Api.ts"
import { ConnectionsHandlers } from "./handlers/ConnectionsHandlers.ts"
import { EventStreams } from "./handlers/EventStreams.ts"
import { HealthRoutes } from "./handlers/HealthRoutes.ts"
import { LifecycleHandlers } from "./handlers/LifecycleHandlers.ts"
import { MetricsRoute } from "./handlers/MetricsRoute.ts"
import { ObservationHandlers } from "./handlers/ObservationHandlers.ts"
import { ProvidersHandlers } from "./handlers/ProvidersHandlers.ts"
import { SharingHandlers } from "./handlers/SharingHandlers.ts"
import { Authenticator } from "./middleware/Authenticator.ts"
import { apiKeyAuthLayer, callerAuthLayer } from "./middleware/authenticationLayers.ts"
import { Drain } from "./middleware/Drain.ts"
import { GlobalMiddleware } from "./middleware/GlobalMiddleware.ts"
import { RateLimiter } from "./middleware/RateLimiter.ts"
import { RouteTable } from "./middleware/RouteTable.ts"
import { connectPagePaths, ConnectPageRoutes, ConnectScriptRoute } from "./pages/ConnectRoutes.ts"
import { OAuthRoutes } from "./pages/OAuthRoutes.ts"

/** Where the API listens, and how many requests a minute it takes from one application and tenant. */
export interface HttpSettings {
  readonly host: string
  readonly port: number
  /** Where browsers reach it, if that is another address. */
  readonly publicUrl: Option.Option<string>
  readonly rateLimitPerMinute: number
}

/** The API, its documents and its health on one port, which opens when all that they need is there. */
export const httpLayer = ({ host, port, publicUrl, rateLimitPerMinute }: HttpSettings) => {
  const served = Layer.unwrapEffect(
    Effect.map(HttpLayerRouter.HttpRouter, (router) =>
      Layer.provideMerge(HttpServer.serve(router.asHttpEffect()), openPort({ host, port }))
    )
  )
  return Drain.onShutdown.pipe(
    Layer.provideMerge(served),
    Layer.provide(routes),
    Layer.provide(
      Layer.mergeAll(ConnectionsHandlers, LifecycleHandlers, ObservationHandlers, ProvidersHandlers, SharingHandlers)
    ),
    Layer.provide(Layer.mergeAll(apiKeyAuthLayer, callerAuthLayer, EventStreams.layer)),
    Layer.provide(Authenticator.layer),
    Layer.provide(
      Layer.mergeAll(
        Drain.layer,
        PublicUrl.layer({ host, port, publicUrl }),
        RateLimiter.layer({ perMinute: rateLimitPerMinute }),
        RouteTable.layer(Api, [
          "/healthz",
          "/readyz",
          "/metrics",
          "/openapi.json",
          "/docs",
          "/v1/connect.js",
          ...connectPagePaths,
          ...Object.values(oauthPaths)
        ]),
        Layer.provide(HttpLayerRouter.layer, Layer.succeed(HttpLayerRouter.RouterConfig, routerConfig)),
        BunHttpServer.layerContext
      )
    )
  )
}

/** Nobody can be answered: the port is taken, or the address is none of this machine. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

const openPort = ({ host, port }: Pick<HttpSettings, "host" | "port">) =>
  Layer.scoped(
    HttpServer.HttpServer,
    Effect.catchAllDefect(
      BunHttpServer.make({ hostname: host, port, idleTimeout: 60, development: false, maxRequestBodySize }),
      (defect) =>
        new ListenError({
          message: `cannot listen: PORT ${port} must be free, and HOST ${host} an address or host name of this machine (${defect})`
        })
    )
  )

const routes = Layer.mergeAll(
  HttpLayerRouter.addHttpApi(Api, { openapiPath: "/openapi.json" }),
  HttpApiScalar.layerHttpLayerRouter({ api: Api, path: "/docs" }),
  HealthRoutes,
  MetricsRoute,
  ConnectScriptRoute,
  ConnectPageRoutes,
  OAuthRoutes,
  GlobalMiddleware
)

/** Paths count letter by letter; an id of any length that Bun lets in reaches the schema, which says what is wrong. */
const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 16_384
}

/** Far above our own limit, which answers with a body of ours; Bun's 413 is bare. */
const maxRequestBodySize = 2 ** 31
