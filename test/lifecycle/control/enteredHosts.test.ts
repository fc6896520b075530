import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import {
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  type ScriptedProvider,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, enterByHand, outcomeOf, rival, shop, type WantedRecords } from "./controlSteps.ts"

const left = { host: "left", type: "CNAME", value: "shops.example.net" } as const

const mine = { host: "mine", type: "A", value: "192.0.2.31" } as const

const standing = "left 3600 CNAME shops.example.net"

/** Declares the test that a zone which nobody changes proves nothing for these records. */
const provesNothing = (name: string, zone: ReadonlyArray<string>, wanted: WantedRecords) =>
  controlTest(name, (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(...zone))
      const id = yield* enterByHand(wanted)
      yield* commandsFor(id).recheck
      const [state, by] = yield* outcomeOf(id)
      expect([state === "active", by]).toEqual([false, "unproven"])
      expect(yield* challengeOf(id)).toContain("_domain-connection 300 TXT")
    })
  )

describe("a zone that nobody changes proves nothing", () => {
  const policy = "v=spf1 ip4:203.0.113.0/24 ~all"
  provesNothing(
    "where policies that its SPF record includes permit the wanted senders",
    [standing, "@ 300 TXT v=spf1 include:inner.example.com ~all", `inner 300 TXT ${policy}`],
    { records: [left, { host: "@", type: "TXT", value: policy }] }
  )

  provesNothing(
    "where its DMARC record has more tags than the wanted one",
    [standing, "_dmarc 300 TXT v=DMARC1; p=none; rua=mailto:dmarc@example.com"],
    {
      records: [left, { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }],
      existingRecordPolicy: { validateDmarc: false, validateCAA: true }
    }
  )

  provesNothing("where a wildcard answers with the wanted record", ["* 3600 CNAME shops.example.net"], {
    records: [left]
  })
})

describe("a record proves nothing by being entered", () => {
  controlTest("in the place of another one, since servers may alternate between two", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith("mine 60 A 192.0.2.30"))
      const id = yield* enterByHand({ records: [mine] })
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("for another host, whose record stood already", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(standing))
      const id = yield* enterByHand({ records: [mine, left] })
      yield* acme.become(zoneWith(standing, "mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("for another host, whose record is optional", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [mine, { ...left, optional: true }] })
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("where a name server had not answered when the plan was made", (acme) =>
    Effect.gen(function* () {
      yield* acme.setSilentServer(true)
      const id = yield* enterByHand({ records: [mine] })
      yield* acme.setSilentServer(false)
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("where the name servers that show it are not those that showed nothing before", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [mine] })
      yield* acme.moveTo("ns2.acme-dns.net")
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("where some of the name servers are not asked", (acme) =>
    Effect.gen(function* () {
      yield* acme.ask("ns1.acme-dns.net")
      yield* acme.moveTo("ns1.acme-dns.net", "ns2.acme-dns.net")
      const id = yield* enterByHand({ records: [mine] })
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("where a name server does not answer the check", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [mine] })
      yield* acme.setSilentServer(true)
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest(
    "where the application accepts only the challenge or a credential",
    (acme) =>
      Effect.gen(function* () {
        const id = yield* enterByHand({ records: [mine] })
        yield* acme.become(zoneWith("mine 60 A 192.0.2.31"))
        yield* commandsFor(id).recheck
        expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
        yield* acme.become(zoneWith("mine 60 A 192.0.2.31", yield* challengeOf(id)))
        yield* commandsFor(id).recheck
        expect(yield* outcomeOf(id)).toEqual(["active", "challenge"])
      }),
    "challenge"
  )
})

/** A connection that is proven by its entered record, in a zone with more records. */
const entered = (acme: ScriptedProvider, ...zone: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const id = yield* enterByHand({ records: [mine] })
    yield* acme.become(zoneWith("mine 60 A 192.0.2.31", ...zone))
    yield* commandsFor(id).recheck
    expect(yield* outcomeOf(id)).toEqual(["active", "entered_records"])
    return id
  })

describe("a new intent of a connection that was proven by entered records", () => {
  controlTest("does not take another host whose record stood already, before the challenge is shown", (acme) =>
    Effect.gen(function* () {
      const id = yield* entered(acme, standing)
      yield* commandsFor(id).changeIntent([mine, left])
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      const { allowedNames, effectiveIntent, state } = yield* readConnection(id)
      expect([state, effectiveIntent.records.map(({ host }) => host), allowedNames]).toEqual([
        "awaiting_manual",
        ["mine"],
        ["mine.example.com"]
      ])
      yield* acme.become(zoneWith("mine 60 A 192.0.2.31", standing, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "challenge"])
    })
  )

  controlTest("takes another host whose record is entered, and then one more, but none that stood", (acme) =>
    Effect.gen(function* () {
      const id = yield* entered(acme)
      const both = ["mine 60 A 192.0.2.31", "shop 60 CNAME shops.example.net"]
      yield* commandsFor(id).changeIntent([mine, platform])
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith(...both))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "entered_records"])
      yield* acme.become(zoneWith(...both, standing))
      yield* commandsFor(id).changeIntent([mine, platform, left])
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["awaiting_manual", "entered_records"])
      expect(yield* challengeOf(id)).toContain("_domain-connection 300 TXT")
    })
  )

  controlTest("needs no other proof for a new value at the same host", (acme) =>
    Effect.gen(function* () {
      const id = yield* entered(acme)
      yield* commandsFor(id).changeIntent([{ ...mine, value: "192.0.2.32" }])
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith("mine 60 A 192.0.2.32"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "entered_records"])
    })
  )
})

describe("a host for which another tenant of the application has asked", () => {
  controlTest("is proven by the challenge alone, also after that tenant has given up", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [platform] })
      const other = yield* enterByHand({ records: [platform] }, rival)
      // The customer of the other tenant enters the record, and the connection ends before the next check of this one.
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(other, rival).cancel
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("is proven by the challenge alone, also after that tenant asks for other hosts", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [platform] })
      const other = yield* createDiscovered([platform], rival)
      yield* acme.become(zoneWith(shop))
      yield* Effect.flatMap(Connections, (connections) =>
        connections.update(rival, other, { intent: { domain: "example.com", records: [mine] } }, changeOptions)
      )
      yield* waitUntilIdle
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("is planned with the challenge, also after that tenant has left it", (acme) =>
    Effect.gen(function* () {
      const other = yield* connect(rival)
      yield* commandsFor(other, rival).disconnect
      yield* commandsFor(other, rival).authorize()
      yield* commandsFor(other, rival).approve()
      expect(acme.now().records.some(({ host }) => host === "shop")).toBe(false)
      const id = yield* createDiscovered()
      const listPlannedHosts = Effect.map(readConnection(id), ({ plan }) =>
        plan?.changes.map(({ after }) => after?.host)
      )
      // A credential needs no challenge here: it is asked for once the customer chooses to enter the records by hand.
      expect(yield* listPlannedHosts).toEqual(["shop"])
      yield* commandsFor(id).chooseManual
      expect(yield* listPlannedHosts).toEqual(["shop", "_domain-connection"])
    })
  )
})

const changeOptions = {
  callableActions: ["update" as const],
  idempotency: Option.none(),
  ifVersion: Option.none()
}
