import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest, HttpServer } from "@effect/platform"
import { expect } from "bun:test"
import { RateLimited } from "../../../src/limits/limitErrors.ts"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { Connection, ConnectionId, ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { ConnectionDocument } from "../../../src/domain/connection/ConnectionDocument.ts"
import { Intent } from "../../../src/domain/connection/Intent.ts"
import { Api } from "../../../src/http/endpoints/Api.ts"
import { DrainInProgress, Forbidden, OriginNotCanonical } from "../../../src/http/contract/errorResponses.ts"
import { unavailable as unavailableResponse } from "../../../src/http/contract/operationErrors.ts"
import { IdempotencyInProgress, Unprocessable } from "../../../src/lifecycle/commands/commandErrors.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { BrowserTokenStore, makeConnectionEnded } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import {
  CommitResult,
  ConnectionNotFound,
  ConnectionStore
} from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { Unauthenticated } from "../../../src/security/ApiKeys.ts"
import { live, withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, tenancyOf } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { shopOrigin } from "../support/connectionRequests.ts"

const intent = {
  domain: "example.com",
  records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
} as const

const clientFor = (key: string) =>
  Effect.flatMap(HttpServer.addressFormattedWith(Effect.succeed), (baseUrl) =>
    HttpApiClient.make(Api, {
      baseUrl,
      transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", key))
    })
  ).pipe(Effect.map(({ connections }) => connections))

const client = Effect.flatMap(issueKey(), ({ key }) => clientFor(key))

const decodeDocument = Schema.decodeSync(Schema.parseJson(ConnectionDocument))

const missing = ConnectionId.make("con_missing")

const withClient = <A, E, R>(service: Layer.Layer<A, E, R>) => Layer.merge(service, FetchHttpClient.layer)

withLayer("the client derived from the contract", withClient(apiInMemory()), (live) => {
  live("decodes a created connection", () =>
    Effect.gen(function* () {
      const { create, get } = yield* client
      const { connection } = yield* create({ headers: {}, payload: { intent, allowDuplicate: true } })
      expect(connection.intent).toBeInstanceOf(Intent)
      expect(DateTime.isUtc(connection.createdAt)).toBe(true)
      expect(connection.state).toBe("requested")
      expect(yield* get({ headers: {}, path: { connectionId: connection.id } })).toEqual({ connection })
    })
  )

  for (const state of ConnectionState.literals) {
    live(`decodes a connection that is ${state}`, () =>
      Effect.gen(function* () {
        const { create, get, list } = yield* client
        const created = yield* create({ headers: {}, payload: { intent, allowDuplicate: true } })
        const moved = yield* moveTo(`/v1/connections/${created.connection.id}`, state)
        const { connection } = yield* get({ headers: {}, path: { connectionId: moved.id } })
        expect(connection).toEqual(decodeDocument(encodeConnection(Connection.make(moved))))
        const { connections } = yield* list({ urlParams: { state: [state] } })
        expect(connections.filter(({ id }) => id === moved.id)).toEqual([connection])
      })
    )
  }

  live("redacts its token", () =>
    Effect.gen(function* () {
      const { create, issueToken } = yield* client
      const { connection } = yield* create({ headers: {}, payload: { intent, allowDuplicate: true } })
      const token = yield* issueToken({ path: { connectionId: connection.id }, payload: { origin: shopOrigin } })
      expect(Redacted.value(token.accessToken)).toMatch(/^dct_/)
      expect(String(token.accessToken)).toBe("<redacted>")
      expect(token.tokenType).toBe("Bearer")
      expect(DateTime.isUtc(token.expiresAt)).toBe(true)
    })
  )

  live("fails with OriginNotCanonical", () =>
    Effect.gen(function* () {
      const { issueToken } = yield* client
      const error = yield* Effect.flip(
        issueToken({ path: { connectionId: missing }, payload: { origin: `${shopOrigin}/` } })
      )
      const code = "origin_not_canonical"
      const message = `origin must be exactly what a browser sends: ${shopOrigin}`
      expect(error).toEqual(
        new OriginNotCanonical({
          code,
          message,
          details: [{ pointer: "/origin", code, message, suggestion: shopOrigin }]
        })
      )
    })
  )

  live("fails with Unauthenticated", () =>
    Effect.gen(function* () {
      const { create, get, issueToken } = yield* clientFor("hello")
      const path = { connectionId: missing }
      const errors = yield* Effect.all([
        Effect.flip(create({ headers: {}, payload: { intent, allowDuplicate: true } })),
        Effect.flip(get({ headers: {}, path })),
        Effect.flip(issueToken({ path, payload: { origin: shopOrigin } }))
      ])
      for (const error of errors) expect(error).toBeInstanceOf(Unauthenticated)
    })
  )

  live("fails with Forbidden", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(undefined, ["connections:read"])
      const { create } = yield* clientFor(key)
      const error = yield* Effect.flip(create({ headers: {}, payload: { intent, allowDuplicate: true } }))
      expect(error).toBeInstanceOf(Forbidden)
      expect(error).toMatchObject({ code: "insufficient_scope" })
    })
  )

  live("fails with ConnectionNotFound", () =>
    Effect.gen(function* () {
      const { get, issueToken } = yield* client
      const path = { connectionId: missing }
      const errors = yield* Effect.all([
        Effect.flip(get({ headers: {}, path })),
        Effect.flip(issueToken({ path, payload: { origin: shopOrigin } }))
      ])
      expect(errors).toEqual([ConnectionNotFound.error, ConnectionNotFound.error])
    })
  )

  live("fails with Unprocessable and its details", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const error = yield* Effect.flip(create({ headers: {}, payload: { intent: { ...intent, domain: "co.uk" } } }))
      expect(error).toEqual(
        new Unprocessable({
          code: "unprocessable",
          message: "1 problem in intent: /intent/domain: co.uk is a public suffix; name a domain registered below it",
          details: [
            {
              pointer: "/intent/domain",
              code: "domain_is_public_suffix",
              message: "co.uk is a public suffix; name a domain registered below it"
            }
          ]
        })
      )
    })
  )
})

withLayer("the client above its quota", withClient(apiInMemory({ rates: { server: 1 } })), (live) => {
  live("fails with RateLimited", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "limited"))
      const { get } = yield* clientFor(key)
      const read = get({ headers: {}, path: { connectionId: missing } })
      yield* Effect.flip(read)
      expect(yield* Effect.flip(read)).toBeInstanceOf(RateLimited)
    })
  )
})

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

const faults = Layer.mergeAll(
  overrideService(ConnectionStore, () => ({ create: () => Effect.succeed(CommitResult.InProgress()) })),
  overrideService(BrowserTokenStore, () => ({ insert: () => makeConnectionEnded("canceled") })),
  overrideService(ApiKeyStore, (real) => ({
    find: (hash, id) => (id._tag === "Some" && id.value === missing ? unavailable : real.find(hash, id))
  }))
)

withLayer("the client of a failing service", withClient(apiWith(faults)), (live) => {
  live("fails with IdempotencyInProgress", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const error = yield* Effect.flip(
        create({ headers: { "idempotency-key": "one" }, payload: { intent, allowDuplicate: true } })
      )
      expect(error).toBeInstanceOf(IdempotencyInProgress)
    })
  )

  live("fails with ConnectionEnded", () =>
    Effect.gen(function* () {
      const { issueToken } = yield* client
      const error = yield* Effect.flip(issueToken({ path: { connectionId: missing }, payload: { origin: shopOrigin } }))
      expect(error).toEqual(makeConnectionEnded("canceled"))
    })
  )

  live("fails with StoreUnavailable", () =>
    Effect.gen(function* () {
      const { get } = yield* client
      expect(yield* Effect.flip(get({ headers: {}, path: { connectionId: missing } }))).toEqual(unavailable)
    })
  )
})

live("the client distinguishes the two reasons for a 503", () =>
  Effect.gen(function* () {
    for (const error of [unavailable, DrainInProgress.error]) {
      const body = yield* Schema.encode(unavailableResponse)(error)
      expect(yield* Schema.decode(unavailableResponse)(body)).toEqual(error)
    }
  })
)
