import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { servesTheSame, type Turn } from "../../support/scriptedZone.ts"
import { zoneOf } from "../../support/zones.ts"
import { type Acme, commands, created, elapse, inAcme, planIn, shown, standing, state, zoneWith } from "./acme.ts"

const connected = Effect.gen(function* () {
  const id = yield* created([{ host: "@", type: "A", value: "192.0.2.77" }])
  yield* commands(id).letIn()
  yield* commands(id).approve()
  expect(yield* state(id)).toBe("active")
  return id
})

/** A connection that is to leave, and whose zone was silent when it was let in; the zone speaks again. */
const lostOnLeaving = (acme: Acme) =>
  Effect.gen(function* () {
    const id = yield* connected
    yield* commands(id).disconnect
    yield* acme.setSilent(true)
    yield* commands(id).letIn()
    expect(yield* state(id)).toBe("failed: discovery_timeout → authorized")
    yield* acme.setSilent(false)
    return id
  })

describe("a connection that leaves", () => {
  inAcme("shows what it will take out, is let in, approved, and puts back what was there", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commands(id).disconnect
      const { direction } = yield* shown(id)
      expect([yield* state(id), direction, yield* planIn(id)]).toEqual([
        "awaiting_authorization",
        "restore",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
      ])
      yield* commands(id).letIn()
      expect(yield* state(id)).toBe("planned")
      yield* commands(id).approve()
      expect([yield* state(id), servesTheSame(acme.now(), zoneWith())]).toEqual(["disconnected", true])
      expect((yield* shown(id)).leftovers).toEqual([])
    })
  )

  inAcme("leaves at one click with the consent to what it shows", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commands(id).disconnect
      const { plan } = yield* shown(id)
      yield* commands(id).letIn(plan && { digest: plan.digest, acknowledged: plan.warnings })
      expect([yield* state(id), servesTheSame(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )

  inAcme("is taken out by hand by its list", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      const made = acme.made().length
      yield* commands(id).disconnect
      yield* commands(id).connectByHand
      expect([yield* state(id), yield* planIn(id), acme.made().length]).toEqual([
        "disconnected",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"],
        made
      ])
    })
  )

  inAcme("of which the service wrote nothing is over at once", (acme) =>
    Effect.gen(function* () {
      const id = yield* created([{ host: "@", type: "A", value: "192.0.2.1" }])
      yield* commands(id).disconnect
      expect([yield* state(id), acme.made()]).toEqual(["disconnected", []])
    })
  )

  inAcme("tells what the customer changed since, and leaves it", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.become(zoneOf("@ 300 A 192.0.2.99"))
      yield* commands(id).disconnect
      yield* commands(id).letIn()
      const { leftovers } = yield* shown(id)
      expect([yield* state(id), leftovers?.map(({ reason, record }) => [reason, record.value])]).toEqual([
        "disconnected",
        [["changed_since", "192.0.2.77"]]
      ])
      expect(servesTheSame(acme.now(), zoneOf("@ 300 A 192.0.2.99"))).toBe(true)
    })
  )

  inAcme("waits for however long to be let in, and looks again by the schedule where it could not look", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setSilent(true)
      yield* commands(id).disconnect
      expect([yield* state(id), (yield* standing(id)).progress.checks, yield* planIn(id)]).toEqual([
        "awaiting_authorization: discovery_timeout → awaiting_authorization",
        1,
        undefined
      ])
      yield* elapse("30 days")
      yield* acme.setSilent(false)
      yield* elapse("30 minutes")
      expect([yield* state(id), (yield* planIn(id))?.length]).toEqual(["awaiting_authorization", 1])
    })
  )

  inAcme("and whose zone could not be found when it was let in goes on leaving", (acme) =>
    Effect.gen(function* () {
      const id = yield* lostOnLeaving(acme)
      yield* commands(id).retry
      yield* commands(id).approve()
      expect(yield* state(id)).toBe("disconnected")
    })
  )

  inAcme("and failed to may be taken out by hand instead", (acme) =>
    Effect.gen(function* () {
      const id = yield* lostOnLeaving(acme)
      yield* commands(id).connectByHand
      expect([yield* state(id), yield* planIn(id)]).toEqual([
        "disconnected",
        ["update! | @ 3600 A 192.0.2.77 | @ 300 A 192.0.2.1"]
      ])
    })
  )

  inAcme("from a zone that changed is planned anew, and waits", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* commands(id).disconnect
      yield* commands(id).letIn()
      yield* acme.become(zoneOf("@ 300 A 192.0.2.77", "@ 300 A 192.0.2.78"))
      yield* commands(id).approve()
      expect(yield* state(id)).toBe("planned")
      yield* commands(id).approve()
      expect([
        yield* state(id),
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
  ] satisfies ReadonlyArray<readonly [string, Turn]>)
    inAcme(`reports the same when its process dies ${when} the provider did what was asked`, (acme) =>
      Effect.gen(function* () {
        const id = yield* connected
        yield* commands(id).disconnect
        yield* commands(id).letIn()
        yield* acme.play(turn)
        yield* commands(id).approve()
        yield* elapse("3 minutes")
        expect([yield* state(id), (yield* shown(id)).leftovers, servesTheSame(acme.now(), zoneWith())]).toEqual([
          "disconnected",
          [],
          true
        ])
      })
    )

  inAcme("whose domain was given up ends by hand, and names all that it had put there", (acme) =>
    Effect.gen(function* () {
      const id = yield* connected
      yield* acme.setGone(true)
      yield* commands(id).disconnect
      expect(yield* state(id)).toBe("awaiting_authorization: domain_not_registered → awaiting_authorization")
      yield* commands(id).connectByHand
      const { leftovers, plan } = yield* shown(id)
      expect([yield* state(id), leftovers?.map(({ reason, record }) => [reason, record.value]), plan]).toEqual([
        "disconnected",
        [["zone_gone", "192.0.2.77"]],
        undefined
      ])
    })
  )
})
