import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { startReceiver, verify } from "../webhooks/Receiver.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

/** The states of a timeline with the reason to plan again, where there is one. */
const replansIn = (events: ReadonlyArray<any>) =>
  events.flatMap(({ replan, to }) => (replan === undefined ? [] : [[to, replan]]))

concurrentTest(
  "a zone that changed before the write is the reason to plan again, in connection, timeline and event",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      const receiver = yield* startReceiver()
      yield* Effect.gen(function* () {
        const { approve, authorizeAndApprove, connect, read, send, waitFor } = yield* requesterWith(
          yield* issueTestKey(url)
        )
        const eventTypes = ["connection.authorized", "connection.planned", "connection.applied"]
        const { json } = yield* send("POST", "/v1/webhook-endpoints", { url: receiver.url, eventTypes })
        const { id } = yield* connect("stale.test")
        yield* authorizeAndApprove(id, "planned")
        const again = yield* Effect.repeat(Effect.delay(read(id), "20 millis"), {
          until: ({ replan, state }): boolean => state === "planned" && replan !== undefined
        })
        expect(again.replan).toEqual({
          code: "zone_changed",
          since: expect.any(String),
          message: expect.stringContaining("After the plan was approved the zone changed")
        })

        yield* approve(id, again)
        const active = yield* waitFor(id, "active")
        expect(active.replan).toBeUndefined()
        const timeline = yield* send("GET", `/v1/connections/${id}/events`)
        expect(replansIn(timeline.json.events)).toEqual([
          ["authorized", "zone_changed"],
          ["planned", "zone_changed"]
        ])
        const received = (yield* receiver.awaitRequests(6)).map((request): any => verify(json.secret, request))
        const inOrder = received.toSorted((one, other) => one.data.version - other.data.version)
        expect(inOrder.map(({ data, type }) => [type, data.connection.replan?.code])).toEqual([
          ["connection.planned", undefined],
          ["connection.authorized", undefined],
          ["connection.planned", undefined],
          ["connection.authorized", "zone_changed"],
          ["connection.planned", "zone_changed"],
          ["connection.applied", undefined]
        ])
      }).pipe(Effect.provide(testModeService(url)))
    })
)

concurrentTest("a plan that expired before its approval is the reason to plan again", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { command, connect, send, test, waitFor } = yield* requesterWith(yield* issueTestKey(url))
      const { id } = yield* connect("one-click.test")
      yield* command(id, "authorization", { method: "direct_credential", credential: { apiToken: "any-token" } })
      yield* waitFor(id, "planned")
      const { json } = yield* test(id, "advance", { seconds: 901 })
      expect([json.connection.state, json.connection.replan?.code]).toEqual(["planned", "plan_expired"])
      yield* command(id, "cancel")
      const { connection } = (yield* send("GET", `/v1/connections/${id}`)).json
      expect([connection.state, connection.replan]).toEqual(["canceled", undefined])
    }).pipe(Effect.provide(testModeService(url)))
  })
)
