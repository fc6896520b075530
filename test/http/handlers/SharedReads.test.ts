import { expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { SharedReads } from "../../../src/http/handlers/SharedReads.ts"
import { effect } from "../../support/effectTest.ts"

/** Reads that end when they are told to, and counts of what began and of how many ran at once. */
const slowReads = Effect.gen(function* () {
  const latch = yield* Effect.makeLatch()
  const began: Array<string> = []
  let running = 0
  let most = 0
  const readsOf = (permits: Effect.Semaphore) => {
    const shared = new SharedReads<number, never>(permits)
    return (key: string) =>
      shared.read(
        key,
        Effect.gen(function* () {
          began.push(key)
          running += 1
          most = Math.max(most, running)
          yield* latch.await
          running -= 1
          return began.length
        })
      )
  }
  return { readsOf, finish: latch.open, began, most: () => most }
})

effect("a thousand that ask for the same at once share one read", () =>
  Effect.gen(function* () {
    const { began, finish, readsOf } = yield* slowReads
    const read = readsOf(yield* Effect.makeSemaphore(3))
    const asked = yield* Effect.fork(Effect.all(Effect.replicate(read("a"), 1_000), { concurrency: "unbounded" }))
    yield* Effect.yieldNow()
    yield* finish
    expect(new Set(yield* Fiber.join(asked))).toEqual(new Set([1]))
    expect(began).toEqual(["a"])
  })
)

effect("whoever asks after a read has begun gets another one, which sees what was written since", () =>
  Effect.gen(function* () {
    const { began, finish, readsOf } = yield* slowReads
    const read = readsOf(yield* Effect.makeSemaphore(3))
    const first = yield* Effect.fork(read("a"))
    while (began.length === 0) yield* Effect.yieldNow()
    const second = yield* Effect.fork(read("a"))
    while (began.length === 1) yield* Effect.yieldNow()
    yield* finish
    yield* Fiber.joinAll([first, second])
    expect(began).toEqual(["a", "a"])
  })
)

effect("a read goes on if the one who asked first goes away", () =>
  Effect.gen(function* () {
    const { began, finish, readsOf } = yield* slowReads
    const read = readsOf(yield* Effect.makeSemaphore(3))
    const first = yield* Effect.fork(read("a"))
    const second = yield* Effect.fork(read("a"))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(first)
    yield* finish
    expect(yield* Fiber.join(second)).toBe(1)
    expect(began).toEqual(["a"])
  })
)

effect("only a few different reads run at once", () =>
  Effect.gen(function* () {
    const { began, finish, most, readsOf } = yield* slowReads
    const read = readsOf(yield* Effect.makeSemaphore(3))
    const keys = Array.from({ length: 50 }, (_, index) => String(index))
    const asked = yield* Effect.fork(Effect.forEach(keys, read, { concurrency: "unbounded" }))
    while (began.length < 3) yield* Effect.yieldNow()
    yield* finish
    yield* Fiber.join(asked)
    expect([most(), began.length]).toEqual([3, 50])
  })
)
