import { describe, expect } from "bun:test"
import { Duration, Effect, Option } from "effect"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  readConnection,
  readConnectionRecord,
  readPlannedChanges,
  readState,
  zoneWith
} from "./scriptedProvider.ts"

const currentRecord = { host: "@", type: "A", value: "192.0.2.1" } as const

/** A connection whose records the service wrote. */
const connected = Effect.gen(function* () {
  const id = yield* createDiscovered()
  yield* commandsFor(id).authorize()
  yield* commandsFor(id).approve()
  return id
})

describe("a connection that is being verified", () => {
  acmeTest("shows the records that block it for as long as they exist", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([{ host: "mail", type: "CNAME", value: "mail.example.net" }])
      const { findObservations } = yield* ConnectionViews
      const recordsToRemove = Effect.map(findObservations(id), ({ doc }) => JSON.parse(Option.getOrThrow(doc)).toRemove)
      yield* commandsFor(id).chooseManual
      expect(yield* recordsToRemove).toMatchObject([{ host: "mail", type: "A", value: "192.0.2.2" }])
      yield* acme.serve("mail 300 CNAME mail.example.net")
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* recordsToRemove]).toEqual(["active", []])
    })
  )

  acmeTest(
    "becomes active if its records existed already and no proof is needed, with a warning that control is not proven",
    () =>
      Effect.gen(function* () {
        const id = yield* createDiscovered([currentRecord])
        expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
          "active",
          ["control_not_proven"]
        ])
      })
  )

  acmeTest("becomes active by the schedule once its records are entered by hand, which proves control", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("5 seconds")
      yield* acme.serve("@ 300 A 192.0.2.1", "shop 300 CNAME shops.example.net")
      yield* advanceTime("9 seconds")
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("1 second")
      const { control, plan } = yield* readConnection(id)
      expect([yield* readState(id), control, plan?.warnings]).toEqual([
        "active",
        { status: "proven", by: "entered_records" },
        []
      ])
    })
  )

  acmeTest("is verified at once on a recheck", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* acme.serve("shop 300 CNAME shops.example.net")
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("expires if its records are not entered by hand within three days", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* advanceTime(Duration.subtract("72 hours", "1 second"))
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("1 second")
      expect(yield* readState(id)).toBe("expired")
    })
  )

  acmeTest("fails if its written records are not served for a day, and can be verified again", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1")
      const id = yield* connected
      expect(yield* readState(id)).toBe("verifying")
      yield* advanceTime("24 hours")
      expect(yield* readState(id)).toBe("failed: verification_mismatch → verifying")
      yield* acme.serveZone
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("times out, without reporting missing records, if no server answers for a day", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* acme.play((send) => Effect.zipLeft(send, acme.setSilent(true)))
      yield* commandsFor(id).approve()
      yield* advanceTime("24 hours")
      expect(yield* readState(id)).toBe("failed: verification_timeout → verifying")
    })
  )

  acmeTest("shows its observations and the time of its next check", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      const { findObservations } = yield* ConnectionViews
      const { doc, nextCheckAt } = yield* findObservations(id)
      expect(JSON.stringify(doc)).toContain("ns1.acme-dns.net")
      expect(nextCheckAt._tag).toBe("Some")
      expect(acme.made().length).toBe(1)
    })
  )
})

describe("an active connection", () => {
  acmeTest("is degraded by two misses, five minutes apart, and becomes active again by itself", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* advanceTime("1 hour")
      expect(yield* readState(id)).toBe("active")
      yield* advanceTime(Duration.subtract("5 minutes", "1 second"))
      expect(yield* readState(id)).toBe("active")
      yield* advanceTime("1 second")
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "degraded",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      yield* acme.serveZone
      yield* advanceTime("5 seconds")
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("is not degraded by one miss", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* advanceTime("1 hour")
      yield* acme.serveZone
      yield* advanceTime("5 minutes")
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* advanceTime("1 hour")
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("is degraded by a second miss even if no server answered in between", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* advanceTime("1 hour")
      yield* acme.setSilent(true)
      yield* advanceTime("5 minutes")
      expect(yield* readState(id)).toBe("active")
      yield* acme.setSilent(false)
      yield* advanceTime("5 minutes")
      expect(yield* readState(id)).toBe("degraded")
    })
  )

  acmeTest("is degraded at once on a recheck", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("degraded")
    })
  )

  acmeTest("is never degraded by silent servers", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setSilent(true)
      yield* commandsFor(id).recheck
      yield* advanceTime("3 hours")
      expect(yield* readState(id)).toBe("active")
    })
  )
})

describe("a degraded connection", () => {
  acmeTest("is repaired by a new discovery, authorization, approval and write", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become({ ...acme.now(), records: [] })
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "awaiting_authorization",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 2])
    })
  )

  acmeTest("shows that its repair would replace the record of another connection", () =>
    Effect.gen(function* () {
      const id = yield* connected
      const other = yield* createDiscovered([{ host: "shop", type: "CNAME", value: "other.example.net" }])
      yield* commandsFor(other).authorize()
      yield* commandsFor(other).acknowledgeAndApprove
      yield* commandsFor(id).recheck
      const { plan, state } = yield* readConnection(id)
      expect([state, yield* readPlannedChanges(id)]).toEqual([
        "degraded",
        ["update! | shop 3600 CNAME other.example.net | shop 3600 CNAME shops.example.net"]
      ])
      expect(plan?.warnings).toContain("other_connection_affected")
    })
  )

  acmeTest(
    "shows the same plan before and after its repair is requested, merged with the current policy only",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneWith("@ 300 TXT v=spf1 include:former.example.net ~all"))
        const id = yield* createDiscovered([{ host: "@", type: "TXT", value: "v=spf1 include:shop.example.net ~all" }])
        yield* commandsFor(id).authorize()
        yield* commandsFor(id).acknowledgeAndApprove
        yield* acme.become(zoneWith("@ 300 TXT v=spf1 include:current.example.net ~all"))
        yield* commandsFor(id).recheck
        const { plan: shown, state } = yield* readConnection(id)
        yield* commandsFor(id).retry
        const { plan: proposed } = yield* readConnection(id)
        expect([state, yield* readState(id)]).toEqual(["degraded", "awaiting_authorization"])
        expect(shown?.digest).toBe(proposed?.digest)
        expect(shown?.warnings).toEqual(proposed?.warnings)
      })
  )

  acmeTest("is planned at its new provider if its zone has moved", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      yield* acme.moveTo("ada.ns.cloudflare.com")
      yield* commandsFor(id).retry
      expect([yield* readState(id), (yield* readConnection(id)).provider?.id]).toEqual([
        "awaiting_authorization",
        "cloudflare"
      ])
      yield* commandsFor(id).chooseManual
      yield* acme.serve("shop 300 CNAME shops.example.net")
      yield* commandsFor(id).recheck
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  acmeTest("neither expires nor can be canceled while it waits for its repair, but can be disconnected", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become({ ...acme.now(), records: [] })
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      yield* advanceTime("30 days")
      expect(yield* readState(id)).toBe("awaiting_authorization")
      expect(yield* Effect.flip(commandsFor(id).cancel)).toMatchObject({ code: "records_written" })
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("disconnected")
    })
  )

  acmeTest("stays degraded if its zone cannot be read, and is checked no faster than by the schedule", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      yield* acme.setSilent(true)
      yield* commandsFor(id).retry
      expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.needsSurvey]).toEqual([
        "degraded: discovery_timeout → degraded",
        false
      ])
      const { connections } = yield* Tables
      const attempts = connections.get(id)?.attempt ?? 0
      yield* advanceTime("4 seconds")
      expect(connections.get(id)?.attempt).toBe(attempts)
    })
  )

  acmeTest("becomes active again if its records return while it waits to be repaired", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("awaiting_authorization")
      yield* acme.serveZone
      yield* advanceTime("1 hour")
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("is verified at once on a recheck while it waits for repair, unlike a new waiting connection", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      yield* acme.serveZone
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
      const newConnection = yield* createDiscovered([{ host: "another", type: "A", value: "192.0.2.3" }])
      expect(yield* Effect.flip(commandsFor(newConnection).recheck)).toMatchObject({ code: "state_conflict" })
    })
  )

  acmeTest(
    "does not expire while it waits for a repair by hand, and lists the records to remove when it is disconnected",
    (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).chooseManual
        yield* acme.become(zoneWith("shop 300 CNAME shops.example.net"))
        yield* commandsFor(id).recheck
        yield* acme.serve("@ 300 A 192.0.2.1")
        yield* commandsFor(id).recheck
        yield* commandsFor(id).retry
        yield* advanceTime("8 days")
        expect(yield* readState(id)).toBe("awaiting_authorization")
        expect(yield* Effect.flip(commandsFor(id).cancel)).toMatchObject({ code: "records_written" })
        yield* acme.serveZone
        yield* commandsFor(id).disconnect
        expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
          "disconnecting",
          ["delete! | shop 300 CNAME shops.example.net"]
        ])
      })
  )

  acmeTest("shows why a repair cannot be planned if its domain is no longer registered", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setGone(true)
      yield* commandsFor(id).recheck
      const { findObservations } = yield* ConnectionViews
      const { doc } = yield* findObservations(id)
      expect([yield* readState(id), JSON.parse(Option.getOrThrow(doc))]).toMatchObject([
        "degraded",
        { failure: "domain_not_registered", records: [{ status: "missing" }] }
      ])
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("degraded: domain_not_registered → degraded")
    })
  )
})
