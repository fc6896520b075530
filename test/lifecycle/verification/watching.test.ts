import { describe, expect } from "bun:test"
import { Duration, Effect, Option } from "effect"
import { ConnectionViews } from "../../../src/persistence/ConnectionViews.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { commands, created, elapse, inAcme, planIn, shown, standing, state, zoneWith } from "../zone/acme.ts"

const here = { host: "@", type: "A", value: "192.0.2.1" } as const

/** A connection that is active because the service wrote it. */
const connected = Effect.gen(function* () {
  const id = yield* created()
  yield* commands(id).letIn()
  yield* commands(id).approve()
  return id
})

describe("a connection that is looked for", () => {
  inAcme("tells what stands in its way, for as long as it does", (acme) =>
    Effect.gen(function* () {
      const id = yield* created([{ host: "mail", type: "CNAME", value: "mail.example.net" }])
      const { observations } = yield* ConnectionViews
      const inTheWay = Effect.map(observations(id), ({ doc }) => JSON.parse(Option.getOrThrow(doc)).toRemove)
      yield* commands(id).connectByHand
      expect(yield* inTheWay).toMatchObject([{ host: "mail", type: "A", value: "192.0.2.2" }])
      yield* acme.serve("mail 300 CNAME mail.example.net")
      yield* commands(id).recheck
      expect([yield* state(id), yield* inTheWay]).toEqual(["active", []])
    })
  )

  inAcme("and whose records were there is active, and says that nobody proved control", () =>
    Effect.gen(function* () {
      const id = yield* created([here])
      expect([yield* state(id), (yield* shown(id)).plan?.warnings]).toEqual(["active", ["control_not_proven"]])
    })
  )

  inAcme("is entered by hand, found by the schedule, and says that nobody proved control", (acme) =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).connectByHand
      expect(yield* state(id)).toBe("awaiting_manual")
      yield* elapse("5 seconds")
      yield* acme.serve("@ 300 A 192.0.2.1", "shop 300 CNAME shops.example.net")
      yield* elapse("9 seconds")
      expect(yield* state(id)).toBe("awaiting_manual")
      yield* elapse("1 second")
      expect([yield* state(id), (yield* shown(id)).plan?.warnings]).toEqual(["active", ["control_not_proven"]])
    })
  )

  inAcme("is looked at now where somebody asks", (acme) =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).connectByHand
      yield* acme.serve("shop 300 CNAME shops.example.net")
      yield* commands(id).recheck
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("and that nobody enters by hand for three days expires", () =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).connectByHand
      yield* elapse(Duration.subtract("72 hours", "1 second"))
      expect(yield* state(id)).toBe("awaiting_manual")
      yield* elapse("1 second")
      expect(yield* state(id)).toBe("expired")
    })
  )

  inAcme("and was written, but is not served for a day, fails, and may be verified again", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve("@ 300 A 192.0.2.1")
      const id = yield* connected
      expect(yield* state(id)).toBe("verifying")
      yield* elapse("24 hours")
      expect(yield* state(id)).toBe("failed: verification_mismatch → verifying")
      yield* acme.serveZone
      yield* commands(id).retry
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("and about which no server says anything for a day is not known to be missing", (acme) =>
    Effect.gen(function* () {
      const id = yield* created()
      yield* commands(id).letIn()
      yield* acme.play((honest) => Effect.zipLeft(honest, acme.setSilent(true)))
      yield* commands(id).approve()
      yield* elapse("24 hours")
      expect(yield* state(id)).toBe("failed: verification_timeout → verifying")
    })
  )

  inAcme("tells what it saw, and when it looks again", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      const { observations } = yield* ConnectionViews
      const { doc, nextCheckAt } = yield* observations(id)
      expect(JSON.stringify(doc)).toContain("ns1.acme-dns.net")
      expect(nextCheckAt._tag).toBe("Some")
      expect(acme.made().length).toBe(1)
    })
  )
})

describe("an active connection", () => {
  inAcme("is degraded by two misses, five minutes apart, and active again by itself", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* elapse("1 hour")
      expect(yield* state(id)).toBe("active")
      yield* elapse(Duration.subtract("5 minutes", "1 second"))
      expect(yield* state(id)).toBe("active")
      yield* elapse("1 second")
      expect([yield* state(id), yield* planIn(id)]).toEqual([
        "degraded",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      yield* acme.serveZone
      yield* elapse("5 seconds")
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("is not degraded by one miss", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* elapse("1 hour")
      yield* acme.serveZone
      yield* elapse("5 minutes")
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* elapse("1 hour")
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("is degraded by a second miss also where nobody answered in between", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* elapse("1 hour")
      yield* acme.setSilent(true)
      yield* elapse("5 minutes")
      expect(yield* state(id)).toBe("active")
      yield* acme.setSilent(false)
      yield* elapse("5 minutes")
      expect(yield* state(id)).toBe("degraded")
    })
  )

  inAcme("is degraded at once where somebody asks", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commands(id).recheck
      expect(yield* state(id)).toBe("degraded")
    })
  )

  inAcme("is never degraded by servers that say nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setSilent(true)
      yield* commands(id).recheck
      yield* elapse("3 hours")
      expect(yield* state(id)).toBe("active")
    })
  )
})

describe("a degraded connection", () => {
  inAcme("is repaired: looked at anew, let in, approved, written", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become({ ...acme.now(), records: [] })
      yield* commands(id).recheck
      yield* commands(id).retry
      expect([yield* state(id), yield* planIn(id)]).toEqual([
        "awaiting_authorization",
        ["create | shop 3600 CNAME shops.example.net"]
      ])
      yield* commands(id).letIn()
      yield* commands(id).approve()
      expect([yield* state(id), acme.made().length]).toEqual(["active", 2])
    })
  )

  inAcme("whose zone has moved is planned at its new provider", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commands(id).recheck
      yield* acme.moveTo("ada.ns.cloudflare.com")
      yield* commands(id).retry
      expect([yield* state(id), (yield* shown(id)).provider?.id]).toEqual(["awaiting_authorization", "cloudflare"])
      yield* commands(id).connectByHand
      yield* acme.serve("shop 300 CNAME shops.example.net")
      yield* commands(id).recheck
      expect([yield* state(id), acme.made().length]).toEqual(["active", 1])
    })
  )

  inAcme("whose repair nobody cares for neither expires nor can be canceled, and leaves when it is told to", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become({ ...acme.now(), records: [] })
      yield* commands(id).recheck
      yield* commands(id).retry
      yield* elapse("30 days")
      expect(yield* state(id)).toBe("awaiting_authorization")
      expect(yield* Effect.flip(commands(id).cancel)).toMatchObject({ code: "records_written" })
      yield* commands(id).disconnect
      yield* commands(id).connectByHand
      expect(yield* state(id)).toBe("disconnected")
    })
  )

  inAcme("whose zone cannot be looked at stays degraded, and is looked at no faster than by the schedule", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commands(id).recheck
      yield* acme.setSilent(true)
      yield* commands(id).retry
      expect([yield* state(id), (yield* standing(id)).progress.surveying]).toEqual([
        "degraded: discovery_timeout → degraded",
        false
      ])
      const { connections } = yield* Tables
      const attempts = connections.get(id)?.attempt ?? 0
      yield* elapse("4 seconds")
      expect(connections.get(id)?.attempt).toBe(attempts)
    })
  )

  inAcme("that waits to be repaired is active again when it lacks nothing any more", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commands(id).recheck
      yield* commands(id).retry
      expect(yield* state(id)).toBe("awaiting_authorization")
      yield* acme.serveZone
      yield* elapse("1 hour")
      expect(yield* state(id)).toBe("active")
    })
  )

  inAcme("that waits to be repaired is looked at now where somebody asks, and no other that waits is", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.serve("@ 300 A 192.0.2.1")
      yield* commands(id).recheck
      yield* commands(id).retry
      yield* acme.serveZone
      yield* commands(id).recheck
      expect(yield* state(id)).toBe("active")
      const another = yield* created([{ host: "another", type: "A", value: "192.0.2.3" }])
      expect(yield* Effect.flip(commands(another).recheck)).toMatchObject({ code: "state_conflict" })
    })
  )

  inAcme(
    "that was entered by hand does not expire while it waits to be repaired, and gets its list when it leaves",
    (acme) =>
      Effect.gen(function* () {
        const id = yield* created()
        yield* commands(id).connectByHand
        yield* acme.become(zoneWith("shop 300 CNAME shops.example.net"))
        yield* commands(id).recheck
        yield* acme.serve("@ 300 A 192.0.2.1")
        yield* commands(id).recheck
        yield* commands(id).retry
        yield* elapse("8 days")
        expect(yield* state(id)).toBe("awaiting_authorization")
        expect(yield* Effect.flip(commands(id).cancel)).toMatchObject({ code: "records_written" })
        yield* acme.serveZone
        yield* commands(id).disconnect
        expect([yield* state(id), yield* planIn(id)]).toEqual([
          "disconnected",
          ["delete! | shop 300 CNAME shops.example.net"]
        ])
      })
  )

  inAcme("whose domain is given up is degraded, and says why a repair cannot be planned", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setGone(true)
      yield* commands(id).recheck
      const { observations } = yield* ConnectionViews
      const { doc } = yield* observations(id)
      expect([yield* state(id), JSON.parse(Option.getOrThrow(doc))]).toMatchObject([
        "degraded",
        { failure: "domain_not_registered", records: [{ status: "missing" }] }
      ])
      yield* commands(id).retry
      expect(yield* state(id)).toBe("degraded: domain_not_registered → degraded")
    })
  )
})
