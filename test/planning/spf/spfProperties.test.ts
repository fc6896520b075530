import { describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { checkSpfValue } from "../../../src/domain/records/checkSpfValue.ts"
import {
  findDefaultTerm,
  isInvalidSpf,
  isSpf,
  parseSpf,
  parseValidTerms,
  selectEvaluatedDirectives
} from "../../../src/domain/records/SpfRecord.ts"
import { spfQualifiers } from "../../../src/domain/records/SpfTerm.ts"
import { describeSpfPlan, lookupFrom } from "./describeSpfPlan.ts"
import { unicodeText } from "../../support/unicodeText.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { exampleCom } from "../../support/planFixtures.ts"

const mechanisms = [
  "a",
  "A:Mail.Example.COM.",
  "a:mail.example.com/32",
  "mx",
  "ip4:192.0.2.1/24",
  "ip4:192.0.2.0/24",
  "ip6:2001:db8::1",
  "include:x.example",
  "include:Y.example",
  "exists:%{i}.z.example",
  "all",
  "all"
]

const modifiers = ["redirect=x.example", "redirect=Y.example", "exp=e.example", "ra=x"]

const directive = fc
  .tuple(fc.constantFrom("", ...spfQualifiers), fc.constantFrom(...mechanisms))
  .map((parts) => parts.join(""))

const term = fc.oneof({ weight: 8, arbitrary: directive }, { weight: 2, arbitrary: fc.constantFrom(...modifiers) })

const oddTerm = fc.oneof(
  { weight: 9, arbitrary: term },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.constantFrom("a:", "mx\tall", "\ud800", "-", "ip4:1"), unicodeText)
  }
)

const recordOf = (terms: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom("v=spf1", "V=SPF1"), fc.array(fc.tuple(fc.constantFrom(" ", "  "), terms), { maxLength: 7 }))
    .map(([version, rest]) => version + rest.flat().join(""))

/** Intents of earlier versions may have terms without effect. */
const desired = recordOf(term).filter((value) =>
  Option.getOrElse(
    Option.map(checkSpfValue(value), ({ code }) => code === "spf_term_ignored"),
    () => true
  )
)

const existing = fc.array(
  fc
    .tuple(fc.constantFrom(60, 300), fc.oneof(recordOf(term), recordOf(oddTerm)))
    .map(([ttl, value]) => `${ttl} ${value}`),
  { maxLength: 3 }
)

/** A lookup whose includes may chain, loop, be empty or be unknown. */
const lookup = fc
  .dictionary(
    fc.constantFrom("x.example TXT", "y.example TXT", "example.com A", "mail.example.com A", "example.com MX"),
    fc.array(recordOf(term), { maxLength: 2 })
  )
  .map(lookupFrom)

const input: fc.Arbitrary<Required<Parameters<typeof describeSpfPlan>[0]>> = fc.record({
  desired: fc.tuple(fc.constantFrom("", "?"), desired).map((parts) => parts.join("")),
  existing,
  hasOtherMailServer: fc.boolean(),
  lookup
})

const property = (name: string, holds: (input: Required<Parameters<typeof describeSpfPlan>[0]>) => void) =>
  test(name, () => fc.assert(fc.property(input, holds), { numRuns: propertyRuns(1_000) }))

describe("an SPF plan", () => {
  property("for its own result gives the same record verbatim", (input) => {
    const { records, refusal } = describeSpfPlan(input)
    const again = describeSpfPlan({ ...input, existing: records })
    expect(refusal === undefined ? again.records : records).toEqual(records)
  })

  property("does not depend on the order of the live records", (input) => {
    expect(describeSpfPlan({ ...input, existing: input.existing.toReversed() })).toEqual(describeSpfPlan(input))
  })

  property("gives a record that receivers accept, or leaves an optional one out", (input) => {
    const { records, refusal } = describeSpfPlan(input)
    expect(records.filter((record) => !isSpf(valueOf(record)) || isInvalidSpf(termsIn(record)))).toEqual([])
    expect([records.length, refusal]).toEqual(refusal === undefined ? [1, undefined] : [0, "spf_merge_impossible"])
  })

  property("keeps every sender permitted", (input) => {
    const before = input.existing.map(permissions)
    const after = describeSpfPlan(input).records.map(permissions)
    const lost = after.flatMap((left) =>
      before.flatMap((held) => [...held].filter(([identity, rank]) => (left.get(identity) ?? Infinity) > rank))
    )
    expect(lost).toEqual([])
  })

  property("keeps the terminal of a single valid record", (input) => {
    const [only, ...others] = input.existing.map(termsIn)
    fc.pre(only !== undefined && others.length === 0 && !isInvalidSpf(only))
    const { records } = describeSpfPlan(input)
    expect(records.map((record) => findDefaultTerm(termsIn(record)))).toEqual(
      records.map(() => only && findDefaultTerm(only))
    )
  })
})

/** The rank of the first qualifier of each effective mechanism; a lower rank permits more. */
const permissions = (record: string): ReadonlyMap<string, number> =>
  new Map(
    selectEvaluatedDirectives(parseValidTerms(valueOf(record), exampleCom))
      .toReversed()
      .map(({ identity, qualifier }) => [identity, spfQualifiers.indexOf(qualifier)])
  )

/** The value without its leading TTL. */
const valueOf = (record: string): string => record.replace(/^\d+ /, "")

const termsIn = (record: string) => parseSpf(valueOf(record), exampleCom)
