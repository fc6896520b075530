import { expect, test } from "bun:test"
import {
  isUndisturbed,
  type LoadTurn,
  medianLoad,
  neighbourRatios,
  rotationOf,
  summarizeRatios
} from "../../bench/rotation.ts"

/** The figures of a turn in which other processes took this share of the machine. */
const figures = (value: number, foreignShare: number) => ({
  perSecond: value,
  p50: value,
  p99: value,
  serverMicros: value,
  databaseMicros: value,
  clientMicros: value,
  foreignShare
})

const turn = (subject: string, value: number, foreignShare = 0): LoadTurn => ({
  subject,
  load: figures(value, foreignShare)
})

test("every turn of a peer stands between two turns of the service", () => {
  expect(rotationOf("service", ["hono", "floor"])).toEqual(["service", "hono", "service", "floor"])
})

test("a peer is compared with the turns right before and after its own", () => {
  const turns = [turn("service", 10), turn("hono", 20), turn("service", 30), turn("floor", 60), turn("service", 90)]
  expect(neighbourRatios(turns, "service", "hono")).toEqual([0.5, 1.5])
  expect(neighbourRatios(turns, "service", "floor")).toEqual([0.5, 1.5])
})

test("drops a ratio if one of its turns was disturbed", () => {
  const turns = [turn("service", 10, 0.2), turn("hono", 20), turn("service", 30), turn("hono", 60, 0.06)]
  expect(neighbourRatios(turns, "service", "hono")).toEqual([1.5])
})

test("turns count where the load of other processes is unknown", () => {
  expect(isUndisturbed(turn("hono", 20, Number.NaN))).toBe(true)
})

test("no figure of a disturbed turn is in the medians of a subject, processor times included", () => {
  const turns = [turn("service", 10), turn("hono", 50), turn("service", 30, 0.04), turn("service", 90, 0.06)]
  expect(medianLoad(turns, "service")).toEqual(figures(20, 0.02))
})

test("ratios are told by their median, their quartiles and their number", () => {
  expect(summarizeRatios([4, 1, 2, 3])).toEqual({ lowerQuartile: 1.75, median: 2.5, upperQuartile: 3.25, count: 4 })
  expect(summarizeRatios([7])).toEqual({ lowerQuartile: 7, median: 7, upperQuartile: 7, count: 1 })
})

test("there are no quartiles of no ratios", () => {
  expect(summarizeRatios([])).toEqual({
    lowerQuartile: Number.NaN,
    median: Number.NaN,
    upperQuartile: Number.NaN,
    count: 0
  })
})
