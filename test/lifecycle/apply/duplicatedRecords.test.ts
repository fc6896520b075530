import { expect } from "bun:test"
import { Effect } from "effect"
import { effect } from "../../support/effectTest.ts"
import { applyChanges } from "../../support/planFixtures.ts"
import { hasSameRecords, rejectWith, type scriptedZone, type WriteBehavior } from "../../support/scriptedZone.ts"
import { apply, changes, journalLines, journalOf, prepareShopPlan, shop, withPlanApplier } from "./applyFixtures.ts"

for (const isAtomic of [true, false])
  effect(`a record that a late call created again is removed once, ${isAtomic ? "in one call" : "by itself"}`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = prepareShopPlan(isAtomic)
        yield* at.play(createAgain(at))
        yield* apply(request())
        expect(hasSameRecords(at.now(), applyChanges(shop, changes))).toBe(true)
        expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      })
    )
  )

effect("a record that stays in the zone twice fails the run by its name", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(createAgain(at), rejectWith("record_value_rejected"))
      expect(yield* Effect.flip(apply(request()))).toMatchObject({
        code: "apply_partial",
        hasWrites: true,
        detail: "the zone has more than once: shop A 192.0.2.9; the script says so"
      })
    })
  )
)

/** The call is carried out, and its creation of `shop` once more after that. */
const createAgain =
  (at: ReturnType<typeof scriptedZone>): WriteBehavior =>
  (send) =>
    Effect.zipRight(
      send,
      Effect.suspend(() => {
        const zone = at.now()
        return at.become({ ...zone, records: [...zone.records, ...zone.records.filter(({ host }) => host === "shop")] })
      })
    )
