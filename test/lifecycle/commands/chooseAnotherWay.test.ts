import { describe, expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { listAllowedActions } from "../../../src/lifecycle/state/listAllowedActions.ts"
import type { ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { dropRequest, rejectWith, succeed } from "../../support/scriptedZone.ts"
import { challengeOf } from "../control/controlSteps.ts"
import {
  acmeTest,
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
  type ScriptedProvider,
  tenancy,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { zoneOf } from "../../support/planFixtures.ts"

const shop = "shop 3600 CNAME shops.example.net"

const website = { host: "@", type: "A", value: "192.0.2.77" } as const

const mail = initialRecords.slice(1)

const allowedActionsOf = (id: ConnectionId) =>
  Effect.zipWith(readConnectionRecord(id), DateTime.now, listAllowedActions)

/** Ways of a provider to refuse a plan before anything is written: when it opens the zone, or at the first write. */
const refusals: ReadonlyArray<readonly [ProviderFailureCode, "opening" | "writing"]> = [
  ["zone_too_large", "opening"],
  ["provider_zone_locked", "opening"],
  ["provider_record_locked", "writing"],
  ["record_value_rejected", "writing"],
  ["apply_rejected", "writing"]
]

/** A connection whose customer authorized and approved, and whose provider refused. */
const refused = (acme: ScriptedProvider, [code, when]: (typeof refusals)[number]) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* when === "opening" ? acme.refuse(code) : acme.play(rejectWith(code))
    yield* commandsFor(id).authorize()
    if (when === "writing") yield* commandsFor(id).approve()
    expect(yield* readState(id)).toBe(`failed: ${code} → authorized`)
    return id
  })

describe("after a provider refused a plan before anything was written", () => {
  for (const refusal of refusals) {
    const [code] = refusal

    acmeTest(`with ${code}, the customer enters the records by hand, and disconnecting removes them`, (acme) =>
      Effect.gen(function* () {
        const id = yield* refused(acme, refusal)
        expect(yield* allowedActionsOf(id)).toEqual(["authorization", "retry", "cancel", "update"])
        yield* commandsFor(id).chooseManual
        expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["awaiting_manual", [`create | ${shop}`]])
        yield* acme.become(zoneWith(shop))
        yield* commandsFor(id).recheck
        expect(yield* readState(id)).toBe("active")
        yield* commandsFor(id).disconnect
        expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["disconnecting", [`delete! | ${shop}`]])
        expect(acme.made()).toEqual([])
      })
    )

    acmeTest(`with ${code}, a record that the customer entered before they chose so is removed as well`, (acme) =>
      Effect.gen(function* () {
        const id = yield* refused(acme, refusal)
        yield* acme.become(zoneWith(shop))
        yield* commandsFor(id).chooseManual
        expect(yield* readState(id)).toBe("active")
        yield* commandsFor(id).disconnect
        expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["disconnecting", [`delete! | ${shop}`]])
      })
    )

    acmeTest(`with ${code}, a retry plans again with the same credential`, (acme) =>
      Effect.gen(function* () {
        const id = yield* refused(acme, refusal)
        yield* acme.refuse()
        yield* commandsFor(id).retry
        expect(yield* readState(id)).toBe("planned")
        yield* commandsFor(id).approve()
        expect(yield* readState(id)).toBe("active")
      })
    )

    acmeTest(`with ${code}, the same credential with the same consent is another attempt`, (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        const { plan } = yield* readConnection(id)
        const consent = plan && { digest: plan.digest, acknowledged: [] }
        yield* refusal[1] === "opening" ? acme.refuse(code) : acme.play(rejectWith(code))
        yield* commandsFor(id).authorize(consent)
        expect(yield* readState(id)).toBe(`failed: ${code} → authorized`)
        yield* acme.refuse()
        yield* commandsFor(id).authorize(consent)
        expect([yield* readState(id), acme.made().length]).toEqual(["active", 1])
      })
    )
  }

  acmeTest("the connection holds its intent until it is canceled", (acme) =>
    Effect.gen(function* () {
      const id = yield* refused(acme, ["apply_rejected", "writing"])
      const create = Effect.flatMap(Connections, (connections) =>
        connections.create(tenancy, { domain: "example.com", records: [platform] }, Option.none())
      )
      expect(yield* Effect.flip(create)).toMatchObject({ code: "connection_exists", connectionId: id })
      yield* commandsFor(id).cancel
      const { stored } = yield* create
      expect(stored.id).not.toBe(id)
    })
  )
})

/** A connection of which the provider has written the first change, and then behaved so. */
const partlyWritten = (acme: ScriptedProvider, next = rejectWith("apply_rejected"), count = 1) =>
  Effect.gen(function* () {
    yield* acme.writeInSingleCalls
    const id = yield* createDiscovered([website, platform])
    yield* commandsFor(id).authorize()
    yield* acme.play(succeed, ...Array.from({ length: count }, () => next))
    yield* commandsFor(id).acknowledgeAndApprove
    expect(acme.made().length).toBe(1)
    return id
  })

const describeRecord = ({ host, type, value }: ZoneRecord) => `${host} ${type} ${value}`

/** Removes the records with a credential, and expects the zone of the beginning. */
const disconnectRestores = (acme: ScriptedProvider, id: ConnectionId) =>
  Effect.gen(function* () {
    yield* commandsFor(id).disconnect
    yield* commandsFor(id).authorize()
    yield* commandsFor(id).acknowledgeAndApprove
    expect([yield* readState(id), (yield* readConnection(id)).leftovers]).toEqual(["disconnected", []])
    expect(acme.now().records.map(describeRecord).toSorted()).toEqual(zoneWith().records.map(describeRecord).toSorted())
  })

/** The customer enters what is missing, so that the zone is this one; the connection is active then, and can be put back. */
const restIsEntered = (acme: ScriptedProvider, id: ConnectionId, zone: Parameters<typeof acme.become>[0]) =>
  Effect.gen(function* () {
    yield* acme.become(zone)
    yield* commandsFor(id).recheck
    expect(yield* readState(id)).toBe("active")
    yield* disconnectRestores(acme, id)
  })

const complete = zoneOf("@ 3600 A 192.0.2.77", ...mail, shop)

describe("after a part of a plan was written", () => {
  acmeTest("the customer enters the rest by hand, and disconnecting restores all of it", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      const planned = (yield* readPlannedChanges(id)) ?? []
      expect(yield* readState(id)).toBe("failed: apply_partial → authorized")
      const outcomes = (yield* readConnection(id)).failure?.details?.flatMap(({ host, outcome }) =>
        outcome === undefined ? [] : [`${host} ${outcome}`]
      )
      expect(outcomes).toEqual(expect.arrayContaining([expect.stringContaining("not_made")]))
      expect(yield* allowedActionsOf(id)).toEqual(["authorization", "retry", "disconnect", "update"])
      yield* commandsFor(id).chooseManual
      const rest = (yield* readPlannedChanges(id)) ?? []
      expect([planned.length, rest.length, yield* readState(id)]).toEqual([2, 1, "awaiting_manual"])
      yield* restIsEntered(acme, id, complete)
    })
  )

  acmeTest("the customer enters the rest before they choose so, and disconnecting restores all of it", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* acme.become(complete)
      yield* commandsFor(id).chooseManual
      expect(yield* readState(id)).toBe("active")
      yield* disconnectRestores(acme, id)
    })
  )

  acmeTest("the customer enters the rest by hand, and disconnects before it is checked", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* commandsFor(id).chooseManual
      yield* acme.become(complete)
      yield* disconnectRestores(acme, id)
    })
  )

  acmeTest("which the name servers do not show yet, it is not restored twice", (acme) =>
    Effect.gen(function* () {
      yield* acme.serve(...initialRecords)
      const id = yield* partlyWritten(acme)
      yield* commandsFor(id).chooseManual
      expect([(yield* readPlannedChanges(id))?.length, yield* readState(id)]).toEqual([2, "awaiting_manual"])
      yield* acme.serveZone
      yield* restIsEntered(acme, id, complete)
    })
  )

  acmeTest("while the provider does not answer any more, the customer need not wait for it", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme, rejectWith("provider_unavailable"), 3)
      expect(yield* readState(id)).toContain("failed: ")
      yield* commandsFor(id).chooseManual
      expect([(yield* readPlannedChanges(id))?.length, yield* readState(id)]).toEqual([1, "awaiting_manual"])
      yield* restIsEntered(acme, id, complete)
    })
  )

  acmeTest("and the rest perhaps, the customer enters what is missing by hand", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme, dropRequest, 9)
      yield* acme.play()
      yield* commandsFor(id).chooseManual
      expect([(yield* readPlannedChanges(id))?.length, yield* readState(id)]).toEqual([1, "awaiting_manual"])
      yield* restIsEntered(acme, id, complete)
    })
  )

  acmeTest("another credential continues, and nothing is written twice", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* commandsFor(id).authorize()
      expect([(yield* readPlannedChanges(id))?.length, yield* readState(id)]).toEqual([1, "planned"])
      yield* commandsFor(id).acknowledgeAndApprove
      expect([yield* readState(id), acme.made().length]).toEqual(["active", 2])
      yield* disconnectRestores(acme, id)
    })
  )

  controlTest(
    "where control must be proven, the challenge is entered with the rest, and removed with all of it",
    (acme) =>
      Effect.gen(function* () {
        const id = yield* partlyWritten(acme)
        yield* commandsFor(id).chooseManual
        const challenge = yield* challengeOf(id)
        expect([(yield* readPlannedChanges(id))?.[1], yield* readState(id)]).toEqual([
          `create | ${challenge}`,
          "awaiting_manual"
        ])
        yield* restIsEntered(acme, id, zoneOf("@ 3600 A 192.0.2.77", ...mail, shop, challenge))
      })
  )

  controlTest("where no zone can be read for a new plan, the challenge is entered later, and removed as well", (acme) =>
    Effect.gen(function* () {
      const id = yield* partlyWritten(acme)
      yield* acme.setSilent(true)
      yield* commandsFor(id).chooseManual
      yield* advanceTime("1 hour")
      yield* acme.setSilent(false)
      yield* acme.become(complete)
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("verifying")
      yield* restIsEntered(acme, id, zoneOf("@ 3600 A 192.0.2.77", ...mail, shop, yield* challengeOf(id)))
    })
  )

  acmeTest("of a new intent, the customer goes on by hand as well, and may go back to the old one", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([platform])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("active")
      yield* commandsFor(id).changeIntent([website, { ...platform, host: "blog" }, platform])
      yield* acme.writeInSingleCalls
      yield* commandsFor(id).authorize()
      yield* acme.play(succeed, rejectWith("apply_rejected"))
      yield* commandsFor(id).acknowledgeAndApprove
      expect(yield* readState(id)).toBe("failed: apply_partial → authorized")
      yield* commandsFor(id).chooseManual
      expect([(yield* readPlannedChanges(id))?.length, yield* readState(id)]).toEqual([1, "awaiting_manual"])
      const changed = zoneOf("@ 3600 A 192.0.2.77", ...mail, shop, "blog 3600 CNAME shops.example.net")
      yield* restIsEntered(acme, id, changed)
    })
  )
})

describe("after the customer entered some of the records by hand and then gave a credential", () => {
  const [address = ""] = initialRecords
  const former = "shop 300 A 192.0.2.3"
  const before = [...initialRecords, former]
  const newAddress = "@ 3600 A 192.0.2.77"
  const stories: ReadonlyArray<readonly [title: string, entered: ReadonlyArray<string>]> = [
    ["nothing", before],
    ["an added one", [...before, "blog 3600 CNAME shops.example.net"]],
    ["a replaced one", [newAddress, ...mail, former]],
    ["half of a replacement, the new one", [address, newAddress, ...mail, former]],
    ["half of a replacement, the removal", [...mail, former]],
    ["a removed one", initialRecords],
    ["one in place of a removed one", [...initialRecords, shop]]
  ]
  for (const [title, entered] of stories)
    for (const isChecked of [true, false])
      acmeTest(
        `disconnecting restores everything: ${title}, ${isChecked ? "found by a check" : "not checked"}`,
        (acme) =>
          Effect.gen(function* () {
            yield* acme.become(zoneOf(...before))
            const id = yield* createDiscovered([website, platform, { ...platform, host: "blog" }])
            yield* commandsFor(id).chooseManual
            yield* acme.become(zoneOf(...entered))
            if (isChecked) yield* commandsFor(id).recheck
            yield* commandsFor(id).authorize()
            yield* advanceTime("1 second")
            yield* commandsFor(id).acknowledgeAndApprove
            expect(yield* readState(id)).toBe("active")
            yield* removeWithCredential(id)
            expect([yield* readState(id), (yield* readConnection(id)).leftovers]).toEqual(["disconnected", []])
            expect(acme.now().records.map(describeRecord).toSorted()).toEqual(
              zoneOf(...before)
                .records.map(describeRecord)
                .toSorted()
            )
          })
      )

  acmeTest("disconnecting restores everything: all of them, so that the service wrote nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([website, platform])
      yield* commandsFor(id).chooseManual
      yield* acme.become(complete)
      yield* commandsFor(id).authorize()
      expect(yield* readState(id)).toBe("active")
      yield* disconnectRestores(acme, id)
    })
  )

  for (const hidden of [shop, "shop 3600 CNAME other.example.net"])
    acmeTest(`what stood there before is as it was, although name servers showed something else: ${hidden}`, (acme) =>
      Effect.gen(function* () {
        yield* acme.become(zoneWith(hidden))
        yield* acme.serve(...before)
        const id = yield* createDiscovered([website, platform])
        yield* commandsFor(id).chooseManual
        yield* commandsFor(id).authorize()
        yield* commandsFor(id).acknowledgeAndApprove
        yield* hidden === shop ? acme.serve(newAddress, ...mail, former) : acme.serveZone
        yield* removeWithCredential(id)
        expect(acme.now().records.map(describeRecord).toSorted()).toEqual(
          zoneWith(hidden).records.map(describeRecord).toSorted()
        )
      })
    )
})

const removeWithCredential = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* commandsFor(id).disconnect
    yield* commandsFor(id).authorize()
    if ((yield* readState(id)) === "planned") yield* commandsFor(id).acknowledgeAndApprove
  })
