import { expect, test } from "bun:test"
import { makeShownRecordSelector } from "../../../src/lifecycle/verify/makeShownRecordSelector.ts"

const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, nth) => ({ type: "TXT", value: `${nth} `.padEnd(length, "a"), ttl: 300 }))

test("an observation shows sixteen records of usual length, the desired one first", () => {
  const observed = texts(40, 60)
  const shown = makeShownRecordSelector(20)(observed, observed[30]?.value ?? "")
  expect(shown.map(({ value }) => value.split(" ")[0])).toEqual([
    "30",
    ...Array.from({ length: 15 }, (_, nth) => `${nth}`)
  ])
})

test("an observation cuts a value of more than 1,024 characters, and never in the middle of a character", () => {
  const [shown] = makeShownRecordSelector(1)(
    [{ type: "TXT", value: `${"a".repeat(1_022)}${"😀".repeat(20)}`, ttl: 300 }],
    "b"
  )
  expect(shown?.value.length).toBe(1_024)
  expect(shown?.value.endsWith("…")).toBe(true)
  expect(shown?.value.isWellFormed()).toBe(true)
})

test("the observations of 200 records at ten servers take less than two megabytes, whatever the servers answer", () => {
  const select = makeShownRecordSelector(2_000)
  const observed = texts(390, 6_000)
  const shown = Array.from({ length: 2_000 }, () => select(observed, "b"))
  expect(JSON.stringify(shown).length).toBeLessThan(2 * 1024 * 1024)
})
