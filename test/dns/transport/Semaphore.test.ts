import { expect, test } from "bun:test"
import { makeSemaphore } from "../../../src/dns/transport/Semaphore.ts"

test("there is room for as many as there are places, and for the others in the order of their coming", () => {
  const places = makeSemaphore(2)
  const order: Array<number> = []
  const leave = Array.from({ length: 5 }, (_, number) => places.acquire(() => order.push(number)))
  expect(order).toEqual([0, 1])
  expect(places.isAvailable()).toBe(false)
  leave[1]?.()
  expect(order).toEqual([0, 1, 2])
  leave[0]?.()
  leave[2]?.()
  expect(order).toEqual([0, 1, 2, 3, 4])
  leave[3]?.()
  leave[4]?.()
  expect(places.isAvailable()).toBe(true)
})

test("who leaves the line leaves their place in it to those behind", () => {
  const places = makeSemaphore(1)
  const order: Array<string> = []
  const enter = (name: string) => places.acquire(() => order.push(name))
  const [leaveFirst, leaveSecond, leaveThird] = [enter("first"), enter("second"), enter("third")]
  leaveSecond()
  expect(places.isAvailable()).toBe(false)
  leaveFirst()
  expect(order).toEqual(["first", "third"])
  leaveThird()
  expect(places.isAvailable()).toBe(true)
})
