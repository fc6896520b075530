import { expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { makeFairQueue } from "../../../src/limits/FairQueue.ts"
import { SharedReads } from "../../../src/lifecycle/commit/ConnectionReads.ts"
import { effect } from "../../support/effectTest.ts"

/** Reads that end on request, and counts of what began and of how many ran at once. */
const slowReads = Effect.gen(function* () {
  const latch = yield* Effect.makeLatch()
  const began: Array<string> = []
  let running = 0
  let most = 0
  const readsOf = (permits: number) => {
    const shared = new SharedReads<number, never>(makeFairQueue({ permits }))
    return (key: string, tenant = "tenant") =>
      shared.read({ tenant, key, item: undefined }, () =>
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
    const read = readsOf(3)
    const asked = yield* Effect.fork(Effect.all(Effect.replicate(read("a"), 1_000), { concurrency: "unbounded" }))
    yield* Effect.yieldNow()
    yield* finish
    expect(new Set(yield* Fiber.join(asked))).toEqual(new Set([1]))
    expect(began).toEqual(["a"])
  })
)

effect("a caller that comes after a read has begun gets another one, which sees later writes", () =>
  Effect.gen(function* () {
    const { began, finish, readsOf } = yield* slowReads
    const read = readsOf(3)
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
    const read = readsOf(3)
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
    const read = readsOf(3)
    const keys = Array.from({ length: 50 }, (_, index) => String(index))
    const asked = yield* Effect.fork(Effect.forEach(keys, (key) => read(key), { concurrency: "unbounded" }))
    while (began.length < 3) yield* Effect.yieldNow()
    yield* finish
    yield* Fiber.join(asked)
    expect([most(), began.length]).toEqual([3, 50])
  })
)

effect("tenants take turns: the read of one does not wait for all reads of another", () =>
  Effect.gen(function* () {
    const { began, finish, readsOf } = yield* slowReads
    const read = readsOf(1)
    const keys = Array.from({ length: 50 }, (_, index) => `busy ${index}`)
    const busy = yield* Effect.fork(Effect.forEach(keys, (key) => read(key, "busy"), { concurrency: "unbounded" }))
    while (began.length < 1) yield* Effect.yieldNow()
    const calm = yield* Effect.fork(read("calm", "calm"))
    yield* Effect.yieldNow()
    yield* finish
    yield* Fiber.join(busy)
    yield* Fiber.join(calm)
    expect(began.slice(0, 3)).toContain("calm")
  })
)

effect("those who ask for several things under one key get them by one read", () =>
  Effect.gen(function* () {
    const shared = new SharedReads<ReadonlyArray<string>, never, string>(makeFairQueue({ permits: 1 }))
    const read = (item: string) =>
      shared.read({ tenant: "tenant", key: "all", item }, (items) => Effect.succeed([...items]))
    const answers = yield* Effect.forEach(["a", "b", "a", "c"], read, { concurrency: "unbounded" })
    expect(answers).toEqual(Array.from({ length: 4 }, () => ["a", "b", "c"]))
  })
)
