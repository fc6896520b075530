import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { zoneOf } from "../../support/planFixtures.ts"
import { hasSameRecords, type WriteBehavior } from "../../support/scriptedZone.ts"
import {
  type Acme,
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  readConnection,
  readConnectionRecord,
  readPlannedChanges,
  readState,
  zoneWith
} from "./acme.ts"

const connected = Effect.gen(function* () {
  const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.77" }])
  yield* commandsFor(id).letIn()
  yield* commandsFor(id).approve()
  expect(yield* readState(id)).toBe("active")
  return id
})

/** A connection that is to leave, and whose zone was silent when it was let in; the zone speaks again. */
const lostOnLeaving = (acme: Acme) =>
  Effect.gen(function* () {
    const id = yield* connected
    yield* commandsFor(id).disconnect
    yield* acme.setSilent(true)
    yield* commandsFor(id).letIn()
    expect(yield* readState(id)).toBe("failed: discovery_timeout → authorized")
    yield* acme.setSilent(false)
    return id
  })

describe("a connection that leaves", () => {
  acmeTest("shows what it will take out, is let in, approved, and puts back what was there", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      const { direction } = yield* readConnection(id)
      expect([yield* readState(id), direction, yield* readPlannedChanges(id)]).toEqual([
        "awaiting_authorization",
        "restore",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
      ])
      yield* commandsFor(id).letIn()
      expect(yield* readState(id)).toBe("planned")
      yield* commandsFor(id).approve()
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
      expect((yield* readConnection(id)).leftovers).toEqual([])
    })
  )

  acmeTest("leaves at one click with the consent to what it shows", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).letIn(plan && { digest: plan.digest, acknowledged: plan.warnings })
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )

  acmeTest("is taken out by hand by its list", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      const made = acme.made().length
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).chooseManual
      expect([yield* readState(id), yield* readPlannedChanges(id), acme.made().length]).toEqual([
        "disconnected",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"],
        made
      ])
    })
  )

  acmeTest("of which the service wrote nothing is over at once", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.1" }])
      yield* commandsFor(id).disconnect
      expect([yield* readState(id), acme.made()]).toEqual(["disconnected", []])
    })
  )

  acmeTest("tells what the customer changed since, and leaves it", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become(zoneOf("@ 300 A 192.0.2.99"))
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).letIn()
      const { leftovers } = yield* readConnection(id)
      expect([yield* readState(id), leftovers?.map(({ reason, record }) => [reason, record.value])]).toEqual([
        "disconnected",
        [["changed_since", "192.0.2.77"]]
      ])
      expect(hasSameRecords(acme.now(), zoneOf("@ 300 A 192.0.2.99"))).toBe(true)
    })
  )

  acmeTest("waits for however long to be let in, and looks again by the schedule where it could not look", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setSilent(true)
      yield* commandsFor(id).disconnect
      expect([
        yield* readState(id),
        (yield* readConnectionRecord(id)).progress.checks,
        yield* readPlannedChanges(id)
      ]).toEqual(["awaiting_authorization: discovery_timeout → awaiting_authorization", 1, undefined])
      yield* advanceTime("30 days")
      yield* acme.setSilent(false)
      yield* advanceTime("30 minutes")
      expect([yield* readState(id), (yield* readPlannedChanges(id))?.length]).toEqual(["awaiting_authorization", 1])
    })
  )

  acmeTest("and whose zone could not be found when it was let in goes on leaving", (acme) =>
    Effect.gen(function* () {
      const id = yield* lostOnLeaving(acme)
      yield* commandsFor(id).retry
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("disconnected")
    })
  )

  acmeTest("and failed to may be taken out by hand instead", (acme) =>
    Effect.gen(function* () {
      const id = yield* lostOnLeaving(acme)
      yield* commandsFor(id).chooseManual
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "disconnected",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
      ])
    })
  )

  acmeTest("from a zone that changed is planned anew, and waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).letIn()
      yield* acme.become(zoneOf("@ 300 A 192.0.2.77", "@ 300 A 192.0.2.78"))
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("planned")
      yield* commandsFor(id).approve()
      expect([
        yield* readState(id),
        acme
          .now()
          .records.map(({ value }) => value)
          .toSorted()
      ]).toEqual(["disconnected", ["192.0.2.1", "192.0.2.78"]])
    })
  )

  for (const [when, turn] of [
    ["before", () => Effect.interrupt],
    ["after", (send) => Effect.zipRight(send, Effect.interrupt)]
  ] satisfies ReadonlyArray<readonly [string, WriteBehavior]>)
    acmeTest(`reports the same when its process dies ${when} the provider did what was asked`, (acme) =>
      Effect.gen(function* () {
        const id = yield* connected
        yield* commandsFor(id).disconnect
        yield* commandsFor(id).letIn()
        yield* acme.play(turn)
        yield* commandsFor(id).approve()
        yield* advanceTime("3 minutes")
        expect([
          yield* readState(id),
          (yield* readConnection(id)).leftovers,
          hasSameRecords(acme.now(), zoneWith())
        ]).toEqual(["disconnected", [], true])
      })
    )

  acmeTest("whose domain was given up ends by hand, and names all that it had put there", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setGone(true)
      yield* commandsFor(id).disconnect
      expect(yield* readState(id)).toBe("awaiting_authorization: domain_not_registered → awaiting_authorization")
      yield* commandsFor(id).chooseManual
      const { leftovers, plan } = yield* readConnection(id)
      expect([yield* readState(id), leftovers?.map(({ reason, record }) => [reason, record.value]), plan]).toEqual([
        "disconnected",
        [["zone_gone", "192.0.2.77"]],
        undefined
      ])
    })
  )
})
