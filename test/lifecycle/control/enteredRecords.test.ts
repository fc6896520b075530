import { describe, expect } from "bun:test"
import { Effect } from "effect"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readPlannedChanges,
  readState,
  tenancy,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, rival, shop } from "./controlSteps.ts"

describe("records of a former customer", () => {
  controlTest("prove nothing for a tenant that planned them before that customer came, however late it asks", (acme) =>
    Effect.gen(function* () {
      const waiting = yield* createDiscovered([platform], rival)
      yield* acme.refuse("credential_invalid")
      yield* commandsFor(waiting, rival).authorize()
      yield* acme.refuse()
      yield* advanceTime("60 days")
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
      yield* advanceTime("30 days")
      yield* commandsFor(id).disconnect
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(waiting, rival).chooseManual
      yield* commandsFor(waiting, rival).recheck
      const { control, state } = yield* readConnection(waiting, rival)
      expect([state, control?.status]).toEqual(["verifying", "unproven"])
      expect(yield* challengeOf(waiting, rival)).toContain("_domain-connection 300 TXT")
    })
  )

  controlTest("prove nothing either if that customer came and left while the tenant waited for them", (acme) =>
    Effect.gen(function* () {
      const waiting = yield* createDiscovered([platform], rival)
      yield* commandsFor(waiting, rival).chooseManual
      // Between two checks of the tenant that waits.
      const id = yield* connect()
      expect(yield* readState(id)).toBe("active")
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(waiting, rival).recheck
      const { control, state } = yield* readConnection(waiting, rival)
      expect([yield* readState(id), state, control?.status]).toEqual(["disconnected", "verifying", "unproven"])
    })
  )
})

describe("a manual setup that is chosen after its plan has expired", () => {
  controlTest("is planned again, so that records entered since then prove nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* advanceTime("6 days")
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("verifying")
      expect(yield* readPlannedChanges(id)).toEqual([`create | ${yield* challengeOf(id)}`])
    })
  )

  controlTest("proves control by the records that are entered after that", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* advanceTime("6 days")
      yield* commandsFor(id).chooseManual
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["awaiting_manual", [`create | ${shop}`]])
      yield* advanceTime("2 days")
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      const { control, state } = yield* readConnection(id, tenancy)
      expect([state, control]).toEqual(["active", { status: "proven", by: "entered_records" }])
    })
  )

  controlTest("needs the challenge where the zone cannot be planned again", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* advanceTime("6 days")
      yield* acme.setSilent(true)
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* advanceTime("1 hour")
      yield* acme.setSilent(false)
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      const { control, state } = yield* readConnection(id)
      expect([state, control?.status, control?.challenge !== undefined]).toEqual(["verifying", "unproven", true])
    })
  )
})
