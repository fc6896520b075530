import { HttpApiScalar, HttpLayerRouter, HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Data, Effect, Layer, type Option } from "effect"
import { PublicUrl } from "./PublicUrl.ts"
import { makeBunServer } from "./bunServer.ts"
import { Api } from "./contract/Api.ts"
import { ConnectionsHandlers } from "./handlers/ConnectionsHandlers.ts"
import { EventStreams } from "./handlers/EventStreams.ts"
import { LifecycleHandlers } from "./handlers/LifecycleHandlers.ts"
import { MonitoringRoutes } from "./handlers/MonitoringRoutes.ts"
import { ObservationHandlers } from "./handlers/ObservationHandlers.ts"
import { ProvidersHandlers } from "./handlers/ProvidersHandlers.ts"
import { SharingHandlers } from "./handlers/SharingHandlers.ts"
import { apiKeyAuthLayer, Authenticator, callerAuthLayer } from "./middleware/Authenticator.ts"
import { Drain } from "./middleware/Drain.ts"
import { GlobalMiddleware } from "./middleware/GlobalMiddleware.ts"
import { RateLimiter } from "./middleware/RateLimiter.ts"
import { RouteTable } from "./middleware/RouteTable.ts"
import { ConnectRoutes } from "./pages/ConnectRoutes.ts"
import { OAuthRoutes } from "./pages/OAuthRoutes.ts"

/** Where the service listens, and how many requests a minute it accepts from one application and tenant. */
interface HttpSettings {
  readonly host: string
  readonly port: number
  /** The URL under which browsers reach the service, if it is another one. */
  readonly publicUrl: Option.Option<string>
  /** 0 for no limit. */
  readonly rateLimitPerMinute: number
}

/** The room http: the API, its documents, the pages and the monitoring on one port, which opens when all is built. */
export const httpLayer = ({ host, port, publicUrl, rateLimitPerMinute }: HttpSettings) => {
  const server = Layer.unwrapEffect(
    Effect.map(HttpLayerRouter.HttpRouter, (router) =>
      Layer.provideMerge(HttpServer.serve(router.asHttpEffect()), listen({ host, port }))
    )
  )
  return Drain.onShutdown.pipe(
    Layer.provideMerge(server),
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
        RouteTable.layer(Api),
        Layer.provide(HttpLayerRouter.layer, Layer.succeed(HttpLayerRouter.RouterConfig, routerConfig)),
        BunHttpServer.layerContext
      )
    )
  )
}

/** The service cannot listen: the port is taken, or the address is none of this machine. */
class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

const listen = ({ host, port }: Pick<HttpSettings, "host" | "port">) =>
  Layer.scoped(
    HttpServer.HttpServer,
    Effect.catchAllDefect(
      makeBunServer({ hostname: host, port, idleTimeout: 60, maxRequestBodySize }),
      (defect) =>
        new ListenError({
          message: `cannot listen: PORT ${port} must be free, and HOST ${host} an address or host name of this machine (${defect})`
        })
    )
  )

/** The paths of the OpenAPI document and of the page that shows it. */
const documentPaths = { openapi: "/openapi.json", page: "/docs" } as const

const documentRoutes = Layer.mergeAll(
  HttpLayerRouter.addHttpApi(Api, { openapiPath: documentPaths.openapi }),
  HttpApiScalar.layerHttpLayerRouter({ api: Api, path: documentPaths.page }),
  Layer.effectDiscard(
    Effect.map(RouteTable, ({ addPublicPath }) => Object.values(documentPaths).forEach(addPublicPath))
  )
)

const routes = Layer.mergeAll(documentRoutes, MonitoringRoutes, ConnectRoutes, OAuthRoutes, GlobalMiddleware)

/** Paths match letter by letter; an id of any length that Bun accepts reaches the schema, which reports what is wrong. */
const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 16_384
}

/** Far above the limit of `readJsonBody`, whose 413 has an error body; Bun's 413 has none. */
const maxRequestBodySize = 2 ** 31
