import { HttpApp, HttpServer, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type BunRequest, serve, type Server } from "bun"
import { Effect, FiberSet, Option } from "effect"

interface BunServerOptions {
  readonly hostname: string
  readonly port: number
  /** After how many seconds without traffic a connection is closed. */
  readonly idleTimeout: number
  /** In bytes. */
  readonly maxRequestBodySize: number
}

/**
 * Makes an HTTP server on Bun, as `BunHttpServer.make` does, that lets no path disguise itself as another. Bun parses the
 * URL of a request like a browser: it resolves dot segments, also percent-encoded ones, and turns backslashes into
 * slashes. `/v1/%2e%2e/metrics` then reads `/metrics`, which a proxy in front keeps from the public. Only Bun's own routes
 * match the path as it was sent, so that each request passes one of them. Dies if the address cannot be used.
 */
export const makeBunServer = (options: BunServerOptions) =>
  Effect.gen(function* () {
    let respond = respondUnavailable
    const handle = (request: BunRequest, server: Server<undefined>) => respond(request, server)
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

    return HttpServer.make({
      address: { _tag: "TcpAddress", hostname: server.hostname ?? options.hostname, port: server.port ?? options.port },
      serve: (app, middleware) =>
        Effect.gen(function* () {
          const runFork = yield* FiberSet.makeRuntime<never>()
          const runtime = yield* Effect.runtime<never>()
          const resolvers = new WeakMap<HttpServerRequest.HttpServerRequest, (response: Response) => void>()
          const handled = HttpApp.toHandled(
            app,
            (request, response) =>
              Effect.sync(() => {
                const isHead = request.method === "HEAD"
                const sent = isHead ? response : HttpApp.unsafeEjectStreamScope(response)
                resolvers.get(request)?.(HttpServerResponse.toWeb(sent, { withoutBody: isHead, runtime }))
              }),
            middleware
          )
          const respondByApp: Respond = (source, from) =>
            new Promise((resolve) => {
              const request = toServerRequest(source, from)
              resolvers.set(request, resolve)
              const fiber = runFork(Effect.provideService(handled, HttpServerRequest.HttpServerRequest, request))
              source.signal.addEventListener(
                "abort",
                () => runFork(fiber.interruptAsFork(HttpServerError.clientAbortFiberId)),
                { once: true }
              )
            })
          yield* Effect.acquireRelease(
            Effect.sync(() => void (respond = respondByApp)),
            () => Effect.sync(() => void (respond = respondUnavailable))
          )
        })
    })
  })

type Respond = (request: BunRequest, server: Server<undefined>) => Promise<Response>

/** The response before the app is built, and after it is closed. */
const respondUnavailable: Respond = () => Promise.resolve(new Response(undefined, { status: 503 }))

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
  return Object.defineProperty(hasPlainPath(source) ? request : request.modify({ url: noPath }), "remoteAddress", {
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
