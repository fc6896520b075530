import { describe, expect } from "bun:test"
import { Clock, Effect, Option, Schema } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Observations } from "../../../src/domain/plan/RecordObservation.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { describeChange, zoneOf } from "../../support/planFixtures.ts"
import { dropResponse, hasSameRecords, rejectWith, succeed, type WriteBehavior } from "../../support/scriptedZone.ts"
import {
  type ScriptedProvider,
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  readConnectionRecord,
  readPlannedChanges,
  readState,
  zoneWith
} from "./scriptedProvider.ts"

const connected = Effect.gen(function* () {
  const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.77" }])
  yield* commandsFor(id).authorize()
  yield* commandsFor(id).acknowledgeAndApprove
  expect(yield* readState(id)).toBe("active")
  return id
})

const readLeftovers = (id: ConnectionId) =>
  Effect.map(readConnection(id), ({ leftovers = [] }) =>
    leftovers.map(({ reason, record }) => `${reason} ${record.value}`)
  )

/** The values that the servers still serve and must not, and the status of each that they must serve again. */
const readRemaining = (id: ConnectionId) =>
  Effect.gen(function* () {
    const { doc } = yield* Effect.flatMap(ConnectionViews, (views) => views.findObservations(id))
    const { records, toRemove } = yield* Schema.decode(Schema.parseJson(Observations))(Option.getOrThrow(doc))
    return [toRemove?.map(({ value }) => value), records.map(({ expected, status }) => `${expected.value} ${status}`)]
  })

/** A disconnecting connection whose zone was silent when it was authorized; the zone answers again. */
const failedDisconnect = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    const id = yield* connected
    yield* commandsFor(id).disconnect
    yield* acme.setSilent(true)
    yield* commandsFor(id).authorize()
    expect(yield* readState(id)).toBe("failed: discovery_timeout → authorized")
    yield* acme.setSilent(false)
    return id
  })

describe("a connection that is being removed", () => {
  acmeTest(
    "shows the changes that it will make, and restores the previous records once authorized and approved",
    (acme) =>
      Effect.gen(function* () {
        const id = yield* connected
        yield* commandsFor(id).disconnect
        const { direction } = yield* readConnection(id)
        expect([yield* readState(id), direction, yield* readPlannedChanges(id)]).toEqual([
          "awaiting_authorization",
          "restore",
          ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
        ])
        yield* commandsFor(id).authorize()
        expect(yield* readState(id)).toBe("planned")
        yield* commandsFor(id).acknowledgeAndApprove
        expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
        expect((yield* readConnection(id)).leftovers).toEqual([])
      })
  )

  acmeTest("restores without a second approval if the authorization came with a consent to the shown changes", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).authorize(plan && { digest: plan.digest, acknowledged: plan.warnings })
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )

  acmeTest("waits for a restore by hand until the servers show every change, and writes nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      const writesBefore = acme.made().length
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).chooseManual
      const listed = ["disconnecting", ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]]
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(listed)
      expect(yield* readRemaining(id)).toEqual([["192.0.2.77"], ["192.0.2.1 different"]])
      yield* acme.become(zoneOf("@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"))
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(listed)
      expect(yield* readRemaining(id)).toEqual([[], ["192.0.2.1 missing"]])
      yield* acme.become(zoneWith())
      yield* commandsFor(id).recheck
      expect([yield* readState(id), (yield* readConnection(id)).leftovers]).toEqual(["disconnected", []])
      expect(acme.made().length).toBe(writesBefore)
    })
  )

  acmeTest("finds by itself that the changes were made by hand", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith())
      yield* advanceTime("1 minute")
      expect(yield* readState(id)).toBe("disconnected")
    })
  )

  acmeTest("ends when the time for a restore by hand is over, and reports what was not changed", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).chooseManual
      yield* advanceTime("71 hours")
      expect(yield* readState(id)).toBe("disconnecting")
      yield* acme.become(zoneOf("@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"))
      yield* advanceTime("1 hour")
      const { leftovers } = yield* readConnection(id)
      expect([yield* readState(id), leftovers?.map(({ reason, record }) => [reason, record.value])]).toEqual([
        "disconnected",
        [["manual_setup_timeout", "192.0.2.1"]]
      ])
    })
  )

  acmeTest("does not take a zone that is silent during a restore by hand for a restored one", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).chooseManual
      yield* acme.setSilent(true)
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("disconnecting")
      yield* advanceTime("72 hours")
      expect([yield* readState(id), yield* readLeftovers(id)]).toEqual([
        "disconnected",
        ["manual_setup_timeout 192.0.2.77", "manual_setup_timeout 192.0.2.1"]
      ])
    })
  )

  acmeTest("waits for a zone that is silent when its restore by hand begins", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      yield* acme.setSilent(true)
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("disconnecting")
      yield* acme.setSilent(false)
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "disconnecting",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
      ])
      yield* acme.become(zoneWith())
      yield* advanceTime("1 minute")
      expect([yield* readState(id), yield* readLeftovers(id)]).toEqual(["disconnected", []])
    })
  )

  acmeTest("ends after 72 hours with what it entered if its zone was never heard of again", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([platform])
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith("shop 3600 CNAME shops.example.net"))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
      yield* acme.setSilent(true)
      yield* commandsFor(id).disconnect
      expect(yield* readState(id)).toBe("disconnecting")
      yield* advanceTime("71 hours")
      expect(yield* readState(id)).toBe("disconnecting")
      yield* advanceTime("1 hour")
      expect([yield* readState(id), yield* readLeftovers(id)]).toEqual([
        "disconnected",
        ["manual_setup_timeout shops.example.net"]
      ])
    })
  )

  acmeTest("no longer waits for a removal by hand of a record that another connection desires by then", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([platform])
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith("shop 3600 CNAME shops.example.net"))
      yield* commandsFor(id).recheck
      yield* commandsFor(id).disconnect
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "disconnecting",
        ["delete! | shop 3600 CNAME shops.example.net"]
      ])
      const other = yield* createDiscovered([platform, { host: "blog", type: "CNAME", value: "shops.example.net" }])
      yield* commandsFor(other).authorize()
      yield* commandsFor(other).acknowledgeAndApprove
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("disconnected")
    })
  )

  acmeTest("ends at once if the service wrote nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.1" }])
      yield* commandsFor(id).disconnect
      expect([yield* readState(id), acme.made()]).toEqual(["disconnected", []])
    })
  )

  acmeTest("reports records that the customer changed since, and keeps them", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become(zoneOf("@ 300 A 192.0.2.99"))
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      const { leftovers } = yield* readConnection(id)
      expect([yield* readState(id), leftovers?.map(({ reason, record }) => [reason, record.value])]).toEqual([
        "disconnected",
        [["changed_since", "192.0.2.77"]]
      ])
      expect(hasSameRecords(acme.now(), zoneOf("@ 300 A 192.0.2.99"))).toBe(true)
    })
  )

  acmeTest("restores the other records if the provider cannot store one of them, which stays a leftover", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith("shop 300 A 192.0.2.3", "shop 300 SSHFP 1 1 AABB"))
      yield* acme.refuseTypes("SSHFP")
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      const { leftovers } = yield* readConnection(id)
      expect([yield* readState(id), leftovers?.map(({ reason, record }) => [reason, record.type])]).toEqual([
        "disconnected",
        [["provider_cannot_store", "SSHFP"]]
      ])
      expect(hasSameRecords(acme.now(), zoneWith("shop 300 A 192.0.2.3"))).toBe(true)
    })
  )

  acmeTest("waits for its authorization without a limit, and reads an unreachable zone again by the schedule", (acme) =>
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

  acmeTest("continues on a retry if its zone could not be read after the authorization", (acme) =>
    Effect.gen(function* () {
      const id = yield* failedDisconnect(acme)
      yield* commandsFor(id).retry
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("disconnected")
    })
  )

  acmeTest("can be restored by hand after a failure", (acme) =>
    Effect.gen(function* () {
      const id = yield* failedDisconnect(acme)
      yield* commandsFor(id).chooseManual
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "disconnecting",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
      ])
    })
  )

  acmeTest("is planned again, and waits for approval, if its zone changed", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* acme.become(zoneOf("@ 300 A 192.0.2.77", "@ 300 A 192.0.2.78"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("planned")
      yield* commandsFor(id).acknowledgeAndApprove
      expect([
        yield* readState(id),
        acme
          .now()
          .records.map(({ value }) => value)
          .toSorted()
      ]).toEqual(["disconnected", ["192.0.2.1", "192.0.2.78"]])
    })
  )

  for (const [when, behavior] of [
    ["before", () => Effect.interrupt],
    ["after", (send) => Effect.zipRight(send, Effect.interrupt)]
  ] satisfies ReadonlyArray<readonly [string, WriteBehavior]>)
    acmeTest(`reports the same when its process dies ${when} the provider writes`, (acme) =>
      Effect.gen(function* () {
        const id = yield* connected
        yield* commandsFor(id).disconnect
        yield* commandsFor(id).authorize()
        yield* acme.play(behavior)
        yield* commandsFor(id).acknowledgeAndApprove
        yield* advanceTime("3 minutes")
        expect([
          yield* readState(id),
          (yield* readConnection(id)).leftovers,
          hasSameRecords(acme.now(), zoneWith())
        ]).toEqual(["disconnected", [], true])
      })
    )

  acmeTest("ends by hand if its domain is no longer registered, and reports all its records as leftovers", (acme) =>
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

describe("a connection at a provider that has no update", () => {
  acmeTest("leaves the previous records when it is removed", (acme) =>
    Effect.gen(function* () {
      yield* acme.removeUpdate
      const id = yield* connected
      expect(acme.made().map(describeChange)).toEqual(["delete! | @ 300 A 192.0.2.1", "create | @ 3600 A 192.0.2.77"])
      yield* commandsFor(id).disconnect
      expect(yield* readPlannedChanges(id)).toEqual(["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
      expect((yield* readConnection(id)).leftovers).toEqual([])
    })
  )

  acmeTest(
    "keeps a record that the customer has put in the place of its own, and does not bring back the one before",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.removeUpdate
        const id = yield* connected
        yield* acme.become(zoneOf("@ 300 A 192.0.2.99"))
        yield* commandsFor(id).disconnect
        yield* commandsFor(id).authorize()
        const { leftovers } = yield* readConnection(id)
        expect([yield* readState(id), leftovers?.map(({ reason, record }) => [reason, record.value])]).toEqual([
          "disconnected",
          [["changed_since", "192.0.2.77"]]
        ])
        expect(hasSameRecords(acme.now(), zoneOf("@ 300 A 192.0.2.99"))).toBe(true)
      })
  )

  acmeTest("has the previous record again if the new one is refused", (acme) =>
    Effect.gen(function* () {
      yield* acme.removeUpdate
      yield* acme.writeInSingleCalls
      const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.77" }])
      yield* commandsFor(id).authorize()
      yield* acme.play(succeed, rejectWith("record_value_rejected"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual([
        "failed: record_value_rejected → authorized",
        true
      ])
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )
})

describe("a connection whose provider shows writes late", () => {
  acmeTest("loses none of its possible writes when it is removed at once", (acme) =>
    Effect.gen(function* () {
      yield* acme.lagBy("1 minute")
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* acme.play((send) => Effect.zipRight(acme.setDown(true), dropResponse(send)))
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made().length]).toEqual(["failed: provider_unavailable → applying", 1])
      yield* acme.setDown(false)
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      expect([yield* readState(id), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )

  acmeTest("is repaired without a wait for writes that its zone must show by now", (acme) =>
    Effect.gen(function* () {
      yield* acme.lagBy("1 minute")
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("active")
      yield* acme.become(zoneWith())
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("awaiting_authorization")
      const before = yield* Clock.currentTimeMillis
      yield* commandsFor(id).authorize()
      expect(yield* readState(id)).toBe("planned")
      expect((yield* Clock.currentTimeMillis) - before).toBeLessThan(30_000)
    })
  )
})
