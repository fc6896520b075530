import { type HttpServer, HttpServerRequest } from "@effect/platform"
import { afterAll, expect } from "bun:test"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime, Option } from "effect"
import { unlimitedQuotas } from "../../../src/domain/Quota.ts"
import { httpLayer } from "../../../src/http/layer.ts"
import { CompiledRoutes } from "../../../src/http/server/CompiledRoutes.ts"
import { Quotas } from "../../../src/lifecycle/quotas/Quotas.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/ApiKeyStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import { byHttpApi } from "../../support/bothWays.ts"
import { live } from "../../support/effectTest.ts"
import { recordSpans } from "../../support/recordSpans.ts"
import {
  apiServicesLayer,
  issueAdminKey,
  issueKey,
  noRateLimits,
  offlineDns,
  sampleIntent,
  send,
  storesInMemory,
  tenancyOf,
  untraced
} from "../../support/testApi.ts"
import { endpoints } from "../contract/declaredEndpoints.ts"
import { adjustableMonotonicClock } from "../support/adjustableMonotonicClock.ts"
import { overrideService } from "../support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { fillPath } from "../support/errorCases.ts"
import { sendRaw } from "../support/sendRaw.ts"

/** The ways that requests can go. */
const ways = {
  uncompiled: Layer.merge(untraced, byHttpApi),
  compiled: untraced,
  "compiled and traced": Layer.empty
}

/** A service whose timeline is broken and whose observations cannot be reached; its rates are counted in windows that never end, and never reached. */
const serviceOn = (way: Layer.Layer<never>) =>
  httpLayer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: Option.none(),
    ...noRateLimits,
    rateLimitPerMinute: 100_000,
    browserRateLimitPerMinute: 100_000
  }).pipe(
    Layer.provide(Layer.merge(way, adjustableMonotonicClock().layer)),
    Layer.provideMerge(apiServicesLayer),
    Layer.provide(offlineDns),
    Layer.provideMerge(Quotas.layer(unlimitedQuotas)),
    Layer.provideMerge(
      overrideService(ConnectionViews, () => ({
        listTimeline: () => Effect.die(new Error("broken")),
        findObservations: () => new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })
      }))
    ),
    // The use of keys is recorded by the clock, which lists of keys would show.
    Layer.provideMerge(overrideService(ApiKeyStore, () => ({ recordUse: () => Effect.void }))),
    Layer.provideMerge(storesInMemory),
    Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None))
  )

/** One of each way for all endpoints, so that all have the same history. */
const services = Object.values(ways).map((way) => ManagedRuntime.make(serviceOn(way)))

afterAll(() => Promise.all(services.map((service) => service.dispose())))

/** Sends the same requests to the service of each way, and expects the same responses. */
const expectParity = (
  requests: Effect.Effect<ReadonlyArray<string>, unknown, Layer.Layer.Success<ReturnType<typeof serviceOn>>>
) =>
  Effect.gen(function* () {
    const [expected, ...others] = yield* Effect.forEach(services, (service) =>
      Effect.promise(() => service.runPromise(requests))
    )
    others.forEach((responses) => expect(responses).toEqual(expected ?? []))
    return expected ?? []
  })

/** Status, headers and bytes of the response to a request, without what differs from one request to the next. */
const describe = (title: string, request: Effect.Effect<Response, never, HttpServer.HttpServer>) =>
  Effect.flatMap(request, (response) =>
    Effect.map(
      Effect.promise(() => readBody(response)),
      (body) => {
        const headers = [...response.headers].filter(([name]) => name !== "date").map((header) => header.join(": "))
        return mask([title, response.status, ...headers, "", body].join("\n"))
      }
    )
  )

/** The body; of an event stream what comes first. */
const readBody = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream") return response.text()
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

const mask = (text: string): string =>
  text
    .replaceAll(/dc(k_[a-z]+|as)_[0-9A-Za-z]+/g, "dc$1_…")
    .replaceAll(/(con|req|evt|key|ask|adk)_[0-9a-z]{26}/g, "$1_…")
    .replaceAll(/tok_[0-9a-f]{16}/g, "tok_…")
    .replaceAll(/dc[ts]_[0-9A-Za-z]{43}/g, "dct_…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, "…")
    .replaceAll(/;t=\d+/g, ";t=…")

const deep = `${"[".repeat(20)}${"]".repeat(20)}`

/** What a request sends instead of a body that its endpoint accepts. */
const faultyBodies: Readonly<Record<string, string | Uint8Array>> = {
  "no body": "",
  "an empty object": "{}",
  "an array": "[]",
  "text that is no JSON": "{",
  "a byte order mark": "\ufeff{}",
  "bytes that are no UTF-8": new Uint8Array([0x7b, 0xff, 0x7d]),
  "an unknown field": '{"intent":{"domain":"example.com","records":[]},"more":1}',
  "a domain that is none": '{"intent":{"domain":"-.example"},"domain":"-.example"}',
  "a name twice": '{"intent":{},"intent":{}}',
  "deep nesting": `{"intent":${deep}}`,
  "300 KiB": JSON.stringify({ intent: "x".repeat(300 * 1_024) })
}

const bodyOf = (path: string): unknown =>
  ({
    "/v1/connections": { intent: sampleIntent, allowDuplicate: true },
    "/v1/domains/check": { domain: "example.com", records: sampleIntent.records },
    "/v1/share-links/redeem": { code: `dcs_${"A".repeat(43)}` },
    "/access-token": { origin: shopOrigin },
    "/authorization": { method: "manual" },
    "/approval": { digest: "a".repeat(64) },
    "/v1/admin/applications": { id: "another-app" },
    "/v1/admin/applications/{applicationId}/api-keys": { tenantId: "tenant" }
  })[path.replace("/v1/connections/{connectionId}", "")]

/** The headers of requests that go to every endpoint, by what they show. */
const makeHeaders = (path: string, own: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const reader = yield* issueKey(tenancyOf("app", "tenant"), ["connections:read"])
    const foreign = yield* issueKey(tenancyOf("app", "other"))
    const authorization = yield* issueBearer(key, path)
    return {
      "a key": own,
      "no credential": {},
      "no key at all": { "x-api-key": "hello" },
      "an unknown key": { "x-api-key": `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}` },
      "a key of another scope": { "x-api-key": reader.key },
      "a key of another tenant": { "x-api-key": foreign.key },
      "a key in a browser": { ...own, origin: shopOrigin },
      "a token": { authorization, origin: shopOrigin },
      "a token of another origin": { authorization, origin: "https://other.example.com" },
      "a token without origin": { authorization },
      "a token that is none": { authorization: "Bearer hello", origin: shopOrigin },
      "a key and a token": { ...own, authorization },
      "the hosted page": { origin: "https://connect.example", "sec-fetch-site": "same-origin" },
      "its own request id": { ...own, "x-request-id": "my-own-request" },
      "an ETag": { ...own, "if-none-match": '"1"', "if-match": '"7"' },
      "a faulty idempotency key": { ...own, "idempotency-key": "x".repeat(300), prefer: "y".repeat(300) },
      "an idempotency key": { ...own, "idempotency-key": `key ${path}`.replaceAll(" ", "-"), prefer: "wait=0" },
      "another media type": { ...own, "content-type": "text/plain" },
      "a content coding": { ...own, "content-encoding": "gzip" }
    }
  })

/** The requests to one endpoint, with a connection of their own. */
const requestsTo = ({ method, path: template }: (typeof endpoints)[number]) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const path = fillPath(template, yield* createConnectionPath(key), undefined, { applicationId: "app" })
    const body = ["patch", "post", "put"].includes(method) ? { body: JSON.stringify(bodyOf(template) ?? {}) } : {}
    const init = { method: method.toUpperCase(), ...body }
    const credential = template.startsWith("/v1/admin/")
      ? { "x-admin-key": yield* issueAdminKey }
      : { "x-api-key": key }
    const own = { ...credential, "content-type": "application/json" }
    const from = yield* makeHeaders(yield* createConnectionPath(key), credential)
    const withHeaders = Object.entries(from).map(([title, headers]) =>
      describe(title, send(path, { ...init, headers: { "content-type": "application/json", ...headers } }))
    )
    const withBodies = Object.entries(method === "post" ? faultyBodies : {}).map(([title, body]) =>
      describe(title, send(path, { method: "POST", headers: own, body }))
    )
    const withQueries = ["?", "?a=1&b=2&a=3", "?limit=0", "?limit=1&limit=2", "?limit=1&%zz=%", ";a=b"].map((query) =>
      describe(query, send(`${path}${query}`, { ...init, headers: own }))
    )
    const withMethods = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"]
      .filter((other) => other !== init.method)
      .map((other) => describe(other, send(path, { method: other, headers: { ...own, origin: shopOrigin } })))
    const withTargets = [
      ...["con%5Fany", "%E0%A4%A", "a".repeat(300), "%2e%2e", "a%2fb"].map((id) =>
        template.replace("{connectionId}", id)
      ),
      `${path}/`,
      `/${path}`,
      path.toUpperCase()
    ].map((target) =>
      describe(
        `${target.length}`,
        sendRaw({ line: `${init.method} ${target} HTTP/1.1`, headers: [`x-api-key: ${key}`, "content-length: 0"] })
      )
    )
    const withHosts = [[], ["a b"], ["one", "two"]].map((hosts) =>
      describe(`${hosts}`, sendRaw({ line: `${init.method} ${path} HTTP/1.1`, hosts, headers: ["content-length: 0"] }))
    )
    const all = [...withHeaders, ...withBodies, ...withQueries, ...withMethods, ...withTargets, ...withHosts]
    return yield* Effect.all(all)
  })

live("every endpoint is compiled, and nothing else", () =>
  Effect.gen(function* () {
    const find = (yield* CompiledRoutes).makeFinder(() => true)
    const isCompiled = (method: string, path: string) =>
      find(HttpServerRequest.fromWeb(new Request(`http://service${path}`, { method }))) !== undefined
    expect(endpoints.filter(({ method, path }) => !isCompiled(method.toUpperCase(), path))).toEqual([])
    const others = ["/metrics", "/healthz", "/openapi.json", "/connect", "/v1/oauth/callback", "/v1/nothing"]
    expect(others.filter((path) => isCompiled("GET", path))).toEqual([])
    expect(["HEAD", "OPTIONS", "PUT"].filter((method) => isCompiled(method, "/v1/connections"))).toEqual([])
  }).pipe(Effect.provide(serviceOn(untraced)))
)

live("a compiled endpoint has the same spans as an uncompiled one", () =>
  Effect.gen(function* () {
    const expected = yield* spansOn(byHttpApi)
    expect(expected.map(({ attributes }) => attributes)).toEqual([
      ["/v1/connections", "POST", 201],
      ["/v1/connections/:connectionId", "GET", 200],
      ["/v1/connections/:connectionId/events", "GET", 500],
      ["/v1/connections/:connectionId", "GET", 401]
    ])
    expect(yield* spansOn(Layer.empty)).toEqual(expected)
    expect(yield* spansOn(untraced)).toEqual([])
  })
)

/** The spans of a service on this way for a creation, a read, a broken read and a refused one. */
const spansOn = (way: Layer.Layer<never>) =>
  Effect.gen(function* () {
    const { spans, tracer } = yield* recordSpans
    const requests = Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* send(path, { headers: { "x-api-key": key } })
      yield* send(`${path}/events`, { headers: { "x-api-key": key } })
      yield* send(path, { headers: { "x-api-key": "hello" } })
    })
    yield* Effect.provide(
      requests,
      Layer.provide(serviceOn(way), Layer.merge(Layer.setTracer(tracer), Layer.setTracerEnabled(true)))
    )
    return spans
      .filter(({ kind }) => kind === "server")
      .map(({ attributes, name, status }) => ({
        name,
        status: status._tag,
        attributes: ["http.route", "http.request.method", "http.response.status_code"].map((key) => attributes.get(key))
      }))
  })

endpoints.forEach((endpoint) =>
  live(`${endpoint.method} ${endpoint.path} responds alike on every way`, () =>
    Effect.map(expectParity(requestsTo(endpoint)), (responses) => {
      const statuses = new Set(responses.map((response) => Number(response.split("\n")[1])))
      // A web server sends nothing but its secret and a host, which is missing here.
      expect(statuses.size).toBeGreaterThan(endpoint.path.includes("{askSecret}") ? 2 : 4)
    })
  )
)
