import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiSchema,
  HttpLayerRouter,
  HttpServer,
  HttpServerRequest
} from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import type { BunRequest } from "bun"
import { expect } from "bun:test"
import { Deferred, Effect, Layer, Option, Schema } from "effect"
import { Identifiers } from "../../../src/domain/Identifiers.ts"
import { PublicUrl } from "../../../src/http/PublicUrl.ts"
import { Drain } from "../../../src/http/middleware/Drain.ts"
import { GlobalMiddleware } from "../../../src/http/middleware/GlobalMiddleware.ts"
import { RouteTable } from "../../../src/http/middleware/RouteTable.ts"
import { CompiledRoutes, compileHandlers, routerConfig } from "../../../src/http/server/CompiledRoutes.ts"
import type { RequestHandler } from "../../../src/http/server/TestModeRequests.ts"
import { makePortlessServer } from "../../../src/http/server/bunServer.ts"
import { byHttpApi } from "../../support/bothWays.ts"
import { live } from "../../support/effectTest.ts"

const Named = Schema.Struct({ name: Schema.String })

/** Endpoints that are compiled, whatever form their responses have. */
const compiled = HttpApiGroup.make("compiled")
  .add(HttpApiEndpoint.get("text", "/text").addSuccess(HttpApiSchema.Text({ contentType: "text/csv" })))
  .add(HttpApiEndpoint.get("bytes", "/bytes").addSuccess(HttpApiSchema.Uint8Array()))
  .add(HttpApiEndpoint.get("form", "/form").addSuccess(HttpApiSchema.withEncoding(Named, { kind: "UrlParams" })))
  .add(
    HttpApiEndpoint.get("json", "/json").addSuccess(
      HttpApiSchema.withEncoding(Named, { kind: "Json", contentType: "application/vnd.example+json" })
    )
  )
  .add(
    HttpApiEndpoint.get("query", "/query")
      .setUrlParams(Schema.Struct({ kind: Schema.optional(Schema.Literal("a", "b")), size: Schema.NumberFromString }))
      .addSuccess(Schema.Struct({ kind: Schema.optional(Schema.String), size: Schema.Number }))
  )
  .add(HttpApiEndpoint.post("body", "/body").setPayload(Named).addSuccess(Named))

/** Endpoints that only HttpApi can serve. */
const uncompiled = HttpApiGroup.make("uncompiled")
  .add(
    HttpApiEndpoint.get("list", "/list")
      .setUrlParams(Schema.Struct({ names: Schema.Array(Schema.String) }))
      .addSuccess(Schema.Array(Schema.String))
  )
  .add(HttpApiEndpoint.get("queryPayload", "/query-payload").setPayload(Named).addSuccess(Named))
  .add(
    HttpApiEndpoint.post("formPayload", "/form-payload")
      .setPayload(HttpApiSchema.withEncoding(Named, { kind: "UrlParams" }))
      .addSuccess(Named)
  )
  .add(HttpApiEndpoint.post("multipart", "/multipart").setPayload(HttpApiSchema.Multipart(Named)).addSuccess(Named))
  .add(HttpApiEndpoint.get("finished", "/finished").addSuccess(Named))

const api = HttpApi.make("forms").add(compiled).add(uncompiled)

const handlers = Layer.mergeAll(
  HttpApiBuilder.group(api, "compiled", (group) =>
    group
      .handle("text", () => Effect.succeed("a,b"))
      .handle("bytes", () => Effect.succeed(new Uint8Array([1, 2])))
      .handle("form", () => Effect.succeed({ name: "a b" }))
      .handle("json", () => Effect.succeed({ name: "a" }))
      .handle("query", ({ urlParams }) => Effect.succeed(urlParams))
      .handle("body", ({ payload }) => Effect.succeed(payload))
      .pipe(compileHandlers)
  ),
  HttpApiBuilder.group(api, "uncompiled", (group) =>
    group
      .handle("list", ({ urlParams }) => Effect.succeed(urlParams.names))
      .handle("queryPayload", ({ payload }) => Effect.succeed(payload))
      .handle("formPayload", ({ payload }) => Effect.succeed(payload))
      .handle("multipart", ({ payload }) => Effect.succeed(payload))
      .handle("finished", () => Effect.succeed({ name: "a" }), { uninterruptible: true })
      .pipe(compileHandlers)
  )
)

/** The routes of a service of this API, which gives its handler to `onServe`. */
const serviceWith = (isCompiling: boolean, onServe: (handler: RequestHandler) => Effect.Effect<void>) =>
  Layer.unwrapEffect(
    Effect.map(Effect.all([HttpLayerRouter.HttpRouter, CompiledRoutes]), ([router, routes]) =>
      Layer.provide(
        HttpServer.serve(router.asHttpEffect()),
        Layer.succeed(HttpServer.HttpServer, makePortlessServer(routes, onServe))
      )
    )
  ).pipe(
    Layer.provide(Layer.merge(HttpLayerRouter.addHttpApi(api), GlobalMiddleware)),
    Layer.provide(handlers),
    Layer.provideMerge(CompiledRoutes.layer(api)),
    Layer.provide(
      Layer.mergeAll(
        BunHttpServer.layerContext,
        Drain.layer,
        Identifiers.layer,
        PublicUrl.layer({ host: "127.0.0.1", port: 0, publicUrl: Option.none() }),
        RouteTable.layer(api),
        Layer.provide(HttpLayerRouter.layer, Layer.succeed(HttpLayerRouter.RouterConfig, routerConfig)),
        isCompiling ? Layer.empty : byHttpApi
      )
    )
  )

const toInit = (type: string) => {
  const body = '{"name":"a"}'
  return { method: "POST", headers: { "content-type": type, "content-length": `${body.length}` }, body }
}

const requests: ReadonlyArray<readonly [path: string, init?: RequestInit]> = [
  ...["/text", "/bytes", "/form", "/json", "/finished"].map((path) => [path] as const),
  ...["", "?size=1", "?size=1&kind=a", "?size=1&kind=c", "?size=1&size=2"].map((query) => [`/query${query}`] as const),
  ...["", "?names=a", "?names=a&names=b"].map((query) => [`/list${query}`] as const),
  ...["", "?name=a"].map((query) => [`/query-payload${query}`] as const),
  ...["/body", "/form-payload", "/multipart"].flatMap((path) =>
    ["application/json", "application/x-www-form-urlencoded"].map((type) => [path, toInit(type)] as const)
  )
]

/** What a service responds to each request. */
const responsesOf = (isCompiling: boolean) =>
  Effect.gen(function* () {
    const served = yield* Deferred.make<RequestHandler>()
    yield* Layer.build(serviceWith(isCompiling, (handler) => Effect.asVoid(Deferred.succeed(served, handler))))
    const respond = yield* Deferred.await(served)
    return yield* Effect.forEach(requests, ([path, init]) =>
      Effect.promise(async () => {
        const request = new Request(`http://service${path}`, init)
        Object.assign(request, { params: { s0: new URL(request.url).pathname.slice(1) } })
        const response = await respond(request as BunRequest, Option.none)
        const body = (await response.text()).replaceAll(/req_[0-9a-z]{26}/g, "req_…")
        return [path, init?.headers, response.status, response.headers.get("content-type"), body]
      })
    )
  })

live("an endpoint responds as HttpApi has it respond, whatever form its requests and responses have", () =>
  Effect.gen(function* () {
    const expected = yield* responsesOf(false)
    expect(expected.filter(([, , status]) => status === 500)).toEqual([])
    expect(yield* responsesOf(true)).toEqual(expected)
  })
)

live("an endpoint that only HttpApi can serve is left to it", () =>
  Effect.gen(function* () {
    const find = (yield* CompiledRoutes).makeFinder(() => true)
    const endpoints = [...Object.values(compiled.endpoints), ...Object.values(uncompiled.endpoints)]
    const found = endpoints.filter(({ method, path }) =>
      find(HttpServerRequest.fromWeb(new Request(`http://service${path}`, { method })))
    )
    expect(found.map(({ name }) => name)).toEqual(Object.values(compiled.endpoints).map(({ name }) => name))
  }).pipe(Effect.provide(serviceWith(true, () => Effect.void)))
)
