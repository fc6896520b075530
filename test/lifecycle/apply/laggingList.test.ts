import { expect } from "bun:test"
import { Clock, Effect } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { effect } from "../../support/effectTest.ts"
import { applyChanges, describeChange } from "../../support/planFixtures.ts"
import {
  dropRequest,
  dropResponse,
  hasSameRecords,
  rejectWith,
  scriptedZone,
  succeed
} from "../../support/scriptedZone.ts"
import {
  apply,
  applyFailureOf,
  changes,
  completesWithin,
  dieAfterWrite,
  dieBeforeWrite,
  exitOf,
  journalLines,
  journalOf,
  requestAt,
  shop,
  withPlanApplier
} from "./applyFixtures.ts"

/** The shop at a provider whose list shows a write after three seconds. */
const laggingShop = (isAtomic: boolean) => {
  const at = scriptedZone(shop, { isAtomic, lag: "3 seconds" })
  return { at, request: () => requestAt(at, changes) }
}

const madeOnce = changes.map(describeChange)

for (const isAtomic of [true, false]) {
  const writes = isAtomic ? "in one call" : "in one call per change"

  effect(`a plan is complete once a list that lags shows it (${writes})`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const { at, request } = laggingShop(isAtomic)
        yield* completesWithin("4 seconds", apply(request()))
        expect(at.made().map(describeChange)).toEqual(madeOnce)
        expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      })
    )
  )

  for (const [call] of isAtomic ? [[0] as const] : [...changes.entries()]) {
    for (const [message, behavior] of [
      ["request", dropRequest],
      ["response", dropResponse]
    ] as const)
      effect(`a lost ${message} of call ${call} doubles and loses no record in a list that lags (${writes})`, () =>
        withPlanApplier(
          Effect.gen(function* () {
            const { at, request } = laggingShop(isAtomic)
            yield* at.play(...Array<typeof succeed>(call).fill(succeed), behavior)
            yield* completesWithin("30 seconds", apply(request()))
            expect(at.made().map(describeChange)).toEqual(madeOnce)
            expect(hasSameRecords(at.now(), applyChanges(shop, changes))).toBe(true)
            expect(yield* journalOf()).toEqual(journalLines("confirmed"))
          })
        )
      )

    for (const [when, behavior] of [
      ["before", dieBeforeWrite],
      ["after", dieAfterWrite]
    ] as const)
      effect(
        `a process that dies ${when} call ${call} doubles and loses no record in a list that lags (${writes})`,
        () =>
          withPlanApplier(
            Effect.gen(function* () {
              const { at, request } = laggingShop(isAtomic)
              yield* at.play(...Array<typeof succeed>(call).fill(succeed), behavior)
              yield* exitOf(apply(request()))
              yield* completesWithin("30 seconds", apply(request()))
              expect(at.made().map(describeChange)).toEqual(madeOnce)
              expect(hasSameRecords(at.now(), applyChanges(shop, changes))).toBe(true)
              expect(yield* journalOf()).toEqual(journalLines("confirmed"))
            })
          )
      )
  }
}

effect("a plan whose zone was read before another connection wrote there waits until the list shows that", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const at = scriptedZone(shop, { lag: "3 seconds" })
      const early = requestAt(at, changes)
      yield* at.play(dieAfterWrite)
      yield* exitOf(apply(requestAt(at, otherMx, { run: "other", connectionId: ConnectionId.make("con_other") })))
      expect(at.made()).toEqual(otherMx)
      let writtenAt = 0
      const noteTime = Effect.map(Clock.currentTimeMillis, (now) => void (writtenAt = now))
      yield* at.play((send) => Effect.zipRight(noteTime, send))
      yield* exitOf(completesWithin("30 seconds", apply(early)))
      expect(writtenAt).toBeGreaterThanOrEqual(3000)
    })
  )
)

/** What another connection adds beside the records of the shop. */
const otherMx: ReadonlyArray<Change> = [
  {
    action: "create",
    after: { host: "@", type: "MX", value: "mx2.example.org", priority: 20, ttl: 300, optional: false },
    destructive: false
  }
]

effect("a list that shows a write later than the provider says leaves the outcome open", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const at = scriptedZone(shop, { lag: "1 hour", visibleWithin: "3 seconds" })
      const failure = yield* completesWithin("10 seconds", applyFailureOf(requestAt(at, changes)))
      expect(failure).toEqual({ code: "apply_partial", hasWrites: true })
      expect(at.made().map(describeChange)).toEqual(madeOnce)
    })
  )
)

effect("a run that another plan ends keeps its writes, though the list does not show them yet", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = laggingShop(true)
      yield* at.play(dieAfterWrite)
      yield* exitOf(apply(request()))
      const another: ReadonlyArray<Change> = [
        {
          action: "create",
          after: { host: "new", type: "A", value: "192.0.2.7", ttl: 300, optional: false },
          destructive: false
        }
      ]
      yield* completesWithin("30 seconds", apply(requestAt(at, another, { run: "another" })))
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      expect(yield* journalOf("another")).toEqual(["confirmed | create | new 300 A 192.0.2.7"])
    })
  )
)

effect("records that were deleted to make room come back, though the list still shows them", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = laggingShop(false)
      yield* at.play(succeed, succeed, succeed, succeed, rejectWith("record_value_rejected"))
      const failure = yield* completesWithin("30 seconds", applyFailureOf(request()))
      expect(failure).toEqual({ code: "apply_partial", hasWrites: true })
      expect(hasSameRecords(at.now(), applyChanges(shop, changes.slice(0, 2)))).toBe(true)
    })
  )
)
