import { expect, test } from "bun:test"
import { makeSemaphore } from "../../../src/dns/transport/Semaphore.ts"

test("a semaphore gives out its permits, and then each returned one to the first in the queue", () => {
  const semaphore = makeSemaphore(2)
  const order: Array<number> = []
  const release = Array.from({ length: 5 }, (_, number) => semaphore.acquire(() => order.push(number)))
  expect(order).toEqual([0, 1])
  expect(semaphore.isAvailable()).toBe(false)
  release[1]?.()
  expect(order).toEqual([0, 1, 2])
  release[0]?.()
  release[2]?.()
  expect(order).toEqual([0, 1, 2, 3, 4])
  release[3]?.()
  release[4]?.()
  expect(semaphore.isAvailable()).toBe(true)
})

test("a waiter that leaves the queue does not block those behind it", () => {
  const semaphore = makeSemaphore(1)
  const order: Array<string> = []
  const acquire = (name: string) => semaphore.acquire(() => order.push(name))
  const [releaseFirst, leaveQueue, releaseThird] = [acquire("first"), acquire("second"), acquire("third")]
  leaveQueue()
  expect(semaphore.isAvailable()).toBe(false)
  releaseFirst()
  expect(order).toEqual(["first", "third"])
  releaseThird()
  expect(semaphore.isAvailable()).toBe(true)
})
