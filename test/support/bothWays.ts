import {
  Cookies,
  HttpApiBuilder,
  type HttpApiGroup,
  HttpApiMiddleware,
  HttpLayerRouter,
  HttpServerRequest,
  type HttpServerResponse
} from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Cause, Context, Effect, Exit, Layer, Logger, LogLevel, Record } from "effect"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import type { PublicUrl } from "../../src/http/PublicUrl.ts"
import { Api } from "../../src/http/contract/Api.ts"
import { Drain } from "../../src/http/middleware/Drain.ts"
import { makeGlobalMiddleware } from "../../src/http/middleware/GlobalMiddleware.ts"
import type { RouteTable } from "../../src/http/middleware/RouteTable.ts"
import { addResponseHeaders, responseHeadersOf } from "../../src/http/requestMetadata.ts"
import { EndpointCompilation, routerConfig } from "../../src/http/server/CompiledRoutes.ts"
import type { ImplementedEndpoint } from "../../src/http/server/compileEndpoint.ts"

/**
 * Sends every request of a compiled endpoint the other way too: HttpApi finds the endpoint, composes its middleware and
 * handler, decodes the request and encodes the response. Both ways must have the same status, headers and bytes: a difference
 * fails the test under way, or the whole run where several are. What has effects happens once: the compiled way runs the
 * middleware, reads the body and runs the handler, and HttpApi gets their results. It must ask for them in the same order,
 * and give the handler the same input.
 */
export const bothWays = Layer.succeed(
  EndpointCompilation,
  compareWays((difference) =>
    queueMicrotask(() => {
      throw new Error(difference)
    })
  )
)

/** Leaves every endpoint to HttpApi. */
export const byHttpApi = Layer.succeed(EndpointCompilation, () => undefined)

/** Compiles endpoints so that `report` gets whatever differs between the ways. */
export function compareWays(report: (difference: string) => void): typeof EndpointCompilation.Service {
  return (implemented, compose) => {
    const respond = compose(recordParts(implemented))
    const { isDraining } = Context.unsafeGet(implemented.services as Context.Context<Drain>, Drain)
    return Effect.withFiberRuntime(({ currentContext }) => {
      const recording = startRecording(isDraining())
      currentContext.unsafeMap.set(Recording.key, recording)
      return Effect.tap(respond, (response) => {
        // The one whose body has been limited, and perhaps read.
        const request = Context.unsafeGet(currentContext, HttpServerRequest.HttpServerRequest)
        return Effect.map(replay(request, response, recording, implemented), (other) => {
          const compiled = { ...describeExit(Exit.succeed(response)), ran: recording.steps.map(toCall) }
          const expected = { ...describeExit(other), ran: recording.replayed }
          if (Bun.deepEquals(compiled, expected)) return
          const ways = Bun.inspect({ compiled, "by HttpApi": expected })
          report(`The ways differ for ${request.method} ${request.url}: ${ways}`)
        })
      })
    })
  }
}

/** What ran for a request on the compiled way, and what HttpApi has asked for. */
class Recording extends Context.Reference<Recording>()("test/Recording", {
  defaultValue: () => startRecording(false)
}) {}

const startRecording = (wasDraining: boolean) => {
  const steps: Array<RecordedCall> = []
  const replayed: Array<Call> = []
  return { steps, replayed, wasDraining }
}

/** A middleware or the handler is run; the latter gets an input. */
interface Call {
  readonly name: string
  readonly input: unknown
}

interface RecordedCall extends Call {
  exit: Exit.Exit<unknown, unknown>
}

const toCall = ({ input, name }: Call): Call => ({ name, input })

/** The same endpoint, with its middleware and its handler recorded. */
const recordParts = (implemented: ImplementedEndpoint): ImplementedEndpoint => {
  const { handler, middleware, services } = implemented
  const recorded = middleware.map((tag): [string, unknown] => [
    tag.key,
    mapMiddleware(tag, services.unsafeMap.get(tag.key), (effect) => record(tag.key, effect))
  ])
  return {
    ...implemented,
    services: Context.unsafeMake(new Map([...services.unsafeMap, ...recorded])),
    handler: (request) =>
      Effect.contextWithEffect((context: Context.Context<never>) =>
        record(handlerName, handler(request), inputOf(request, context, middleware))
      )
  }
}

const handlerName = "handler"

type MiddlewareTag = HttpApiMiddleware.TagClassAny

type AnyEffect = Effect.Effect<any, any>

/** Changes what a middleware runs, for each of its security schemes. */
const mapMiddleware = (tag: MiddlewareTag, service: any, change: (effect: AnyEffect) => AnyEffect): unknown =>
  HttpApiMiddleware.isSecurity(tag)
    ? Record.map(tag.security, (_, scheme) => (credential: unknown) => change(service[scheme](credential)))
    : change(service)

/** What a handler gets: the decoded parts of the request, and what its middleware provides. */
const inputOf = (request: object, { unsafeMap }: Context.Context<never>, middleware: ReadonlyArray<MiddlewareTag>) => ({
  ...request,
  request: undefined,
  provided: middleware.map(({ provides }) => unsafeMap.get(provides?.key ?? ""))
})

const record = (name: string, effect: AnyEffect, input?: unknown): Effect.Effect<any, any> =>
  Effect.flatMap(Recording, ({ steps }) => {
    const step: RecordedCall = { name, input, exit: Exit.void }
    steps.push(step)
    return Effect.onExit(effect, (exit) => Effect.sync(() => void (step.exit = exit)))
  })

const replayStep = (name: string, input?: unknown): Effect.Effect<any, any> =>
  Effect.flatMap(Recording, ({ replayed, steps }) => {
    // HttpApi tries the security schemes of a middleware one after the other.
    if (replayed.at(-1)?.name !== name) replayed.push({ name, input })
    return steps.find((step) => step.name === name)?.exit ?? Effect.dieMessage(`only HttpApi runs ${name}`)
  })

/** Has HttpApi respond to the request that got this response, within the global middleware of its service. */
const replay = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  recording: typeof Recording.Service,
  { services }: ImplementedEndpoint
) => {
  const responseHeaders = responseHeadersOf(request)
  const respond = Effect.flatMap(httpApi, (app) =>
    Effect.mapInputContext(app, (context: Context.Context<any>) => {
      addResponseHeaders(request, responseHeaders)
      // Its body has been read, where the global middleware has prepared another reading.
      return Context.add(context, HttpServerRequest.HttpServerRequest, request)
    })
  )
  const drain = Context.unsafeGet(services as Context.Context<Drain>, Drain)
  const context = (services as Context.Context<PublicUrl | RouteTable>).pipe(
    Context.add(Drain, { ...drain, isDraining: () => recording.wasDraining }),
    Context.add(Identifiers, { next: () => Effect.succeed(response.headers["x-request-id"] ?? "") }),
    Context.add(HttpServerRequest.HttpServerRequest, request),
    Context.add(Recording, recording)
  )
  const replaceContext: (ofCompiledWay: Context.Context<never>) => typeof context = () => context
  return Effect.flatMap(makeGlobalMiddleware, (runAround) => Effect.scoped(runAround(respond))).pipe(
    Effect.mapInputContext(replaceContext),
    Logger.withMinimumLogLevel(LogLevel.None),
    Effect.exit
  )
}

type Group = HttpApiGroup.HttpApiGroup.AnyWithProps

const groups = Object.values<any>(Api.groups) as ReadonlyArray<Group>

/** The API by HttpApi, whose middleware and handlers give what was recorded; built once, outside of any request. */
const httpApi = Effect.runSync(
  Effect.cached(
    Effect.map(HttpLayerRouter.HttpRouter, (router) => router.asHttpEffect()).pipe(
      Effect.provide(
        HttpLayerRouter.addHttpApi(Api).pipe(
          Layer.provide(mergeLayers(groups.map(replayGroup))),
          Layer.provide(mergeLayers([...new Set(groups.flatMap(middlewareIn))].map(replayMiddleware))),
          Layer.provideMerge(
            Layer.provide(HttpLayerRouter.layer, Layer.succeed(HttpLayerRouter.RouterConfig, routerConfig))
          ),
          Layer.provide(BunHttpServer.layerContext)
        )
      ),
      Effect.mapInputContext(() => Context.empty())
    )
  )
)

function middlewareIn({ endpoints, middlewares }: Group): ReadonlyArray<MiddlewareTag> {
  return [...middlewares, ...Object.values(endpoints).flatMap((endpoint) => [...endpoint.middlewares])]
}

function replayGroup({ endpoints, identifier, middlewares }: Group): Layer.Layer<any, any, any> {
  return HttpApiBuilder.group(Api as any, identifier as never, (handlers: any) =>
    Object.values(endpoints).reduce(
      (handled, endpoint) =>
        handled.handle(endpoint.name, (request: object) =>
          Effect.contextWithEffect((context: Context.Context<never>) =>
            replayStep(handlerName, inputOf(request, context, [...middlewares, ...endpoint.middlewares]))
          )
        ),
      handlers
    )
  )
}

function replayMiddleware(tag: MiddlewareTag): Layer.Layer<any> {
  const replayed = replayStep(tag.key)
  const service = HttpApiMiddleware.isSecurity(tag) ? Record.map(tag.security, () => () => replayed) : replayed
  return Layer.succeed(tag as Context.Tag<any, any>, service)
}

function mergeLayers(layers: ReadonlyArray<Layer.Layer<any, any, any>>): Layer.Layer<any> {
  return layers.reduce((merged, layer) => Layer.merge(merged, layer)) as Layer.Layer<any>
}

/** Status, headers and bytes of a response, or the reason why there is none. */
const describeExit = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) =>
  Exit.match(exit, {
    onFailure: (cause) => ({ failure: Cause.squash(cause) }),
    onSuccess: ({ body, cookies, headers, status }) => ({
      status,
      headers: { ...headers },
      cookies: Cookies.toSetCookieHeaders(cookies),
      // Both ways hand on the same stream.
      body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body
    })
  })
