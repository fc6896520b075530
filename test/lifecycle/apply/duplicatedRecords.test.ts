import { expect } from "bun:test"
import { Effect } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { effect } from "../../support/effectTest.ts"
import { applyChanges, desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"
import {
  failWithServerError,
  hasSameRecords,
  rejectWith,
  scriptedZone,
  succeed,
  type WriteBehavior
} from "../../support/scriptedZone.ts"
import {
  apply,
  applyFailureOf,
  changes,
  completesWithin,
  dieBeforeWrite,
  exitOf,
  journalLines,
  journalOf,
  prepareShopPlan,
  requestAt,
  shop,
  withPlanApplier
} from "./applyFixtures.ts"

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

effect("an alias at the apex that the provider stores as a type of its own is removed once, too", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const empty = zoneOf()
      const at = scriptedZone(empty)
      const alias = planOrThrow({ zone: empty, desired: desiredRecords("@ 300 CNAME web.example.net") }).changes
      const [twice, once] = [2, 1].map((times) => zoneOf(...Array<string>(times).fill("@ 300 ALIAS web.example.net")))
      yield* at.play((send) => Effect.zipRight(send, at.become(twice ?? empty)))
      yield* apply(requestAt(at, alias))
      expect(at.now()).toMatchObject({ records: once?.records })
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

effect("a record that stands twice when the process dies is removed before the next plan is made", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(createAgain(at))
      yield* exitOf(apply({ ...request(), client: { ...at.client, read: Effect.interrupt } }))
      expect(at.now().records.filter(isShop)).toHaveLength(2)
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      const { removeDuplicates } = yield* PlanApplier
      const { zone } = yield* removeDuplicates(request())
      expect(hasSameRecords(zone, applyChanges(shop, changes))).toBe(true)
      expect(at.now()).toEqual(zone)
      expect((yield* removeDuplicates(request())).zone).toEqual(zone)
    })
  )
)

effect("a record that stands twice by the late call of an abandoned plan is removed by the next one", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play(succeed, dieBeforeWrite)
      yield* exitOf(apply(request()))
      expect(at.now().records.filter(isShop)).toHaveLength(1)
      const other = planOrThrow({ zone: at.now(), desired: desiredRecords("blog 300 A 192.0.2.8") }).changes
      yield* at.play((send) => Effect.zipRight(send, addShopAgain(at)))
      yield* apply(requestAt(at, other, { run: "other" }))
      expect(at.now().records.filter(isShop)).toHaveLength(1)
      expect(at.now().records.filter(({ host }) => host === "blog")).toHaveLength(1)
    })
  )
)

effect("a repeated call that is refused because the first one was made late counts as made", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan(false)
      yield* at.play(failWithServerError, (send) => Effect.zipRight(send, rejectWith("apply_rejected")(send)))
      yield* completesWithin("10 seconds", apply(request()))
      expect(hasSameRecords(at.now(), applyChanges(shop, changes))).toBe(true)
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      expect(at.made()).toEqual(changes)
    })
  )
)

effect("a repeated call that is refused and not made fails with the refusal", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepareShopPlan()
      yield* at.play(failWithServerError, rejectWith("apply_rejected"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_rejected", hasWrites: false })
      expect(at.now()).toEqual(shop)
    })
  )
)

/** The call is carried out, and its creation of `shop` once more after that. */
const createAgain =
  (at: ReturnType<typeof scriptedZone>): WriteBehavior =>
  (send) =>
    Effect.zipRight(send, addShopAgain(at))

const addShopAgain = (at: ReturnType<typeof scriptedZone>) =>
  Effect.suspend(() => {
    const zone = at.now()
    return at.become({ ...zone, records: [...zone.records, ...zone.records.filter(isShop)] })
  })

const isShop = ({ host }: ZoneRecord): boolean => host === "shop"
