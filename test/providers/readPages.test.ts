import { describe, expect } from "bun:test"
import { Clock, type Duration, Effect, Fiber, Option, TestClock } from "effect"
import { Requester } from "../../src/limits/RequestSource.ts"
import { ProviderError } from "../../src/providers/ProviderError.ts"
import { type ListPage, readPages } from "../../src/providers/readPages.ts"
import { effect } from "../support/effectTest.ts"

/** Reads lists of pages, one list after the other if one is read again. */
const readLists = (...lists: ReadonlyArray<ReadonlyArray<ListPage<string, number>>>) => {
  const pages = lists.flat()
  return readPages<string, number>({
    timeout: "30 seconds",
    readPage: () => Effect.sync(() => pages.shift() ?? { items: [] })
  })
}

/** Reads a list by numbers of pages, of two items each; it changes before the nth call. */
const readNumbered = (
  pages: number,
  {
    change,
    hasTotal = true,
    nth
  }: {
    readonly nth: number
    readonly hasTotal?: boolean
    readonly change: (list: ReadonlyArray<string>) => ReadonlyArray<string>
  } = { nth: 0, change: (list) => list }
) => {
  let list: ReadonlyArray<string> = Array.from({ length: 2 * pages }, (_, index) => `item ${index}`)
  let calls = 0
  return {
    list: () => list,
    calls: () => calls,
    read: readPages<string, number>({
      timeout: "30 seconds",
      identify: (item) => item,
      readPage: (page = 1) =>
        Effect.sync(() => {
          calls += 1
          if (calls === nth) list = change(list)
          const items = list.slice(2 * page - 2, 2 * page)
          return {
            items,
            next: 2 * page < list.length ? page + 1 : undefined,
            ...(hasTotal ? { total: list.length } : {})
          }
        })
    })
  }
}

describe("a list of pages", () => {
  effect("is read to its last page", () =>
    Effect.gen(function* () {
      expect(yield* readLists([{ items: ["a", "b"], next: 2 }, { items: ["c"] }])).toEqual(["a", "b", "c"])
    })
  )

  for (const [about, changing] of [
    [
      "its total changes",
      [
        { items: ["a", "b"], next: 2, total: 4 },
        { items: ["d"], total: 3 }
      ]
    ],
    [
      "fewer items arrive than it has",
      [
        { items: ["a"], next: 2, total: 3 },
        { items: ["d"], total: 3 }
      ]
    ]
  ] as const) {
    effect(`is read again if ${about} between two pages`, () =>
      Effect.gen(function* () {
        expect(yield* readLists(changing, [{ items: ["a", "c", "d"], total: 3 }])).toEqual(["a", "c", "d"])
      })
    )

    effect(`fails if ${about} each time`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(readLists(changing, changing))).toMatchObject({ kind: "conflict" })
      })
    )
  }

  for (const [about, change] of [
    ["one is removed from its first page and one added", (list) => [...list.slice(1), "new"]],
    ["one is added before the others and the last one removed", (list) => ["new", ...list.slice(0, -1)]]
  ] as ReadonlyArray<readonly [string, (list: ReadonlyArray<string>) => ReadonlyArray<string>]>)
    for (const pages of [2, 3, 4])
      for (const nth of Array.from({ length: pages - 1 }, (_, index) => index + 2))
        effect(`whose items have identities is complete though ${about} before page ${nth} of ${pages} is read`, () =>
          Effect.gen(function* () {
            const { calls, list, read } = readNumbered(pages, { nth, change })
            expect((yield* read).toSorted()).toEqual(list().toSorted())
            expect(calls()).toBeLessThanOrEqual(4 * pages)
          })
        )

  const removals = [2, 8, 16].flatMap((pages) =>
    Array.from({ length: pages - 1 }, (_, index) => index + 2).flatMap((nth) =>
      Array.from({ length: nth - 1 }, (_, place) => [pages, nth, 2 * place] as const)
    )
  )
  effect("whose provider tells no total is complete, whichever item is removed before any of its pages is read", () =>
    Effect.forEach(removals, ([pages, nth, removed]) =>
      Effect.gen(function* () {
        const change = (items: ReadonlyArray<string>) => items.toSpliced(removed, 1)
        const { list, read } = readNumbered(pages, { nth, change, hasTotal: false })
        expect([pages, nth, removed, ...(yield* read)]).toEqual([pages, nth, removed, ...list()])
      })
    )
  )

  effect("of one page is read by one call", () =>
    Effect.gen(function* () {
      const { calls, read } = readNumbered(1)
      yield* read
      expect(calls()).toBe(1)
    })
  )

  effect("of many pages is read by three calls more than it has pages", () =>
    Effect.gen(function* () {
      const { calls, read } = readNumbered(50)
      expect(yield* read).toHaveLength(100)
      expect(calls()).toBe(53)
    })
  )

  effect("whose provider tells no total is read twice but for its last page", () =>
    Effect.gen(function* () {
      const { calls, read } = readNumbered(50, { nth: 0, change: (list) => list, hasTotal: false })
      expect(yield* read).toHaveLength(100)
      expect(calls()).toBe(99)
    })
  )

  effect("is not read again because an item that stays in its place is added to the last page", () =>
    Effect.gen(function* () {
      const { calls, list, read } = readNumbered(2, { nth: 2, change: (items) => [...items.slice(0, -1), "new"] })
      expect(yield* read).toEqual(list())
      expect(calls()).toBe(3)
    })
  )

  effect("is read at the pace of its provider, and in limited time", () =>
    Effect.gen(function* () {
      let reads = 0
      const fiber = yield* Effect.fork(
        Effect.flip(
          readPages<string, number>({
            timeout: "10 seconds",
            pause: "4 seconds",
            readPage: (cursor = 0) => Effect.sync(() => ((reads += 1), { items: ["a"], next: cursor + 1 }))
          })
        )
      )
      yield* TestClock.adjust("3 seconds")
      expect(reads).toBe(1)
      yield* TestClock.adjust("7 seconds")
      expect(reads).toBe(3)
      expect(yield* Fiber.join(fiber)).toMatchObject({ kind: "timed_out" })
    })
  )

  effect("waits after a slow answer only until the pause since its call is over", () =>
    Effect.gen(function* () {
      const { began, read } = readSlowly({ pages: 3, latency: "3 seconds", pause: "4 seconds" })
      yield* completed(read)
      expect(began).toEqual([0, 4000, 8000, 12_000, 16_000])
    })
  )

  effect("has as much more time as its pauses take, if its provider tells the total", () =>
    Effect.gen(function* () {
      const paced = readSlowly({ pages: 50, latency: "50 millis", pause: "1 second" })
      expect(yield* completed(paced.read)).toHaveLength(50)
      const slow = readSlowly({ pages: 50, latency: "2 seconds", pause: "240 millis" })
      expect(yield* Effect.flip(completed(slow.read))).toMatchObject({ kind: "timed_out" })
    })
  )

  effect("ends with its last page, also where its reader must not be interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.uninterruptible(readLists([{ items: ["a"] }])))
      yield* TestClock.adjust("1 second")
      expect(Option.isSome(yield* Fiber.poll(fiber))).toBe(true)
      expect(yield* Fiber.join(fiber)).toEqual(["a"])
    })
  )

  effect("has more time for the pages that are read again, if its provider tells no total", () =>
    Effect.gen(function* () {
      const { began, read } = readSlowly({ pages: 100, latency: "200 millis", pause: "125 millis", hasTotal: false })
      expect(yield* completed(read)).toHaveLength(100)
      expect(began).toHaveLength(199)
    })
  )
})

/** Reads a list of pages of one item each within 30 seconds; `began` has the times at which calls began. */
const readSlowly = ({
  hasTotal = true,
  latency,
  pages,
  pause
}: {
  readonly pages: number
  readonly latency: Duration.DurationInput
  readonly pause: Duration.DurationInput
  readonly hasTotal?: boolean
}) => {
  const began: Array<number> = []
  return {
    began,
    read: readPages<number, number>({
      timeout: "30 seconds",
      pause,
      identify: (item) => item,
      readPage: (page = 1) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          began.push(now)
          return { items: [page], next: page < pages ? page + 1 : undefined, ...(hasTotal ? { total: pages } : {}) }
        }).pipe(Effect.zipLeft(Effect.sleep(latency)))
    })
  }
}

/** Runs an effect while time passes. */
const completed = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.flatMap(Effect.fork(effect), (fiber) => Effect.zipRight(TestClock.adjust("5 minutes"), Fiber.join(fiber)))

effect("a list does not run out of time while it waits for the large zones of other tenants", () =>
  Effect.gen(function* () {
    const megabytes = 2 * 1024 * 1024
    const readLarge = readPages<string, number>({
      timeout: "30 seconds",
      readPage: (_, admits) =>
        admits(megabytes)
          ? Effect.delay(Effect.succeed({ items: ["a"] }), "20 seconds")
          : Effect.fail(new ProviderError({ kind: "too_large", detail: "too large" }))
    })
    const read = (requester: string) => Effect.fork(Effect.provideService(readLarge, Requester, requester))
    const others = [yield* read("app/one"), yield* read("app/two")]
    yield* TestClock.adjust("1 second")
    const last = yield* read("app/three")
    yield* TestClock.adjust("45 seconds")
    expect(yield* Fiber.join(last)).toEqual(["a"])
    yield* Effect.forEach(others, Fiber.join)
  })
)
