import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { effect } from "../../support/effectTest.ts"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"
import {
  dropRequest,
  dropResponse,
  hasSameRecords,
  rejectWith,
  scriptedZone,
  succeed,
  type WriteBehavior
} from "../../support/scriptedZone.ts"
import {
  apply,
  applyFailureOf,
  completesWithin,
  dieAfterWrite,
  dieBeforeWrite,
  exitOf,
  journalOf,
  requestAt,
  withPlanApplier
} from "./applyFixtures.ts"

const hosts = ["blog", "docs", "shop"]

/** Three hosts with an address each, which a plan replaces by an alias. */
const start = zoneOf(...hosts.map((host) => `${host} 300 A 192.0.2.1`))
const { changes } = planOrThrow({
  zone: start,
  desired: desiredRecords(...hosts.map((host) => `${host} 300 CNAME web.example.net`))
})

/** The zone whose provider takes each change in a call of its own: all deletions first, or in the order of the plan. */
const prepare = ({
  planned = changes,
  removesFirst = true
}: { planned?: ReadonlyArray<Change>; removesFirst?: boolean } = {}) => {
  const at = scriptedZone(start, { isAtomic: false, removesFirst })
  return { at, request: () => requestAt(at, planned) }
}

const reject = rejectWith("record_value_rejected")

const times = (count: number, behavior: WriteBehavior) => Array<WriteBehavior>(count).fill(behavior)

effect("every host gets back the records that only made room, wherever the creation is refused", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepare()
      yield* at.play(...times(3, succeed), reject)
      expect(yield* applyFailureOf(request())).toEqual({ code: "record_value_rejected", hasWrites: true })
      expect(hasSameRecords(at.now(), start)).toBe(true)
      expect((yield* journalOf()).slice(6)).toEqual(hosts.map((host) => `confirmed | create | ${host} 300 A 192.0.2.1`))
    })
  )
)

effect("a host keeps its creation if it was made, and the others get back the records that made room", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepare()
      yield* at.play(...times(4, succeed), reject)
      expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
      const expected = zoneOf("blog 300 CNAME web.example.net", "docs 300 A 192.0.2.1", "shop 300 A 192.0.2.1")
      expect(hasSameRecords(at.now(), expected)).toBe(true)
    })
  )
)

effect("a host that a refused deletion left incomplete is completed again", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepare()
      yield* at.play(...times(2, succeed), reject)
      expect(yield* applyFailureOf(request())).toEqual({ code: "record_value_rejected", hasWrites: true })
      expect(hasSameRecords(at.now(), start)).toBe(true)
    })
  )
)

effect("the next process puts everything back, if the one that deleted it died before the refusal", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepare()
      yield* at.play(...times(3, succeed), dieBeforeWrite)
      yield* exitOf(apply(request()))
      yield* at.play(reject)
      expect(yield* applyFailureOf(request())).toEqual({ code: "record_value_rejected", hasWrites: true })
      expect(hasSameRecords(at.now(), start)).toBe(true)
    })
  )
)

describe("while records are put back", () => {
  for (const call of hosts.keys()) {
    for (const [about, behavior] of [
      ["the process dies before it", dieBeforeWrite],
      ["the process dies after it", dieAfterWrite],
      ["its request is lost", dropRequest],
      ["its response is lost", dropResponse]
    ] as const)
      effect(`each comes back once if, at call ${call + 1}, ${about}`, () =>
        withPlanApplier(
          Effect.gen(function* () {
            const { at, request } = prepare()
            yield* at.play(...times(3, succeed), reject, ...times(call, succeed), behavior)
            const first = yield* exitOf(completesWithin("30 seconds", apply(request())))
            expect(first._tag).toBe("Failure")
            if (behavior === dieBeforeWrite || behavior === dieAfterWrite)
              expect(yield* applyFailureOf(request())).toMatchObject({ hasWrites: true })
            expect(hasSameRecords(at.now(), start)).toBe(true)
            expect(at.made()).toHaveLength(6)
          })
        )
      )

    effect(`the others come back although record ${call + 1} is refused`, () =>
      withPlanApplier(
        Effect.gen(function* () {
          const { at, request } = prepare()
          yield* at.play(...times(3, succeed), reject, ...times(call, succeed), reject)
          expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
          const remaining = at.now().records.map(({ host }) => host)
          expect(remaining.toSorted()).toEqual(hosts.filter((_, index) => index !== call))
        })
      )
    )
  }

  effect("the others come back although another client uses a name meanwhile", () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = prepare()
        yield* at.play(...times(3, succeed), reject, dieBeforeWrite)
        yield* exitOf(apply(request()))
        yield* at.become(zoneOf("blog 300 CNAME elsewhere.example.net"))
        expect(yield* applyFailureOf(request())).toEqual({ code: "apply_partial", hasWrites: true })
        const expected = zoneOf("blog 300 CNAME elsewhere.example.net", "docs 300 A 192.0.2.1", "shop 300 A 192.0.2.1")
        expect(hasSameRecords(at.now(), expected)).toBe(true)
      })
    )
  )
})

effect("a run that stops because another client changed a later host puts back what it deleted at an earlier one", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = prepare({ removesFirst: false })
      yield* at.play(succeed, dieBeforeWrite)
      yield* exitOf(apply(request()))
      yield* at.become(zoneOf("docs 300 CNAME elsewhere.example.net", "shop 300 A 192.0.2.1"))
      expect(yield* applyFailureOf(request())).toMatchObject({ hasWrites: true })
      const expected = zoneOf("blog 300 A 192.0.2.1", "docs 300 CNAME elsewhere.example.net", "shop 300 A 192.0.2.1")
      expect(hasSameRecords(at.now(), expected)).toBe(true)
    })
  )
)
