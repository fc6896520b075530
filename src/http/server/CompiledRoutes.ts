import {
  type HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  type HttpApiMiddleware,
  HttpRouter,
  HttpServerRequest,
  type HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { make as makeRouter } from "find-my-way-ts"
import { makeGlobalMiddleware } from "../middleware/GlobalMiddleware.ts"
import { canCompile } from "./canCompile.ts"
import {
  compileEndpoint,
  type EndpointApp,
  type EndpointHandler,
  type ImplementedEndpoint,
  type RequestServices
} from "./compileEndpoint.ts"

/**
 * The endpoints of the API, each composed once of what HttpApi composes for every request. `@effect/platform` handles all
 * else: other paths and methods, HEAD and preflights, and endpoints that cannot be compiled.
 */
export class CompiledRoutes extends Context.Tag("http/CompiledRoutes")<
  CompiledRoutes,
  {
    /** Compiles an endpoint and adds what responds to it; `compileHandlers` calls it. */
    readonly add: (implemented: ImplementedEndpoint) => void
    /**
     * Makes a function that finds the endpoint of a request, as HttpApi's router does; `undefined` if there is none.
     * `prepare` makes of an endpoint and its path template what the server runs, once for each.
     */
    readonly makeFinder: <Handled>(
      prepare: (app: EndpointApp, path: string) => Handled
    ) => (request: HttpServerRequest.HttpServerRequest) => PreparedRequest<Handled> | undefined
  }
>() {
  /** No endpoints yet, those of an API to come. */
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<Id, Groups, E, R>
  ) =>
    Layer.effect(
      CompiledRoutes,
      Effect.gen(function* () {
        const encodeErrors = yield* HttpApiBuilder.buildMiddleware(api)
        const runAround = yield* makeGlobalMiddleware
        const compile = yield* EndpointCompilation
        const endpoints: Array<CompiledEndpoint> = []
        const compose: ComposeEndpoint = (implemented) => {
          const app = compileEndpoint(implemented)
          // HttpApi types no requirements here; those of a request are in the context of each.
          const encoded = encodeErrors(app as Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>)
          return runAround(Effect.interruptible(encoded))
        }
        return {
          add: (implemented) => {
            const { method, path } = implemented.endpoint
            const app = compile(implemented, compose)
            if (app !== undefined) endpoints.push({ route: HttpRouter.makeRoute(method, path, app), app })
          },
          makeFinder: <Handled>(prepare: (app: EndpointApp, path: string) => Handled) => {
            const router = makeRouter<{ readonly route: EndpointRoute; readonly handled: Handled }>(routerConfig)
            for (const { app, route } of endpoints)
              router.on(route.method, route.path, { route, handled: prepare(app, route.path) })
            return (request: HttpServerRequest.HttpServerRequest) => {
              const found = router.find(request.method, request.url)
              if (found === undefined) return undefined
              const { handled, route } = found.handler
              return { handled, context: makeContext(request, found.searchParams, { route, params: found.params }) }
            }
          }
        }
      })
    )
}

/** What a server runs for an endpoint, and all services that this requires for one request. */
interface PreparedRequest<Handled> {
  readonly handled: Handled
  readonly context: Context.Context<RequestServices>
}

type EndpointRoute = HttpRouter.Route<unknown, unknown>

interface CompiledEndpoint {
  /** What middleware reads of it is its method and path template. */
  readonly route: EndpointRoute
  readonly app: EndpointApp
}

/**
 * How both routers match: paths letter by letter. An id of any length that Bun accepts reaches the schema, which reports
 * what is wrong.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 16_384
}

/** Composes all that a compiled endpoint does for a request. */
export type ComposeEndpoint = (implemented: ImplementedEndpoint) => EndpointApp

/** Compiles an endpoint by `compose`, as the service always does, or leaves it to HttpApi. Tests compare the two. */
export class EndpointCompilation extends Context.Reference<EndpointCompilation>()("http/EndpointCompilation", {
  defaultValue:
    () =>
    (implemented: ImplementedEndpoint, compose: ComposeEndpoint): EndpointApp | undefined =>
      compose(implemented)
}) {}

/**
 * Adds the endpoints of a group to the compiled routes, but for those that only HttpApi can serve. Their handlers may require
 * nothing but the services of a request and what their middleware provides; a service that is required only when a request
 * comes is a type error.
 */
export const compileHandlers = <E, Provided, R extends HttpApiMiddleware.HttpApiMiddleware.AnyId>(
  handlers: HttpApiBuilder.Handlers<E, Provided, R>
) =>
  Effect.gen(function* () {
    const routes = yield* CompiledRoutes
    const services = yield* Effect.context<never>()
    for (const { endpoint: declared, handler, uninterruptible, withFullRequest } of handlers.handlers) {
      const endpoint = declared as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
      const middleware = [...new Set([...handlers.group.middlewares, ...endpoint.middlewares])]
      if (withFullRequest || uninterruptible || !canCompile({ endpoint, middleware })) continue
      // HttpApi has the handler require the middleware, since this provides what it really requires.
      routes.add({ endpoint, middleware, services, handler: handler as EndpointHandler })
    }
    return handlers
  })

const makeContext = (
  request: HttpServerRequest.HttpServerRequest,
  searchParams: Readonly<Record<string, string | Array<string>>>,
  routeContext: Pick<HttpRouter.RouteContext, "params" | "route">
): Context.Context<RequestServices> =>
  Context.unsafeMake(
    new Map<string, unknown>([
      [HttpServerRequest.HttpServerRequest.key, request],
      [HttpServerRequest.ParsedSearchParams.key, searchParams],
      [HttpRouter.RouteContext.key, { [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId, ...routeContext }]
    ])
  )
