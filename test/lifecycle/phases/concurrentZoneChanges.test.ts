import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Tables } from "../../support/memory/Tables.ts"
import { describeChange, zoneOf } from "../../support/planFixtures.ts"
import { dropRequest, dropResponse } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  readConnection,
  readPlannedChanges,
  readState,
  zoneWith
} from "./scriptedProvider.ts"

const initialRecords = ["@ 300 A 192.0.2.1", "@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"]

const policy = (...terms: ReadonlyArray<string>) => zoneWith(`@ 300 TXT v=spf1 ${terms.join(" ")} ~all`)

acmeTest("a zone that changed after a run without writes is planned again, and nothing is written", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered([{ host: "shop", type: "A", value: "192.0.2.9" }])
    yield* commandsFor(id).authorize()
    yield* acme.play(dropRequest, dropRequest)
    yield* commandsFor(id).approve()
    expect(yield* readState(id)).toBe("failed: apply_timeout → authorized")
    yield* commandsFor(id).retry
    expect(yield* readState(id)).toBe("planned")
    yield* acme.become(zoneWith("shop 300 A 198.51.100.7"))
    yield* advanceTime("5 minutes")
    yield* commandsFor(id).approve()
    expect(yield* readState(id)).toBe("planned")
    expect(acme.made().map(describeChange)).toEqual([])
  })
)

describe("a serious warning that only the zone at the time of the write gives", () => {
  const shop = "shop 300 A 192.0.2.5"
  const mailAtShop = "@ 300 MX 20 shop.example.com"

  acmeTest("waits for an acknowledgement after the approval of the same changes", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered([{ host: "shop", type: "A", value: "192.0.2.9" }])
      yield* commandsFor(id).authorize()
      const before = yield* readConnection(id)
      expect(before.plan?.warnings).not.toContain("mail_target_changed")
      yield* acme.become(zoneWith(shop, mailAtShop))
      yield* commandsFor(id).acknowledgeAndApprove
      const after = yield* readConnection(id)
      expect([yield* readState(id), after.replan?.code, after.plan?.digest]).toEqual([
        "planned",
        "zone_changed",
        before.plan?.digest
      ])
      expect([after.plan?.warnings, acme.made()]).toEqual([expect.arrayContaining(["mail_target_changed"]), []])
      yield* commandsFor(id).acknowledgeAndApprove
      expect([yield* readState(id), acme.made().map(describeChange)]).toEqual([
        "active",
        ["update! | shop 300 A 192.0.2.5 | shop 3600 A 192.0.2.9"]
      ])
    })
  )

  acmeTest("waits for it in an approved plan that is tried again later", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith(shop))
      const id = yield* createDiscovered([{ host: "shop", type: "A", value: "192.0.2.9" }])
      yield* commandsFor(id).authorize()
      yield* acme.refuse("provider_unavailable")
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("failed: provider_unavailable → applying")
      yield* acme.refuse()
      yield* acme.become(zoneWith(shop, mailAtShop))
      yield* commandsFor(id).retry
      expect([yield* readState(id), (yield* readConnection(id)).plan?.warnings, acme.made()]).toEqual([
        "planned",
        expect.arrayContaining(["mail_target_changed"]),
        []
      ])
    })
  )
})

acmeTest("a policy that was written and edited before the answer came is reverted with its connection", (acme) =>
  Effect.gen(function* () {
    yield* acme.become(policy("include:old.example.org"))
    const id = yield* createDiscovered([{ host: "@", type: "TXT", value: "v=spf1 include:ours.example.net ~all" }])
    yield* commandsFor(id).authorize()
    const edited = policy("include:old.example.org", "include:ours.example.net", "include:new.example.org")
    yield* acme.play((send) => dropResponse(Effect.zipLeft(send, acme.become(edited))))
    yield* commandsFor(id).acknowledgeAndApprove
    expect(yield* readState(id)).toBe("failed: apply_partial → authorized")
    expect(yield* Effect.flip(commandsFor(id).cancel)).toMatchObject({ code: "records_written" })
    yield* commandsFor(id).retry
    expect(yield* readState(id)).toBe("active")
    yield* commandsFor(id).disconnect
    yield* commandsFor(id).authorize()
    yield* commandsFor(id).acknowledgeAndApprove
    expect([yield* readState(id), acme.now().records.filter(({ type }) => type === "TXT")]).toMatchObject([
      "disconnected",
      [{ value: "v=spf1 include:old.example.org include:new.example.org ~all" }]
    ])
  })
)

acmeTest(
  "two connections that change one policy, shortly after each other, lose no part of it in a list that lags",
  (acme) =>
    Effect.gen(function* () {
      yield* acme.lagBy("1 minute")
      const [first, second] = yield* Effect.forEach(["a", "b"], (name) =>
        createDiscovered([{ host: "@", type: "TXT", value: `v=spf1 include:${name}.example.net ~all` }])
      )
      if (first === undefined || second === undefined) return yield* Effect.dieMessage("there are two connections")
      yield* commandsFor(first).authorize()
      yield* acme.play((send) => Effect.zipRight(send, acme.setDown(true)))
      yield* commandsFor(first).acknowledgeAndApprove
      expect([yield* readState(first), acme.made().length]).toEqual(["failed: provider_unavailable → applying", 1])
      yield* acme.setDown(false)
      yield* commandsFor(second).authorize()
      yield* commandsFor(second).acknowledgeAndApprove
      const policies = acme.now().records.flatMap(({ type, value }) => (type === "TXT" ? [value] : []))
      expect(policies).toEqual(["v=spf1 include:a.example.net include:b.example.net ~all"])
    })
)

acmeTest("a canceled connection keeps no credential, even after a failure", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    const credentialCount = Effect.map(Tables, ({ credentials }) => credentials.size)
    yield* acme.refuse("provider_snapshot_failed")
    yield* commandsFor(id).authorize()
    expect([yield* readState(id), yield* credentialCount]).toEqual(["failed: provider_snapshot_failed → authorized", 1])
    yield* commandsFor(id).cancel
    expect([yield* readState(id), yield* credentialCount]).toEqual([
      "canceled: provider_snapshot_failed → authorized",
      0
    ])
  })
)

acmeTest("manual setup can be chosen after a credential that did not open the zone", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* acme.refuse("credential_invalid")
    yield* commandsFor(id).authorize()
    yield* commandsFor(id).chooseManual
    expect(yield* readState(id)).toBe("awaiting_manual")
  })
)

acmeTest(
  "a disconnect after manual setup lists all entered records for removal, even one that was restored in between",
  (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([
        { host: "a", type: "TXT", value: "one" },
        { host: "b", type: "TXT", value: "two" }
      ])
      const all = [...initialRecords, "a 3600 TXT one", "b 3600 TXT two"]
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneOf(...all))
      yield* commandsFor(id).recheck
      yield* advanceTime("1 minute")
      yield* acme.become(zoneOf(...all.slice(0, -1)))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("degraded")
      yield* acme.become(zoneOf(...all))
      yield* commandsFor(id).recheck
      yield* advanceTime("1 minute")
      yield* commandsFor(id).disconnect
      expect(yield* readState(id)).toBe("disconnecting")
      expect((yield* readPlannedChanges(id))?.toSorted()).toEqual([
        "delete! | a 3600 TXT one",
        "delete! | b 3600 TXT two"
      ])
    })
)
