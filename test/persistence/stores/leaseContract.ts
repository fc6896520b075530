import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `LeaseStore`. */
export const leaseContract = (test: StoreTest): void => {
  test("a free lease can be acquired, and not by another owner before it expires", () =>
    Effect.gen(function* () {
      const { acquire } = yield* LeaseStore
      const { advanceTime } = yield* StoreFixture
      yield* acquireZone("one")
      yield* advanceTime("4 seconds")
      expect(yield* acquire("zone:a", "other", 5)).toEqual(Option.none())
      expect(Option.isSome(yield* acquire("zone:b", "other", 5))).toBe(true)
    }))

  test("an owner acquires its own lease again with a new claim", () =>
    Effect.gen(function* () {
      const { renew } = yield* LeaseStore
      const first = yield* acquireZone("one")
      const second = yield* acquireZone("one")
      expect(second.claim).toBe(first.claim + 1)
      expect([yield* renew(first, 5), yield* renew(second, 5)]).toEqual([false, true])
    }))

  test("an expired lease is free, and its claim is the next number", () =>
    Effect.gen(function* () {
      const { acquire } = yield* LeaseStore
      const { advanceTime } = yield* StoreFixture
      const first = yield* acquireZone("one")
      yield* advanceTime("5 seconds")
      expect((yield* acquireZone("other")).claim).toBe(first.claim + 1)
      expect(yield* acquire("zone:a", "one", 5)).toEqual(Option.none())
    }))

  test("a released lease is free at once, and its claim is the next number", () =>
    Effect.gen(function* () {
      const { release, renew } = yield* LeaseStore
      const first = yield* acquireZone("one")
      yield* release(first)
      expect(yield* renew(first, 5)).toBe(false)
      expect((yield* acquireZone("other")).claim).toBe(first.claim + 1)
    }))

  test("a renewed lease runs from the time of its renewal", () =>
    Effect.gen(function* () {
      const { renew, acquire } = yield* LeaseStore
      const { advanceTime } = yield* StoreFixture
      const first = yield* acquireZone("one")
      yield* advanceTime("3 seconds")
      expect(yield* renew(first, 5)).toBe(true)
      yield* advanceTime("4 seconds")
      expect(yield* acquire("zone:a", "other", 5)).toEqual(Option.none())
    }))

  test("an expired lease or another owner's cannot be renewed or released", () =>
    Effect.gen(function* () {
      const { release, renew, acquire } = yield* LeaseStore
      const { advanceTime } = yield* StoreFixture
      expect(yield* renew({ key: "zone:a", claim: 1 }, 5)).toBe(false)
      const first = yield* acquireZone("one")
      yield* advanceTime("5 seconds")
      expect(yield* renew(first, 5)).toBe(false)
      yield* acquireZone("other")
      expect(yield* renew(first, 5)).toBe(false)
      yield* release(first)
      expect(yield* acquire("zone:a", "one", 5)).toEqual(Option.none())
    }))

  test("only one of many concurrent owners acquires a lease", () =>
    Effect.gen(function* () {
      const { acquire } = yield* LeaseStore
      const owners = Array.makeBy(20, (index) => `owner ${index}`)
      const claims = yield* Effect.forEach(owners, (owner) => acquire("zone:a", owner, 5), { concurrency: "unbounded" })
      expect(Array.getSomes(claims)).toHaveLength(1)
    }))
}

/** Acquires the free lease of a zone for five seconds. */
const acquireZone = (owner: string) =>
  Effect.gen(function* () {
    const { acquire } = yield* LeaseStore
    return { key: "zone:a", claim: yield* Effect.flatten(acquire("zone:a", owner, 5)) }
  })
