import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  initialRecords,
  type LifecycleServices,
  platform,
  readConnection,
  readState,
  scriptedProvider,
  tenancy,
  withoutLogs,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, rival, shop } from "./controlSteps.ts"

const mine = { host: "mine", type: "A", value: "192.0.2.31" } as const

const mineLine = "mine 60 A 192.0.2.31"

/** Creates a connection, and chooses manual setup where there is another method. */
const setUpByHand = (records: IntentRequest["records"], owner: Tenancy = tenancy) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered(records, owner)
    if ((yield* readState(id, owner)) === "awaiting_authorization") yield* commandsFor(id, owner).chooseManual
    return id
  })

/** Changes the intent by hand, as far as nothing has to be entered. */
const changeByHand = (id: ConnectionId, records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    yield* commandsFor(id).changeIntent(records)
    if ((yield* readState(id)) === "awaiting_authorization") yield* commandsFor(id).chooseManual
    yield* commandsFor(id).recheck
    const { effectiveIntent, state } = yield* readConnection(id)
    return [state, effectiveIntent.records.map(({ host }) => host)]
  })

const outcomeOf = (id: ConnectionId, owner: Tenancy = tenancy) =>
  Effect.map(readConnection(id, owner), ({ control, state }) => [state, control?.by ?? control?.status])

describe("a challenge", () => {
  controlTest("proves nothing while a name server is silent", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* setUpByHand([platform])
      yield* acme.setSilentServer(true)
      yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
      yield* acme.setSilentServer(false)
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "challenge"])
    })
  )
})

describe("a challenge that was requested before another tenant proved control", () => {
  controlTest("takes no host from it, although it still stands, and another proof is requested", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const old = yield* setUpByHand([platform])
      const oldChallenge = yield* challengeOf(old)
      yield* advanceTime("25 hours")
      expect(yield* readState(old)).toContain("failed: control_unproven")
      yield* acme.become(zoneWith(shop, oldChallenge))
      yield* advanceTime("300 days")
      const newer = yield* setUpByHand([platform], rival)
      yield* acme.become(zoneWith(shop, oldChallenge, yield* challengeOf(newer, rival)))
      yield* commandsFor(newer, rival).recheck
      expect(yield* outcomeOf(newer, rival)).toEqual(["active", "challenge"])
      yield* commandsFor(old).retry
      yield* commandsFor(old).recheck
      expect([(yield* outcomeOf(old))[0], yield* outcomeOf(newer, rival)]).toEqual([
        "verifying",
        ["active", "challenge"]
      ])
      const challenge = yield* challengeOf(old)
      expect(challenge).not.toBe(oldChallenge)
      yield* advanceTime("1 second")
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(old).recheck
      expect([yield* outcomeOf(old), yield* readState(newer, rival)]).toEqual([
        ["active", "challenge"],
        "degraded: control_lost → degraded"
      ])
    })
  )
})

describe("entered records", () => {
  controlTest("prove nothing where fewer name servers show them than were asked before", (acme) =>
    Effect.gen(function* () {
      yield* acme.moveTo("ns1.acme-dns.net", "ns2.acme-dns.net")
      const id = yield* setUpByHand([mine])
      yield* acme.moveTo("ns1.acme-dns.net")
      yield* acme.become(zoneWith(mineLine))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  effect("no longer bring a connection back once its application accepts only the challenge", () =>
    Effect.gen(function* () {
      const acme = scriptedProvider(...initialRecords)
      const stores = Layer.succeedContext(yield* Layer.build(storesInMemory))
      const playWith = <A, E>(mode: ControlProof, steps: Effect.Effect<A, E, LifecycleServices>) =>
        Effect.provide(steps, Layer.merge(lifecycleInMemory(acme.layer, stores, mode), withoutLogs))
      const connected = Effect.gen(function* () {
        const id = yield* setUpByHand([mine])
        yield* acme.become(zoneWith(mineLine))
        yield* commandsFor(id).recheck
        expect(yield* outcomeOf(id)).toEqual(["active", "entered_records"])
        return id
      })
      const id = yield* playWith("required", connected)
      const restored = Effect.gen(function* () {
        yield* acme.become(zoneWith())
        yield* commandsFor(id).recheck
        expect(yield* readState(id)).toBe("degraded")
        yield* acme.become(zoneWith(mineLine))
        yield* commandsFor(id).recheck
        expect(yield* outcomeOf(id)).toEqual(["degraded", "unproven"])
      })
      yield* playWith("challenge", restored)
    })
  )
})

describe("what was proven before", () => {
  controlTest("does not take a host that another tenant has held since, and whose record it left behind", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(mineLine))
      const id = yield* setUpByHand([mine])
      yield* acme.become(zoneWith(mineLine, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "challenge"])
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      const other = yield* setUpByHand([platform], rival)
      yield* acme.become(zoneWith(shop, yield* challengeOf(other, rival)))
      yield* commandsFor(other, rival).recheck
      expect(yield* outcomeOf(other, rival)).toEqual(["active", "challenge"])
      yield* commandsFor(other, rival).disconnect
      yield* acme.become(zoneWith(shop))
      yield* advanceTime("30 days")
      expect(yield* readState(other, rival)).toBe("disconnected")
      const [state] = yield* changeByHand(id, [platform])
      expect(state).not.toBe("active")
    })
  )

  controlTest("does not take a host that the tenant held once, and for which another one waits", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const first = yield* setUpByHand([platform])
      yield* acme.become(zoneWith(shop, mineLine, yield* challengeOf(first)))
      yield* commandsFor(first).recheck
      const second = yield* setUpByHand([mine])
      yield* acme.become(zoneWith(shop, mineLine, yield* challengeOf(second)))
      yield* commandsFor(second).recheck
      expect([yield* outcomeOf(first), yield* outcomeOf(second)]).toEqual([
        ["active", "challenge"],
        ["active", "challenge"]
      ])
      yield* acme.become(zoneWith(shop, mineLine))
      yield* commandsFor(first).disconnect
      yield* advanceTime("30 days")
      expect(yield* readState(first)).toBe("disconnected")
      yield* setUpByHand([platform], rival)
      expect(yield* changeByHand(second, [mine, platform])).not.toEqual(["active", ["mine", "shop"]])
    })
  )
})

describe("a disconnection by hand", () => {
  controlTest("waits for a silent name server, which may still show the record", (acme) =>
    Effect.gen(function* () {
      const id = yield* setUpByHand([mine])
      yield* acme.become(zoneWith(mineLine))
      yield* commandsFor(id).recheck
      yield* commandsFor(id).disconnect
      yield* acme.setSilentServer(true)
      yield* acme.become(zoneWith())
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("disconnecting")
      yield* acme.setSilentServer(false)
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("disconnected")
    })
  )
})
