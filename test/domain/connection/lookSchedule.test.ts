import { describe, expect, test } from "bun:test"
import { Array } from "effect"
import {
  chooseLooks,
  lookKeyOf,
  lookKeysIn,
  lookNumber,
  type LooksPerCycle,
  nextTimeOf,
  slotsOf,
  slotsPerCycle
} from "../../../src/domain/connection/lookSchedule.ts"

const hour = 3_600_000
const day = 24 * hour
const allSlots = Array.makeBy(slotsPerCycle, (slot) => slot)
const looksPerCycle: ReadonlyArray<LooksPerCycle> = [1, 2, 4]

describe("the connections of a zone", () => {
  for (const looks of looksPerCycle) {
    test(`have ${looks} of the slots, evenly apart, in which their key is found`, () => {
      const key = lookKeyOf("example.com", looks)
      const slots = allSlots.filter((slot) => lookKeysIn(slot).includes(key))
      expect(slotsOf(key)).toEqual(slots)
      expect(slots).toHaveLength(looks)
      expect(slots.map((slot) => slot - (slots[0] ?? 0))).toEqual(
        Array.makeBy(looks, (nth) => (nth * slotsPerCycle) / looks)
      )
    })

    test(`count ${looks} looks in each cycle, one after the other`, () => {
      const key = lookKeyOf("example.com", looks)
      const numbers = [7, 8].flatMap((round) => slotsOf(key).map((slot) => lookNumber(key, slot, round)))
      expect(numbers.map((number) => number - (numbers[0] ?? 0))).toEqual(Array.makeBy(2 * looks, (nth) => nth))
    })

    test(`take turns evenly at the servers of a provider in every minute, with ${looks} looks in a cycle`, () => {
      const turns = Array.makeBy(20_000, (nth) => lookKeyOf(`shop${nth}.example`, looks)).flatMap((key) =>
        slotsOf(key).map((slot) => ({
          minute: Math.floor((slot * 60) / slotsPerCycle),
          server: lookNumber(key, slot, 7) % 4
        }))
      )
      for (const inMinute of Map.groupBy(turns, ({ minute }) => minute).values())
        for (const atServer of Map.groupBy(inMinute, ({ server }) => server).values()) {
          expect(atServer.length).toBeGreaterThan(0.15 * inMinute.length)
          expect(atServer.length).toBeLessThan(0.35 * inMinute.length)
        }
    })
  }

  test("come evenly, however many zones a server has", () => {
    const slots = Array.makeBy(200_000, (nth) => lookKeyOf(`shop${nth}.example`, 1))
    const minutes = Object.values(Array.groupBy(slots, (slot) => String(Math.floor((slot * 60) / slotsPerCycle))))
    const counts = minutes.map(({ length }) => length)
    expect(counts).toHaveLength(60)
    expect(Math.min(...counts)).toBeGreaterThan(0.9 * (200_000 / 60))
    expect(Math.max(...counts)).toBeLessThan(1.1 * (200_000 / 60))
  })
})

describe("a slot", () => {
  test("comes once in each cycle, at the same time of it", () => {
    const first = nextTimeOf(1_024, hour, 10 * hour)
    expect(first).toBe(10.25 * hour)
    expect(nextTimeOf(1_024, hour, first)).toBe(11.25 * hour)
    expect(nextTimeOf(1_024, hour, first + 1)).toBe(11.25 * hour)
  })

  test("that is late keeps its time, and leaves out the cycles that are over", () => {
    expect(nextTimeOf(1_024, hour, 13.3 * hour)).toBe(14.25 * hour)
  })
})

describe("a connection is looked at", () => {
  test("four times in a cycle on its first day, twice in its first week, then once", () => {
    const looks = [0, day - 1, day, 7 * day - 1, 7 * day].map((active) => chooseLooks({ active, drift: undefined }))
    expect(looks).toEqual([4, 4, 2, 2, 1])
  })

  test("twice while its records were missing in the last thirty days", () => {
    const looks = [0, 30 * day - 1, 30 * day].map((drift) => chooseLooks({ active: 100 * day, drift }))
    expect(looks).toEqual([2, 2, 1])
  })
})
