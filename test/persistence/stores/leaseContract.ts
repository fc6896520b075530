import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import type { StoreTest } from "./storeContract.ts"

/** What every `LeaseStore` promises. */
export const leaseContract = (test: StoreTest): void => {
  test("a free lease is taken, and by nobody else while it runs", () =>
    Effect.gen(function* () {
      const { acquire: take } = yield* LeaseStore
      const { advanceTime: pass } = yield* StoreFixture
      yield* taken("one")
      yield* pass("4 seconds")
      expect(yield* take("zone:a", "other", 5)).toEqual(Option.none())
      expect(Option.isSome(yield* take("zone:b", "other", 5))).toBe(true)
    }))

  test("an owner takes its own lease again, as a new claim", () =>
    Effect.gen(function* () {
      const { renew } = yield* LeaseStore
      const first = yield* taken("one")
      const second = yield* taken("one")
      expect(second.claim).toBe(first.claim + 1)
      expect([yield* renew(first, 5), yield* renew(second, 5)]).toEqual([false, true])
    }))

  test("a lease that ran out is anybody's, and its claim is the next number", () =>
    Effect.gen(function* () {
      const { acquire: take } = yield* LeaseStore
      const { advanceTime: pass } = yield* StoreFixture
      const first = yield* taken("one")
      yield* pass("5 seconds")
      expect((yield* taken("other")).claim).toBe(first.claim + 1)
      expect(yield* take("zone:a", "one", 5)).toEqual(Option.none())
    }))

  test("a lease that is released is free at once, and its claim is the next number", () =>
    Effect.gen(function* () {
      const { release, renew } = yield* LeaseStore
      const first = yield* taken("one")
      yield* release(first)
      expect(yield* renew(first, 5)).toBe(false)
      expect((yield* taken("other")).claim).toBe(first.claim + 1)
    }))

  test("a lease that is renewed runs from then on", () =>
    Effect.gen(function* () {
      const { renew, acquire: take } = yield* LeaseStore
      const { advanceTime: pass } = yield* StoreFixture
      const first = yield* taken("one")
      yield* pass("3 seconds")
      expect(yield* renew(first, 5)).toBe(true)
      yield* pass("4 seconds")
      expect(yield* take("zone:a", "other", 5)).toEqual(Option.none())
    }))

  test("a lease that ran out or is another's can neither be renewed nor released", () =>
    Effect.gen(function* () {
      const { release, renew, acquire: take } = yield* LeaseStore
      const { advanceTime: pass } = yield* StoreFixture
      expect(yield* renew({ key: "zone:a", claim: 1 }, 5)).toBe(false)
      const first = yield* taken("one")
      yield* pass("5 seconds")
      expect(yield* renew(first, 5)).toBe(false)
      yield* taken("other")
      expect(yield* renew(first, 5)).toBe(false)
      yield* release(first)
      expect(yield* take("zone:a", "one", 5)).toEqual(Option.none())
    }))

  test("of many who take a lease at once one gets it", () =>
    Effect.gen(function* () {
      const { acquire: take } = yield* LeaseStore
      const owners = Array.makeBy(20, (index) => `owner ${index}`)
      const claims = yield* Effect.forEach(owners, (owner) => take("zone:a", owner, 5), { concurrency: "unbounded" })
      expect(Array.getSomes(claims)).toHaveLength(1)
    }))
}

/** The lease on a zone that was free, for five seconds. */
const taken = (owner: string) =>
  Effect.gen(function* () {
    const { acquire: take } = yield* LeaseStore
    return { key: "zone:a", claim: yield* Effect.flatten(take("zone:a", owner, 5)) }
  })
