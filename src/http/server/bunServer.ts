import {
  Cookies,
  HttpApp,
  HttpMiddleware,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { BunHttpServerRequest } from "@effect/platform-bun"
import { type BunRequest, serve, type Server } from "bun"
import { Cause, Effect, type Fiber, FiberRef, FiberSet, Option, Runtime, RuntimeFlags, Tracer } from "effect"
import type { CompiledRoutes } from "./CompiledRoutes.ts"
import { isTestModeRequest, type RequestHandler, TestModeRequests, withoutTestModePath } from "./TestModeRequests.ts"
import type { EndpointApp } from "./compileEndpoint.ts"
import { limitSockets, type SocketLimits } from "./limitSockets.ts"
import { paceRequests } from "./paceRequests.ts"

interface BunServerOptions {
  readonly hostname: string
  readonly port: number
  /** After how many seconds without traffic a connection is closed. */
  readonly idleTimeout: number
  /** In bytes. */
  readonly maxRequestBodySize: number
  readonly sockets: SocketLimits
}

/**
 * Makes an HTTP server on Bun, as `BunHttpServer.make` does, that lets no path disguise itself as another. Bun parses the
 * URL of a request like a browser: it resolves dot segments, also percent-encoded ones, and turns backslashes into
 * slashes. `/v1/%2e%2e/metrics` then reads `/metrics`, which a proxy in front keeps from the public. Only Bun's own routes
 * match the path as it was sent, so that each request passes one of them. Requests of test mode go to its service. Dies if the
 * address cannot be used.
 */
export const makeBunServer = ({ sockets, ...options }: BunServerOptions, routes: typeof CompiledRoutes.Service) =>
  Effect.gen(function* () {
    const testModeRequests = yield* TestModeRequests
    let respond = respondUnavailable
    const handle = paceRequests((request, server) => respond(request, server))
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        serve({
          ...options,
          development: false,
          routes: Object.fromEntries([...segmentPatterns, anyOtherPath].map((pattern) => [pattern, handle]))
        })
      ),
      (server) => Effect.sync(() => void server.stop())
    )
    yield* limitSockets(sockets, server.port ?? options.port)

    return HttpServer.make({
      address: { _tag: "TcpAddress", hostname: server.hostname ?? options.hostname, port: server.port ?? options.port },
      serve: (app, middleware) =>
        Effect.gen(function* () {
          const respondLive = yield* makeRequestHandler(routes, app, middleware)
          const respondByApp: RequestHandler = Option.match(testModeRequests.respond, {
            onNone: () => respondLive,
            onSome: (respondInTest) => (source, from) =>
              isTestModeRequest(source) ? respondInTest(source, from) : respondLive(source, from)
          })
          yield* Effect.acquireRelease(
            Effect.sync(() => void (respond = respondByApp)),
            () => Effect.sync(() => void (respond = respondUnavailable))
          )
        })
    })
  })

/** Makes an HTTP server without a port: `onServe` gets what responds to requests that another server has received. */
export const makePortlessServer = (
  routes: typeof CompiledRoutes.Service,
  onServe: (handler: RequestHandler) => Effect.Effect<void>
) =>
  HttpServer.make({
    address: { _tag: "TcpAddress", hostname: "localhost", port: 0 },
    serve: (app, middleware) => Effect.flatMap(makeRequestHandler(routes, app, middleware), onServe)
  })

/** Makes what responds to a request in a fiber of its own, which ends with the scope. */
const makeRequestHandler = (
  routes: typeof CompiledRoutes.Service,
  app: HttpApp.Default<unknown>,
  middleware: HttpMiddleware.HttpMiddleware | undefined
) =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<unknown, unknown>()
    const fork = yield* makeFork(routes, app, middleware)
    const handler: RequestHandler = (source, from) =>
      new Promise((resolve) => {
        const fiber = fork(toServerRequest(source, from), resolve)
        FiberSet.unsafeAdd(fibers, fiber)
        const interrupt = () => fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
        source.signal.addEventListener("abort", interrupt, { once: true })
      })
    return handler
  })

/**
 * Makes a function that starts the fiber of a request. That of an endpoint has its context from the start. While its request
 * is traced `HttpApp.toHandled` runs it, which makes the span; else it runs alone, uninterruptible as there, but for the
 * handler.
 */
const makeFork = (
  routes: typeof CompiledRoutes.Service,
  app: HttpApp.Default<unknown>,
  middleware: HttpMiddleware.HttpMiddleware | undefined
) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const isUntraced = yield* FiberRef.get(HttpMiddleware.currentTracerDisabledWhen)
    const uninterruptible = RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.Interruption)
    const resolvers = new WeakMap<Request, ResponseCallback>()
    const toHandled = <R>(app: HttpApp.Default<unknown, R>) =>
      HttpApp.toHandled(
        app,
        (request, response) =>
          Effect.sync(() => {
            const isHead = request.method === "HEAD"
            const sent = isHead ? response : HttpApp.unsafeEjectStreamScope(response)
            const resolve = resolvers.get(BunHttpServerRequest.toRequest(request))
            resolve?.(HttpServerResponse.toWeb(sent, { withoutBody: isHead, runtime }))
          }),
        middleware
      )
    const handledByApp = toHandled(app)
    const findTraced = routes.makeFinder((app, path) => toHandled(annotateSpan(path, app)))
    const findUntraced = routes.makeFinder(failWithResponse)

    return (
      request: HttpServerRequest.HttpServerRequest,
      resolve: ResponseCallback
    ): Fiber.RuntimeFiber<unknown, unknown> => {
      const untraced = isUntraced(request) ? findUntraced(request) : undefined
      if (untraced !== undefined) {
        const { context, handled } = untraced
        const { fiberRefs } = runtime
        const fiber = Runtime.runFork(Runtime.make({ context, fiberRefs, runtimeFlags: uninterruptible }))(handled)
        fiber.addObserver((exit) => resolve(toWebResponse(HttpServerError.exitResponse(exit), runtime)))
        return fiber
      }
      resolvers.set(BunHttpServerRequest.toRequest(request), resolve)
      const traced = findTraced(request)
      if (traced === undefined)
        return Runtime.runFork(runtime)(
          Effect.provideService(handledByApp, HttpServerRequest.HttpServerRequest, request)
        )
      return Runtime.runFork(Runtime.make({ ...runtime, context: traced.context }))(traced.handled)
    }
  })

/** Names the endpoint in the span of the request, as HttpApi's router does. */
const annotateSpan = (path: string, app: EndpointApp): EndpointApp =>
  Effect.withFiberRuntime(({ currentContext }) => {
    const span = currentContext.unsafeMap.get(Tracer.ParentSpan.key)
    if (span?._tag === "Span") span.attribute("http.route", path)
    return app
  })

type ResponseCallback = (response: Response) => void

/** As `HttpServerResponse.toWeb`; for bytes, as most are, without a `Headers` object in between. */
const toWebResponse = (response: HttpServerResponse.HttpServerResponse, runtime: Runtime.Runtime<never>): Response => {
  const { body, cookies, headers, status } = response
  return body._tag === "Uint8Array" && Cookies.isEmpty(cookies)
    ? new Response(body.body, { status, headers })
    : HttpServerResponse.toWeb(response, { runtime })
}

/** Gives a failure, such as the interruption by a client that goes away, the response that `@effect/platform` gives it. */
const failWithResponse = (app: EndpointApp): EndpointApp =>
  Effect.catchAllCause(app, (cause) =>
    Effect.flatMap(HttpServerError.causeResponse(cause), ([response, cause]) =>
      Cause.isEmpty(cause) ? Effect.succeed(response) : Effect.failCause(cause)
    )
  )

/** The response before the app is built, and after it is closed. */
const respondUnavailable: RequestHandler = () => Promise.resolve(new Response(undefined, { status: 503 }))

/** More segments than any route has. */
const maxSegments = 8

/** `/:s0`, `/:s0/:s1` and so on: paths without an empty segment. */
const segmentPatterns = Array.from({ length: maxSegments }, (_, last) =>
  Array.from({ length: last + 1 }, (_, index) => `/:s${index}`).join("")
)

/** Longer paths, `/`, and paths with an empty segment. */
const anyOtherPath = "/*"

const toServerRequest = (source: BunRequest, server: Server<undefined>): HttpServerRequest.HttpServerRequest => {
  const request = HttpServerRequest.fromWeb(source)
  const url = hasPlainPath(source) ? withoutTestModePath(request.url) : noPath
  return Object.defineProperty(url === request.url ? request : request.modify({ url }), "remoteAddress", {
    get: () => Option.fromNullable(server.requestIP(source)?.address)
  })
}

/** Matches no route, not even a route for `/`. */
const noPath = ""

/** Whether the decoded segments of a path as it was sent show that parsing its URL changed nothing. */
const hasPlainPath = ({ params }: BunRequest): boolean => {
  const segments = Object.values(params)
  return segments.length > 0 && !segments.some((segment) => isDisguised.test(segment))
}

/** A dot segment, or a segment with a slash or backslash inside. */
const isDisguised = /^\.\.?$|[/\\]/
