import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { allowedNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import { rejectWith, succeed } from "../../support/scriptedZone.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  type LifecycleServices,
  platform,
  readConnection,
  readConnectionRecord,
  readState,
  type ScriptedProvider,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, connectByChallenge, enterByHand, outcomeOf, rival, shop } from "./controlSteps.ts"

type Connect = (acme: ScriptedProvider) => Effect.Effect<ConnectionId, unknown, LifecycleServices>

const connectByCredential: Connect = () => connect()

const connectByHand = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    const id = yield* enterByHand({ records: [platform] })
    yield* acme.become(zoneWith(shop))
    yield* commandsFor(id).recheck
    return id
  })

/** A former owner's connection, whose record is gone, and that of another tenant who waits for the same record. */
const formerAndNew = (acme: ScriptedProvider, connection: Connect) =>
  Effect.gen(function* () {
    const former = yield* connection(acme)
    expect((yield* readConnection(former)).state).toBe("active")
    yield* acme.become(zoneWith())
    yield* commandsFor(former).recheck
    yield* advanceTime("400 days")
    const owner = yield* enterByHand({ records: [platform] }, rival)
    return { former, owner, challenge: yield* challengeOf(owner, rival) }
  })

/** A connection whose new intent was never entered, and whose record is gone since. */
const waitingWithoutRecords = (acme: ScriptedProvider, connection: Connect) =>
  Effect.gen(function* () {
    const id = yield* connection(acme)
    yield* commandsFor(id).changeIntent([platform, { ...platform, host: "news" }])
    yield* commandsFor(id).chooseManual
    yield* advanceTime("4 days")
    expect(yield* readState(id)).toBe("failed: manual_setup_timeout → awaiting_manual")
    yield* acme.become(zoneWith())
    // The second check confirms the first one.
    yield* Effect.replicateEffect(advanceTime("2 hours"), 2)
    yield* advanceTime("400 days")
    return id
  })

describe("a record that comes back while another tenant waits for it", () => {
  const proofs: ReadonlyArray<readonly [string, Connect]> = [
    ["a credential", connectByCredential],
    ["the challenge", connectByChallenge],
    ["entered records", connectByHand]
  ]
  for (const [proof, begin] of proofs)
    controlTest(`needs a new proof, although there is one by ${proof}: the owner may be another one by now`, (acme) =>
      Effect.gen(function* () {
        const { challenge, former, owner } = yield* formerAndNew(acme, begin)
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
      const { former, owner } = yield* formerAndNew(acme, connectByCredential)
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

  controlTest("needs it also where a new intent waited meanwhile, and is given up", (acme) =>
    Effect.gen(function* () {
      const former = yield* waitingWithoutRecords(acme, () => connect())
      const owner = yield* enterByHand({ records: [platform] }, rival)
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(former).cancel
      yield* commandsFor(owner, rival).recheck
      expect([yield* outcomeOf(former), yield* outcomeOf(owner, rival)]).toEqual([
        ["degraded", "unproven"],
        ["verifying", "unproven"]
      ])
    })
  )

  controlTest("needs none where it comes back uncontested while the new intent waits", (acme) =>
    Effect.gen(function* () {
      const former = yield* waitingWithoutRecords(acme, () => connect())
      expect((yield* readConnectionRecord(former)).progress.intentChange?.returnsTo).toBe("degraded")
      yield* acme.become(zoneWith(shop))
      yield* advanceTime("2 hours")
      expect(allowedNamesOf(yield* readConnectionRecord(former))).toEqual(["shop.example.com"])
      yield* commandsFor(former).cancel
      expect(yield* outcomeOf(former)).toEqual(["active", "credential"])
    })
  )

  controlTest("is not missed where a run of the new intent has replaced it in part", (acme) =>
    Effect.gen(function* () {
      yield* acme.writeInSingleCalls
      const id = yield* connect()
      yield* commandsFor(id).changeIntent([
        { ...platform, value: "eu.example.net" },
        { ...platform, host: "news" }
      ])
      yield* commandsFor(id).authorize()
      yield* acme.play(succeed, rejectWith("apply_rejected"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("failed: apply_partial → authorized")
      yield* Effect.replicateEffect(advanceTime("2 hours"), 3)
      expect((yield* readConnectionRecord(id)).progress.intentChange?.returnsTo).toBe("active")
    })
  )

  controlTest("lets no new intent that came meanwhile be reached by the challenge of before", (acme) =>
    Effect.gen(function* () {
      const former = yield* waitingWithoutRecords(acme, connectByChallenge)
      yield* acme.become(zoneWith(shop, "blog 60 CNAME shops.example.net"))
      yield* commandsFor(former).changeIntent([platform, { ...platform, host: "blog" }])
      expect((yield* readConnection(former)).state).not.toBe("active")
      yield* challengeOf(former)
    })
  )

  controlTest("needs none where nobody waits for it any more when it comes back", (acme) =>
    Effect.gen(function* () {
      const { former, owner } = yield* formerAndNew(acme, connectByCredential)
      yield* commandsFor(owner, rival).cancel
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(former).recheck
      expect(yield* outcomeOf(former)).toEqual(["active", "credential"])
    })
  )
})
