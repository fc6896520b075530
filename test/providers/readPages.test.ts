import { describe, expect } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
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
})
