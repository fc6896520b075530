import { HttpServerResponse } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Layer, Logger, LogLevel, Option } from "effect"
import { httpLayer } from "../../src/http/layer.ts"
import { type ComposeEndpoint, EndpointCompilation } from "../../src/http/server/CompiledRoutes.ts"
import { compareWays } from "./bothWays.ts"
import { live } from "./effectTest.ts"
import {
  apiServicesLayer,
  get,
  issueKey,
  noRateLimits,
  offlineDns,
  post,
  sampleIntent,
  storesInMemory,
  untraced
} from "./testApi.ts"

/** The differences that are reported of a creation, a list and a refused list, if endpoints are composed in this way. */
const differencesOf = (change: (compose: ComposeEndpoint) => ComposeEndpoint) =>
  Effect.gen(function* () {
    const differences: Array<string> = []
    const compare = compareWays((difference) => differences.push(difference))
    const api = httpLayer({ host: "127.0.0.1", port: 0, publicUrl: Option.none(), ...noRateLimits }).pipe(
      Layer.provide(
        Layer.succeed(EndpointCompilation, (implemented, compose) => compare(implemented, change(compose)))
      ),
      Layer.provide(untraced),
      Layer.provideMerge(apiServicesLayer),
      Layer.provide(offlineDns),
      Layer.provideMerge(storesInMemory),
      Layer.provide(Logger.minimumLogLevel(LogLevel.None))
    )
    const requests = Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* post("/v1/connections", key, { intent: sampleIntent })
      yield* get("/v1/connections?limit=1", key)
      yield* get("/v1/connections", "hello")
    })
    yield* Effect.provide(requests, api)
    return differences
  })

/** Composes endpoints as usual, and then changes their responses. */
const changeResponses =
  (change: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse) =>
  (compose: ComposeEndpoint): ComposeEndpoint =>
  (implemented) =>
    Effect.map(compose(implemented), change)

live("nothing is reported of ways that do the same", () =>
  Effect.map(
    differencesOf((compose) => compose),
    (differences) => expect(differences).toEqual([])
  )
)

Object.entries<(compose: ComposeEndpoint) => ComposeEndpoint>({
  "another status": changeResponses(HttpServerResponse.setStatus(299)),
  "one more header": changeResponses(HttpServerResponse.setHeader("x-more", "1")),
  "one more byte": changeResponses((response) =>
    response.body._tag === "Uint8Array"
      ? HttpServerResponse.uint8Array(Buffer.concat([response.body.body, Buffer.from(" ")]), response)
      : response
  ),
  "no authentication": (compose) => (implemented) => compose({ ...implemented, middleware: [] })
}).forEach(([title, change]) =>
  live(`each request is reported whose compiled way has ${title}`, () =>
    Effect.map(differencesOf(change), (differences) => expect(differences).toHaveLength(3))
  )
)

live("a request is reported whose handler gets something else on the compiled way", () =>
  Effect.map(
    differencesOf(
      (compose) => (implemented) =>
        compose({ ...implemented, handler: (request) => implemented.handler({ ...request, urlParams: { limit: 2 } }) })
    ),
    // The refused request reaches no handler.
    (differences) => expect(differences).toHaveLength(2)
  )
)
