import { expect, test } from "bun:test"
import fc from "fast-check"
import { Either } from "effect"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { describePlan, describeRefusal, desiredRecords, zoneOf } from "../../support/planFixtures.ts"
import { rejected, unchanged } from "../outcomes.ts"
import { hexOf, judgeRecordType, uint16Text, uint8Text, words } from "./judgeRecordType.ts"

const digest = "0123456789abcdef".repeat(4)

judgeRecordType("DS", {
  outcomes: {
    ...unchanged(`60485 13 2 ${digest}`),
    [`60485 13 2 ${digest.slice(0, 32).toUpperCase()} ${digest.slice(32)}`]: `60485 13 2 ${digest}`,
    ...rejected("value_malformed", "", `65536 13 2 ${digest}`, `60485 13 2 ${digest}00`, `60485 ECDSAP256SHA256 2 ab`)
  },
  suggestions: {
    [`shop.example.com. 3600 IN DS 60485 13 2 ${digest}`]: ["value_malformed", `60485 13 2 ${digest}`]
  },
  spellings: fc.oneof(
    words(uint16Text, uint8Text, fc.constant("1"), hexOf(20)),
    words(uint16Text, uint8Text, fc.constant("2"), hexOf(32)),
    words(uint16Text, uint8Text, fc.constant("4"), hexOf(48))
  )
})

const ds = `shop 300 DS 60485 13 2 ${digest}`

const codesOf = (...records: ReadonlyArray<{ readonly host: string; readonly type: "NS" | "DS"; value: string }>) =>
  Either.match(resolveIntent({ domain: "example.com", records }), {
    onLeft: (details) => details.map(({ code, pointer }) => `${code} ${pointer}`),
    onRight: () => []
  })

test("a DS record stands beside the NS records of its host", () => {
  const value = `60485 13 2 ${digest}`
  const delegation = { host: "shop", type: "NS", value: "ns1.otherprov.net" } as const
  expect(codesOf(delegation, { host: "shop", type: "DS", value })).toEqual([])
  expect(codesOf(delegation, { host: "www", type: "DS", value })).toEqual(["delegation_missing /intent/records/1"])
  expect(codesOf({ host: "shop", type: "DS", value })).toEqual(["delegation_missing /intent/records/0"])
  expect(codesOf(delegation, { host: "a.shop", type: "DS", value }).map((code) => code.split(" ")[0])).toEqual([
    "record_below_delegation",
    "record_below_delegation",
    "delegation_missing"
  ])
})

test("a delegation is written before its DS record, and keeps one that is right", () => {
  const desired = desiredRecords("shop 300 NS ns1.otherprov.net", ds)
  expect(describePlan({ zone: zoneOf(), desired }).changes).toEqual([
    "create | shop 300 NS ns1.otherprov.net",
    `create | ${ds}`
  ])
  expect(describePlan({ zone: zoneOf("shop 300 NS ns1.otherprov.net", ds), desired }).changes).toEqual([])
  const other = `shop 300 DS 1 13 2 ${digest}`
  expect(describePlan({ zone: zoneOf("shop 300 NS ns1.otherprov.net", other), desired }).changes).toEqual([
    `update! | ${other} | ${ds}`
  ])
})

test("a zone has no DS record about itself", () => {
  const desired = desiredRecords("@ 300 NS ns1.otherprov.net", `@ 300 DS 60485 13 2 ${digest}`)
  expect(describeRefusal({ zone: zoneOf("@ 300 NS ns1.otherprov.net"), desired })).toBe("DS @ record_type_unsupported")
})
