import { describe, expect } from "bun:test"
import { Effect } from "effect"
import {
  advanceTime,
  commandsFor,
  controlTest,
  platform,
  readConnection,
  readState,
  type ScriptedProvider,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, connectByChallenge, enterByHand, outcomeOf, rival, shop } from "./controlSteps.ts"

const connectByHand = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    const id = yield* enterByHand({ records: [platform] })
    yield* acme.become(zoneWith(shop))
    yield* commandsFor(id).recheck
    return id
  })

/** A former owner's connection, whose record is gone, and that of another tenant who waits for the same record. */
const formerAndNew = (acme: ScriptedProvider, connection: ReturnType<typeof connectByHand>) =>
  Effect.gen(function* () {
    const former = yield* connection
    expect((yield* readConnection(former)).state).toBe("active")
    yield* acme.become(zoneWith())
    yield* commandsFor(former).recheck
    yield* advanceTime("400 days")
    const owner = yield* enterByHand({ records: [platform] }, rival)
    return { former, owner, challenge: yield* challengeOf(owner, rival) }
  })

describe("a record that comes back while another tenant waits for it", () => {
  for (const [proof, begin] of [
    ["a credential", () => connect()],
    ["the challenge", connectByChallenge],
    ["entered records", connectByHand]
  ] as const)
    controlTest(`needs a new proof, although there is one by ${proof}: the owner may be another one by now`, (acme) =>
      Effect.gen(function* () {
        const { challenge, former, owner } = yield* formerAndNew(acme, begin(acme))
        yield* acme.become(zoneWith(shop))
        yield* commandsFor(former).recheck
        yield* commandsFor(owner, rival).recheck
        expect([yield* outcomeOf(former), yield* outcomeOf(owner, rival)]).toEqual([
          ["degraded", "unproven"],
          ["verifying", "unproven"]
        ])
        yield* acme.become(zoneWith(shop, challenge))
        yield* commandsFor(owner, rival).recheck
        expect([yield* readState(former), yield* outcomeOf(owner, rival)]).toEqual([
          "degraded: control_lost → degraded",
          ["active", "challenge"]
        ])
      })
    )

  controlTest("needs it also after that tenant has given up, and is proven by the challenge", (acme) =>
    Effect.gen(function* () {
      const { former, owner } = yield* formerAndNew(acme, connect())
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(former).recheck
      yield* commandsFor(owner, rival).cancel
      yield* commandsFor(former).recheck
      expect(yield* outcomeOf(former)).toEqual(["degraded", "unproven"])
      yield* acme.become(zoneWith(shop, yield* challengeOf(former)))
      yield* commandsFor(former).recheck
      expect(yield* outcomeOf(former)).toEqual(["active", "challenge"])
    })
  )

  controlTest("needs none where it was never gone, or where nobody waits for it", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      yield* enterByHand({ records: [platform] }, rival)
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "credential"])
    })
  )
})
