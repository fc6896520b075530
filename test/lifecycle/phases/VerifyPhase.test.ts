import { describe, expect } from "bun:test"
import { Duration, Effect, Option } from "effect"
import { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
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
} from "./acme.ts"

const here = { host: "@", type: "A", value: "192.0.2.1" } as const

/** A connection that is active because the service wrote it. */
const connected = Effect.gen(function* () {
  const id = yield* createDiscovered()
  yield* commandsFor(id).letIn()
  yield* commandsFor(id).approve()
  return id
})

describe("a connection that is looked for", () => {
  acmeTest("tells what stands in its way, for as long as it does", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([{ host: "mail", type: "CNAME", value: "mail.example.net" }])
      const { findObservations: observations } = yield* ConnectionViews
      const inTheWay = Effect.map(observations(id), ({ doc }) => JSON.parse(Option.getOrThrow(doc)).toRemove)
      yield* commandsFor(id).chooseManual
      expect(yield* inTheWay).toMatchObject([{ host: "mail", type: "A", value: "192.0.2.2" }])
      yield* acme.serve("mail 300 CNAME mail.example.net")
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* inTheWay]).toEqual(["active", []])
    })
  )

  acmeTest("and whose records were there is active, and says that nobody proved control", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([here])
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        "active",
        ["control_not_proven"]
      ])
    })
  )

  acmeTest("is entered by hand, found by the schedule, and says that nobody proved control", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("5 seconds")
      yield* acme.serve("@ 300 A 192.0.2.1", "shop 300 CNAME shops.example.net")
      yield* advanceTime("9 seconds")
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("1 second")
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings]).toEqual([
        "active",
        ["control_not_proven"]
      ])
    })
  )

  acmeTest("is looked at now where somebody asks", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* acme.serve("shop 300 CNAME shops.example.net")
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("and that nobody enters by hand for three days expires", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* advanceTime(Duration.subtract("72 hours", "1 second"))
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("1 second")
      expect(yield* readState(id)).toBe("expired")
    })
  )

  acmeTest("and was written, but is not served for a day, fails, and may be verified again", (acme) =>
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

  acmeTest("and about which no server says anything for a day is not known to be missing", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).letIn()
      yield* acme.play((honest) => Effect.zipLeft(honest, acme.setSilent(true)))
      yield* commandsFor(id).approve()
      yield* advanceTime("24 hours")
      expect(yield* readState(id)).toBe("failed: verification_timeout → verifying")
    })
  )

  acmeTest("tells what it saw, and when it looks again", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      const { findObservations: observations } = yield* ConnectionViews
      const { doc, nextCheckAt } = yield* observations(id)
      expect(JSON.stringify(doc)).toContain("ns1.acme-dns.net")
      expect(nextCheckAt._tag).toBe("Some")
      expect(acme.made().length).toBe(1)
    })
  )
})

describe("an active connection", () => {
  acmeTest("is degraded by two misses, five minutes apart, and active again by itself", (acme) =>
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

  acmeTest("is degraded by a second miss also where nobody answered in between", (acme) =>
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

  acmeTest("is degraded at once where somebody asks", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("degraded")
    })
  )

  acmeTest("is never degraded by servers that say nothing", (acme) =>
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
  acmeTest("is repaired: looked at anew, let in, approved, written", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become({ ...acme.now(), records: [] })
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "awaiting_authorization",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      yield* commandsFor(id).letIn()
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 2])
    })
  )

  acmeTest("whose zone has moved is planned at its new provider", (acme) =>
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

  acmeTest("whose repair nobody cares for neither expires nor can be canceled, and leaves when it is told to", (acme) =>
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

  acmeTest("whose zone cannot be looked at stays degraded, and is looked at no faster than by the schedule", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      yield* acme.setSilent(true)
      yield* commandsFor(id).retry
      expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.surveying]).toEqual([
        "degraded: discovery_timeout → degraded",
        false
      ])
      const { connections } = yield* Tables
      const attempts = connections.get(id)?.attempt ?? 0
      yield* advanceTime("4 seconds")
      expect(connections.get(id)?.attempt).toBe(attempts)
    })
  )

  acmeTest("that waits to be repaired is active again when it lacks nothing any more", (acme) =>
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

  acmeTest("that waits to be repaired is looked at now where somebody asks, and no other that waits is", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      yield* acme.serveZone
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
      const another = yield* createDiscovered([{ host: "another", type: "A", value: "192.0.2.3" }])
      expect(yield* Effect.flip(commandsFor(another).recheck)).toMatchObject({ code: "state_conflict" })
    })
  )

  acmeTest(
    "that was entered by hand does not expire while it waits to be repaired, and gets its list when it leaves",
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
          "disconnected",
          ["delete! | shop 300 CNAME shops.example.net"]
        ])
      })
  )

  acmeTest("whose domain is given up is degraded, and says why a repair cannot be planned", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setGone(true)
      yield* commandsFor(id).recheck
      const { findObservations: observations } = yield* ConnectionViews
      const { doc } = yield* observations(id)
      expect([yield* readState(id), JSON.parse(Option.getOrThrow(doc))]).toMatchObject([
        "degraded",
        { failure: "domain_not_registered", records: [{ status: "missing" }] }
      ])
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("degraded: domain_not_registered → degraded")
    })
  )
})
