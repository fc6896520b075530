import { describe, expect } from "bun:test"
import { DateTime, Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { hasSameRecords, rejectWith, succeed } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  readState,
  type ScriptedProvider,
  zoneWith
} from "./scriptedProvider.ts"

const shopAndBlog = [platform, { ...platform, host: "blog" }]
const limited = rejectWith("provider_rate_limited", "60 seconds")
const delayedConnection = Effect.gen(function* () {
  const id = yield* createDiscovered(shopAndBlog)
  yield* commandsFor(id).authorize()
  yield* commandsFor(id).approve()
  return id
})
const startLimited = (acme: ScriptedProvider) => Effect.zipRight(acme.writeInSingleCalls, acme.play(succeed, limited))

/** What a failure says of the changes of its plan. */
const describeChanges = (id: ConnectionId) =>
  Effect.map(readConnection(id), ({ failure }) =>
    (failure?.details ?? []).map(({ message }) => message).filter((message) => /made/.test(message))
  )

const halfWritten = [
  "Of 2 changes of the plan: 1 not made, 1 made",
  expect.stringMatching(/: not made$/),
  expect.stringMatching(/: made$/)
]

describe("a provider that asks to wait a minute in the middle of a plan", () => {
  acmeTest("gets the rest when the minute is over, and the connection says when that is", (acme) =>
    Effect.gen(function* () {
      yield* startLimited(acme)
      const id = yield* delayedConnection
      const { nextCheckAt, state } = yield* readConnection(id)
      const now = yield* DateTime.now
      expect([state, nextCheckAt && DateTime.distance(now, nextCheckAt), acme.made().length]).toEqual([
        "applying",
        60_000,
        1
      ])
      yield* advanceTime("59 seconds")
      expect([yield* readState(id), acme.made().length]).toEqual(["applying", 1])
      yield* advanceTime("1 second")
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 2])
      expect((yield* readConnection(id)).nextCheckAt).not.toEqual(nextCheckAt)
    })
  )

  acmeTest("and again when it is read and written then, gets the rest in the end", (acme) =>
    Effect.gen(function* () {
      yield* startLimited(acme)
      const id = yield* delayedConnection
      yield* acme.refuse("provider_rate_limited", "60 seconds")
      yield* advanceTime("60 seconds")
      expect(yield* readState(id)).toBe("applying")
      yield* acme.refuse()
      yield* acme.play(limited)
      yield* advanceTime("60 seconds")
      expect([yield* readState(id), acme.made().length]).toEqual(["applying", 1])
      yield* advanceTime("60 seconds")
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 2])
    })
  )

  acmeTest("without an end has a partly written plan when the credential expires", (acme) =>
    Effect.gen(function* () {
      yield* startLimited(acme)
      const id = yield* delayedConnection
      for (let minutes = 0; minutes < 61; minutes += 1) {
        yield* acme.play(limited)
        yield* advanceTime("60 seconds")
      }
      expect(yield* readState(id)).toBe("failed: apply_partial → authorized")
    })
  )

  acmeTest("for longer than the credential lasts fails at once, and says which records are written", (acme) =>
    Effect.gen(function* () {
      yield* acme.writeInSingleCalls
      yield* acme.play(succeed, rejectWith("provider_rate_limited", "50 minutes"))
      const id = yield* createDiscovered(shopAndBlog)
      yield* commandsFor(id).authorize()
      yield* advanceTime("14 minutes")
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("failed: apply_partial → authorized")
      expect(yield* describeChanges(id)).toEqual(halfWritten)
    })
  )

  acmeTest("and refuses the zone then, has the failure say which records are written", (acme) =>
    Effect.gen(function* () {
      yield* startLimited(acme)
      const id = yield* delayedConnection
      yield* acme.refuse("authorization_insufficient_scope")
      yield* advanceTime("60 seconds")
      expect(yield* readState(id)).toBe("failed: authorization_insufficient_scope → awaiting_authorization")
      expect(yield* describeChanges(id)).toEqual(halfWritten)
    })
  )

  acmeTest("has the records removed when the minute is over", (acme) =>
    Effect.gen(function* () {
      const id = yield* delayedConnection
      yield* startLimited(acme)
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("disconnecting")
      yield* advanceTime("60 seconds")
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )
})
