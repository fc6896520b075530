import { expect, test } from "bun:test"
import { Option } from "effect"
import fc from "fast-check"
import { tlsa } from "../../../src/domain/records/tlsa.ts"
import { describePlan, desiredRecords, zoneOf } from "../../support/planFixtures.ts"
import { rejected, unchanged } from "../outcomes.ts"
import { hexOf, judgeRecordType, uint8Text, words } from "./judgeRecordType.ts"

const digest = "ab".repeat(32)

judgeRecordType("TLSA", {
  outcomes: {
    ...unchanged(`3 1 1 ${digest}`, "3 1 0 30820122"),
    [`03 1  1 ${digest.toUpperCase()}`]: `3 1 1 ${digest}`,
    [`3 1 1 ${"ab".repeat(16)} ${"ab".repeat(16)}`]: `3 1 1 ${digest}`,
    ...rejected("value_malformed", "", "3 1 1", `3 1 ${digest}`, `256 1 1 ${digest}`, "3 1 1 abc", "3 1 1 abcd")
  },
  suggestions: {
    [`_443._tcp.www.example.com. 3600 IN TLSA 3 1 1 ${digest}`]: ["value_malformed", `3 1 1 ${digest}`],
    [`3 1 1 ( ${digest} )`]: ["value_malformed", `3 1 1 ${digest}`],
    [`3 1 1 ${Array(32).fill("AB").join(":")}`]: ["value_malformed", `3 1 1 ${digest}`],
    "3 1 1 abcd": ["value_malformed"]
  },
  spellings: fc.oneof(
    words(uint8Text, uint8Text, fc.constant("1"), hexOf(32)),
    words(uint8Text, uint8Text, fc.constant("2"), hexOf(32), hexOf(32)),
    words(uint8Text, uint8Text, fc.constant("0"), hexOf(40))
  )
})

const isRefused = (host: string) => tlsa.checkHost?.(host, "")._tag === "Some"

test("a TLSA record stands at the port of a service", () => {
  expect(["_443._tcp", "_25._tcp.mail", "_*._tcp", "*", "*._tcp"].filter(isRefused)).toEqual([])
  expect(["@", "www", "_tcp.www", "443._tcp", "__443._tcp"].filter((host) => !isRefused(host))).toEqual([])
})

const suggestionOf = (host: string) =>
  Option.flatMapNullable(tlsa.checkHost?.(host, "") ?? Option.none(), (issue) => issue.suggestion)

test("the host of a TLSA record is suggested with its underscores, and the port in front", () => {
  const suggested = ["443._tcp", "_443.tcp.mail", "__443._tcp", "_tcp._443", "@", "_tcp.www"].map(suggestionOf)
  expect(suggested.map(Option.getOrUndefined)).toEqual([
    "_443._tcp",
    "_443._tcp.mail",
    "_443._tcp",
    "_443._tcp",
    undefined,
    undefined
  ])
})

test("a TLSA record that another one replaces has to be acknowledged", () => {
  const records = [`_443._tcp 300 TLSA 3 1 1 ${"cd".repeat(32)}`, `_443._tcp 300 TLSA 3 1 1 ${digest}`] as const
  expect(describePlan({ zone: zoneOf(records[0]), desired: desiredRecords(records[1]) })).toMatchObject({
    changes: [`update! | ${records[0]} | ${records[1]}`],
    warnings: ["service_record_replaced"]
  })
})
