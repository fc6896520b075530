import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { eventually, startReceiver, verify } from "../webhooks/Receiver.ts"
import { issueTestKey, requesterWith, shopRecords, testModeService } from "./testModeService.ts"

/** The type of an event, the state before it and the state of its connection. */
type ExpectedEvent = readonly [string, string, string]

const becomesActive: ReadonlyArray<ExpectedEvent> = [
  ["connection.authorized", "awaiting_authorization", "authorized"],
  ["connection.applied", "applying", "verifying"],
  ["connection.active", "verifying", "active"]
]

const breaksAndRecovers: ReadonlyArray<ExpectedEvent> = [
  ["connection.degraded", "active", "degraded"],
  ["connection.restored", "degraded", "active"]
]

const isDisconnected: ReadonlyArray<ExpectedEvent> = [
  ["connection.authorized", "awaiting_authorization", "authorized"],
  ["connection.disconnected", "disconnecting", "disconnected"]
]

const steps = [...becomesActive, ...breaksAndRecovers, ...isDisconnected]

concurrentTest("a receiver gets signed events of the whole life of a connection, each with the state before it", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    const receiver = yield* startReceiver()
    yield* Effect.gen(function* () {
      const { authorizeAndApprove, command, connect, send, test } = yield* requesterWith(yield* issueTestKey(url))
      const eventTypes = [...new Set(steps.map(([type]) => type))]
      const { json } = yield* send("POST", "/v1/webhook-endpoints", { url: receiver.url, eventTypes })

      const undisturbed = yield* connect("one-click.test")
      yield* authorizeAndApprove(undisturbed.id, "active")
      yield* command(undisturbed.id, "disconnect")
      yield* authorizeAndApprove(undisturbed.id, "disconnected")

      const disturbed = yield* connect("degrades.test")
      yield* authorizeAndApprove(disturbed.id, "active")
      yield* test(disturbed.id, "advance", { seconds: 3_600 })
      yield* test(disturbed.id, "advance", { seconds: 300 })
      const records = shopRecords.map(({ host, type, value }) => ({ host, type, values: [value] }))
      yield* test(disturbed.id, "change-records", { records })
      yield* command(disturbed.id, "disconnect")
      yield* authorizeAndApprove(disturbed.id, "disconnected")

      const lives = new Map([
        [undisturbed.id, [...becomesActive, ...isDisconnected]],
        [disturbed.id, steps]
      ])
      const received = yield* receiver.awaitRequests([...lives.values()].flat().length)
      const events = received.map((request): any => verify(json.secret, request))
      for (const [id, life] of lives) {
        const own = events.filter(({ data }) => data.connection.id === id)
        expect(new Set(own.map(({ data }) => data.version)).size).toBe(life.length)
        const inOrder = own.toSorted((one, other) => one.data.version - other.data.version)
        expect(inOrder.map(({ data, type }): ExpectedEvent => [type, data.formerState, data.connection.state])).toEqual(
          life
        )
      }
    }).pipe(Effect.provide(testModeService(url)))
  })
)

concurrentTest(
  "a setup by hand that is not finished is told once, a day after the customer asked for the last check",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      const receiver = yield* startReceiver()
      yield* Effect.gen(function* () {
        const { command, connect, send, test, waitFor } = yield* requesterWith(yield* issueTestKey(url))
        const eventTypes = ["connection.setup_incomplete", "connection.expired"]
        const { json } = yield* send("POST", "/v1/webhook-endpoints", { url: receiver.url, eventTypes })
        const { id } = yield* connect("by-hand.test")
        yield* command(id, "authorization", { method: "manual" })
        yield* waitFor(id, "awaiting_manual")
        yield* test(id, "advance", { seconds: 20 * 3_600 })
        yield* command(id, "recheck")
        yield* test(id, "advance", { seconds: 20 * 3_600 })
        expect(receiver.received).toEqual([])
        yield* test(id, "advance", { seconds: 5 * 3_600 })
        yield* receiver.awaitRequests(1)
        yield* test(id, "advance", { seconds: 25 * 3_600 })
        yield* test(id, "advance", { seconds: 25 * 3_600 })
        const events = (yield* receiver.awaitRequests(2)).map((request): any => verify(json.secret, request))
        expect(events.map(({ type }) => type)).toEqual(eventTypes)
        const [{ data }] = events
        expect([data.connection.id, data.connection.state]).toEqual([id, "awaiting_manual"])
        expect(data.missing.length).toBeGreaterThan(0)
        expect(data.missing[0]).toMatchObject({ host: "shop", type: "CNAME", diagnosis: "not_yet" })
      }).pipe(Effect.provide(testModeService(url)))
    })
)

concurrentTest("time that is moved on makes retries due, and sends nothing again that is under way", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    const held = Promise.withResolvers<Response>()
    const receiver = yield* startReceiver((nth) => (nth === 1 ? held.promise : new Response()))
    yield* Effect.gen(function* () {
      const { connect, send, test } = yield* requesterWith(yield* issueTestKey(url))
      const settings = { url: receiver.url, eventTypes: ["connection.created"] }
      const deliveries = `/v1/webhook-endpoints/${(yield* send("POST", "/v1/webhook-endpoints", settings)).json.endpoint.id}/deliveries`
      /** Waits until the newest delivery has had so many attempts or more. */
      const awaitAttempts = (count: number) =>
        eventually(
          send("GET", deliveries).pipe(
            Effect.map(({ json }): number => json.deliveries[0].attempts),
            Effect.filterOrFail((attempts) => attempts >= count)
          )
        )

      const slow = yield* connect("one-click.test")
      yield* receiver.awaitRequests(1)
      yield* test(slow.id, "advance", { seconds: 60 })
      // What is due again is claimed before what comes later.
      yield* connect("two-one-click.test")
      const ids = idsOf(yield* receiver.awaitRequests(2))
      expect(new Set(ids).size).toBe(2)
      held.resolve(new Response())

      receiver.answerWith(() => new Response(null, { status: 500 }))
      const retried = yield* connect("three-one-click.test")
      for (const [attempts, seconds] of [6, 400, 2_000, 8_000].entries()) {
        yield* awaitAttempts(attempts + 1)
        yield* test(retried.id, "advance", { seconds })
      }
      yield* awaitAttempts(5)
      expect(idsOf(receiver.received).filter((id) => id === ids[0])).toHaveLength(1)
    }).pipe(Effect.provide(testModeService(url)))
  })
)

const idsOf = (received: ReadonlyArray<{ readonly headers: Readonly<Record<string, string>> }>) =>
  received.map(({ headers }) => headers["webhook-id"])
