import { describe, expect } from "bun:test"
import { Deferred, Duration, Effect, Fiber, TestClock } from "effect"
import { Requester } from "../../../src/limits/RequestSource.ts"
import { makeRequesterCache } from "../../../src/dns/zone/RequesterCache.ts"
import { effect } from "../../support/effectTest.ts"

/**
 * A cache whose lookups never end for the requester `hostile` and are instant for all others, and the lookups it
 * made.
 */
const setup = (options: { readonly isShared: boolean; readonly capacity?: number }) => {
  const lookups: Array<string> = []
  const cache = makeRequesterCache({
    capacity: 10,
    timeToLive: () => "2 seconds",
    ...options,
    keyOf: (name) => name,
    lookup: (name: string) =>
      Effect.flatMap(Requester, (requester) => {
        lookups.push(`${requester} ${name}`)
        if (requester === "hostile") return Effect.never
        return name === "failing" ? Effect.fail("failed") : Effect.succeed(`${name} of ${requester}`)
      })
  })
  const get = (requester: string, name: string) => Effect.provideService(cache.get(name), Requester, requester)
  return { get, lookups }
}

describe("a lookup in flight", () => {
  for (const isShared of [true, false])
    effect(`of one requester does not make another one wait, with ${isShared ? "shared" : "own"} results`, () =>
      Effect.gen(function* () {
        const { get } = setup({ isShared })
        const waiting = yield* Effect.fork(get("hostile", "name"))
        yield* Effect.yieldNow()
        expect(yield* get("honest", "name")).toBe("name of honest")
        yield* Fiber.interrupt(waiting)
      })
    )

  effect("serves all who ask for the same requester, and goes on for them if the first one is interrupted", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<string>()
      let lookups = 0
      const cache = makeRequesterCache({
        capacity: 10,
        timeToLive: () => "2 seconds",
        isShared: true,
        keyOf: (name: string) => name,
        lookup: () => Effect.suspend(() => ((lookups += 1), Deferred.await(answer)))
      })
      const [first, second, third] = yield* Effect.all([
        Effect.fork(cache.get("name")),
        Effect.fork(cache.get("name")),
        Effect.fork(cache.get("name"))
      ])
      yield* Effect.yieldNow()
      expect(lookups).toBe(1)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(answer, "found")
      expect(yield* Effect.all([Fiber.join(second), Fiber.join(third)])).toEqual(["found", "found"])
      expect(lookups).toBe(2)
    })
  )
})

describe("a result", () => {
  effect("serves all requesters while it is fresh, if results are shared", () =>
    Effect.gen(function* () {
      const { get, lookups } = setup({ isShared: true })
      expect(yield* get("one", "name")).toBe("name of one")
      expect(yield* get("other", "name")).toBe("name of one")
      expect(yield* get("hostile", "name")).toBe("name of one")
      yield* TestClock.adjust("2 seconds")
      expect(yield* get("other", "name")).toBe("name of other")
      expect(lookups).toEqual(["one name", "other name"])
    })
  )

  effect("serves only its requester, if results are not shared", () =>
    Effect.gen(function* () {
      const { get, lookups } = setup({ isShared: false })
      yield* get("one", "name")
      expect(yield* get("one", "name")).toBe("name of one")
      expect(yield* get("other", "name")).toBe("name of other")
      expect(lookups).toEqual(["one name", "other name"])
    })
  )

  effect("is not kept if it is a failure", () =>
    Effect.gen(function* () {
      const { get, lookups } = setup({ isShared: true })
      expect(yield* Effect.flip(get("one", "failing"))).toBe("failed")
      expect(yield* Effect.flip(get("one", "failing"))).toBe("failed")
      expect(lookups).toHaveLength(2)
    })
  )

  effect("gives way to newer ones beyond the capacity", () =>
    Effect.gen(function* () {
      const { get, lookups } = setup({ isShared: true, capacity: 2 })
      for (const name of ["a", "b", "c", "b", "c", "a"]) yield* get("one", name)
      expect(lookups).toEqual(["one a", "one b", "one c", "one a"])
    })
  )

  effect("is kept as long as it says, and looked up again for a caller that takes no old value", () =>
    Effect.gen(function* () {
      let lookups = 0
      const cache = makeRequesterCache({
        capacity: 10,
        timeToLive: (found: { readonly seconds: number; readonly nth: number }) => Duration.seconds(found.seconds),
        isShared: true,
        keyOf: (seconds: number) => `${seconds}`,
        lookup: (seconds) => Effect.sync(() => ({ seconds, nth: (lookups += 1) }))
      })
      const nthOf = (seconds: number, maxAge?: Duration.DurationInput) =>
        Effect.map(cache.get(seconds, maxAge), ({ nth }) => nth)
      expect([yield* nthOf(60), yield* nthOf(3_600)]).toEqual([1, 2])
      yield* TestClock.adjust("1 minute")
      expect([yield* nthOf(60), yield* nthOf(3_600)]).toEqual([3, 2])
      expect([yield* nthOf(3_600, "1 minute"), yield* nthOf(3_600)]).toEqual([4, 4])
      expect(yield* nthOf(60, "1 second")).toBe(3)
    })
  )
})
