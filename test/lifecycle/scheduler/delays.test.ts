import { describe, expect } from "bun:test"
import { DateTime, Effect } from "effect"
import type { Connection } from "../../../src/domain/connection/Connection.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  requestConnection,
  waitUntilIdle
} from "../phases/scriptedProvider.ts"

const millisOf = (time: DateTime.Utc | undefined) => (time === undefined ? undefined : DateTime.toEpochMillis(time))

const delayOf = ({ delay, failure, state }: Connection) => ({ state, code: delay?.code, failure: failure?.code })

const waiting = { code: "resolver_unavailable", failure: undefined } as const

describe("while no resolver of the operator answers", () => {
  acmeTest("a connection says why it waits, since when, and when the service tries again, until it goes on", (acme) =>
    Effect.gen(function* () {
      yield* acme.setResolversAway(true)
      const id = yield* requestConnection()
      const requestedAt = yield* DateTime.now
      yield* waitUntilIdle
      const first = yield* readConnection(id)
      expect(delayOf(first)).toEqual({ state: "requested", ...waiting })
      expect([millisOf(first.delay?.since), millisOf(first.nextCheckAt)]).toEqual([
        millisOf(requestedAt),
        millisOf(DateTime.add(requestedAt, { seconds: 10 }))
      ])

      yield* advanceTime("10 seconds")
      yield* advanceTime("10 seconds")
      expect((yield* readConnection(id)).delay).toEqual(first.delay)
      const { connections } = yield* Tables
      expect(connections.get(id)?.events.map(({ to }) => to)).toEqual(["requested"])

      yield* acme.setResolversAway(false)
      yield* advanceTime("9 seconds")
      expect((yield* readConnection(id)).state).toBe("requested")
      yield* advanceTime("1 second")
      expect(delayOf(yield* readConnection(id))).toEqual({
        state: "awaiting_authorization",
        code: undefined,
        failure: undefined
      })
    })
  )

  acmeTest("an active connection stays active, though its records cannot be checked", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      yield* acme.setResolversAway(true)
      yield* advanceTime("1 hour")
      yield* advanceTime("1 hour")
      expect(delayOf(yield* readConnection(id))).toEqual({ state: "active", ...waiting })
      yield* acme.setResolversAway(false)
      yield* advanceTime("10 seconds")
      expect((yield* readConnection(id)).delay).toBeUndefined()
    })
  )

  acmeTest("a recheck of entered records waits, and counts once a resolver answers", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* acme.setResolversAway(true)
      yield* acme.serve(`${platform.host} 300 CNAME ${platform.value}`)
      yield* commandsFor(id).recheck
      expect(delayOf(yield* readConnection(id))).toEqual({ state: "awaiting_manual", ...waiting })
      yield* acme.setResolversAway(false)
      yield* advanceTime("10 seconds")
      expect(delayOf(yield* readConnection(id))).toEqual({ state: "active", code: undefined, failure: undefined })
    })
  )

  acmeTest("a disconnection by hand waits, and ends once a resolver answers", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* acme.serve(`${platform.host} 300 CNAME ${platform.value}`)
      yield* commandsFor(id).recheck
      yield* acme.setResolversAway(true)
      yield* commandsFor(id).disconnect
      expect(delayOf(yield* readConnection(id))).toEqual({ state: "disconnecting", ...waiting })
      yield* acme.serve()
      yield* acme.setResolversAway(false)
      yield* advanceTime("10 seconds")
      expect((yield* readConnection(id)).delay).toBeUndefined()
    })
  )

  acmeTest("a connection can be canceled, and then waits for nothing", (acme) =>
    Effect.gen(function* () {
      yield* acme.setResolversAway(true)
      const id = yield* createDiscovered()
      yield* commandsFor(id).cancel
      const { delay, nextCheckAt, state } = yield* readConnection(id)
      expect([state, delay, nextCheckAt]).toEqual(["canceled", undefined, undefined])
    })
  )
})
