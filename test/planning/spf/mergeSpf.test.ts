import { expect, test } from "bun:test"
import { describeSpfPlan, mergedPlan } from "./describeSpfPlan.ts"
import { isSpfAddition } from "../../../src/planning/spf/mergeSpf.ts"

const before = "v=spf1 a ~mx ra=x -all ptr exp=e.example"

const additions = [
  before,
  "V=SPF1  +A ~MX:example.com ~mx ra=x -ALL ptr exp=E.example.",
  "v=spf1 include:x.example a ip4:192.0.2.1 ~mx ?exists:y.example ra=x -all ptr exp=e.example",
  "v=spf1 a a ~mx ra=x -all mx ptr exp=e.example"
]

const others = [
  "v=spf1 a ~mx ra=x -all exp=e.example",
  "v=spf1 ~mx a ra=x -all ptr exp=e.example",
  "v=spf1 a mx ra=x -all ptr exp=e.example",
  "v=spf1 a ~mx ra=x ~all ptr exp=e.example",
  "v=spf1 a ~mx ra=x ~all -all ptr exp=e.example",
  "v=spf1 a ~mx ra=y -all ptr exp=e.example",
  "v=spf1 a ~mx ra=x -all ptr",
  "v=spf1 a ~mx ra=x x=y -all ptr exp=e.example",
  "v=spf1 a ~mx ra=x -all ptr exp=e.example redirect=r.example",
  "v=spf1 a ~mx ra=x -all ptr exp=e.example x",
  "a ~mx ra=x -all ptr exp=e.example",
  ""
]

const isAddition = (after: string) => isSpfAddition("example.com", before, after)

test("an SPF record is an addition if it only adds mechanisms and keeps the order of the rest", () => {
  expect([additions.filter(isAddition), others.filter(isAddition)]).toEqual([additions, []])
})

test("a record that loses malformed terms is not an addition", () => {
  expect(isSpfAddition("example.com", "v=spf1 a: mx", "v=spf1 mx")).toBe(false)
  expect(isSpfAddition("example.com", "hello", "v=spf1 mx")).toBe(false)
})

test("a first SPF record has a mechanism of its own name once, with or without that name, with its first qualifier", () => {
  for (const [desired, created] of [
    ["v=spf1 a a:example.com -all", "v=spf1 a -all"],
    ["v=spf1 a:Example.com a mx:example.com/24 mx/24 ~all", "v=spf1 a:Example.com mx:example.com/24 ~all"],
    ["v=spf1 -a +a:example.com mx", "v=spf1 -a mx"],
    ["v=spf1 include:a.example  include:A.example -all", "v=spf1 include:a.example -all"],
    ["v=spf1 a a:example.com/24 a:example.net -all", "v=spf1 a a:example.com/24 a:example.net -all"]
  ] as const)
    expect(describeSpfPlan({ desired })).toEqual(mergedPlan(`300 ${created}`))
})
