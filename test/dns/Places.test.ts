import { expect, test } from "bun:test"
import { makePlaces } from "../../src/dns/Places.ts"

test("there is room for as many as there are places, and for the others in the order of their coming", () => {
  const places = makePlaces(2)
  const order: Array<number> = []
  const leave = Array.from({ length: 5 }, (_, number) => places.enter(() => order.push(number)))
  expect(order).toEqual([0, 1])
  expect(places.areFree()).toBe(false)
  leave[1]?.()
  expect(order).toEqual([0, 1, 2])
  leave[0]?.()
  leave[2]?.()
  expect(order).toEqual([0, 1, 2, 3, 4])
  leave[3]?.()
  leave[4]?.()
  expect(places.areFree()).toBe(true)
})

test("who leaves the line leaves their place in it to those behind", () => {
  const places = makePlaces(1)
  const order: Array<string> = []
  const enter = (name: string) => places.enter(() => order.push(name))
  const [leaveFirst, leaveSecond, leaveThird] = [enter("first"), enter("second"), enter("third")]
  leaveSecond()
  expect(places.areFree()).toBe(false)
  leaveFirst()
  expect(order).toEqual(["first", "third"])
  leaveThird()
  expect(places.areFree()).toBe(true)
})
