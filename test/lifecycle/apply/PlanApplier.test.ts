import { expect } from "bun:test"
import { Effect, Exit, Fiber, TestClock } from "effect"
import { JournalStore } from "../../../src/persistence/stores/JournalStore.ts"
import { effect } from "../../support/effectTest.ts"
import { applyChanges, describeChange, zoneOf } from "../../support/planFixtures.ts"
import {
  dropRequest,
  dropResponse,
  failWithServerError,
  hasSameRecords,
  rejectWith,
  succeed
} from "../../support/scriptedZone.ts"
import { apply, applyFailureOf, completesWithin, connectionId, journalOf, withPlanApplier } from "./applyFixtures.ts"
import { all, changes, dieAfterWrite, dieBeforeWrite, exitOf, shop, shopMove, words } from "./shopMove.ts"

effect("the plan is made of changes that add, replace and make room", () =>
  Effect.sync(() =>
    expect(words).toEqual([
      "create | shop 300 A 192.0.2.9",
      "update! | @ 300 MX 10 mx.example.org | @ 300 MX 10 mx.example.net",
      "delete! | www 300 A 192.0.2.1",
      "delete! | www 300 A 192.0.2.2",
      "create | www 300 CNAME web.example.net"
    ])
  )
)

for (const isAtomic of [true, false])
  effect(`a plan is written, each change once, ${isAtomic ? "in one call" : "one call after the other"}`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = shopMove(isAtomic)
        yield* apply(request())
        expect(at.now()).toEqual(applyChanges(shop, changes))
        expect(at.made()).toEqual([...changes])
        expect(yield* journalOf()).toEqual(all("confirmed"))
      })
    )
  )

effect("a plan that was applied is not applied again", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* apply(request())
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
    })
  )
)

for (const [when, turn, made] of [
  ["before the provider did anything", dieBeforeWrite, 0],
  ["after the provider did it", dieAfterWrite, changes.length]
] as const)
  effect(`a process that died in the call, ${when}, is followed by one that finds that out`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = shopMove()
        yield* at.play(turn)
        expect(Exit.isInterrupted(yield* exitOf(apply(request())))).toBe(true)
        expect(yield* journalOf()).toEqual(all("sent"))
        expect(at.made()).toHaveLength(made)
        yield* apply(request())
        expect(at.made()).toEqual([...changes])
        expect(yield* journalOf()).toEqual(all("confirmed"))
      })
    )
  )

for (const isAtomic of [true, false])
  for (const [what, turn] of [
    ["a call", dropRequest],
    ["an answer", dropResponse]
  ] as const)
    effect(`when ${what} is lost the zone is read, and no change made twice (${isAtomic ? "" : "not "}atomic)`, () =>
      withPlanApplier(
        Effect.gen(function* () {
          const { at, request } = shopMove(isAtomic)
          yield* at.play(turn)
          yield* apply(request())
          expect(at.made()).toEqual([...changes])
          expect(yield* journalOf()).toEqual(all("confirmed"))
        })
      )
    )

effect("what stays unknown is said to be so, and found out by the next attempt", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play(dropRequest, dropResponse)
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_timeout", written: true })
      expect(yield* journalOf()).toEqual(all("unknown"))
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
      expect(yield* journalOf()).toEqual(all("confirmed"))
    })
  )
)

effect("when the zone cannot be read after a call was lost, what was sent stays unknown", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play((send) => Effect.zipRight(at.setDown(true), dropResponse(send)))
      expect(yield* completesWithin("10 seconds", applyFailureOf(request()))).toEqual({
        code: "provider_unavailable",
        written: true
      })
      expect(yield* journalOf()).toEqual(all("unknown"))
      yield* at.setDown(false)
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
    })
  )
)

for (const isAtomic of [true, false])
  effect(`a provider that breaks down for a moment is tried again (${isAtomic ? "" : "not "}atomic)`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = shopMove(isAtomic)
        yield* at.play(failWithServerError, failWithServerError, failWithServerError)
        yield* completesWithin("10 seconds", apply(request()))
        expect(at.made()).toEqual([...changes])
        expect(yield* journalOf()).toEqual(all("confirmed"))
      })
    )
  )

effect("a provider that breaks down every time is not tried for ever, and the next attempt goes on", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play(failWithServerError, failWithServerError, failWithServerError, failWithServerError)
      const hindered = yield* completesWithin("10 seconds", applyFailureOf(request()))
      expect(hindered).toEqual({ code: "provider_unavailable", written: true })
      expect(yield* journalOf()).toEqual(all("unknown"))
      yield* apply(request())
      expect(at.made()).toEqual([...changes])
    })
  )
)

effect("a provider that asks for a pause gets it, and the plan is written then", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play(rejectWith("provider_rate_limited", "7 seconds"))
      const applying = yield* Effect.fork(apply(request()))
      yield* TestClock.adjust("6 seconds")
      expect(at.made()).toEqual([])
      yield* completesWithin("10 seconds", Fiber.join(applying))
      expect(at.made()).toEqual([...changes])
      expect(yield* journalOf()).toEqual(all("confirmed"))
    })
  )
)

effect("a provider that asks for a pause longer than anybody waits is not tried again", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play(rejectWith("provider_rate_limited", "1 hour"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "provider_rate_limited", written: false })
      expect(yield* journalOf()).toEqual(all("failed"))
    })
  )
)

for (const isAtomic of [true, false])
  effect(`a provider that refuses the first call has nothing written (${isAtomic ? "" : "not "}atomic)`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = shopMove(isAtomic)
        yield* at.play(rejectWith("apply_rejected"))
        expect(yield* applyFailureOf(request())).toEqual({ code: "apply_rejected", written: false })
        expect(at.now()).toEqual(shop)
        expect(yield* journalOf()).toEqual(all("failed"))
        expect(yield* Effect.flatMap(JournalStore, ({ hasWrites }) => hasWrites(connectionId))).toBe(false)
      })
    )
  )

effect("what only made room for a change is put back when that is refused", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove(false)
      yield* at.play(succeed, succeed, succeed, succeed, rejectWith("record_value_rejected"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", written: true })
      expect(hasSameRecords(at.now(), applyChanges(shop, changes.slice(0, 2)))).toBe(true)
      expect(yield* journalOf()).toEqual([
        ...words.slice(0, 4).map((change) => `confirmed | ${change}`),
        `failed | ${words[4]}`,
        "confirmed | create | www 300 A 192.0.2.1",
        "confirmed | create | www 300 A 192.0.2.2"
      ])
    })
  )
)

effect("what made room is put back after a crash in the midst of it, and not twice", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove(false)
      yield* at.play(succeed, succeed, succeed, succeed, rejectWith("apply_rejected"), dieAfterWrite)
      yield* exitOf(apply(request()))
      expect((yield* journalOf()).slice(4)).toEqual([
        `failed | ${words[4]}`,
        "sent | create | www 300 A 192.0.2.1",
        "pending | create | www 300 A 192.0.2.2"
      ])
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", written: true })
      expect(at.made().slice(4).map(describeChange)).toEqual([
        "create | www 300 A 192.0.2.1",
        "create | www 300 A 192.0.2.2"
      ])
      expect((yield* journalOf()).slice(5)).toEqual([
        "confirmed | create | www 300 A 192.0.2.1",
        "confirmed | create | www 300 A 192.0.2.2"
      ])
    })
  )
)

effect("what stands for itself stays when a later change is refused", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove(false)
      yield* at.play(succeed, rejectWith("provider_zone_locked"))
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", written: true })
      expect(at.made().map(describeChange)).toEqual(words.slice(0, 1))
      expect(yield* journalOf()).toEqual([
        `confirmed | ${words[0]}`,
        ...words.slice(1).map((change) => `failed | ${change}`)
      ])
    })
  )
)

for (const isAtomic of [true, false])
  effect(`a zone that has changed since it was read is not written (${isAtomic ? "" : "not "}atomic)`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = shopMove(isAtomic)
        const planned = request()
        const other = zoneOf("shop 300 TXT meanwhile", "@ 300 MX 10 mx.example.org", "www 300 A 192.0.2.1")
        yield* at.become(other)
        expect(yield* applyFailureOf(planned)).toBe("ZoneChanged")
        expect(at.now()).toEqual(other)
        expect(yield* journalOf()).toEqual(all("failed"))
      })
    )
  )

effect("a zone that changes in the midst of the writing leaves the plan applied in part", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove(false)
      yield* at.play((send) =>
        Effect.zipRight(
          send,
          Effect.suspend(() => at.become({ ...shop, records: at.now().records.filter(({ type }) => type !== "MX") }))
        )
      )
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", written: true })
      expect(at.made()).toHaveLength(1)
    })
  )
)

effect("after a crash nothing is written over what somebody else put there", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play(dieBeforeWrite)
      yield* exitOf(apply(request()))
      const other = zoneOf("@ 300 MX 10 mx.elsewhere.example", "www 300 A 192.0.2.1", "www 300 A 192.0.2.2")
      yield* at.become(other)
      expect(yield* applyFailureOf(request())).toMatchObject({ code: "apply_partial" })
      expect(at.now()).toEqual(other)
      expect(yield* journalOf()).toEqual(all("failed"))
    })
  )
)

effect("what was written is known to be there even if what it replaced is there again", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play(dieAfterWrite)
      yield* exitOf(apply(request()))
      yield* at.become({ ...shop, records: [...at.now().records, ...zoneOf("@ 300 MX 10 mx.example.org").records] })
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", written: true })
      expect(yield* journalOf()).toEqual(all("confirmed"))
      expect(at.made()).toHaveLength(changes.length)
    })
  )
)

effect("a sibling that is lost with the writing is noticed", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = shopMove()
      yield* at.play((send) =>
        Effect.zipRight(
          send,
          Effect.suspend(() => at.become({ ...shop, records: at.now().records.filter(({ type }) => type !== "TXT") }))
        )
      )
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", written: true })
      expect(yield* journalOf()).toEqual(all("confirmed"))
    })
  )
)
