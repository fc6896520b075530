import { HttpServer } from "@effect/platform"
import { type BunRequest, serve, type Server } from "bun"
import { Effect, Option } from "effect"
import type { Network } from "../../domain/IpAddress.ts"
import { findClientAddress } from "../middleware/RequestSource.ts"
import type { CompiledRoutes } from "./CompiledRoutes.ts"
import { isTestModeRequest, type RequestHandler, TestModeRequests } from "./TestModeRequests.ts"
import { makeRequestHandler } from "./makeRequestHandler.ts"
import { paceRequests } from "./paceRequests.ts"

interface BunServerOptions {
  readonly hostname: string
  readonly port: number
  /** After how many seconds without traffic a connection is closed. */
  readonly idleTimeout: number
  /** In bytes. */
  readonly maxRequestBodySize: number
  /** The networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<Network>
}

/**
 * Makes an HTTP server on Bun, as `BunHttpServer.make` does, that lets no path disguise itself as another. Bun parses the
 * URL of a request like a browser: it resolves dot segments, also percent-encoded ones, and turns backslashes into
 * slashes. `/v1/%2e%2e/metrics` then reads `/metrics`, which a proxy in front keeps from the public. Only Bun's own routes
 * match the path as it was sent, so that each request passes one of them. Requests of test mode go to its service. Dies if the
 * address cannot be used.
 */
export const makeBunServer = (
  { trustedProxies, ...options }: BunServerOptions,
  routes: typeof CompiledRoutes.Service
) =>
  Effect.gen(function* () {
    const testModeRequests = yield* TestModeRequests
    let respond = respondUnavailable
    const respondInTurn = paceRequests((request, findClient) => respond(request, findClient))
    const handle = (request: BunRequest, server: Server<undefined>) =>
      respondInTurn(request, () =>
        findClientAddress(
          Option.fromNullable(server.requestIP(request)?.address),
          request.headers.get("x-forwarded-for") ?? "",
          trustedProxies
        )
      )
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        serve({
          ...options,
          development: false,
          // Bun shares a port outside of development: the kernel would deal the connections to two services on it.
          reusePort: false,
          routes: Object.fromEntries([...segmentPatterns, anyOtherPath].map((pattern) => [pattern, handle]))
        })
      ),
      (server) => Effect.sync(() => void server.stop())
    )

    return HttpServer.make({
      address: { _tag: "TcpAddress", hostname: server.hostname ?? options.hostname, port: server.port ?? options.port },
      serve: (app, middleware) =>
        Effect.gen(function* () {
          const respondLive = yield* makeRequestHandler(routes, app, middleware)
          const respondByApp: RequestHandler = Option.match(testModeRequests.respond, {
            onNone: () => respondLive,
            onSome: (respondInTest) => (source, findClient) =>
              isTestModeRequest(source) ? respondInTest(source, findClient) : respondLive(source, findClient)
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
