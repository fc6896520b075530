import { expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import { checkDmarcOptions } from "../../../src/domain/records/AdvancedDmarcOptions.ts"
import { checkDmarcValue, isDmarc, isValidDmarc, parseDmarc } from "../../../src/domain/records/DmarcRecord.ts"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { type DmarcInput, planDmarc } from "../../../src/planning/dmarc/planDmarc.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"
import { unicodeText } from "../../support/unicodeText.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"

const policy = fc.constantFrom("none", "quarantine", "reject", "Reject")

const soundTag = fc.oneof(
  fc.tuple(fc.constantFrom("p", "sp", "np", "P"), policy),
  fc.tuple(fc.constantFrom("pct", "PCT"), fc.constantFrom("0", "50", "100")),
  fc.tuple(
    fc.constantFrom("rua", "ruf"),
    fc.constantFrom("mailto:a@example.com", "mailto:a@b.example , mailto:c@d.example")
  ),
  fc.constantFrom<[string, string]>(
    ["adkim", "s"],
    ["fo", "1:D"],
    ["t", "y"],
    ["psd", "n"],
    ["psd", "y"],
    ["x1", "Any"]
  )
)

const soundText = fc
  .array(soundTag, { maxLength: 4 })
  .map((tags) => ["v=DMARC1", ...tags.map((tag) => tag.join("="))].join("; "))

const oddText = fc.oneof(
  fc
    .array(
      fc.oneof(
        soundTag.map((tag) => tag.join(" = ")),
        fc.constantFrom("", " ", "p=block", "junk", "\ud800=\u0000", "sp=", "v=DMARC1")
      )
    )
    .map((parts) => ["v=DMARC1", ...parts].join(";")),
  fc.constantFrom("v=dmarc1; p=none", "p=none; v=DMARC1", "v=DMARC1 p=none", "V=DMARC1\t;", "\u00a0v=DMARC1"),
  unicodeText.map((text) => `v=DMARC1;${text}`)
)

const tags = fc.array(soundTag, { maxLength: 3 }).map((entries) => Object.fromEntries(entries))

const options = fc
  .record(
    {
      inheritRootDmarc: fc.boolean(),
      overrideTags: tags,
      removeTags: fc.array(fc.constantFrom("sp", "pct", "Rua", "x1", "other"), { maxLength: 2 }),
      addTagsIfNotExist: tags
    },
    { requiredKeys: [] }
  )
  .filter(
    (advancedDmarcOptions) => checkDmarcOptions({ host: "_dmarc", type: "TXT", advancedDmarcOptions }, 0).length === 0
  )

const text = fc.oneof(soundText, oddText)

const input: fc.Arbitrary<DmarcInput> = fc
  .record({
    value: soundText.filter((value) => Option.isNone(checkDmarcValue(value))),
    options: fc.option(options, { nil: undefined }),
    validateDmarc: fc.boolean(),
    existing: fc.array(fc.record({ value: text.filter(isDmarc), ttl: fc.constantFrom(60, 300, 3_600) }), {
      maxLength: 3
    }),
    above: fc.array(fc.option(fc.array(text, { maxLength: 2 })), { minLength: 3, maxLength: 3 })
  })
  .map(({ above, value, ...rest }) => ({
    ...rest,
    desired: DnsRecord.make({ host: "_dmarc.a.b", type: "TXT", value, ttl: 600, optional: false }),
    name: DomainName.make("_dmarc.a.b.example.com"),
    lookup: fakeLookup(({ name }) => Option.fromNullable(above[name.split(".").length - 2]))
  }))

const property = (name: string, holds: (input: DmarcInput) => void) =>
  test(name, () => fc.assert(fc.property(input, holds), { numRuns: propertyRuns(2_000) }))

const spaceless = (tag = "") => tag.replaceAll(" ", "").toLowerCase()

property("planning again gives the same record, with only warnings about the current state", (input) => {
  const { records, refusal } = planDmarc(input)
  if (Option.isSome(refusal)) return expect(records).toEqual([])
  const again = planDmarc({ ...input, existing: records })
  expect(again.records).toEqual(records)
  const states = new Set(["dmarc_existing_preserved", "dmarc_tag_deprecated"])
  expect(again.warnings.filter((warning) => !states.has(warning))).toEqual([])
  expect(again.unanswered).toEqual([])
})

property("the order of existing records does not matter", (input) =>
  expect(planDmarc({ ...input, existing: input.existing.toReversed() })).toEqual(planDmarc(input))
)

property("the result is one valid record with every overridden tag and no removed one", (input) => {
  const { records, refusal } = planDmarc(input)
  if (Option.isSome(refusal)) return expect(input.options?.inheritRootDmarc).toBe(true)
  const [{ value } = { value: "" }, ...others] = records
  const record = parseDmarc(value)
  expect(others).toEqual([])
  expect(isValidDmarc(record)).toBe(true)
  for (const [name, desired] of Object.entries(input.options?.overrideTags ?? {})) {
    expect(spaceless(record.tags.get(name.toLowerCase()))).toBe(spaceless(desired))
    expect(record.duplicates).not.toContain(name.toLowerCase())
  }
  for (const name of input.options?.removeTags ?? []) expect(record.tags.has(name.toLowerCase())).toBe(false)
  for (const name of Object.keys(input.options?.addTagsIfNotExist ?? {})) {
    expect(record.tags.has(name.toLowerCase())).toBe(true)
  }
})

test("hostile texts at the host and above it are planned like any other", () => {
  const texts = [
    `v=DMARC1;${";".repeat(65_536)}`,
    `v=DMARC1;${" ".repeat(65_536)}x`,
    `v=DMARC1${"; p=none".repeat(8_000)}`,
    `v=DMARC1${Array.from({ length: 8_000 }, (_, at) => `;a${at}=1`).join("")}`,
    `v=DMARC1; rua=${"mailto:a@example.com,".repeat(3_000)}`
  ]
  const { records, warnings } = planDmarc({
    desired: DnsRecord.make({ host: "_dmarc.a", type: "TXT", value: "v=DMARC1", ttl: 60, optional: false }),
    options: { overrideTags: { p: "reject" } },
    validateDmarc: true,
    name: DomainName.make(`_dmarc.${"a.".repeat(100)}example.com`),
    existing: [...texts, "v=DMARC1; p=block"].map((value) => ({ value, ttl: 60 })),
    lookup: () => Either.right(texts)
  })
  expect(records.map(({ value }) => value)).toEqual(["v=DMARC1; p=reject"])
  expect(warnings).toEqual(["dmarc_policy_strengthened", "dmarc_duplicates_collapsed"])
})
