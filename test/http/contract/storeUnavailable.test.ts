import { HttpServer } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { withLayer } from "../../support/effectTest.ts"
import { get, issueKey, post, sampleIntent, send, serviceUrl } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { commandCases, commandTitle, sendCommand } from "../support/commandFixtures.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"

/** A request to one endpoint, for the connection at `path` and with this key. */
interface EndpointRequest {
  readonly title: string
  readonly send: (path: string, key: string) => Effect.Effect<Response, never, HttpServer.HttpServer>
}

const redeem: EndpointRequest = {
  title: "redeeming a share link",
  send: () =>
    Effect.flatMap(serviceUrl, (url) =>
      send("/v1/share-links/redeem", {
        method: "POST",
        headers: { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" },
        body: JSON.stringify({ code: `dcs_${"A".repeat(43)}` })
      })
    )
}

const create: EndpointRequest = {
  title: "creating a connection",
  send: (_, key) => post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })
}

/** Endpoints that use a store of their own after the caller is authenticated. */
const storeEndpoints: ReadonlyArray<EndpointRequest> = [
  { title: "listing connections", send: (_, key) => get("/v1/connections", key) },
  {
    title: "issuing a browser token",
    send: (path, key) => post(`${path}/access-token`, key, { origin: shopOrigin })
  },
  {
    title: "revoking browser tokens",
    send: (path, key) => send(`${path}/access-token`, { method: "DELETE", headers: { "x-api-key": key } })
  },
  { title: "making a share link", send: (path, key) => post(`${path}/share-link`, key, "") },
  {
    title: "revoking share links",
    send: (path, key) => send(`${path}/share-link`, { method: "DELETE", headers: { "x-api-key": key } })
  },
  redeem,
  { title: "reading the records", send: (path, key) => get(`${path}/records`, key) },
  { title: "reading the timeline", send: (path, key) => get(`${path}/events`, key) },
  ...commandCases.map((command) => ({
    title: commandTitle(command),
    send: (path: string, key: string) => sendCommand(path, key, command)
  }))
]

const storeUnavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

const expectServiceUnavailable = (response: Response) => {
  expect(response.headers.get("retry-after")).toBe("1")
  return expectError(response, { status: 503, code: "unavailable" })
}

withLayer(
  "without the store that an endpoint uses",
  apiWith(
    Layer.mergeAll(
      overrideService(ConnectionStore, () => ({ find: () => storeUnavailable, findRecord: () => storeUnavailable })),
      overrideService(ConnectionViews, () => ({
        list: () => storeUnavailable,
        listTimeline: () => storeUnavailable,
        findObservations: () => storeUnavailable
      })),
      overrideService(BrowserTokenStore, () => ({
        insert: () => storeUnavailable,
        redeemCode: () => storeUnavailable,
        revokeAll: () => storeUnavailable,
        revokeCodes: () => storeUnavailable
      }))
    )
  ),
  (live) => {
    storeEndpoints.forEach((endpoint) =>
      live(`${endpoint.title} answers 503 with Retry-After`, () =>
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          const path = yield* createConnectionPath(key)
          yield* expectServiceUnavailable(yield* endpoint.send(path, key))
        })
      )
    )
  }
)

withLayer(
  "without the store that tokens are revoked in",
  apiWith(overrideService(BrowserTokenStore, () => ({ revokeAll: () => storeUnavailable }))),
  (live) => {
    live("revoking browser tokens answers 503 with Retry-After", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const headers = { "x-api-key": key }
        yield* expectServiceUnavailable(yield* send(`${path}/access-token`, { method: "DELETE", headers }))
      })
    )
  }
)

withLayer(
  "without the store that connections are created in",
  apiWith(overrideService(ConnectionStore, () => ({ create: () => storeUnavailable, find: () => storeUnavailable }))),
  (live) => {
    live("creating a connection answers 503 with Retry-After", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectServiceUnavailable(yield* create.send("", key))
      })
    )
  }
)
