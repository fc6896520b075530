import { expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { ConnectionId, type ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { BrowserTokens } from "../../../src/security/BrowserTokens.ts"
import { transitionInto } from "../../persistence/connectionFixtures.ts"
import { withLayer } from "../../support/effectTest.ts"
import { readServerSentEvents } from "../../support/readServerSentEvents.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

/** A new connection and its stream, from the start or after an event. */
const openStream = (lastEventId?: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const path = yield* createConnectionPath(key)
    const response = yield* get(
      `${path}/stream`,
      key,
      lastEventId === undefined ? {} : { "last-event-id": lastEventId }
    )
    return { key, path, response, id: ConnectionId.make(path.split("/").at(-1) ?? "") }
  })

/** Brings one connection into a state, as a phase does. */
const moveConnection = (id: ConnectionId, state: ConnectionState) =>
  Effect.gen(function* () {
    const store = yield* PhaseStore
    const due = (yield* store.takeDue(100, 0)).find(({ connectionId }) => connectionId === id)
    const claim = yield* Effect.flatten(store.claim(due ?? (yield* Effect.dieMessage("is not due")), 60))
    yield* store.save(claim, yield* transitionInto(claim, state))
    yield* Effect.flatMap(ConnectionSignals, ({ notifyChanged }) => notifyChanged(id))
  })

withLayer("the stream of a connection", apiInMemory(), (live) => {
  live("begins with the timeline, the records and the connection itself", () =>
    Effect.gen(function* () {
      const { id, response } = yield* openStream()
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
      const next = yield* readServerSentEvents(response)
      const [timeline, records, connection] = [yield* next, yield* next, yield* next]
      expect(JSON.parse(timeline?.data ?? "")).toMatchObject({ to: "requested" })
      expect(JSON.parse(records?.data ?? "").records).toMatchObject([{ status: "unknown", observed: [] }])
      expect(connection?.event).toBe("connection")
      expect(connection?.id).toMatch(/^1\.evt_/)
      expect(JSON.parse(connection?.data ?? "")).toMatchObject({ id, state: "requested" })
    })
  )

  live("sends a change when it happens", () =>
    Effect.gen(function* () {
      const { id, response } = yield* openStream()
      const next = yield* readServerSentEvents(response)
      yield* Effect.replicateEffect(next, 3)
      yield* moveConnection(id, "awaiting_authorization")
      const [timeline, connection] = [yield* next, yield* next]
      expect([timeline?.event, connection?.event]).toEqual(["timeline", "connection"])
      expect(JSON.parse(connection?.data ?? "").state).toBe("awaiting_authorization")
    })
  )

  live("resumes after the last event of the client", () =>
    Effect.gen(function* () {
      const { id, key, path, response } = yield* openStream()
      const first = yield* readServerSentEvents(response)
      const [, , connection] = yield* Effect.replicateEffect(first, 3)
      yield* moveConnection(id, "awaiting_manual")
      const resumed = yield* readServerSentEvents(
        yield* get(`${path}/stream`, key, { "last-event-id": connection?.id ?? "" })
      )
      const timeline = yield* resumed
      expect(JSON.parse(timeline?.data ?? "")).toMatchObject({ from: "requested", to: "awaiting_manual" })
    })
  )

  live("ends with the connection, and answers 204 afterwards", () =>
    Effect.gen(function* () {
      const { key, path, response } = yield* openStream()
      const next = yield* readServerSentEvents(response)
      yield* Effect.replicateEffect(next, 3)
      yield* post(`${path}/cancel`, key, {})
      const [timeline, connection, end] = [yield* next, yield* next, yield* next]
      expect(JSON.parse(timeline?.data ?? "")).toMatchObject({ from: "requested", to: "canceled" })
      expect(JSON.parse(connection?.data ?? "").state).toBe("canceled")
      expect(end).toBeUndefined()
      expect((yield* get(`${path}/stream`, key, { "last-event-id": connection?.id ?? "" })).status).toBe(204)
    })
  )

  live("stays open for a browser while its token is valid", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* openStream()
      const headers = { authorization: yield* issueBearer(key, path), origin: shopOrigin }
      const response = yield* send(`${path}/stream`, { headers })
      expect(response.headers.get("access-control-allow-origin")).toBe(shopOrigin)
      const next = yield* readServerSentEvents(response)
      yield* Effect.replicateEffect(next, 3)
      yield* Effect.flatMap(BrowserTokens, ({ revoke }) => revoke(tenancyOf("app", "tenant"), id))
      yield* Effect.flatMap(ConnectionSignals, ({ notifyChanged }) => notifyChanged(id))
      expect(yield* next).toBeUndefined()
    })
  )

  live("sends a browser the end of the connection, which also ends its token", () =>
    Effect.gen(function* () {
      const { key, path } = yield* openStream()
      const headers = { authorization: yield* issueBearer(key, path), origin: shopOrigin }
      const next = yield* readServerSentEvents(yield* send(`${path}/stream`, { headers }))
      yield* Effect.replicateEffect(next, 3)
      yield* post(`${path}/cancel`, key, {})
      const [timeline, connection, end] = [yield* next, yield* next, yield* next]
      expect([timeline?.event, connection?.event, end]).toEqual(["timeline", "connection", undefined])
      expect(JSON.parse(connection?.data ?? "").state).toBe("canceled")
      yield* expectErrorWithoutWrites(send(`${path}/stream`, { headers }), { status: 401, code: "unauthenticated" })
    })
  )

  live("sends a browser nothing after its token is revoked", () =>
    Effect.gen(function* () {
      const { id, key, path } = yield* openStream()
      const headers = { authorization: yield* issueBearer(key, path), origin: shopOrigin }
      const next = yield* readServerSentEvents(yield* send(`${path}/stream`, { headers }))
      yield* Effect.replicateEffect(next, 3)
      yield* Effect.flatMap(BrowserTokens, ({ revoke }) => revoke(tenancyOf("app", "tenant"), id))
      yield* post(`${path}/cancel`, key, {})
      expect(yield* next).toBeUndefined()
    })
  )

  live("is not opened by HEAD, which has no body to read", () =>
    Effect.gen(function* () {
      const { key, path, response } = yield* openStream()
      for (let nth = 0; nth < 100; nth += 1) {
        const head = yield* send(`${path}/stream`, { method: "HEAD", headers: { "x-api-key": key } })
        expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"])
      }
      yield* Effect.promise(() => response.body?.cancel() ?? Promise.resolve())
      const again = yield* get(`${path}/stream`, key)
      expect(again.status).toBe(200)
      yield* Effect.promise(() => again.body?.cancel() ?? Promise.resolve())
    })
  )

  live("answers 404 to another tenant and 401 without a key", () =>
    Effect.gen(function* () {
      const { path } = yield* openStream()
      const { key: foreignKey } = yield* issueKey(tenancyOf("app", "other"))
      yield* expectErrorWithoutWrites(get(`${path}/stream`, foreignKey), { status: 404, code: "not_found" })
      yield* expectErrorWithoutWrites(send(`${path}/stream`), { status: 401, code: "unauthenticated" })
    })
  )
})

const streamsOfTwo = apiInMemory({ streams: { perConnection: 2, perTenant: 100 } })

withLayer("the streams of a connection that may have two", streamsOfTwo, (live) => {
  live("are refused with 429 beyond that, and HEAD takes none of them", () =>
    Effect.gen(function* () {
      const { key, path, response } = yield* openStream()
      yield* send(`${path}/stream`, { method: "HEAD", headers: { "x-api-key": key } })
      const second = yield* get(`${path}/stream`, key)
      expect(second.status).toBe(200)
      yield* expectErrorWithoutWrites(get(`${path}/stream`, key), { status: 429, code: "too_many_streams" })
      // A response that nobody holds is collected, and its stream ends.
      yield* Effect.promise(async () => Promise.all([response, second].map(({ body }) => body?.cancel())))
    })
  )
})

const create = (key: string, externalId: string, prefer = "wait=1") =>
  post("/v1/connections", key, { intent: sampleIntent, externalId, allowDuplicate: true }, { prefer })

const waitingOfTwo = apiInMemory({ streams: { perConnection: 1, perTenant: 2 } })

withLayer("the requests of a tenant that may have two streams and waiting requests", waitingOfTwo, (live) => {
  live("are answered at once beyond that, without their preference and without an error", () =>
    Effect.gen(function* () {
      const { key, response } = yield* openStream()
      const { key: calm } = yield* issueKey(tenancyOf("app", "calm"))
      const waiting = yield* Effect.fork(create(key, "waiting", "wait=30"))
      yield* Effect.repeat(
        Effect.map(Effect.flatMap(get("/v1/usage", key), jsonOf), ({ quotas }): number => quotas.streams.used),
        { until: (used) => used === 2 }
      )
      const beyond = yield* create(key, "beyond")
      expect([beyond.status, beyond.headers.get("preference-applied")]).toEqual([201, null])
      expect((yield* create(calm, "calm")).headers.get("preference-applied")).toBe("wait=1")
      const { connections } = yield* jsonOf(yield* get("/v1/connections?externalId=waiting", key))
      yield* post(`/v1/connections/${connections[0].id}/cancel`, key, {})
      expect((yield* Fiber.join(waiting)).headers.get("preference-applied")).toBe("wait=30")
      yield* Effect.promise(() => response.body?.cancel() ?? Promise.resolve())
    })
  )
})
