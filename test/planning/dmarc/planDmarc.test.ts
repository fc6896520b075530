import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { type DmarcInput, planDmarc } from "../../../src/planning/dmarc/planDmarc.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"

interface DmarcCase extends Partial<Pick<DmarcInput, "options" | "validateDmarc">> {
  readonly existing?: ReadonlyArray<string>
  readonly value?: string
  readonly name?: string
  /** The TXT values of the names above; a missing name is unknown. */
  readonly above?: Readonly<Record<string, ReadonlyArray<string>>>
}

const planRecord = ({
  above = {},
  existing = [],
  name = "_dmarc.mail.example.com",
  options,
  validateDmarc,
  value
}: DmarcCase) =>
  planDmarc({
    desired: desired(value ?? "v=DMARC1; p=none"),
    options,
    validateDmarc: validateDmarc ?? true,
    name: DomainName.make(name),
    existing: existing.map((text) => ({ value: text, ttl: 1_800 })),
    lookup: fakeLookup((question) => Option.fromNullable(above[question.name]))
  })

const desired = (value: string) =>
  DnsRecord.make({ host: "_dmarc.mail", type: "TXT", value, ttl: 300, optional: false })

/** The resulting record, then the warnings. */
const summarize = (dmarcCase: DmarcCase) => {
  const { records, warnings } = planRecord(dmarcCase)
  return [records.map(({ value }) => value).join(" | "), ...warnings]
}

const r = "rua=mailto:r@example.com"

describe("without options", () => {
  test("a valid record keeps its spelling", () => {
    const existing = ["v=DMARC1 ;p=reject;junk; PCT=5;"]
    expect(planRecord({ existing })).toEqual({
      records: [DnsRecord.make({ ...desired("v=DMARC1 ;p=reject;junk; PCT=5;"), ttl: 1_800 })],
      warnings: ["dmarc_existing_preserved", "dmarc_tag_deprecated"],
      unanswered: [],
      refusal: Option.none()
    })
    expect(summarize({ existing: [`v=DMARC1; ${r}`] })).toEqual([`v=DMARC1; ${r}`, "dmarc_existing_preserved"])
  })

  test("a valid record is replaced if validateDmarc is off", () => {
    const existing = ["v=DMARC1; p=reject; sp=none"]
    expect(summarize({ existing, validateDmarc: false, value: `v=DMARC1;p=quarantine;${r}` })).toEqual([
      `v=DMARC1;p=quarantine;${r}`,
      "dmarc_policy_weakened",
      "dmarc_policy_strengthened"
    ])
  })

  test("an equal record in another spelling is not rewritten", () => {
    const existing = [`V=DMARC1;${r};P=None`]
    expect(summarize({ existing, validateDmarc: false, value: `v=DMARC1; p=none; ${r}` })).toEqual(existing)
  })

  test("the desired value is added verbatim if there is no record", () => {
    for (const validateDmarc of [true, false]) {
      expect(
        planRecord({
          value: `v=DMARC1;${r};p=none;`,
          validateDmarc,
          above: { "_dmarc.example.com": [], "_dmarc.com": [] }
        })
      ).toEqual({
        records: [desired(`v=DMARC1;${r};p=none;`)],
        warnings: [],
        unanswered: [],
        refusal: Option.none()
      })
    }
  })

  test("an invalid record is replaced", () => {
    const above = { "_dmarc.example.com": [] }
    for (const invalid of ["v=DMARC1; p=block", "v=dmarc1; p=reject", "p=none; v=DMARC1", "v=DMARC1 p=none"]) {
      for (const validateDmarc of [true, false]) {
        expect(summarize({ existing: [invalid], validateDmarc, value: "v=DMARC1; p=quarantine", above })).toEqual([
          "v=DMARC1; p=quarantine",
          "dmarc_existing_invalid_replaced",
          "dmarc_policy_strengthened"
        ])
      }
    }
  })
})

describe("with options", () => {
  test("overriding tags replace those of the existing record", () =>
    expect(
      planRecord({ existing: [`v=DMARC1; p=none; ${r}`], options: { overrideTags: { p: "quarantine" } } })
    ).toEqual({
      records: [DnsRecord.make({ ...desired(`v=DMARC1; p=quarantine; ${r}`), ttl: 1_800 })],
      warnings: ["dmarc_policy_strengthened"],
      unanswered: [],
      refusal: Option.none()
    }))

  test("a missing tag is added, and an existing one stays as it is", () => {
    const options = { addTagsIfNotExist: { pct: "50" } }
    expect([
      summarize({ options, existing: [`v=DMARC1; p=reject; ${r}`] }),
      summarize({ options, existing: [`v=DMARC1;p=reject;pct=100;${r}`] })
    ]).toEqual([
      [`v=DMARC1; p=reject; ${r}; pct=50`, "dmarc_policy_weakened", "dmarc_tag_deprecated"],
      [`v=DMARC1;p=reject;pct=100;${r}`, "dmarc_tag_deprecated"]
    ])
  })

  test("tags are removed", () => {
    const existing = ["v=DMARC1; p=none; pct=100; rua=mailto:a@example.com"]
    expect(summarize({ existing, options: { removeTags: ["PCT", "ri"] } })).toEqual([
      "v=DMARC1; p=none; rua=mailto:a@example.com"
    ])
  })

  test("a record without p has the policy none, and an invalid one is replaced by the desired value", () => {
    const options = { overrideTags: { p: "quarantine" } }
    expect([
      summarize({ options, existing: ["v=DMARC1; rua=mailto:x@example.com"] }),
      summarize({
        options,
        existing: ["v=DMARC1; p=block"],
        value: "v=DMARC1; p=none; rua=mailto:new@example.org"
      })
    ]).toEqual([
      ["v=DMARC1; p=quarantine; rua=mailto:x@example.com", "dmarc_policy_strengthened"],
      [
        "v=DMARC1; p=quarantine; rua=mailto:new@example.org",
        "dmarc_existing_invalid_replaced",
        "dmarc_policy_strengthened"
      ]
    ])
  })

  test("the options apply to the desired value if there is no record", () =>
    expect(
      summarize({
        value: `v=DMARC1; ${r}; p=none; ri=1`,
        options: {
          overrideTags: { sp: "none" },
          removeTags: ["ri"],
          addTagsIfNotExist: { rua: "mailto:other@example.com", fo: "1" }
        }
      })
    ).toEqual([`v=DMARC1; p=none; ${r}; fo=1; sp=none`]))

  test("new tags come last, sorted by name", () => {
    const existing = ["v=DMARC1; x=y; p=none; UNKNOWN=Kept As Is"]
    for (const overrideTags of [
      { rua: "mailto:a@example.com", adkim: "s" },
      { adkim: "s", rua: "mailto:a@example.com" }
    ]) {
      expect(
        summarize({ existing, options: { overrideTags, addTagsIfNotExist: { fo: "d", ADKIM: "r", X: "z" } } })
      ).toEqual(["v=DMARC1; p=none; x=y; unknown=Kept As Is; adkim=s; fo=d; rua=mailto:a@example.com"])
    }
  })

  test("an existing record stays unchanged if the options change nothing", () => {
    const existing = [`v=DMARC1;P=Reject;${r} ,mailto:b@example.com;p=none`]
    for (const options of [
      { inheritRootDmarc: true },
      { removeTags: ["sp"] },
      { addTagsIfNotExist: { p: "none" } },
      { overrideTags: { rua: "mailto:r@example.com,mailto:b@example.com" } }
    ]) {
      expect(summarize({ existing, options, validateDmarc: false })).toEqual(existing)
    }
  })

  test("empty options act like no options", () => {
    const options = { inheritRootDmarc: false, overrideTags: {}, removeTags: [], addTagsIfNotExist: {} }
    const existing = ["v=DMARC1; p=reject"]
    expect(summarize({ existing, options, validateDmarc: true })).toEqual([...existing, "dmarc_existing_preserved"])
    expect(summarize({ existing, options, validateDmarc: false })).toEqual([
      "v=DMARC1; p=none",
      "dmarc_policy_weakened"
    ])
  })

  test("an overridden tag occurs only once in the result", () =>
    expect(
      summarize({ existing: [`v=DMARC1; p=reject; p=none; ${r}`], options: { overrideTags: { p: "reject" } } })
    ).toEqual([`v=DMARC1; p=reject; ${r}`]))
})

describe("of several records", () => {
  const both = ["v=DMARC1; p=reject; rua=mailto:a@example.com", "v=DMARC1; p=quarantine; rua=mailto:b@example.com"]

  test("the one with the loosest policy is the base", () =>
    expect([
      summarize({ existing: both }),
      summarize({ existing: [...both, `v=DMARC1; ${r}`] }),
      summarize({ existing: [...both, "v=DMARC1; p=block"], options: { overrideTags: { p: "reject" } } })
    ]).toEqual([
      [
        "v=DMARC1; p=quarantine; rua=mailto:b@example.com",
        "dmarc_existing_preserved",
        "dmarc_policy_strengthened",
        "dmarc_duplicates_collapsed"
      ],
      [`v=DMARC1; ${r}`, "dmarc_existing_preserved", "dmarc_duplicates_collapsed"],
      ["v=DMARC1; p=reject; rua=mailto:b@example.com", "dmarc_policy_strengthened", "dmarc_duplicates_collapsed"]
    ]))

  test("byte order breaks a tie", () =>
    expect(summarize({ existing: ["v=DMARC1;p=none", "v=DMARC1; p=none", "V=DMARC1; p=none"] })).toEqual([
      "V=DMARC1; p=none",
      "dmarc_existing_preserved",
      "dmarc_duplicates_collapsed"
    ]))

  test("one that needs no change keeps its spelling", () =>
    expect([
      summarize({ existing: ["v=DMARC1;p=reject", "v=DMARC1; p=none"], options: { overrideTags: { p: "reject" } } }),
      summarize({
        existing: ["v=DMARC1;p=reject", "v=DMARC1; p=none"],
        validateDmarc: false,
        value: "v=DMARC1; p=reject"
      })
    ]).toEqual([
      ["v=DMARC1;p=reject", "dmarc_policy_strengthened", "dmarc_duplicates_collapsed"],
      ["v=DMARC1;p=reject", "dmarc_policy_strengthened", "dmarc_duplicates_collapsed"]
    ]))

  test("invalid ones are replaced by the desired value", () =>
    expect(summarize({ existing: ["v=DMARC1; p=block", "v=dmarc1"] })).toEqual([
      "v=DMARC1; p=none",
      "dmarc_existing_invalid_replaced",
      "dmarc_duplicates_collapsed"
    ]))

  test("the lowest TTL applies, and duplicates of one text count as one record", () => {
    const [value] = both
    const existing = [900, 600, 1_200].map((ttl) => ({ value: value ?? "", ttl }))
    const situation = {
      desired: desired("v=DMARC1"),
      options: {},
      validateDmarc: true,
      name: DomainName.make("_dmarc.a.example")
    }
    expect(planDmarc({ ...situation, existing, lookup: fakeLookup(Option.none) })).toEqual({
      records: [DnsRecord.make({ ...desired(value ?? ""), ttl: 600 })],
      warnings: ["dmarc_existing_preserved"],
      unanswered: [],
      refusal: Option.none()
    })
  })
})

const strictnessWarnings = (existing: string, value: string) =>
  summarize({ existing: [existing], validateDmarc: false, value }).slice(1)

const strictnessWarningsBelow = (value: string, ...root: ReadonlyArray<string>) =>
  summarize({ value, above: { "_dmarc.example.com": root, "_dmarc.com": [] } }).slice(1)

describe("a warning reports that a policy becomes stricter or weaker", () => {
  test("for the domain, its subdomains and names that do not exist", () =>
    expect([
      strictnessWarnings("v=DMARC1; p=reject", "v=DMARC1; p=reject; sp=none"),
      strictnessWarnings("v=DMARC1; p=reject; sp=none", "v=DMARC1; p=reject; sp=none; np=reject"),
      strictnessWarnings("v=DMARC1; p=none; sp=reject", "v=DMARC1; p=quarantine; np=reject; sp=reject"),
      strictnessWarnings("v=DMARC1; p=quarantine; sp=none", "v=DMARC1; p=none; sp=quarantine"),
      strictnessWarnings("v=DMARC1; p=reject; sp=reject", `v=DMARC1; p=REJECT; np=reject; ${r}`)
    ]).toEqual([
      ["dmarc_policy_weakened"],
      ["dmarc_policy_strengthened"],
      ["dmarc_policy_strengthened"],
      ["dmarc_policy_weakened", "dmarc_policy_strengthened"],
      []
    ]))

  test("also if test mode weakens it or an invalid sp disabled it (RFC 9989 sections 4.7, 4.10.1)", () =>
    expect([
      strictnessWarnings("v=DMARC1; p=reject", "v=DMARC1; p=reject; t=y"),
      strictnessWarnings("v=DMARC1; p=quarantine; t=Y", "v=DMARC1; p=quarantine"),
      strictnessWarnings("v=DMARC1; p=none", "v=DMARC1; p=none; t=y"),
      strictnessWarnings("v=DMARC1; p=reject; sp=block", "v=DMARC1; p=reject")
    ]).toEqual([["dmarc_policy_weakened"], ["dmarc_policy_strengthened"], [], ["dmarc_policy_strengthened"]]))

  test("for the share of mail and for alignment, if the policy asks to act", () =>
    expect([
      strictnessWarnings("v=DMARC1; p=reject", "v=DMARC1; p=reject; pct=10"),
      strictnessWarnings("v=DMARC1; p=quarantine; pct=10", "v=DMARC1; p=quarantine").slice(-1),
      strictnessWarnings("v=DMARC1; p=quarantine", "v=DMARC1; p=quarantine; adkim=s"),
      strictnessWarnings("v=DMARC1; p=reject; aspf=s", "v=DMARC1; p=reject; aspf=r"),
      strictnessWarnings("v=DMARC1; p=reject; adkim=s", "v=DMARC1; p=reject; aspf=s"),
      strictnessWarnings("v=DMARC1; p=none", "v=DMARC1; p=none; adkim=s; aspf=s")
    ]).toEqual([
      ["dmarc_policy_weakened", "dmarc_tag_deprecated"],
      ["dmarc_policy_strengthened"],
      ["dmarc_policy_strengthened"],
      ["dmarc_policy_weakened"],
      ["dmarc_policy_weakened", "dmarc_policy_strengthened"],
      []
    ]))

  test("compared with none if several records or an invalid one made it void", () =>
    expect([
      summarize({ name: "_dmarc.example.com", existing: ["v=DMARC1; p=reject", "v=DMARC1; p=reject; fo=1"] }).slice(1),
      summarize({ name: "_dmarc.example.com", existing: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] }).slice(1),
      summarize({
        name: "_dmarc.example.com",
        existing: ["v=DMARC1; p=x"],
        value: "v=DMARC1; p=none; sp=reject"
      }).slice(1)
    ]).toEqual([
      ["dmarc_existing_preserved", "dmarc_policy_strengthened", "dmarc_duplicates_collapsed"],
      ["dmarc_existing_preserved", "dmarc_duplicates_collapsed"],
      ["dmarc_existing_invalid_replaced", "dmarc_policy_strengthened"]
    ]))

  test("for a first record with a strict policy for subdomains only", () =>
    expect(
      ["sp=reject", "np=quarantine", "fo=1"].map((tag) =>
        summarize({ name: "_dmarc.example.com", value: `v=DMARC1; p=none; ${tag}` }).slice(1)
      )
    ).toEqual([["dmarc_policy_strengthened"], ["dmarc_policy_strengthened"], []]))

  test("compared with the inherited policy if the host had no record", () => {
    expect([
      strictnessWarningsBelow("v=DMARC1; p=none", "v=DMARC1; p=none; sp=quarantine"),
      strictnessWarningsBelow("v=DMARC1; p=quarantine", "v=DMARC1; p=reject; sp=quarantine"),
      strictnessWarningsBelow("v=DMARC1; p=reject", "v=DMARC1; p=quarantine"),
      strictnessWarningsBelow("v=DMARC1; p=reject", "v=DMARC1; p=block"),
      strictnessWarningsBelow("v=DMARC1; p=reject"),
      strictnessWarningsBelow("v=DMARC1; p=none")
    ]).toEqual([
      ["dmarc_policy_weakened"],
      [],
      ["dmarc_policy_strengthened"],
      ["dmarc_policy_strengthened"],
      ["dmarc_policy_strengthened"],
      []
    ])
  })

  test("not if the inherited policy is unknown, which is reported as such", () =>
    expect(planRecord({ value: "v=DMARC1; p=reject", above: { "_dmarc.com": [] } })).toEqual({
      records: [desired("v=DMARC1; p=reject")],
      warnings: [],
      findings: [
        { warning: "lookup_unknown", finding: "The TXT record of _dmarc.example.com could not be looked up." }
      ],
      unanswered: [{ name: "_dmarc.example.com", type: "TXT" }],
      refusal: Option.none()
    }))

  test("and needs no query if the host has a record", () =>
    expect(
      ["v=DMARC1; p=none", "v=DMARC1; p=block"].map((text) => planRecord({ existing: [text], options: {} }).unanswered)
    ).toEqual([[], []]))
})

describe("with inheritRootDmarc", () => {
  const options = { inheritRootDmarc: true }
  const root = `v=DMARC1; p=reject; sp=quarantine; ${r}`

  test("the record above is inherited, with its subdomain policy as the policy", () =>
    expect(planRecord({ options, above: { "_dmarc.example.com": [root] } })).toEqual({
      records: [desired(`v=DMARC1; p=quarantine; ${r}`)],
      warnings: ["dmarc_inherited_from_root"],
      unanswered: [{ name: "_dmarc.com", type: "TXT" }],
      refusal: Option.none()
    }))

  test("sp, np and psd are not inherited, and the other options apply afterwards", () =>
    expect(
      summarize({
        options: { ...options, overrideTags: { p: "reject" }, removeTags: ["fo"], addTagsIfNotExist: { sp: "none" } },
        above: { "_dmarc.example.com": [`v=DMARC1;fo=1;p=quarantine;NP=reject;psd=n;${r};ri=60`] }
      })
    ).toEqual([
      `v=DMARC1; p=reject; ${r}; ri=60; sp=none`,
      "dmarc_inherited_from_root",
      "dmarc_policy_weakened",
      "dmarc_policy_strengthened",
      "dmarc_tag_deprecated"
    ]))

  test("the host's own record takes precedence, unless it is invalid", () =>
    expect([
      summarize({ options, existing: ["v=DMARC1; p=none"] }),
      summarize({ options, existing: ["v=DMARC1; p=block"], above: { "_dmarc.example.com": [root] } })
    ]).toEqual([
      ["v=DMARC1; p=none"],
      [
        `v=DMARC1; p=quarantine; ${r}`,
        "dmarc_existing_invalid_replaced",
        "dmarc_inherited_from_root",
        "dmarc_policy_strengthened"
      ]
    ]))

  test("the desired value is added if there is no record above", () => {
    const nothing = [[], [root, root], ["v=spf1 -all"], ["v=DMARC1; p=block"], ["v=DMARC1; p=none; sp=block"]]
    expect(
      nothing.map((texts) => summarize({ options, above: { "_dmarc.example.com": texts, "_dmarc.com": [] } }))
    ).toEqual(nothing.map(() => ["v=DMARC1; p=none"]))
  })

  test("nothing is planned while the policy above is unknown", () => {
    for (const existing of [[], ["v=DMARC1; p=block"]]) {
      expect(
        planRecord({ options, existing, name: "_dmarc.a.b.example.com", above: { "_dmarc.b.example.com": [root] } })
      ).toEqual({
        records: [],
        warnings: [],
        unanswered: [
          { name: "_dmarc.example.com", type: "TXT" },
          { name: "_dmarc.com", type: "TXT" }
        ],
        refusal: Option.some("discovery_timeout")
      })
    }
  })
})
