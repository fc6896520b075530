import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { dropResponse, rejectWith, succeed } from "../../support/scriptedZone.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  initialRecords,
  platform,
  readConnection,
  readPlannedChanges,
  readState,
  type ScriptedProvider,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, outcomeOf, rival, shop } from "./controlSteps.ts"

const mine = { host: "mine", type: "A", value: "192.0.2.31" } as const

const mineLine = "mine 60 A 192.0.2.31"

/** The plan asks for the challenge, and the connection is not active, although the customer approves and nothing is written. */
const needsChallenge = (acme: ScriptedProvider, id: ConnectionId) =>
  Effect.gen(function* () {
    expect(yield* readPlannedChanges(id)).toContain(`create | ${yield* challengeOf(id)}`)
    const made = acme.made().length
    yield* acme.play(rejectWith("authorization_insufficient_scope"))
    yield* commandsFor(id).acknowledgeAndApprove
    const { control, state } = yield* readConnection(id)
    expect([state, control?.status, acme.made().length - made]).toEqual(["failed", "unproven", 0])
  })

describe("a credential that may only read the zone proves nothing", () => {
  controlTest("where the records stand, as the public name servers show later", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      yield* acme.serve(...initialRecords)
      const id = yield* createDiscovered()
      yield* acme.serveZone
      yield* commandsFor(id).authorize()
      yield* needsChallenge(acme, id)
    })
  )

  controlTest("where a new intent asks for records that stand", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered([mine])
      yield* commandsFor(id).authorize()
      expect(yield* readState(id)).toBe("planned")
      yield* commandsFor(id).changeIntent([platform])
      yield* needsChallenge(acme, id)
    })
  )

  controlTest("where all that is missing is optional, and cannot be stored", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      yield* acme.refuseTypes("SRV")
      const service = {
        host: "_sip._tcp",
        type: "SRV",
        value: "0 5060 sip.example.net",
        priority: 0,
        optional: true
      } as const
      const id = yield* createDiscovered([platform, service])
      yield* commandsFor(id).authorize()
      yield* needsChallenge(acme, id)
    })
  )

  controlTest("and renews no proof, so that a newer one of another tenant goes on counting", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      yield* acme.become(zoneWith())
      yield* commandsFor(id).recheck
      yield* commandsFor(id).retry
      yield* advanceTime("1 minute")
      const newer = yield* createDiscovered([platform], rival)
      yield* commandsFor(newer, rival).chooseManual
      const challenge = yield* challengeOf(newer, rival)
      yield* acme.become(zoneWith(challenge))
      yield* commandsFor(newer, rival).recheck
      yield* advanceTime("1 minute")
      yield* acme.become(zoneWith(shop, challenge))
      yield* commandsFor(id).authorize()
      expect([(yield* outcomeOf(id))[0], (yield* outcomeOf(newer, rival))[1]]).not.toContain("active")
      yield* commandsFor(newer, rival).recheck
      expect([yield* readState(id), yield* outcomeOf(newer, rival)]).toEqual([
        expect.not.stringMatching(/^active/),
        ["active", "challenge"]
      ])
    })
  )
})

/** A connection of which the provider took the first record, and refused the second. */
const partlyWritten = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    yield* acme.become(zoneWith(shop))
    yield* acme.writeInSingleCalls
    const id = yield* createDiscovered([mine, { ...mine, host: "other" }])
    yield* commandsFor(id).authorize()
    yield* acme.play(succeed, rejectWith("apply_rejected"))
    yield* commandsFor(id).acknowledgeAndApprove
    expect([yield* readState(id), acme.made().length]).toEqual(["failed: apply_partial → authorized", 1])
    return id
  })

describe("a credential that may write some names only", () => {
  controlTest("proves none of the others that stand: the plan has the challenge from the beginning", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered([mine, platform])
      const { plan } = yield* readConnection(id)
      yield* commandsFor(id).authorize()
      expect((yield* readConnection(id)).plan?.changes).toEqual(plan?.changes ?? [])
      yield* needsChallenge(acme, id)
    })
  )

  controlTest("does not reach one that a new intent adds and that stood", (acme) =>
    Effect.gen(function* () {
      const id = yield* connect(undefined, [mine])
      yield* acme.become(zoneWith(mineLine, shop))
      yield* commandsFor(id).changeIntent([mine, platform])
      expect((yield* readConnection(id)).effectiveIntent.records.map(({ host }) => host)).toEqual(["mine"])
      expect(yield* readPlannedChanges(id)).toEqual([`create | ${yield* challengeOf(id)}`])
    })
  )

  controlTest("does not reach one that stood and that a new intent names after a run that failed in part", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* commandsFor(id).changeIntent([mine, platform])
      yield* commandsFor(id).authorize()
      yield* needsChallenge(acme, id)
    })
  )

  controlTest("does not reach it either where the same new intent has another record to write", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* commandsFor(id).changeIntent([mine, { ...mine, host: "mine2" }, platform])
      yield* commandsFor(id).authorize()
      expect(yield* readPlannedChanges(id)).toContain(`create | ${yield* challengeOf(id)}`)
      yield* acme.play(succeed, rejectWith("apply_rejected"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* outcomeOf(id)).toEqual(["failed", "unproven"])
    })
  )

  controlTest("proves all of the domain by a challenge that a run wrote before it failed", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      yield* acme.writeInSingleCalls
      const id = yield* createDiscovered([
        platform,
        { host: "post", type: "MX", value: "mx.example.net", priority: 10 }
      ])
      yield* commandsFor(id).authorize()
      yield* acme.play(succeed, rejectWith("apply_rejected"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect(acme.made().map(({ after }) => after?.host)).toEqual(["_domain-connection"])
      yield* commandsFor(id).retry
      yield* acme.play()
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* outcomeOf(id)).toEqual(["active", "challenge"])
    })
  )

  controlTest("proves nothing by an earlier run against another tenant that has proven the host since", (acme) =>
    Effect.gen(function* () {
      yield* acme.writeInSingleCalls
      const id = yield* createDiscovered([platform, { ...platform, host: "zoo" }])
      yield* commandsFor(id).authorize()
      yield* acme.play(succeed, rejectWith("apply_rejected"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect(acme.made().map(({ after }) => after?.host)).toEqual(["shop"])
      const other = yield* createDiscovered([platform], rival)
      yield* acme.become(zoneWith(shop, yield* challengeOf(other, rival)))
      yield* commandsFor(other, rival).recheck
      expect(yield* outcomeOf(other, rival)).toEqual(["active", "challenge"])
      yield* commandsFor(id).retry
      expect(yield* readPlannedChanges(id)).toContain(`create | ${yield* challengeOf(id)}`)
    })
  )

  controlTest("proves what the run that failed in part has written, and the rest once it is written", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* commandsFor(id).retry
      expect(yield* readPlannedChanges(id)).toEqual(["create | other 3600 A 192.0.2.31"])
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* outcomeOf(id)).toEqual(["active", "credential"])
    })
  )

  controlTest("proves all of the domain once it has written the challenge", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered([mine, platform])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* outcomeOf(id)).toEqual(["active", "credential"])
      yield* acme.become(zoneWith(mineLine, shop, "blog 60 CNAME shops.example.net"))
      yield* commandsFor(id).changeIntent([mine, platform, { ...platform, host: "blog" }])
      expect(yield* outcomeOf(id)).toEqual(["active", "credential"])
    })
  )

  controlTest("proves what a run has written that got no answer, once it is tried again", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).authorize()
      yield* acme.play((send) => Effect.ensuring(dropResponse(send), acme.setDown(true)))
      yield* commandsFor(id).acknowledgeAndApprove
      yield* advanceTime("1 hour")
      yield* acme.setDown(false)
      yield* commandsFor(id).retry
      expect(yield* readState(id)).toBe("failed: authorization_expired → awaiting_authorization")
      yield* commandsFor(id).authorize()
      expect([yield* outcomeOf(id), acme.made().length]).toEqual([["active", "credential"], 1])
    })
  )

  controlTest("writes no challenge for a policy that needs no change", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith("_dmarc 300 TXT v=DMARC1; p=reject"))
      const id = yield* createDiscovered([platform, { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      expect([yield* outcomeOf(id), acme.made().map(({ after }) => after?.host)]).toEqual([
        ["active", "credential"],
        ["shop"]
      ])
    })
  )
})
