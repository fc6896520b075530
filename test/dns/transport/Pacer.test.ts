import { expect, test } from "bun:test"
import { makePacer } from "../../../src/dns/transport/Pacer.ts"

test("a pacer lets a burst pass at once and spaces what follows", () => {
  const pacer = makePacer({ burst: 3, perSecond: 10 })
  expect(Array.from({ length: 6 }, () => pacer.takeTurn(5_000))).toEqual([0, 0, 0, 100, 200, 300])
})

test("unused turns are kept, as many as a burst has", () => {
  const pacer = makePacer({ burst: 2, perSecond: 10 })
  pacer.takeTurn(0)
  expect(Array.from({ length: 3 }, () => pacer.takeTurn(60_000))).toEqual([0, 0, 100])
})

test("a turn that would be later is not taken", () => {
  const pacer = makePacer({ burst: 1, perSecond: 10 })
  expect([0, 50, 99, 100, 150].map((now) => pacer.tryTurn(now))).toEqual([true, false, false, true, false])
})

test("a turn that is given back is the next one's", () => {
  const pacer = makePacer({ burst: 1, perSecond: 10 })
  expect([pacer.takeTurn(0), pacer.takeTurn(0), pacer.takeTurn(0)]).toEqual([0, 100, 200])
  pacer.returnTurn()
  expect(pacer.takeTurn(0)).toBe(200)
})
