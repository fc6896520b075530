import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readState,
  type ScriptedProvider,
  tenancy,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, rival, shop } from "./controlSteps.ts"

/** A holder whose records are gone, and a newer tenant that has proven control, but whose records are not entered yet. */
const degradedAndProven = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    const holder = yield* connect()
    yield* acme.become(zoneWith())
    yield* commandsFor(holder).recheck
    yield* advanceTime("1 second")
    const newer = yield* createDiscovered([platform], rival)
    yield* advanceTime("10 minutes")
    yield* commandsFor(newer, rival).chooseManual
    const challenge = yield* challengeOf(newer, rival)
    yield* acme.become(zoneWith(challenge))
    yield* commandsFor(newer, rival).recheck
    expect([yield* readState(holder), yield* stateAndProof(newer, rival)]).toEqual([
      "degraded",
      ["awaiting_manual", "challenge"]
    ])
    return { holder, newer, challenge }
  })

const stateAndProof = (id: ConnectionId, owner: Tenancy = tenancy) =>
  Effect.map(readConnection(id, owner), ({ control, state }) => [state, control?.by])

describe("an older proof", () => {
  controlTest("does not take the hosts from a newer one, although its check comes first", (acme) =>
    Effect.gen(function* () {
      const { challenge, holder, newer } = yield* degradedAndProven(acme)
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(holder).recheck
      expect([yield* readState(holder), yield* stateAndProof(newer, rival)]).toEqual([
        "degraded",
        ["awaiting_manual", "challenge"]
      ])
      yield* commandsFor(newer, rival).recheck
      expect([yield* readState(holder), yield* stateAndProof(newer, rival)]).toEqual([
        "degraded: control_lost → degraded",
        ["active", "challenge"]
      ])
    })
  )

  controlTest("is renewed by the challenge that it is asked for then", (acme) =>
    Effect.gen(function* () {
      const { challenge, holder, newer } = yield* degradedAndProven(acme)
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(holder).recheck
      yield* advanceTime("1 second")
      yield* acme.become(zoneWith(shop, challenge, yield* challengeOf(holder)))
      yield* commandsFor(holder).recheck
      expect([yield* stateAndProof(holder), (yield* stateAndProof(newer, rival))[1]]).toEqual([
        ["active", "challenge"],
        undefined
      ])
    })
  )

  controlTest("counts again where the newer one has ended before the records come back", (acme) =>
    Effect.gen(function* () {
      const { holder, newer } = yield* degradedAndProven(acme)
      yield* commandsFor(newer, rival).disconnect
      yield* acme.become(zoneWith())
      yield* advanceTime("30 days")
      expect(yield* readState(newer, rival)).toBe("disconnected")
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(holder).recheck
      expect([yield* stateAndProof(holder), (yield* readConnection(holder)).control]).toEqual([
        ["active", "credential"],
        { status: "proven", by: "credential" }
      ])
    })
  )

  controlTest("does not take them either when a failed holder is verified again", (acme) =>
    Effect.gen(function* () {
      const holder = yield* connect()
      yield* acme.become(zoneWith())
      yield* commandsFor(holder).recheck
      yield* commandsFor(holder).retry
      yield* commandsFor(holder).authorize()
      yield* acme.serve()
      yield* commandsFor(holder).acknowledgeAndApprove
      yield* advanceTime("24 hours")
      expect((yield* readConnection(holder)).failure?.resumeState).toBe("verifying")
      yield* acme.become(zoneWith())
      yield* acme.serveZone
      const newer = yield* createDiscovered([platform], rival)
      yield* commandsFor(newer, rival).chooseManual
      const challenge = yield* challengeOf(newer, rival)
      yield* acme.become(zoneWith(challenge))
      yield* commandsFor(newer, rival).recheck
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(holder).retry
      expect([(yield* readConnection(holder)).state, yield* stateAndProof(newer, rival)]).toEqual([
        "verifying",
        ["awaiting_manual", "challenge"]
      ])
      yield* commandsFor(newer, rival).recheck
      expect((yield* readConnection(newer, rival)).state).toBe("active")
    })
  )
})

controlTest("a new write with a credential is a newer proof", (acme) =>
  Effect.gen(function* () {
    const { challenge, holder, newer } = yield* degradedAndProven(acme)
    yield* advanceTime("1 second")
    yield* commandsFor(holder).retry
    yield* commandsFor(holder).authorize()
    yield* commandsFor(holder).acknowledgeAndApprove
    expect([yield* stateAndProof(holder), (yield* stateAndProof(newer, rival))[1]]).toEqual([
      ["active", "credential"],
      undefined
    ])
    expect(acme.now().records.some(({ value }) => challenge.endsWith(value))).toBe(true)
  })
)
