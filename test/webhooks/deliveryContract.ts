import type { HttpServer } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, type Layer } from "effect"
import type { ApiKeys } from "../../src/security/ApiKeys.ts"
import { deliveryBounds } from "../../src/webhooks/DeliveryLoop.ts"
import { withLayer } from "../support/effectTest.ts"
import { get, issueKey, jsonOf, post, sampleIntent, tenancyOf } from "../support/testApi.ts"
import { eventually, type Receiver, startHangingReceiver, startReceiver, verify } from "./Receiver.ts"
import { OutboxFixture } from "./webhookServices.ts"

let applications = 0

/** An application of its own, with a key for webhooks and connections. */
const newApplication = Effect.gen(function* () {
  const application = `shop-builder-${++applications}`
  const { key } = yield* issueKey(tenancyOf(application, "bakery"))
  return { application, key }
})

const createEndpoint = (key: string, settings: object) =>
  Effect.gen(function* () {
    const response = yield* post("/v1/webhook-endpoints", key, settings)
    expect(response.status).toBe(201)
    const { endpoint, secret } = yield* jsonOf(response)
    return { path: `/v1/webhook-endpoints/${endpoint.id}`, id: String(endpoint.id), secret: String(secret) }
  })

const createConnection = (key: string) =>
  Effect.map(
    Effect.flatMap(post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }), jsonOf),
    ({ connection }) => ({
      id: String(connection.id),
      path: `/v1/connections/${connection.id}`
    })
  )

const deliveriesOf = (path: string, key: string, query = "") =>
  Effect.map(Effect.flatMap(get(`${path}/deliveries${query}`, key), jsonOf), (body) => body.deliveries)

/** Waits until the newest delivery fits. */
const awaitDelivery = (path: string, key: string, fits: (delivery: any) => boolean) =>
  eventually(
    Effect.filterOrFail(
      Effect.map(deliveriesOf(path, key), ([newest]) => newest),
      (newest) => newest !== undefined && fits(newest),
      (newest) => `the newest delivery is ${JSON.stringify(newest)}`
    )
  )

const typesOf = ({ received }: Receiver) => received.map(({ body }) => body.type)

const secondsUntilNext = (delivery: any) =>
  (Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.lastAttempt.at)) / 1_000

/** What every implementation of the outbox delivers, over HTTP to receivers on loopback. */
export const deliveryContract = <E>(
  name: string,
  layer: Layer.Layer<ApiKeys | HttpServer.HttpServer | OutboxFixture, E>
): void =>
  withLayer(name, layer, (live) => {
    live("an event arrives signed, with the connection as GET answers it", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const receiver = yield* startReceiver()
        const { secret } = yield* createEndpoint(key, { url: receiver.url })
        const connection = yield* createConnection(key)
        const shown = yield* Effect.flatMap(get(connection.path, key), jsonOf)
        const [created] = yield* receiver.awaitRequests(1)
        expect(created === undefined ? undefined : verify(secret, created)).toEqual({
          type: "connection.created",
          timestamp: expect.stringMatching(/Z$/),
          data: { connection: shown.connection, version: 1 }
        })
        expect(created?.headers).toMatchObject({
          "content-type": "application/json",
          "webhook-id": expect.stringMatching(/^evt_/)
        })

        yield* post(`${connection.path}/cancel`, key, "")
        const [, canceled] = yield* receiver.awaitRequests(2)
        expect(canceled?.body).toMatchObject({
          type: "connection.canceled",
          data: { connection: { id: connection.id, state: "canceled" }, version: 2, formerState: "requested" }
        })
      })
    )

    live("an endpoint gets the events that it filters, of the tenants that it filters, of its application", () =>
      Effect.gen(function* () {
        const { application, key } = yield* newApplication
        const { key: keyOfFlorist } = yield* issueKey(tenancyOf(application, "florist"))
        const { key: foreignKey } = yield* newApplication
        const all = yield* startReceiver()
        const canceled = yield* startReceiver()
        const florist = yield* startReceiver()
        const foreign = yield* startReceiver()
        yield* createEndpoint(key, { url: all.url })
        yield* createEndpoint(key, { url: canceled.url, eventTypes: ["connection.canceled"] })
        yield* createEndpoint(key, { url: florist.url, tenantIds: ["florist"] })
        yield* createEndpoint(foreignKey, { url: foreign.url })
        const { path } = yield* createConnection(key)
        yield* createConnection(keyOfFlorist)
        yield* post(`${path}/cancel`, key, "")
        yield* createConnection(foreignKey)
        yield* all.awaitRequests(3)
        yield* Effect.all([canceled.awaitRequests(1), florist.awaitRequests(1), foreign.awaitRequests(1)])
        expect([typesOf(canceled), typesOf(florist), typesOf(foreign)]).toEqual([
          ["connection.canceled"],
          ["connection.created"],
          ["connection.created"]
        ])
        expect(florist.received[0]?.body.data.connection.tenantId).toBe("florist")
        expect(typesOf(all).toSorted()).toEqual(["connection.canceled", "connection.created", "connection.created"])
      })
    )

    live("after a rotation both secrets verify, and only the new one is shown", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const receiver = yield* startReceiver()
        const { path, secret: old } = yield* createEndpoint(key, { url: receiver.url })
        const { secret } = yield* Effect.flatMap(post(`${path}/secret`, key, ""), jsonOf)
        expect(secret).toMatch(/^whsec_/)
        expect(secret).not.toBe(old)
        yield* post(`${path}/test`, key, "")
        const [request] = yield* receiver.awaitRequests(1)
        const verified = [secret, old].map((each) => request !== undefined && verify(each, request))
        expect(verified).toEqual([request?.body, request?.body])
        expect(
          yield* Effect.flatMap(get(path, key), (response) => Effect.promise(() => response.text()))
        ).not.toContain("whsec_")
      })
    )

    live("what a receiver answers with 500 is sent again, the same bytes under the same id", () =>
      Effect.gen(function* () {
        const { makeDue } = yield* OutboxFixture
        const { key } = yield* newApplication
        const receiver = yield* startReceiver((nth) => new Response(null, { status: nth === 1 ? 500 : 204 }))
        const { path } = yield* createEndpoint(key, { url: receiver.url })
        yield* createConnection(key)
        const failed = yield* awaitDelivery(path, key, ({ attempts }) => attempts === 1)
        expect(failed).toMatchObject({ status: "pending", lastAttempt: { status: 500, error: "status" } })
        expect(secondsUntilNext(failed)).toBeGreaterThanOrEqual(4.9)
        expect(secondsUntilNext(failed)).toBeLessThan(5.6)
        const shown = yield* Effect.flatMap(get(path, key), jsonOf)
        expect(shown.endpoint).toMatchObject({ status: "enabled", failingSince: expect.any(String) })

        yield* makeDue
        const [first, second] = yield* receiver.awaitRequests(2)
        expect(second?.text).toBe(first?.text)
        expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"])
        yield* awaitDelivery(path, key, ({ attempts, status }) => status === "delivered" && attempts === 2)
        const recovered = yield* Effect.flatMap(get(path, key), jsonOf)
        expect(recovered.endpoint.failingSince).toBeUndefined()
      })
    )

    live("a receiver that asks for more time by Retry-After gets it", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const receiver = yield* startReceiver(
          () => new Response(null, { status: 429, headers: { "retry-after": "3600" } })
        )
        const { path } = yield* createEndpoint(key, { url: receiver.url })
        yield* createConnection(key)
        const refused = yield* awaitDelivery(path, key, ({ attempts }) => attempts === 1)
        expect(Math.round(secondsUntilNext(refused))).toBe(3_600)
      })
    )

    live("a redirect is not followed", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const target = yield* startReceiver()
        const receiver = yield* startReceiver(() => Response.redirect(target.url, 307))
        const { path } = yield* createEndpoint(key, { url: receiver.url })
        yield* createConnection(key)
        const redirected = yield* awaitDelivery(path, key, ({ attempts }) => attempts === 1)
        expect(redirected.lastAttempt).toMatchObject({ status: 307, error: "redirect" })
        expect(target.received).toEqual([])
      })
    )

    live("410 pauses the endpoint and tells all others; what waits is sent when it is enabled again", () =>
      Effect.gen(function* () {
        const { makeDue } = yield* OutboxFixture
        const { key } = yield* newApplication
        const gone = yield* startReceiver(() => new Response(null, { status: 410 }))
        const other = yield* startReceiver()
        const { id, path } = yield* createEndpoint(key, { url: gone.url, eventTypes: ["connection.created"] })
        yield* createEndpoint(key, { url: other.url, eventTypes: ["connection.active"] })
        yield* createConnection(key)
        const [notification] = yield* other.awaitRequests(1)
        expect(notification?.body).toMatchObject({
          type: "endpoint.paused",
          data: { endpoint: { id, url: gone.url, pauseReason: "gone" } }
        })
        yield* createConnection(key)
        yield* makeDue
        expect(yield* Effect.flatMap(get(path, key), jsonOf)).toMatchObject({
          endpoint: { status: "paused", pauseReason: "gone" }
        })
        const audit = yield* Effect.flatMap(get("/v1/audit?action=webhook_endpoint.paused", key), jsonOf)
        expect(audit.entries).toMatchObject([{ endpointId: id, actor: { type: "service", id: "webhooks" } }])

        gone.answerWith(() => new Response())
        const resumed = yield* post(`${path}/resume`, key, "")
        expect(yield* jsonOf(resumed)).toMatchObject({ endpoint: { status: "enabled" } })
        yield* makeDue
        yield* gone.awaitRequests(3)
        yield* awaitDelivery(path, key, ({ status }) => status === "delivered")
      })
    )

    live("five days without success pause an endpoint, of which all others are told", () =>
      Effect.gen(function* () {
        const { ageFailures, makeDue } = yield* OutboxFixture
        const { key } = yield* newApplication
        const receiver = yield* startReceiver(() => new Response(null, { status: 503 }))
        const others = [yield* startReceiver(), yield* startReceiver()]
        const { id, path } = yield* createEndpoint(key, { url: receiver.url, eventTypes: ["connection.created"] })
        for (const { url } of others) yield* createEndpoint(key, { url, eventTypes: ["connection.active"] })
        yield* createConnection(key)
        yield* awaitDelivery(path, key, ({ attempts }) => attempts === 1)
        yield* ageFailures(6)
        yield* makeDue
        yield* awaitDelivery(path, key, ({ attempts }) => attempts === 2)
        expect(yield* Effect.flatMap(get(path, key), jsonOf)).toMatchObject({
          endpoint: { status: "paused", pauseReason: "failing" }
        })
        for (const other of others) {
          const [notification] = yield* other.awaitRequests(1)
          expect(notification?.body).toMatchObject({
            type: "endpoint.paused",
            data: { endpoint: { id, url: receiver.url, pauseReason: "failing" } }
          })
        }
      })
    )

    live("after ten failed attempts a delivery has failed, and can be replayed", () =>
      Effect.gen(function* () {
        const { makeDue } = yield* OutboxFixture
        const { key } = yield* newApplication
        const receiver = yield* startReceiver((nth) => new Response(null, { status: nth <= 10 ? 500 : 200 }))
        const { path } = yield* createEndpoint(key, { url: receiver.url })
        yield* createConnection(key)
        for (let attempt = 1; attempt <= 10; attempt += 1) {
          yield* awaitDelivery(path, key, ({ attempts }) => attempts === attempt)
          yield* makeDue
        }
        const [failed] = yield* deliveriesOf(path, key, "?status=failed")
        expect(failed).toMatchObject({ status: "failed", attempts: 10 })
        expect(failed.nextAttemptAt).toBeUndefined()

        const replayed = yield* post(`${path}/deliveries/${failed.eventId}/replay`, key, "")
        expect(yield* jsonOf(replayed)).toMatchObject({ delivery: { status: "pending", attempts: 0 } })
        yield* awaitDelivery(path, key, ({ status }) => status === "delivered")
        const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))
        expect([...ids]).toEqual([failed.eventId])
      })
    )

    live("the events of a time are sent again", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const receiver = yield* startReceiver()
        const { path } = yield* createEndpoint(key, { url: receiver.url })
        yield* Effect.all([createConnection(key), createConnection(key), createConnection(key)])
        yield* receiver.awaitRequests(3)
        yield* eventually(
          Effect.filterOrFail(deliveriesOf(path, key, "?status=delivered"), ({ length }) => length === 3)
        )
        const replay = (body: object) => Effect.flatMap(post(`${path}/replay`, key, body), jsonOf)
        expect(yield* replay({ from: "2020-01-01T00:00:00.000Z", to: "2020-02-01T00:00:00.000Z" })).toEqual({
          replayed: 0
        })
        expect(yield* replay({ from: "2020-01-01T00:00:00.000Z" })).toEqual({ replayed: 3 })
        yield* receiver.awaitRequests(6)
      })
    )

    live("the log of deliveries has pages, newest first", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const receiver = yield* startReceiver()
        const { path } = yield* createEndpoint(key, { url: receiver.url })
        for (let nth = 0; nth < 3; nth += 1) yield* post(`${path}/test`, key, "")
        const first = yield* Effect.flatMap(get(`${path}/deliveries?limit=2`, key), jsonOf)
        const second = yield* Effect.flatMap(get(`${path}/deliveries?limit=2&cursor=${first.nextCursor}`, key), jsonOf)
        const ids = [...first.deliveries, ...second.deliveries].map(({ eventId }) => eventId)
        expect(ids).toEqual(ids.toSorted().toReversed())
        expect([new Set(ids).size, second.nextCursor]).toEqual([3, undefined])
        expect(first.deliveries[0]).toMatchObject({ type: "endpoint.test" })
      })
    )

    live("receivers that hang do not delay the others", () =>
      Effect.gen(function* () {
        const { key } = yield* newApplication
        const hanging = yield* startHangingReceiver
        const quick = yield* startReceiver()
        const slow = yield* createEndpoint(key, { url: hanging.url })
        yield* createEndpoint(key, { url: quick.url })
        const { perEndpoint } = deliveryBounds
        const connections = perEndpoint + 10
        yield* Effect.forEach(Array.from({ length: connections }), () => createConnection(key), { concurrency: 5 })
        yield* quick.awaitRequests(connections)
        yield* hanging.awaitRequests(perEndpoint)
        const waiting = yield* deliveriesOf(slow.path, key, "?status=pending&limit=100")
        expect([hanging.mostOpen(), waiting.length]).toEqual([perEndpoint, connections])
      })
    )
  })
