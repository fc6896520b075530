import { HttpApiScalar, HttpLayerRouter, HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Data, Effect, Layer, type Option } from "effect"
import { Admission } from "./Admission.ts"
import { Api } from "./Api.ts"
import { ApiKeyAuth } from "./ApiKeyAuth.ts"
import { CallerAuth } from "./CallerAuth.ts"
import { ConnectPage, connectPagePaths } from "./ConnectPage.ts"
import { ConnectScript } from "./ConnectScript.ts"
import { ConnectionsHandlers } from "./ConnectionsHandlers.ts"
import { LifecycleHandlers } from "./LifecycleHandlers.ts"
import { ObservationHandlers } from "./ObservationHandlers.ts"
import { ProvidersHandlers } from "./ProvidersHandlers.ts"
import { Drain } from "./Drain.ts"
import { Health } from "./Health.ts"
import { HttpShell } from "./HttpShell.ts"
import { Metrics } from "./Metrics.ts"
import { oauthPaths, OAuthRoutes } from "./OAuthRoutes.ts"
import { OpenStreams } from "./OpenStreams.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { RateLimits } from "./RateLimits.ts"
import { RouteTable } from "./RouteTable.ts"
import { SharingHandlers } from "./SharingHandlers.ts"

/** Where the API listens, and how many requests a minute it takes from one application and tenant. */
export interface HttpSettings {
  readonly host: string
  readonly port: number
  /** Where browsers reach it, if that is another address. */
  readonly publicUrl: Option.Option<string>
  readonly rateLimitPerMinute: number
}

/** The API, its documents and its health on one port, which opens when all that they need is there. */
export const httpServer = ({ host, port, publicUrl, rateLimitPerMinute }: HttpSettings) => {
  const served = Layer.unwrapEffect(
    Effect.map(HttpLayerRouter.HttpRouter, (router) =>
      Layer.provideMerge(HttpServer.serve(router.asHttpEffect()), openPort({ host, port }))
    )
  )
  return Drain.atStop.pipe(
    Layer.provideMerge(served),
    Layer.provide(routes),
    Layer.provide(
      Layer.mergeAll(ConnectionsHandlers, LifecycleHandlers, ObservationHandlers, ProvidersHandlers, SharingHandlers)
    ),
    Layer.provide(Layer.mergeAll(ApiKeyAuth.layer, CallerAuth.layer, OpenStreams.layer)),
    Layer.provide(Admission.layer),
    Layer.provide(
      Layer.mergeAll(
        Drain.layer,
        PublicUrl.layer({ host, port, publicUrl }),
        RateLimits.layer({ perMinute: rateLimitPerMinute }),
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
export class PortNotOpened extends Data.TaggedError("PortNotOpened")<{ readonly message: string }> {}

const openPort = ({ host, port }: Pick<HttpSettings, "host" | "port">) =>
  Layer.scoped(
    HttpServer.HttpServer,
    Effect.catchAllDefect(
      BunHttpServer.make({ hostname: host, port, idleTimeout: 60, development: false, maxRequestBodySize }),
      (defect) =>
        new PortNotOpened({
          message: `cannot listen: PORT ${port} must be free, and HOST ${host} an address or host name of this machine (${defect})`
        })
    )
  )

const routes = Layer.mergeAll(
  HttpLayerRouter.addHttpApi(Api, { openapiPath: "/openapi.json" }),
  HttpApiScalar.layerHttpLayerRouter({ api: Api, path: "/docs" }),
  Health,
  Metrics,
  ConnectScript,
  ConnectPage,
  OAuthRoutes,
  HttpShell
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
