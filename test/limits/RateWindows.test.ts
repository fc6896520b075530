import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { RateWindows } from "../../src/limits/RateLimiter.ts"

describe("the windows of a rate limit", () => {
  test("end 60 seconds after the first use", () => {
    const windows = new RateWindows()
    expect(windows.consume("a", 2, 0)).toEqual({ limit: 2, used: 1, remaining: 1, resetSeconds: 60, isExceeded: false })
    expect(windows.consume("a", 2, 59_999)).toMatchObject({ used: 2, remaining: 0, resetSeconds: 1, isExceeded: false })
    expect(windows.consume("a", 2, 59_999)).toMatchObject({ used: 3, remaining: 0, isExceeded: true })
    expect(windows.consume("a", 2, 60_000)).toMatchObject({ used: 1, resetSeconds: 60, isExceeded: false })
  })

  test("end in 60 seconds at most, whatever fraction of a millisecond the clock shows", () => {
    expect(new RateWindows().consume("a", 1, 7_817.399_728_023_876).resetSeconds).toBe(60)
  })

  test("are read without being used", () => {
    const windows = new RateWindows()
    windows.consume("a", 2, 0)
    expect(windows.read("a", 2, 1_000)).toMatchObject({ used: 1, remaining: 1, resetSeconds: 59 })
    expect(windows.read("b", 2, 1_000)).toMatchObject({ used: 0, remaining: 2, resetSeconds: 60 })
    expect(windows.size).toBe(1)
  })

  test("reset after 1 to 60 seconds, however the clock jumps", () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { maxLength: 50 }), (jumps) => {
        const windows = new RateWindows()
        let now = 0
        jumps.forEach((jump) => {
          now += jump
          const { resetSeconds } = windows.consume("a", 1, now)
          expect(resetSeconds).toBeGreaterThanOrEqual(1)
          expect(resetSeconds).toBeLessThanOrEqual(60)
        })
      })
    ))

  test("a clock that runs backwards neither ends nor prolongs a window", () => {
    const windows = new RateWindows()
    windows.consume("a", 1, 1_000_000)
    expect(windows.consume("a", 1, 0)).toMatchObject({ used: 2, resetSeconds: 60, isExceeded: true })
    expect(windows.consume("a", 1, 1_060_000)).toMatchObject({ used: 1, isExceeded: false })
  })

  test("take bounded memory: of too many keys those used least lately are dropped", () => {
    const windows = new RateWindows(1_000)
    windows.consume("busy", 10, 0)
    for (let key = 0; key < 100_000; key += 1) {
      windows.consume(`key ${key}`, 10, 1)
      if (key % 100 === 0) windows.consume("busy", 10, 1)
    }
    expect(windows.size).toBeLessThanOrEqual(1_000)
    expect(windows.read("busy", 10, 1).used).toBe(1_001)
    expect(windows.read("key 0", 10, 1).used).toBe(0)
  })
})
