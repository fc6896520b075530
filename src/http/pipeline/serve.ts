import { type HttpApp, HttpServer, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type BunRequest, serve, type Server } from "bun"
import { type Cause, Context, Data, Effect, FiberSet, Layer, Option, Predicate, Runtime, RuntimeFlags } from "effect"
import type { Network } from "../../domain/names/IpAddress.ts"
import { testModePath } from "../../domain/testmode/testModePath.ts"
import { makeFairQueue } from "../../limits/FairQueue.ts"
import { clientNetworkOf, findClientAddress } from "../../limits/RequestSource.ts"

/** Finds the address of the client of a request, behind trusted proxies; none once the client has gone away. */
type FindClient = () => Option.Option<string>

/** Responds to a request that a server has received. */
export type RequestHandler = (request: BunRequest, findClient: FindClient) => Promise<Response>

/** Handles the requests of test mode, a service of its own in this process that shares only the port. */
export class TestModeRequests extends Context.Reference<TestModeRequests>()("http/TestModeRequests", {
  defaultValue: (): { readonly respond: Option.Option<RequestHandler> } => ({ respond: Option.none() })
}) {}

export interface ListenSettings {
  readonly host: string
  readonly port: number
  /** The networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<Network>
}

/**
 * An HTTP server on Bun that lets no path disguise itself as another. Bun resolves dot segments, also percent-encoded ones,
 * and backslashes like a browser: `/v1/%2e%2e/metrics` reads `/metrics`, which a proxy keeps from the public. Only
 * Bun's own routes match the path as it was sent, so that each request passes one. Test mode's go to its service.
 */
export const listenAt = ({ host, port, trustedProxies }: ListenSettings) =>
  Layer.scoped(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const { respond: respondInTest } = yield* TestModeRequests
      let respondLive = respondUnavailable
      const respondInTurn = paceRequests<BunRequest, Response>((request, findClient) =>
        Option.isSome(respondInTest) && isTestModeRequest(request)
          ? respondInTest.value(request, findClient)
          : respondLive(request, findClient)
      )
      const handle = (request: BunRequest, server: Server<undefined>) =>
        respondInTurn(request, () =>
          findClientAddress(
            Option.fromNullable(server.requestIP(request)?.address),
            request.headers.get("x-forwarded-for") ?? "",
            trustedProxies
          )
        )
      const server = yield* Effect.acquireRelease(
        Effect.try({
          try: () =>
            serve({
              hostname: host,
              port,
              // In seconds.
              idleTimeout: 60,
              maxRequestBodySize,
              development: false,
              // Bun shares a port outside of development: the kernel would deal the connections to two services on it.
              reusePort: false,
              routes: Object.fromEntries([...segmentPatterns, anyOtherPath].map((pattern) => [pattern, handle]))
            }),
          catch: (error) => new ListenError({ message: explainListenError(error, host, port) })
        }),
        (server) => Effect.sync(() => void server.stop())
      )
      return HttpServer.make({
        address: { _tag: "TcpAddress", hostname: server.hostname ?? host, port: server.port ?? port },
        serve: (app) =>
          Effect.flatMap(makeRequestHandler(app), (handler) =>
            Effect.acquireRelease(
              Effect.sync(() => void (respondLive = handler)),
              () => Effect.sync(() => void (respondLive = respondUnavailable))
            )
          )
      })
    })
  )

/** Responds to GET requests for one path, on a port of their own, until the scope ends. */
export const listenFor = (
  path: string,
  { host, port }: Omit<ListenSettings, "trustedProxies">,
  respond: () => Response
) =>
  Effect.acquireRelease(
    Effect.try({
      try: () =>
        serve({
          hostname: host,
          port,
          development: false,
          reusePort: false,
          routes: { [path]: { GET: respond } },
          fetch: () => new Response(undefined, { status: 404 })
        }),
      catch: (error) => new ListenError({ message: explainListenError(error, host, port, "METRICS_PORT") })
    }),
    (server) => Effect.sync(() => void server.stop())
  )

/**
 * Lets requests begin during a few milliseconds of each turn of the event loop, then in later turns, in which the client
 * addresses (IPv6: /64) alternate: a client may send thousands at once (pipelining, RFC 9112 section 9.3.2).
 */
export const paceRequests = <Request, Response>(
  handler: (request: Request, findClient: () => Option.Option<string>) => Promise<Response>
): typeof handler => {
  const queue = makeFairQueue({ permits: Infinity, maxMillisPerTurn })
  return (request, findClient) =>
    new Promise((resolve) => {
      const permit = queue.acquire(queue.isIdle() ? "" : clientNetworkOf(findClient()), () => {
        // What the handler throws belongs to this request only.
        resolve(Promise.try(() => handler(request, findClient)))
        queueMicrotask(() => permit?.release())
      })
    })
}

/** The work before the first wait of each request counts: other requests of the turn wait for that long. */
const maxMillisPerTurn = 4

/** An HTTP server without a port: `onServe` gets what responds to requests that another server has received. */
export const withoutPort = (onServe: (handler: RequestHandler) => Effect.Effect<void>) =>
  Layer.succeed(
    HttpServer.HttpServer,
    HttpServer.make({
      address: { _tag: "TcpAddress", hostname: "localhost", port: 0 },
      serve: (app) => Effect.flatMap(makeRequestHandler(app), onServe)
    })
  )

/**
 * Makes a handler from an app. A request's fiber is interrupted when the client goes away, or the scope ends, but only
 * where the app allows it.
 */
export const makeRequestHandler = <E>(app: HttpApp.Default<E>) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const fibers = yield* FiberSet.make<unknown, unknown>()
    const runtimeFlags = RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.Interruption)
    const respond = Effect.catchAllCause(app, respondToFailure)

    const handler: RequestHandler = (source, findClient) => {
      // No event follows for a client that went away while its request waited for its turn.
      if (source.signal.aborted) return Promise.resolve(new Response(undefined, { status: 499 }))
      return new Promise((resolve) => {
        const request = toServerRequest(source, findClient)
        const send = (response: HttpServerResponse.HttpServerResponse) =>
          resolve(HttpServerResponse.toWeb(response, { withoutBody: request.method === "HEAD", runtime }))
        const context = Context.make(HttpServerRequest.HttpServerRequest, request)
        const fork = Runtime.runFork(Runtime.make({ context, fiberRefs: runtime.fiberRefs, runtimeFlags }))
        const fiber = fork(Effect.map(respond, send))
        FiberSet.unsafeAdd(fibers, fiber)
        const interrupt = () => fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
        source.signal.addEventListener("abort", interrupt, { once: true })
      })
    }
    return handler
  })

/** Gives a failure, such as the interruption by a client that goes away, the response that `@effect/platform` gives it. */
const respondToFailure = <E>(cause: Cause.Cause<E>) =>
  Effect.map(HttpServerError.causeResponse(cause), ([response]) => response)

/** Whether a request is for test mode: by its path, else by the environment of its API key, browser token or admin key. */
const isTestModeRequest = ({ headers, url }: Pick<Request, "headers" | "url">): boolean => {
  const path = url.indexOf("/", url.indexOf("://") + 3)
  if (url.startsWith(`${testModePath}/`, path)) return true
  if (headers.get("x-admin-key")?.startsWith("dcka_test_") === true) return true
  const apiKey = headers.get("x-api-key")
  return apiKey === null
    ? /^Bearer dct_test_/i.test(headers.get("authorization") ?? "")
    : apiKey.startsWith("dck_test_")
}

/** The request for `@effect/platform`, with the client's `remoteAddress`; a disguised path leads to nothing. */
const toServerRequest = (source: BunRequest, findClient: FindClient): HttpServerRequest.HttpServerRequest => {
  const request = HttpServerRequest.fromWeb(source)
  const url = hasPlainPath(source) ? withoutTestModePath(request.url) : noPath
  return Object.defineProperty(url === request.url ? request : request.modify({ url }), "remoteAddress", {
    get: findClient
  })
}

const noPath = ""

/** Whether the decoded segments of a path as it was sent show that parsing its URL changed nothing. */
const hasPlainPath = ({ params }: BunRequest): boolean => {
  const segments = Object.values(params)
  return segments.length > 0 && !segments.some((segment) => isDisguised.test(segment))
}

/** A dot segment, or a segment with a slash or backslash inside. */
const isDisguised = /^\.\.?$|[/\\]/

/** The response before the app is built, and after it is closed. */
const respondUnavailable: RequestHandler = () => Promise.resolve(new Response(undefined, { status: 503 }))

/** More segments than any path has. */
const maxSegments = 16

/** `/:s0`, `/:s0/`, `/:s0/:s1` and so on: paths without an empty segment, but for one at the end. */
const segmentPatterns = Array.from({ length: maxSegments }, (_, last) =>
  Array.from({ length: last + 1 }, (_, index) => `/:s${index}`).join("")
).flatMap((pattern) => [pattern, `${pattern}/`])

/** Longer paths, `/`, and paths with another empty segment. */
const anyOtherPath = "/*"

/** Far above the limit of `limitJsonBody`, whose 413 has an error body; Bun's 413 has none. */
const maxRequestBodySize = 2 ** 31

/** The service cannot listen: another program has the port, or the address is none of this machine. */
class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

const explainListenError = (error: unknown, host: string, port: number, setting = "PORT"): string =>
  Predicate.hasProperty(error, "code") && error.code === "EADDRINUSE"
    ? `cannot listen: another program, perhaps another instance of this service, has port ${port} of ${host}; stop it, or set another ${setting}`
    : `cannot listen: HOST ${host} must be an address or host name of this machine, and this user may listen on ${setting} ${port} (${error})`

/** The URL of a request of test mode as the handlers there know it: its path and query. */
const withoutTestModePath = (url: string): string =>
  url.startsWith(`${testModePath}/`) ? url.slice(testModePath.length) : url
