import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { dropRequest, hasSameRecords, succeed } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  readPlannedChanges,
  readState,
  type ScriptedProvider,
  zoneWith
} from "./scriptedProvider.ts"

/** The address of the shop is deleted, and nobody knows whether the alias is there; it is not. */
const interruptedConnection = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    yield* acme.become(zoneWith("shop 300 A 192.0.2.9"))
    yield* acme.removeUpdate
    yield* acme.writeInSingleCalls
    const id = yield* createDiscovered()
    yield* commandsFor(id).authorize()
    yield* acme.play(succeed, dropRequest, dropRequest)
    yield* commandsFor(id).acknowledgeAndApprove
    expect(yield* readState(id)).toBe("failed: apply_timeout → authorized")
    expect(hasSameRecords(acme.now(), zoneWith())).toBe(true)
    return id
  })

describe("a plan that deletes a record to make room, and then gets no answer", () => {
  acmeTest("says how each record stands", (acme) =>
    Effect.gen(function* () {
      const id = yield* interruptedConnection(acme)
      expect((yield* readConnection(id)).failure?.details).toEqual([
        { message: "Acme DNS answered: no answer in time", server: "Acme DNS", answer: "no answer in time" },
        { message: "Of 2 changes of the plan: 1 perhaps made, 1 made" },
        {
          message: "Add CNAME at shop.example.com (shops.example.net): perhaps made",
          host: "shop",
          type: "CNAME",
          expected: "shops.example.net",
          outcome: "unknown"
        },
        { message: "Delete A at shop.example.com (192.0.2.9): made", host: "shop", type: "A", outcome: "made" }
      ])
    })
  )

  acmeTest("is undone by a disconnect", (acme) =>
    Effect.gen(function* () {
      const id = yield* interruptedConnection(acme)
      yield* commandsFor(id).disconnect
      if ((yield* readState(id)) === "planned") yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("disconnected")
      expect(hasSameRecords(acme.now(), zoneWith("shop 300 A 192.0.2.9"))).toBe(true)
    })
  )

  acmeTest("is completed by a retry, and a disconnect then brings back what it had deleted", (acme) =>
    Effect.gen(function* () {
      const id = yield* interruptedConnection(acme)
      yield* commandsFor(id).retry
      expect(yield* readPlannedChanges(id)).toEqual(["create | shop 3600 CNAME shops.example.net"])
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("active")
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("disconnected")
      expect(hasSameRecords(acme.now(), zoneWith("shop 300 A 192.0.2.9"))).toBe(true)
    })
  )

  acmeTest("is undone by another intent that no longer needs its host", (acme) =>
    Effect.gen(function* () {
      const id = yield* interruptedConnection(acme)
      yield* commandsFor(id).changeIntent([{ ...platform, host: "blog" }])
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("active")
      expect(hasSameRecords(acme.now(), zoneWith("shop 300 A 192.0.2.9", "blog 300 CNAME shops.example.net"))).toBe(
        true
      )
    })
  )
})
