import { expect, test } from "bun:test"
import { Option } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { DnsLookup, LookupQuestion } from "../../../src/planning/DnsLookup.ts"
import { findRelevantRRset } from "../../../src/planning/caa/CaaSet.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"

const shop = DomainName.make("shop.example.co.uk")

/** A lookup that knows only the given answers. */
const knowing = (answers: Readonly<Record<string, ReadonlyArray<string>>>) =>
  fakeLookup(({ name, type }) => Option.fromNullable(type === "CAA" ? answers[name] : undefined))

const questions = (...names: ReadonlyArray<string>): ReadonlyArray<LookupQuestion> =>
  names.map((name) => ({ name, type: "CAA" }))

const ca = ['0 issue "ca.example"']
const other = ['0 issue "other.example"']

test("all names up to the top-level domain are queried at once, even above the zone apex", () => {
  expect(findRelevantRRset(shop, knowing({}))).toEqual({
    at: Option.none(),
    values: [],
    unanswered: questions("shop.example.co.uk", "example.co.uk", "co.uk", "uk")
  })
})

test("the nearest RRset applies, and names above it are not queried", () => {
  expect(findRelevantRRset(shop, knowing({ "shop.example.co.uk": [], "example.co.uk": ca, uk: other }))).toEqual({
    at: Option.some("example.co.uk"),
    values: ca,
    unanswered: []
  })
})

test("the RRset of the top-level domain applies if there is no nearer one", () => {
  const lookup = knowing({ "shop.example.co.uk": [], "example.co.uk": [], "co.uk": [], uk: ca })
  expect(findRelevantRRset(shop, lookup)).toEqual({ at: Option.some("uk"), values: ca, unanswered: [] })
})

test("an RRset ends the search even if its records are invalid", () => {
  const lookup = knowing({ "shop.example.co.uk": ["nonsense"], "example.co.uk": ca })
  expect(findRelevantRRset(shop, lookup)).toEqual({
    at: Option.some("shop.example.co.uk"),
    values: ["nonsense"],
    unanswered: []
  })
})

test("no RRset applies only if every name answered without one", () => {
  const lookup = knowing({ "shop.example.co.uk": [], "example.co.uk": [], "co.uk": [], uk: [] })
  expect(findRelevantRRset(shop, lookup)).toEqual({ at: Option.none(), values: [], unanswered: [] })
})

test("an unanswered name below the relevant RRset is reported", () => {
  expect(findRelevantRRset(shop, knowing({ "example.co.uk": [], "co.uk": ca }))).toEqual({
    at: Option.some("co.uk"),
    values: ca,
    unanswered: questions("shop.example.co.uk")
  })
})

test("an alias answers with the RRset of its target, and names above the target do not apply", () => {
  const through = (answers: Parameters<typeof knowing>[0]): DnsLookup => {
    const known = knowing(answers)
    return (question) => known(question.name === shop ? { ...question, name: "edge.example.net" } : question)
  }
  expect(findRelevantRRset(shop, through({ "edge.example.net": ca, "example.co.uk": other }))).toEqual({
    at: Option.some(shop),
    values: ca,
    unanswered: []
  })
  expect(
    findRelevantRRset(shop, through({ "edge.example.net": [], "example.net": ca, "example.co.uk": other }))
  ).toEqual({
    at: Option.some("example.co.uk"),
    values: other,
    unanswered: []
  })
  expect(findRelevantRRset(shop, through({ "example.co.uk": other })).unanswered).toEqual(questions("edge.example.net"))
})
