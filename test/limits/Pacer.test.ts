import { expect, test } from "bun:test"
import { makePacer } from "../../src/limits/Pacer.ts"

test("a pacer lets a burst pass at once and spaces what follows", () => {
  const pacer = makePacer({ burst: 3, perSecond: 10 })
  expect(Array.from({ length: 6 }, () => pacer.reserve(5_000))).toEqual([0, 0, 0, 100, 200, 300])
})

test("unused send times are kept, as many as a burst has", () => {
  const pacer = makePacer({ burst: 2, perSecond: 10 })
  pacer.reserve(0)
  expect(Array.from({ length: 3 }, () => pacer.reserve(60_000))).toEqual([0, 0, 100])
})

test("a send time that would be later is not reserved", () => {
  const pacer = makePacer({ burst: 1, perSecond: 10 })
  expect([0, 50, 99, 100, 150].map((now) => pacer.tryReserve(now))).toEqual([true, false, false, true, false])
})

test("a send time that is released is the next one's", () => {
  const pacer = makePacer({ burst: 1, perSecond: 10 })
  expect([pacer.reserve(0), pacer.reserve(0), pacer.reserve(0)]).toEqual([0, 100, 200])
  pacer.release()
  expect(pacer.reserve(0)).toBe(200)
})
