import { expect } from "bun:test"
import { Effect } from "effect"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { startReceiver, verify } from "../webhooks/Receiver.ts"
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
    const url = urlOf(yield* freshDatabase)
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
