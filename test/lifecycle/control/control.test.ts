import { describe, expect } from "bun:test"
import { DateTime, Effect } from "effect"
import { listAllowedActions } from "../../../src/lifecycle/state/listAllowedActions.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  initialRecords,
  platform,
  readConnection,
  readConnectionRecord,
  readPlannedChanges,
  readState,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, eventsOf, forgetControl, listenToAll, rival, shop, takeOver } from "./controlSteps.ts"

describe("a connection whose records stood already", () => {
  controlTest("waits for its challenge, which its plan and its observations show", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      const { control, plan } = yield* readConnection(id)
      expect(control).toEqual({
        status: "unproven",
        challenge: {
          type: "TXT",
          host: "_domain-connection",
          name: "_domain-connection.example.com",
          value: expect.stringMatching(/^domain-connection=[0-9A-Za-z]{32}$/)
        }
      })
      expect(plan?.changes.map(({ action, after }) => [action, after?.value])).toEqual([
        ["create", control?.challenge?.value]
      ])
      yield* advanceTime("1 hour")
      expect(yield* readState(id)).toBe("verifying")
    })
  )

  controlTest("becomes active with its challenge, which may be removed afterwards", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      const before = yield* readConnection(id)
      yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      const { control, effectiveIntent, plan, state } = yield* readConnection(id)
      expect([state, control, plan?.warnings]).toEqual(["active", { status: "proven", by: "challenge" }, []])
      expect(effectiveIntent).toEqual(before.effectiveIntent)
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
      yield* acme.serve(...initialRecords)
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["degraded", [`create | ${shop}`]])
    })
  )

  controlTest("becomes active by a credential too, which writes the challenge along", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      const challenge = yield* challengeOf(id)
      const { plan, state } = yield* readConnection(id)
      const actions = listAllowedActions(yield* readConnectionRecord(id), yield* DateTime.now)
      expect([state, actions.includes("authorization")]).toEqual(["verifying", true])
      yield* commandsFor(id).authorize(plan === undefined ? plan : { digest: plan.digest, acknowledged: plan.warnings })
      const { control, state: end } = yield* readConnection(id)
      expect([end, control]).toEqual(["active", { status: "proven", by: "credential" }])
      expect(acme.made().length).toBe(1)
      expect(acme.now().records.some(({ host, value }) => challenge === `${host} 300 TXT ${value}`)).toBe(true)
    })
  )

  controlTest("returns to the choice of a method, where the customer enters the challenge by hand after all", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      yield* acme.refuse("credential_invalid")
      yield* commandsFor(id).authorize()
      expect(yield* readState(id)).toContain("→ awaiting_authorization")
      yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      expect((yield* readConnection(id)).control).toEqual({ status: "proven", by: "challenge" })
      expect(yield* readState(id)).toBe("active")
    })
  )

  controlTest("does not become active with another value, nor while no server answers", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      yield* acme.become(zoneWith(shop, "_domain-connection 300 TXT domain-connection=guessed"))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("verifying")
      yield* acme.setSilent(true)
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("verifying")
    })
  )

  controlTest("fails after a day with a reason of its own, and is verified again with the same challenge", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      const challenge = yield* challengeOf(id)
      yield* advanceTime("24 hours")
      expect(yield* readState(id)).toBe("failed: control_unproven → verifying")
      yield* commandsFor(id).retry
      expect([yield* readState(id), yield* challengeOf(id)]).toEqual(["verifying", challenge])
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
    })
  )

  controlTest("lists the challenge for removal when it is disconnected", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      const challenge = yield* challengeOf(id)
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(id).recheck
      yield* commandsFor(id).disconnect
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "disconnecting",
        [`delete! | ${challenge}`]
      ])
    })
  )

  controlTest(
    "needs no proof where the application does not ask for one, and says so",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneWith(shop))
        const { control, plan, state } = yield* readConnection(yield* createDiscovered())
        expect([state, control, plan?.warnings]).toEqual(["active", { status: "unproven" }, ["control_not_proven"]])
      }),
    "off"
  )

  controlTest(
    "takes hosts over without a proof where the application requests none, and the failure of the other claims none",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneWith(shop))
        const [id, other] = [yield* createDiscovered(), yield* createDiscovered([platform], rival)]
        const [{ failure }, winner] = [yield* readConnection(id), yield* readConnection(other, rival)]
        expect([winner.state, winner.control?.status, failure?.code]).toEqual(["active", "unproven", "control_lost"])
        expect(failureMeanings.control_lost).not.toMatch(/pro(of|ve)/)
      }),
    "off"
  )

  controlTest(
    "needs a proof only where another tenant holds a host, if the application requests it then only",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneWith(shop))
        const id = yield* createDiscovered()
        expect(yield* readState(id)).toBe("active")
        const other = yield* createDiscovered([platform], rival)
        expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["active", "verifying"])
        yield* acme.become(zoneWith(shop, yield* challengeOf(other, rival)))
        yield* commandsFor(other, rival).recheck
        expect([yield* readState(id), yield* readState(other, rival)]).toEqual([
          "degraded: control_lost → degraded",
          "active"
        ])
      }),
    "when_contested"
  )
})

describe("records that were entered by hand", () => {
  controlTest("prove control, without a challenge", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      expect((yield* readConnection(id)).control).toEqual({ status: "unproven" })
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      const { control, state } = yield* readConnection(id)
      expect([state, control]).toEqual(["active", { status: "proven", by: "entered_records" }])
    })
  )

  controlTest("prove nothing for two tenants that wait for the same ones: each needs its challenge", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      const other = yield* createDiscovered([platform], rival)
      yield* commandsFor(id).chooseManual
      yield* commandsFor(other, rival).chooseManual
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      yield* commandsFor(other, rival).recheck
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["verifying", "verifying"])
      yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      yield* commandsFor(other, rival).recheck
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["active", "verifying"])
    })
  )

  controlTest("prove nothing if all that was missing is optional, and therefore never verified", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered([platform, { host: "any", type: "TXT", value: "whatever", optional: true }])
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("verifying")
      expect(yield* challengeOf(id)).toContain("_domain-connection 300 TXT")
      yield* advanceTime("1 hour")
      expect(yield* readState(id)).toBe("verifying")
    })
  )
})

describe("a write with a credential", () => {
  controlTest("proves control, and writes no challenge where nothing contests the domain", (acme) =>
    Effect.gen(function* () {
      const { control, state } = yield* readConnection(yield* connect())
      expect([state, control]).toEqual(["active", { status: "proven", by: "credential" }])
      expect(acme.made().length).toBe(1)
    })
  )

  controlTest("brings the challenge along where another tenant holds a host, and takes the host over", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      yield* acme.become(zoneWith())
      const other = yield* createDiscovered([platform], rival)
      const publicPlan = (yield* readConnection(other, rival)).plan
      expect(publicPlan?.changes.map(({ after }) => after?.host)).toEqual(["shop", "_domain-connection"])
      if (publicPlan === undefined) return yield* Effect.dieMessage("there is no plan")
      // The consent to the plan from the public DNS covers that from the provider's zone.
      yield* commandsFor(other, rival).authorize({ digest: publicPlan.digest, acknowledged: publicPlan.warnings })
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual([
        "degraded: control_lost → degraded",
        "active"
      ])
      expect((yield* readConnection(other, rival)).control).toEqual({ status: "proven", by: "credential" })
    })
  )
})

describe("a connection that holds its hosts", () => {
  controlTest("stays active while another tenant's connection proves nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      const other = yield* createDiscovered([platform], rival)
      yield* advanceTime("3 hours")
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["active", "verifying"])
      expect(acme.made().length).toBe(1)
    })
  )

  controlTest("is notified once of a connection that was planned before it, when that is asked for a proof", (acme) =>
    Effect.gen(function* () {
      const other = yield* createDiscovered([platform], rival)
      yield* commandsFor(other, rival).chooseManual
      const id = yield* connect()
      yield* listenToAll
      yield* commandsFor(other, rival).recheck
      expect([yield* readState(other, rival), yield* eventsOf(id)]).toEqual(["verifying", ["connection.contested"]])
      yield* commandsFor(other, rival).recheck
      yield* acme.become(zoneWith(shop, yield* challengeOf(other, rival)))
      yield* commandsFor(other, rival).recheck
      expect([yield* readState(other, rival), yield* eventsOf(id)]).toEqual([
        "active",
        ["connection.contested", "connection.degraded"]
      ])
    })
  )

  controlTest("loses them to the one that proves control, and never comes back by its records", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      const other = yield* takeOver(acme)
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual([
        "degraded: control_lost → degraded",
        "active"
      ])
      expect((yield* readConnection(id)).plan).toBeUndefined()
      yield* commandsFor(id).recheck
      yield* advanceTime("2 hours")
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual([
        "degraded: control_lost → degraded",
        "active"
      ])
    })
  )

  controlTest("takes them back with a new proof only, which an old challenge in the zone is not", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered()
      const old = yield* challengeOf(id)
      yield* acme.become(zoneWith(shop, old))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
      const other = yield* createDiscovered([platform], rival)
      const theirs = yield* challengeOf(other, rival)
      yield* acme.become(zoneWith(shop, old, theirs))
      yield* commandsFor(other, rival).recheck
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("awaiting_authorization")
      const fresh = yield* challengeOf(id)
      expect(fresh).not.toBe(old)
      expect(yield* readPlannedChanges(id)).toEqual([`create | ${fresh}`])
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["verifying", "active"])
      yield* acme.become(zoneWith(shop, old, theirs, fresh))
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual([
        "active",
        "degraded: control_lost → degraded"
      ])
    })
  )

  controlTest("takes nothing from the newer one when it is disconnected", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      const other = yield* takeOver(acme)
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("disconnected")
      expect(acme.now().records.some(({ host }) => host === "shop")).toBe(true)
      yield* commandsFor(other, rival).recheck
      expect(yield* readState(other, rival)).toBe("active")
    })
  )

  controlTest("leaves them to the next one without a contest once it is disconnected, which needs a proof", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      const other = yield* createDiscovered([platform], rival)
      yield* commandsFor(other, rival).chooseManual
      const challenge = yield* challengeOf(other, rival)
      expect(yield* readPlannedChanges(other, rival)).toEqual([`create | ${shop}`, `create | ${challenge}`])
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(other, rival).recheck
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["disconnected", "active"])
    })
  )

  controlTest("shares them with the connections of its own tenant, and other applications do not matter", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      const second = yield* createDiscovered()
      yield* acme.become(zoneWith(shop, yield* challengeOf(second)))
      yield* commandsFor(second).recheck
      const foreign = tenancyOf("other", "tenant")
      const third = yield* createDiscovered([platform], foreign)
      yield* acme.become(zoneWith(shop, yield* challengeOf(third, foreign)))
      yield* commandsFor(third, foreign).recheck
      expect([yield* readState(id), yield* readState(second), yield* readState(third, foreign)]).toEqual([
        "active",
        "active",
        "active"
      ])
    })
  )
})

controlTest("a connection that was active before control was kept stays so, and loses its hosts to a proof", (acme) =>
  Effect.gen(function* () {
    const id = yield* connect()
    yield* forgetControl(id)
    yield* acme.serve(...initialRecords)
    yield* commandsFor(id).recheck
    expect(yield* readState(id)).toBe("degraded")
    yield* acme.serveZone
    yield* commandsFor(id).recheck
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.control]).toEqual(["active", undefined])
    // So does one whose new intent was given up, although its plan said how control would be proven.
    yield* commandsFor(id).changeIntent([platform, { host: "news", type: "CNAME", value: "shops.example.net" }])
    expect((yield* readConnection(id)).control?.status).toBe("unproven")
    yield* commandsFor(id).cancel
    expect([yield* readState(id), (yield* readConnection(id)).control]).toEqual(["active", undefined])
    yield* acme.serve(...initialRecords)
    yield* commandsFor(id).recheck
    expect(yield* readState(id)).toBe("degraded")
    yield* acme.serveZone
    yield* commandsFor(id).recheck
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.control]).toEqual(["active", undefined])
    yield* takeOver(acme)
    expect(yield* readState(id)).toBe("degraded: control_lost → degraded")
  })
)
