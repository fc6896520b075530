import { expect } from "bun:test"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { Requester } from "../../src/limits/RequestSource.ts"
import { LargeZonesBusy, withLargeZones } from "../../src/limits/LargeZones.ts"
import { readAdmitted } from "../../src/providers/zoneLimits.ts"
import { ProviderError } from "../../src/providers/ProviderError.ts"
import { effect, live } from "../support/effectTest.ts"

const limits = { smallBytes: 10, maxBytes: 1_000 }

/** Reads a zone of that many bytes; `reads` counts the attempts. */
const read = (bytes: number, reads: Array<number> = []) =>
  readAdmitted(
    (admits) =>
      Effect.suspend(() => {
        reads.push(bytes)
        return admits(bytes)
          ? Effect.succeed(bytes)
          : Effect.fail(new ProviderError({ kind: "too_large", detail: "too large" }))
      }),
    limits
  )

/** An operation of a tenant that holds a large zone until it may end. */
const hold = (end: Deferred.Deferred<void>, requester = "app/one") =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void>()
    const operation = Effect.gen(function* () {
      yield* read(100)
      yield* Deferred.succeed(started, undefined)
      yield* Deferred.await(end)
      return yield* read(100)
    })
    const fiber = yield* Effect.fork(Effect.provideService(withLargeZones(operation), Requester, requester))
    return { fiber, started: Deferred.await(started) }
  })

live("two operations hold large zones at once; the third waits, and small zones do not", () =>
  Effect.gen(function* () {
    const end = yield* Deferred.make<void>()
    const [one, two] = [yield* hold(end), yield* hold(end, "app/two")]
    yield* Effect.all([one.started, two.started])
    const reads: Array<number> = []
    const third = yield* Effect.fork(read(100, reads))
    expect(yield* read(10)).toBe(10)
    yield* Effect.yieldNow()
    expect(reads).toEqual([100])
    expect(third.unsafePoll()).toBeNull()
    yield* Deferred.succeed(end, undefined)
    expect(yield* Fiber.join(third)).toBe(100)
    expect(reads).toEqual([100, 100])
    expect(yield* Effect.all([Fiber.join(one.fiber), Fiber.join(two.fiber)])).toEqual([100, 100])
  })
)

live("one tenant never holds both permits, so that a large zone of another one does not wait for it", () =>
  Effect.gen(function* () {
    const end = yield* Deferred.make<void>()
    const first = yield* hold(end)
    yield* first.started
    const second = yield* hold(end)
    yield* Effect.yieldNow()
    const reads: Array<number> = []
    expect(yield* Effect.provideService(read(100, reads), Requester, "app/two")).toBe(100)
    expect(reads).toEqual([100])
    expect(second.fiber.unsafePoll()).toBeNull()
    yield* Deferred.succeed(end, undefined)
    expect(yield* Effect.all([Fiber.join(first.fiber), Fiber.join(second.fiber)])).toEqual([100, 100])
  })
)

live("an operation that is interrupted while it waits or holds gives its place back", () =>
  Effect.gen(function* () {
    const end = yield* Deferred.make<void>()
    const [one, two] = [yield* hold(end), yield* hold(end, "app/two")]
    yield* Effect.all([one.started, two.started])
    const waiting = yield* Effect.fork(read(100))
    yield* Effect.yieldNow()
    yield* Effect.forEach([waiting, one.fiber, two.fiber], (fiber) => Fiber.interrupt(fiber))
    expect(yield* read(100)).toBe(100)
    expect(yield* Effect.all([read(100), read(100)], { concurrency: 2 })).toEqual([100, 100])
  })
)

live("a read that waits for a permit lets no other read of its operation hold a large zone", () =>
  Effect.gen(function* () {
    const end = yield* Deferred.make<void>()
    const [one, two] = [yield* hold(end), yield* hold(end, "app/two")]
    yield* Effect.all([one.started, two.started])
    const waiting = yield* Deferred.make<void>()
    const reads: Array<number> = []
    const both = Effect.gen(function* () {
      const first = yield* Effect.fork(read(100))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(read(200, reads))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(waiting, undefined)
      return yield* Effect.all([Fiber.join(first), Fiber.join(second)])
    })
    const third = yield* Effect.fork(withLargeZones(both))
    yield* Deferred.await(waiting)
    yield* Deferred.succeed(end, undefined)
    expect(yield* Fiber.join(third)).toEqual([100, 200])
    expect(reads).toEqual([200, 200])
    expect(yield* Effect.all([Fiber.join(one.fiber), Fiber.join(two.fiber)])).toEqual([100, 100])
    expect(yield* Effect.all([read(100), read(100)], { concurrency: 2 })).toEqual([100, 100])
  })
)

live("a zone above the limit is too large, whether or not a permit is free", () =>
  Effect.gen(function* () {
    expect((yield* Effect.flip(read(1_001))).kind).toBe("too_large")
    const end = yield* Deferred.make<void>()
    const [one, two] = [yield* hold(end), yield* hold(end, "app/two")]
    yield* Effect.all([one.started, two.started])
    const third = yield* Effect.fork(Effect.flip(read(1_001)))
    yield* Deferred.succeed(end, undefined)
    expect((yield* Fiber.join(third)).kind).toBe("too_large")
  })
)

effect(
  "an operation that gets no permit within 30 seconds ends without a failure of its provider, and frees its place",
  () =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const [one, two] = [yield* hold(end), yield* hold(end, "app/two")]
      yield* Effect.all([one.started, two.started])
      const retried = Effect.retry(read(100), { times: 2 })
      const third = yield* Effect.fork(Effect.provideService(withLargeZones(retried), Requester, "app/three"))
      yield* TestClock.adjust("29 seconds")
      expect(third.unsafePoll()).toBeNull()
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(Fiber.join(third))).toEqual(new LargeZonesBusy())
      yield* Deferred.succeed(end, undefined)
      yield* Effect.all([Fiber.join(one.fiber), Fiber.join(two.fiber)])
      expect(yield* Effect.all([read(100), read(100)], { concurrency: 2 })).toEqual([100, 100])
    })
)
