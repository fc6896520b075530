import { expect, test } from "bun:test"
import { Either, FastCheck as fc } from "effect"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { equivalenceKeyOf, parseCaaEntries } from "../../../src/planning/caa/CaaSet.ts"
import { type CaaInput, planCaa } from "../../../src/planning/caa/planCaa.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"

const blocking = '128 tbs "x"'

const issuers = ["a.example", "b.example", "A.Example;", "a.example; x=1", "a.example;X = 1", ";", "%%"]

const values = [
  ...issuers.flatMap((issuer) => [`0 issue "${issuer}"`, `0 issuewild "${issuer}"`]),
  '128 issue "b.example"',
  '0 iodef "mailto:ca@example.com"',
  '0 tbs "x"',
  blocking
]

const invalidValues = ["nonsense", "\ud800", '0 issue "a.example"x"']

interface CaaScenario {
  readonly desired: ReadonlyArray<string>
  readonly existing: ReadonlyArray<string>
  /** The RRset that an alias or wildcard serves for the host, then that of each name above it. */
  readonly answers: ReadonlyArray<ReadonlyArray<string>>
  readonly validateCAA: boolean
}

const few = (pool: ReadonlyArray<string>, minLength = 0) => fc.subarray([...pool], { minLength, maxLength: 4 })

const served = fc.oneof(fc.constant([]), few([...values, ...invalidValues]))

const scenarioArbitrary: fc.Arbitrary<CaaScenario> = fc.record({
  desired: few(values, 1),
  existing: served,
  answers: fc.tuple(served, served, served),
  validateCAA: fc.boolean()
})

const inputOf = ({ answers, desired, existing, validateCAA }: CaaScenario): CaaInput => ({
  desired: desired.map((value, index) =>
    DnsRecord.make({ host: "www", type: "CAA", value, ttl: 300 + index, optional: index % 2 === 0 })
  ),
  name: DomainName.make("www.example.com"),
  existing: existing.map((value) => ({ value, ttl: 60 })),
  validateCAA,
  lookup: ({ name }) => Either.right(answers[names.indexOf(name)] ?? []),
  lookupAfter: ({ name }) => Either.right((name === "www.example.com" ? undefined : answers[names.indexOf(name)]) ?? [])
})

const names = ["www.example.com", "example.com", "com"]

const property = (
  name: string,
  holds: (before: CaaScenario, after: CaaScenario, result: ReturnType<typeof planCaa>) => void
) =>
  test(name, () =>
    fc.assert(
      fc.property(scenarioArbitrary, (before) => {
        const result = planCaa(inputOf(before))
        holds(before, applyRecords(before, result.records), result)
      }),
      { numRuns: propertyRuns(3_000) }
    )
  )

/** The state after the plan; once a record is added, no alias or wildcard answers for the host any more. */
const applyRecords = (before: CaaScenario, records: ReadonlyArray<DnsRecord>): CaaScenario => ({
  ...before,
  existing: [...new Set([...before.existing, ...records.map(({ value }) => value)])],
  answers: (records.length === 0 ? before : withoutAlias(before)).answers
})

const withoutAlias = (state: CaaScenario): CaaScenario => ({ ...state, answers: [[], ...state.answers.slice(1)] })

const formatRecord = ({ optional, value }: DnsRecord) => `${value} ${optional}`

property("planning again gives the same records", (_, after, { records }) => {
  expect(planCaa(inputOf(after)).records.map(formatRecord)).toEqual(records.map(formatRecord))
})

property(
  "if a plan adds nothing, nothing is needed either once the alias or wildcard no longer answers",
  (before, _, result) => {
    if (result.records.length === 0) expect(planCaa(inputOf(withoutAlias(before))).records).toEqual([])
  }
)

property("an RRset that equals the result needs no change", (_, after, { records }) => {
  if (records.length === 0) return
  const again = planCaa(inputOf({ ...after, existing: records.map(({ value }) => value) })).records
  const known = new Set(records.map(({ value }) => value))
  expect(again.filter(({ value }) => !known.has(value))).toEqual([])
})

property(
  "a plan excludes no issuer that was named before, unless it adds an unknown critical property",
  (before, after) => {
    if ([...before.desired, ...countingIn(withoutAlias(before))].includes(blocking)) return
    for (const wildcard of [false, true]) {
      const was = allowedBy(countingIn(before), wildcard)
      const is = allowedBy(countingIn(after), wildcard)
      if (was === everyone) continue
      expect([...was].filter((issuer) => is !== everyone && !is.has(issuer))).toEqual([])
    }
  }
)

property("only desired issuers and those that the host would inherit anyway become allowed", (before, after) => {
  const desired = before.desired.flatMap((value) => /issue(?:wild)? "(.*)"/.exec(value)?.[1] ?? []).map(canonical)
  for (const wildcard of [false, true]) {
    const allowed = [before, withoutAlias(before)].map((state) => allowedBy(countingIn(state), wildcard))
    const is = allowedBy(countingIn(after), wildcard)
    if (allowed.includes(everyone)) continue
    const known = new Set([...desired, ...allowed.flatMap((issuers) => [...issuers])])
    expect(is === everyone ? [everyone] : [...is].filter((issuer) => !known.has(issuer))).toEqual([])
  }
})

property("every desired issuer may issue afterwards, unless an unknown critical property blocks all", (_, after) => {
  const counting = countingIn(after)
  if (counting.includes(blocking)) return
  const shutOut = after.desired.filter((value) => {
    const [, tag, issuer = ""] = /(issue|issuewild) "(.*)"/.exec(value) ?? []
    const allowed = allowedBy(counting, tag === "issuewild")
    const [plain = ""] = canonical(issuer).split(";")
    return (
      tag !== undefined &&
      plain !== "" &&
      allowed !== everyone &&
      !allowed.has(plain) &&
      !allowed.has(canonical(issuer))
    )
  })
  expect(shutOut).toEqual([])
})

const meanings = (values: ReadonlyArray<string>) => parseCaaEntries(values).map(equivalenceKeyOf)

property("without validateCAA the result contains every desired issuer in some spelling", (before, after) => {
  if (!before.validateCAA) expect(meanings(after.existing)).toEqual(expect.arrayContaining(meanings(before.desired)))
})

property("the order of records does not matter", (before, _, result) => {
  const reversed = planCaa(
    inputOf({
      ...before,
      existing: before.existing.toReversed(),
      answers: before.answers.map((answer) => answer.toReversed())
    })
  )
  expect(reversed).toEqual(result)
  const { desired, ...rest } = inputOf(before)
  expect(planCaa({ ...rest, desired: desired.toReversed() })).toEqual(result)
})

const everyone = "everyone"

/** The nearest RRset at the host or above it. */
const countingIn = ({ answers, existing }: CaaScenario): ReadonlyArray<string> =>
  [existing, ...answers].find((set) => set.length > 0) ?? []

/** An independent implementation of RFC 8659 to check the planner against. */
const allowedBy = (set: ReadonlyArray<string>, wildcard: boolean): typeof everyone | ReadonlySet<string> => {
  if (set.includes(blocking)) return new Set()
  const naming = (tag: string) => set.flatMap((value) => new RegExp(`^\\d+ ${tag} "([^"]*)"$`).exec(value)?.[1] ?? [])
  const wild = wildcard ? naming("issuewild") : []
  const named = wild.length > 0 ? wild : naming("issue")
  return named.length === 0 ? everyone : new Set(named.map(canonical).filter((issuer) => issuer !== ""))
}

const canonical = (issuer: string): string =>
  issuer === "%%" ? "" : issuer.toLowerCase().replaceAll(" ", "").replace(/;$/, "")
