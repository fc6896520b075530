import { expect, test } from "bun:test"
import { makeFairQueue } from "../../src/limits/FairQueue.ts"

/** Acquires permits of a queue in the order of `keys`, and logs which of them starts, as `key` and number. */
const setup = (options: Parameters<typeof makeFairQueue>[0], keys: string) => {
  const queue = makeFairQueue(options)
  const started: Array<string> = []
  const removed: Array<string> = []
  const acquire = (name: string) =>
    queue.acquire(
      name.slice(0, 1),
      () => started.push(name),
      () => removed.push(name)
    )
  const permits = new Map(
    keys.split(" ").map((name): readonly [string, ReturnType<typeof acquire>] => [name, acquire(name)])
  )
  return { queue, started, removed, acquire, release: (name: string) => permits.get(name)?.release() }
}

test("a queue gives out its permits, and then each returned one to the first in the queue of a key", () => {
  const { release, started } = setup({ permits: 2 }, "a1 a2 a3 a4 a5")
  expect(started).toEqual(["a1", "a2"])
  release("a2")
  expect(started).toEqual(["a1", "a2", "a3"])
  release("a1")
  release("a3")
  expect(started).toEqual(["a1", "a2", "a3", "a4", "a5"])
})

test("a waiter that leaves the queue does not block those behind it", () => {
  const { acquire, release, started } = setup({ permits: 1 }, "a1 a2 a3")
  release("a2")
  release("a1")
  release("a3")
  acquire("a4")
  expect(started).toEqual(["a1", "a3", "a4"])
})

test("permits are dealt round robin over the keys that wait, however many of one wait", () => {
  const { release, started } = setup({ permits: 1 }, "a1 a2 a3 a4 b1 b2 c1")
  for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) release(name)
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
})

test("a key keeps its turn when one of its waiters leaves the queue", () => {
  const { release, started } = setup({ permits: 1 }, "a1 b1 b2 c1")
  release("b1")
  release("a1")
  expect(started).toEqual(["a1", "b2"])
})

test("a key at its cap gets no permit while a key below its own waits", () => {
  const { release, started } = setup({ permits: 4, maxPerKey: 2 }, "a1 a2 a3 a4 a5 b1 b2 b3")
  expect(started).toEqual(["a1", "a2", "a3", "a4"])
  release("a1")
  release("a2")
  expect(started.slice(4)).toEqual(["b1", "b2"])
  release("a3")
  release("a4")
  expect(started.slice(6)).toEqual(["a5", "b3"])
})

test("a key gets all permits while no other key waits", () => {
  expect(setup({ permits: 4, maxPerKey: 2 }, "a1 a2 a3 a4").started).toHaveLength(4)
})

test("reserved permits go at once to keys that have few", () => {
  const { started } = setup({ permits: 4, reserved: 2 }, "a1 a2 a3 a4 b1 c1 c2")
  expect(started).toEqual(["a1", "a2", "b1", "c1"])
})

test("a full queue refuses, and has room again when one leaves it", () => {
  const { acquire, release, started } = setup({ permits: 1, maxQueued: 2 }, "a1 a2 b1")
  expect(acquire("c1")).toBeUndefined()
  release("a2")
  expect(acquire("c2")).toBeDefined()
  release("a1")
  release("b1")
  expect(started).toEqual(["a1", "b1", "c2"])
})

test("a full queue removes the oldest of the key that has most for one that has less than an equal share", () => {
  const { acquire, release, removed, started } = setup({ permits: 1, maxQueued: 4 }, "a1 a2 a3 a4 a5 b1 b2 b3")
  expect(removed).toEqual(["a2", "a3"])
  expect([acquire("a6"), acquire("b4"), acquire("c1")].map((permit) => permit !== undefined)).toEqual([
    false,
    false,
    true
  ])
  expect(removed).toEqual(["a2", "a3", "a4"])
  // That a removed one is released, and that it would have been next, changes nothing.
  for (const name of ["a2", "a3", "a1", "a5", "b1"]) release(name)
  expect(started).toEqual(["a1", "a5", "b1", "c1"])
})

test("more permits start waiting work; fewer take none back", () => {
  const { queue, release, started } = setup({ permits: 1 }, "a1 a2 a3 a4")
  queue.resize({ permits: 3 })
  expect(started).toEqual(["a1", "a2", "a3"])
  queue.resize({ permits: 1 })
  release("a1")
  release("a2")
  expect(started).toHaveLength(3)
  release("a3")
  expect(started).toEqual(["a1", "a2", "a3", "a4"])
})

test("the queue of one key is limited apart from those of others", () => {
  const { acquire, started } = setup({ permits: 1, maxQueuedPerKey: 2 }, "a1 a2 a3")
  expect(acquire("a4")).toBeUndefined()
  acquire("b1")?.release()
  expect(acquire("b2")).toBeDefined()
  expect(started).toEqual(["a1"])
})

test("graduated permits leave half of what is free to other keys, and the last one to a key that comes later", () => {
  const { started } = setup(
    { permits: 12, leavesHalfFree: true },
    `${"a".repeat(8)}${"b".repeat(8)}`
      .split("")
      .map((key, nth) => `${key}${nth}`)
      .join(" ") + " c1 c2 c3 d1"
  )
  expect(started.map((name) => name.slice(0, 1)).join("")).toBe("aaaaaabbbccd")
})

test("a key that returns its permits gets its share soon, although other keys keep theirs", () => {
  const { acquire, release, started } = setup({ permits: 4, isFewestFirst: true }, "a1 a2 b1 b2 a3 b3 c1 c2 c3")
  release("a1")
  release("c1")
  acquire("c4")
  release("c2")
  release("c3")
  expect(started).toEqual(["a1", "a2", "b1", "b2", "c1", "c2", "c3", "c4"])
  release("b1")
  expect(started.slice(8)).toEqual(["a3"])
})
