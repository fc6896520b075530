import {
  Cookies,
  HttpApp,
  HttpMiddleware,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { BunHttpServerRequest } from "@effect/platform-bun"
import { Cause, Effect, type Fiber, FiberRef, FiberSet, Runtime, RuntimeFlags, Tracer } from "effect"
import type { CompiledRoutes } from "./CompiledRoutes.ts"
import type { RequestHandler } from "./TestModeRequests.ts"
import type { EndpointApp } from "./compileEndpoint.ts"
import { toServerRequest } from "./toServerRequest.ts"

/**
 * Makes what responds to requests: it runs each in a fiber of its own, which is interrupted when the client goes away, and
 * when the scope ends. Routes respond to the requests that they find, and the app to all others.
 */
export const makeRequestHandler = (
  routes: typeof CompiledRoutes.Service,
  app: HttpApp.Default<unknown>,
  middleware: HttpMiddleware.HttpMiddleware | undefined
) =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<unknown, unknown>()
    const fork = yield* makeFork(routes, app, middleware)
    const handler: RequestHandler = (source, findClient) => {
      // No event follows for a client that went away while its request waited for its turn.
      if (source.signal.aborted) return Promise.resolve(new Response(undefined, { status: 499 }))
      return new Promise((resolve) => {
        const fiber = fork(toServerRequest(source, findClient), resolve)
        FiberSet.unsafeAdd(fibers, fiber)
        const interrupt = () => fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
        source.signal.addEventListener("abort", interrupt, { once: true })
      })
    }
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
    const toTraceable = <R>(app: HttpApp.Default<unknown, R>) =>
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
    const handledByApp = toTraceable(app)
    const findTraced = routes.makeFinder((app, path) => toTraceable(annotateSpan(path, app)))
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
