import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { effect } from "../../support/effectTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"

const prefixes = ["con", "key", "evt", "req"] as const

effect("an id is its prefix, ten characters of time and sixteen random ones", () =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    const ids = yield* Effect.forEach(prefixes, next)
    ids.forEach((id, index) => expect(id).toMatch(new RegExp(`^${prefixes[index]}_[0-9a-hjkmnp-tv-z]{26}$`)))
  }).pipe(Effect.provide(Identifiers.layer))
)

effect("ids of one kind sort by creation time", () =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    const times = [0, 1, 31, 32, 1_024, 1_767_225_599_999, 1_767_225_600_000, 2 ** 41, 2 ** 48 - 1]
    const ids = yield* Effect.forEach(times, (time) => Effect.zipRight(TestClock.setTime(time), next("con")))
    expect(ids.toReversed().toSorted()).toEqual(ids)
  }).pipe(Effect.provide(Identifiers.layer))
)

effect("ids of one millisecond sort by creation order, also after the clock moves back", () =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    yield* TestClock.setTime(1_767_225_600_000)
    const ids = yield* Effect.replicateEffect(next("evt"), 10_000)
    yield* TestClock.setTime(1_767_225_599_000)
    const all = [...ids, yield* next("evt"), yield* next("evt")]
    expect(all.toReversed().toSorted()).toEqual(all)
    expect(new Set(all.map((id) => id.length))).toEqual(new Set([30]))
  }).pipe(Effect.provide(Identifiers.layer))
)

effect("ids are unique, even within one millisecond", () =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    expect(new Set(yield* Effect.replicateEffect(next("evt"), 10_000)).size).toBe(10_000)
  }).pipe(Effect.provide(Identifiers.layer))
)

effect("sequential test ids count from one", () =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    expect([yield* next("con"), yield* next("evt")]).toEqual([
      `con_${"1".padStart(26, "0")}`,
      `evt_${"2".padStart(26, "0")}`
    ])
  }).pipe(Effect.provide(sequentialIdentifiers))
)
