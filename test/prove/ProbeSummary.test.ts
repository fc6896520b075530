import { describe, expect, test } from "bun:test"
import { isMet } from "../../bench/Report.ts"
import { delayBetween } from "../../prove/responsive/SchedulingDelays.ts"
import {
  isMachineBusy,
  missedMaxTarget,
  type ProbeSample,
  probeTargets,
  summarizeProbe
} from "../../prove/responsive/ProbeSummary.ts"

const sample = (millis: number, more: Partial<ProbeSample> = {}): ProbeSample => ({
  millis,
  schedulingDelayMillis: 0,
  machineDelayMillis: 0,
  ...more
})

const quickGets = Array.from({ length: 99 }, () => sample(2))

const missedBy = (
  gets: ReadonlyArray<ProbeSample>,
  discoveries: ReadonlyArray<ProbeSample> = [sample(100)],
  tolerance = 1,
  firstUses: ReadonlyArray<ProbeSample> = []
) =>
  probeTargets(summarizeProbe({ gets, firstUses, discoveries, references: [] }), { getPercentile: "getP99", tolerance })
    .filter((target) => !isMet(target))
    .map(({ what }) => what)

const isBusyWith = (references: ReadonlyArray<ProbeSample>) =>
  isMachineBusy(summarizeProbe({ gets: quickGets, firstUses: [], discoveries: [], references }))

describe("the summary of the victim's requests", () => {
  test("a victim that is served quickly misses no gate", () => {
    expect(missedBy([...quickGets, sample(200)])).toEqual([])
  })

  test("one get in a hundred may be slow, two may not", () => {
    expect(missedBy([...quickGets.slice(1), sample(60), sample(60)])).toEqual(["get p99, ms"])
  })

  test("a single stall of more than 250 ms misses a gate", () => {
    expect(missedBy([...quickGets, sample(300)])).toEqual(["get max, ms"])
  })

  test("a tolerance makes the limits of all times longer", () => {
    expect(missedBy([...quickGets, sample(700)], [sample(5_900)], 3)).toEqual([])
    expect(missedBy([...quickGets, sample(800)], [sample(6_100)], 3)).toEqual([
      "get max, ms",
      "healthy discovery max, ms"
    ])
  })

  test("a stall of the service stays visible although the probe was delayed too", () => {
    expect(missedBy([...quickGets, sample(9_000, { schedulingDelayMillis: 400 })])).toEqual(["get max, ms"])
  })

  test("what only the probe's own delay made slow counts as served in time", () => {
    expect(missedBy([...quickGets, sample(300, { schedulingDelayMillis: 290 })])).toEqual([])
  })

  test("a probe that was often delayed itself measures nothing", () => {
    expect(missedBy(quickGets.map(() => sample(40, { schedulingDelayMillis: 38 })))).toEqual([
      "share of requests that the busy machine delayed in the probe"
    ])
  })

  test("a failed request misses a gate, also when it was quick", () => {
    expect(missedBy([...quickGets, sample(1, { failure: "429" })])).toEqual(["failed requests of the victim: 1 × 429"])
  })

  test("a new key that is taken late misses a gate, and one that is refused too", () => {
    expect(missedBy(quickGets, [sample(100)], 1, [sample(30)])).toEqual([])
    expect(missedBy(quickGets, [sample(100)], 1, [sample(30), sample(300)])).toEqual(["first use of a key max, ms"])
    expect(missedBy(quickGets, [sample(100)], 1, [sample(30, { failure: "get 429" })])).toEqual([
      "failed requests of the victim: 1 × get 429"
    ])
  })

  test("a slow discovery misses a gate, and so does a window without any", () => {
    expect(missedBy(quickGets, [sample(2_100)])).toEqual(["healthy discovery max, ms"])
    expect(missedBy(quickGets, [])).toEqual(["healthy discovery max, ms"])
  })
})

describe("the reference", () => {
  test("a machine is busy if a server that only answers is slow", () => {
    expect(isBusyWith([...quickGets, sample(200)])).toBe(false)
    expect(isBusyWith([...quickGets.slice(1), sample(30), sample(30)])).toBe(true)
  })
})

describe("the summary for a machine that does other work", () => {
  const gets = [...quickGets, sample(700, { machineDelayMillis: 600 }), sample(480)]
  const summary = summarizeProbe(
    { gets, firstUses: [], discoveries: [sample(100)], references: [] },
    "machineDelayMillis"
  )

  test("takes the time without a processor from each request, and still sees a stop of half a second", () => {
    expect(summary.getMax).toBe(480)
    expect(isMet(missedMaxTarget(summary, { tolerance: 1.6 }))).toBe(true)
    expect(isMet(missedMaxTarget(summary, { tolerance: 2 }))).toBe(false)
  })
})

describe("the delays between two times", () => {
  test("only the part of a delay between the two times counts", () => {
    const delays = [
      { from: 0, to: 10, millis: 10 },
      { from: 20, to: 30, millis: 6 },
      { from: 50, to: 60, millis: 4 }
    ]
    expect(delayBetween(delays, 5, 55)).toBe(5 + 6 + 2)
  })

  test("without a delay in between it is nothing", () => {
    expect(delayBetween([{ from: 0, to: 10, millis: 10 }], 10, 90)).toBe(0)
  })
})
