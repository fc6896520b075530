import { expect, test } from "bun:test"
import { makeFairMap } from "../../src/limits/BoundedMap.ts"

test("a full map forgets the oldest entry of the requester with the most entries, whichever requester adds one", () => {
  const map = makeFairMap<number>(4)
  map.set("few", "first", 0)
  for (const nth of [1, 2, 3, 4, 5]) map.set("many", `${nth}`, nth)
  map.set("other", "first", 6)
  expect([map.get("few", "first"), map.get("other", "first")]).toEqual([0, 6])
  expect(["1", "2", "3", "4", "5"].map((key) => map.get("many", key))).toEqual([undefined, undefined, undefined, 4, 5])
})

test("an entry that is set again is the newest of its requester", () => {
  const map = makeFairMap<number>(2)
  map.set("requester", "a", 1)
  map.set("requester", "b", 2)
  map.set("requester", "a", 3)
  map.set("requester", "c", 4)
  expect(["a", "b", "c"].map((key) => map.get("requester", key))).toEqual([3, undefined, 4])
})

test("a map is empty again once all entries are deleted", () => {
  const map = makeFairMap<number>(2)
  map.set("one", "a", 1)
  map.set("other", "a", 2)
  map.delete("one", "a")
  map.delete("one", "a")
  expect([map.isEmpty(), map.get("one", "a"), map.get("other", "a")]).toEqual([false, undefined, 2])
  map.delete("other", "a")
  expect(map.isEmpty()).toBe(true)
})
