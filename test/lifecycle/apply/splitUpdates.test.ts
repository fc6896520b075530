import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Change, ChangeRecord } from "../../../src/domain/plan/Plan.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { effect } from "../../support/effectTest.ts"
import { describeChange, zoneOf } from "../../support/planFixtures.ts"
import {
  dropRequest,
  dropResponse,
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

const record = (host: string, type: string, value: string, ttl = 300) => ({ host, type, value, ttl, optional: false })

const mx = (value: string) => ({ ...record("@", "MX", value), priority: 10 })

const update = (before: ChangeRecord, after: ChangeRecord): ReadonlyArray<Change> => [
  { action: "update", before, after, destructive: false }
]

/** An update, and the calls that make it at a provider that has none. */
const scenarios = [
  {
    about: "another value",
    before: zoneOf("@ 300 TXT hello", "@ 300 MX 10 mx.example.org"),
    changes: update(mx("mx.example.org"), mx("mx.example.net")),
    written: ["delete | @ 300 MX 10 mx.example.org", "create | @ 300 MX 10 mx.example.net"],
    after: zoneOf("@ 300 TXT hello", "@ 300 MX 10 mx.example.net")
  },
  {
    about: "another TTL",
    before: zoneOf("@ 300 TXT hello", "www 300 CNAME web.example.net"),
    changes: update(record("www", "CNAME", "web.example.net"), record("www", "CNAME", "web.example.net", 3600)),
    written: ["delete | www 300 CNAME web.example.net", "create | www 3600 CNAME web.example.net"],
    after: zoneOf("@ 300 TXT hello", "www 3600 CNAME web.example.net")
  },
  {
    about: "another TTL of an alias at the apex, which the provider shows as a type of its own,",
    before: zoneOf("www 300 TXT hello", "@ 300 ALIAS web.example.net"),
    changes: update(record("@", "ALIAS", "web.example.net"), record("@", "CNAME", "web.example.net", 3600)),
    written: ["delete | @ 300 ALIAS web.example.net", "create | @ 3600 CNAME web.example.net"],
    after: zoneOf("www 300 TXT hello", "@ 3600 CNAME web.example.net")
  }
]

/** How the process or the network can fail at a call, and what the next attempt finds. */
const faults: ReadonlyArray<readonly [string, WriteBehavior]> = [
  ["the process dies before it", dieBeforeWrite],
  ["the process dies after it", dieAfterWrite],
  ["its request is lost", dropRequest],
  ["its response is lost", dropResponse]
]

/** The zone of a scenario, and the request to apply its update. */
const prepare = ({ before, changes }: Pick<(typeof scenarios)[number], "before" | "changes">, lag?: "3 seconds") => {
  const at = scriptedZone(before, { isAtomic: false, hasUpdate: false, ...(lag === undefined ? {} : { lag }) })
  return { at, request: () => requestAt(at, changes) }
}

for (const { about, after, written, ...scenario } of scenarios)
  describe(`where a provider has no update, ${about}`, () => {
    effect("takes a deletion and a creation, under the digest of the plan", () =>
      withPlanApplier(
        Effect.gen(function* () {
          const { at, request } = prepare(scenario)
          yield* apply(request())
          expect(at.made().map(describeChange)).toEqual(written)
          expect(at.now()).toMatchObject(after)
          expect(yield* journalOf()).toEqual(written.map((change) => `confirmed | ${change}`))
          const { findByRun } = yield* JournalStore
          expect((yield* findByRun("run")).map(({ digest }) => digest)).toEqual([request().digest, request().digest])
        })
      )
    )

    effect("leaves the zone as it was if the creation is refused", () =>
      withPlanApplier(
        Effect.gen(function* () {
          const { at, request } = prepare(scenario)
          yield* at.play(succeed, rejectWith("record_value_rejected"))
          expect(yield* applyFailureOf(request())).toEqual({ code: "record_value_rejected", hasWrites: true })
          expect(at.now()).toMatchObject(scenario.before)
          expect(yield* journalOf()).toEqual([
            `confirmed | ${written[0]}`,
            `failed | ${written[1]}`,
            `confirmed | ${written[0]?.replace("delete", "create")}`
          ])
        })
      )
    )

    effect("writes nothing if the deletion is refused", () =>
      withPlanApplier(
        Effect.gen(function* () {
          const { at, request } = prepare(scenario)
          yield* at.play(rejectWith("apply_rejected"))
          expect(yield* applyFailureOf(request())).toEqual({ code: "apply_rejected", hasWrites: false })
          expect(at.now()).toMatchObject(scenario.before)
        })
      )
    )

    for (const lag of [undefined, "3 seconds"] as const)
      for (const [call, name] of ["deletion", "creation"].entries())
        for (const [fault, behavior] of faults)
          effect(`is made once if, at the ${name}, ${fault}${lag === undefined ? "" : " and the list lags"}`, () =>
            withPlanApplier(
              Effect.gen(function* () {
                const { at, request } = prepare(scenario, lag)
                yield* at.play(...Array<WriteBehavior>(call).fill(succeed), behavior)
                yield* exitOf(completesWithin("30 seconds", apply(request())))
                yield* completesWithin("30 seconds", apply(request()))
                expect(at.made().map(describeChange)).toEqual(written)
                expect(at.now()).toMatchObject(after)
                expect(yield* journalOf()).toEqual(written.map((change) => `confirmed | ${change}`))
              })
            )
          )
  })

effect("a record that another client creates again between the two calls stays as it is", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const ttlOnly = update(record("www", "CNAME", "web.example.net"), record("www", "CNAME", "web.example.net", 3600))
      const at = scriptedZone(zoneOf("www 300 CNAME web.example.net"), { isAtomic: false, hasUpdate: false })
      yield* at.play(succeed, dieBeforeWrite)
      yield* exitOf(apply(requestAt(at, ttlOnly)))
      yield* at.become(zoneOf("www 300 CNAME web.example.net"))
      expect(yield* applyFailureOf(requestAt(at, ttlOnly))).toEqual({ code: "apply_partial", hasWrites: true })
      expect(at.now()).toMatchObject(zoneOf("www 300 CNAME web.example.net"))
    })
  )
)
