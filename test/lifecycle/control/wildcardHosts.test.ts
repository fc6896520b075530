import { describe, expect } from "bun:test"
import { Effect } from "effect"
import {
  commandsFor,
  controlTest,
  initialRecords,
  type ScriptedProvider,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, enterByHand, outcomeOf, rival } from "./controlSteps.ts"

const shop = { host: "shop", type: "A", value: "192.0.2.31" } as const

const wildcard = { ...shop, host: "*" } as const

const nested = { ...shop, host: "*.shop" } as const

const deep = { ...shop, host: "eu.shop" } as const

describe("a wildcard that came after the plan", () => {
  controlTest("proves no host below it, even where it alternates between values and one is the planned one", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [shop] })
      // Its answer for a new name is another one than that for the host, which therefore looks like a record of its own.
      yield* acme.become(zoneWith("* 60 A 192.0.2.30", "shop 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )

  controlTest("proves itself and the hosts below it, where it is of the plan as well", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [wildcard, { ...shop, value: "192.0.2.32" }] })
      yield* acme.become(zoneWith("* 60 A 192.0.2.31", "shop 60 A 192.0.2.32"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "entered_records"])
    })
  )

  controlTest("proves no host where another one, which is not of the plan, answers too", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [nested, deep] })
      yield* acme.become(zoneWith("* 60 A 192.0.2.30", "*.shop 60 A 192.0.2.31", "eu.shop 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
    })
  )
})

describe("a request of another tenant", () => {
  for (const [name, requested, wanted] of [
    ["for the wildcard above", wildcard, shop],
    ["for a wildcard further above", wildcard, deep],
    ["for a host below the wildcard", shop, wildcard],
    ["for a host further below the wildcard", deep, wildcard],
    ["for a wildcard below the wildcard", nested, wildcard]
  ] as const) {
    const begin = enterByHand({ records: [wanted] })
    const isNotProven = (acme: ScriptedProvider, id: Effect.Effect.Success<typeof begin>) =>
      Effect.gen(function* () {
        yield* acme.become(zoneWith(`${wanted.host} 60 A 192.0.2.31`))
        yield* commandsFor(id).recheck
        expect(yield* outcomeOf(id)).toEqual(["verifying", "unproven"])
      })

    controlTest(`${name} takes their proof from entered records`, (acme) =>
      Effect.gen(function* () {
        const id = yield* begin
        yield* enterByHand({ records: [requested] }, rival)
        yield* isNotProven(acme, id)
      })
    )

    controlTest(`${name} does so also after it was given up`, (acme) =>
      Effect.gen(function* () {
        const id = yield* begin
        const other = yield* enterByHand({ records: [requested] }, rival)
        yield* commandsFor(other, rival).cancel
        yield* isNotProven(acme, id)
      })
    )
  }

  controlTest("for a host beside the wildcard, or above it, takes nothing", (acme) =>
    Effect.gen(function* () {
      const id = yield* enterByHand({ records: [nested] })
      yield* enterByHand({ records: [shop, { ...shop, host: "shop2" }, { ...shop, host: "a.b" }] }, rival)
      yield* acme.become(zoneWith("*.shop 60 A 192.0.2.31"))
      yield* commandsFor(id).recheck
      expect(yield* outcomeOf(id)).toEqual(["active", "entered_records"])
    })
  )
})

describe("where only contested domains need a proof, one below a wildcard needs it", () => {
  controlTest(
    "because of the tenant that holds the wildcard",
    () =>
      Effect.gen(function* () {
        yield* connect(rival, [wildcard])
        const id = yield* enterByHand({ domain: "eu.shop.example.com", records: [{ ...shop, host: "@" }] })
        expect(yield* challengeOf(id)).toContain("_domain-connection 300 TXT")
      }),
    "when_contested"
  )

  controlTest(
    "because of a tenant that has proven control of the wildcard, before its record is served",
    (acme) =>
      Effect.gen(function* () {
        yield* acme.serve(...initialRecords)
        const other = yield* connect(rival, [wildcard])
        expect(yield* outcomeOf(other, rival)).toEqual(["verifying", "credential"])
        const id = yield* enterByHand({ domain: "eu.shop.example.com", records: [{ ...shop, host: "@" }] })
        expect(yield* challengeOf(id)).toContain("_domain-connection 300 TXT")
      }),
    "when_contested"
  )
})
