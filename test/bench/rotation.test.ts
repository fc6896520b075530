import { expect, test } from "bun:test"
import { isUndisturbed, type LoadTurn, neighbourRatios, rotationOf } from "../../bench/rotation.ts"

/** A turn in which other processes took this share of the machine. */
const turn = (subject: string, perSecond: number, foreignShare = 0): LoadTurn => ({
  subject,
  load: { perSecond, foreignShare, p50: 1, p99: 1, serverMicros: 1, databaseMicros: 1, clientMicros: 1 }
})

test("every turn of a peer stands between two turns of the service", () => {
  expect(rotationOf("service", ["hono", "floor"])).toEqual(["service", "hono", "service", "floor"])
})

test("a peer is compared with the turns right before and after its own", () => {
  const turns = [turn("service", 10), turn("hono", 20), turn("service", 30), turn("floor", 60), turn("service", 90)]
  expect(neighbourRatios(turns, "service", "hono")).toEqual([0.5, 1.5])
  expect(neighbourRatios(turns, "service", "floor")).toEqual([0.5, 1.5])
})

test("a ratio of which one turn was disturbed is dropped", () => {
  const turns = [turn("service", 10, 0.2), turn("hono", 20), turn("service", 30), turn("hono", 60, 0.06)]
  expect(neighbourRatios(turns, "service", "hono")).toEqual([1.5])
})

test("turns count where the load of other processes is unknown", () => {
  expect(isUndisturbed(turn("hono", 20, Number.NaN))).toBe(true)
})
