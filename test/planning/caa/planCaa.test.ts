import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { planCaa } from "../../../src/planning/caa/planCaa.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"

type CaaAnswers = Readonly<Record<string, ReadonlyArray<string> | undefined>>

interface CaaCase {
  /** Desired values at a TTL of 300; a leading `?` makes one optional. */
  readonly desired: ReadonlyArray<string>
  /** Live values of the host at a TTL of 1800. */
  readonly existing?: ReadonlyArray<string>
  /** The CAA RRset by name: a missing name has none, `undefined` is unknown. */
  readonly elsewhere?: CaaAnswers
  /** The same after the rest of the plan; by default no alias or wildcard answers for the host any more. */
  readonly afterwards?: CaaAnswers
  readonly validateCAA?: boolean
}

interface CaaOutcome {
  /** `ttl value` each, with a leading `?` where optional. */
  readonly records: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<string>
}

/** Plans the desired CAA records of `www.example.com`. */
const describeCaaPlan = ({
  afterwards,
  desired,
  elsewhere = {},
  existing = [],
  validateCAA = true
}: CaaCase): CaaOutcome => {
  const { records, refusal, unanswered, warnings } = planCaa({
    desired: desired.map((value) =>
      DnsRecord.make({
        host: "www",
        type: "CAA",
        value: value.replace("?", ""),
        ttl: 300,
        optional: value.startsWith("?")
      })
    ),
    name: DomainName.make("www.example.com"),
    existing: existing.map((value) => ({ value, ttl: 1800 })),
    validateCAA,
    lookup: answering(elsewhere),
    lookupAfter: answering(afterwards ?? { ...elsewhere, "www.example.com": [] })
  })
  expect(refusal).toEqual(Option.none())
  expect(records.every(({ host, type }) => host === "www" && type === "CAA")).toBe(true)
  return {
    records: records.map(({ optional, ttl, value }) => `${optional ? "?" : ""}${ttl} ${value}`),
    warnings,
    unanswered: unanswered.map(({ name, type }) => `${name} ${type}`)
  }
}

/** The unchanged records of the host, sorted. */
const kept = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.toSorted().map((value) => `1800 ${value}`)

const answering = (answers: CaaAnswers) =>
  fakeLookup(({ name }) => (Object.hasOwn(answers, name) ? Option.fromNullable(answers[name]) : Option.some([])))

const outcome = (records: ReadonlyArray<string>, ...warnings: ReadonlyArray<string>): CaaOutcome => ({
  records,
  warnings,
  unanswered: []
})

const letsencrypt = '0 issue "letsencrypt.org"'
const digicert = '0 issue "digicert.com"'
const report = '0 iodef "mailto:ca@example.com"'
const unknownCritical = '128 tbs "unknown"'
const above = (...values: ReadonlyArray<string>) => ({ "example.com": values })

describe("if an RRset at the host restricts issuers", () => {
  test("a desired issuer that it does not allow is added to it", () => {
    expect(describeCaaPlan({ existing: [digicert], desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("a desired issuer that exists already is no change", () => {
    expect(describeCaaPlan({ existing: [digicert, letsencrypt], desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`], "caa_existing_sufficient")
    )
  })

  test("a desired issuer that it already allows in another spelling is dropped", () => {
    const existing = ['0 issue "LetsEncrypt.org ;"']
    expect(describeCaaPlan({ existing, desired: [letsencrypt] })).toEqual(
      outcome(['1800 0 issue "LetsEncrypt.org ;"'], "caa_existing_sufficient")
    )
  })

  test("RRsets above it do not apply", () => {
    const elsewhere = { ...above(letsencrypt), "www.example.com": [letsencrypt] }
    expect(describeCaaPlan({ existing: [digicert], elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`])
    )
    expect(describeCaaPlan({ existing: [report], elsewhere: above(digicert), desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${report}`], "caa_not_needed")
    )
  })
})

describe("if an RRset above the host restricts issuers", () => {
  test("a desired issuer that it allows is dropped", () => {
    expect(describeCaaPlan({ elsewhere: above(letsencrypt, digicert), desired: [letsencrypt] })).toEqual(
      outcome([], "caa_existing_sufficient")
    )
  })

  test("a desired issuer that it does not allow is added with a copy of that whole RRset, including report addresses", () => {
    const wild = '0 issuewild ";"'
    expect(describeCaaPlan({ elsewhere: above(digicert, report, wild), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${report}`, `300 ${digicert}`, `300 ${letsencrypt}`, `300 ${wild}`])
    )
  })

  test("the RRset may be that of the top-level domain", () => {
    expect(describeCaaPlan({ elsewhere: { com: [digicert] }, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("only the nearest RRset applies", () => {
    expect(describeCaaPlan({ elsewhere: { ...above(digicert), com: [letsencrypt] }, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("copied entries are valid, in normal form and unique", () => {
    const elsewhere = above("0 ISSUE digicert.com", digicert, "nonsense", "\ud800", "\\# 3 000161")
    expect(describeCaaPlan({ elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("a desired record that is also copied keeps its requested form and is not dropped", () => {
    const elsewhere = above(digicert, letsencrypt)
    expect(describeCaaPlan({ elsewhere, desired: [`?${letsencrypt}`, '0 issue "sectigo.com"'] })).toEqual(
      outcome([`300 ${digicert}`, `?300 ${letsencrypt}`, '300 0 issue "sectigo.com"'])
    )
  })

  test("copied entries are optional only if all desired records are optional", () => {
    const pki = '0 issue "pki.goog"'
    expect(describeCaaPlan({ elsewhere: above(digicert), desired: [`?${letsencrypt}`, `?${pki}`] }).records).toEqual([
      `?300 ${digicert}`,
      `?300 ${letsencrypt}`,
      `?300 ${pki}`
    ])
    expect(describeCaaPlan({ elsewhere: above(digicert), desired: [`?${letsencrypt}`, pki] }).records).toEqual([
      `300 ${digicert}`,
      `?300 ${letsencrypt}`,
      `300 ${pki}`
    ])
  })
})

describe("if nothing restricts issuers", () => {
  test("a desired issuer is dropped because every CA may issue", () => {
    expect(describeCaaPlan({ desired: [letsencrypt] })).toEqual(outcome([], "caa_not_needed"))
    expect(describeCaaPlan({ elsewhere: above(report), desired: [letsencrypt] })).toEqual(outcome([], "caa_not_needed"))
    expect(describeCaaPlan({ existing: ['0 issuemail "ca.example"', '0 tbs "x"'], desired: [letsencrypt] })).toEqual(
      outcome(kept(['0 issuemail "ca.example"', '0 tbs "x"']), "caa_not_needed")
    )
  })

  test("an RRset with only `issuewild` does not restrict plain names", () => {
    expect(describeCaaPlan({ existing: ['0 issuewild "digicert.com"'], desired: [letsencrypt] })).toEqual(
      outcome(kept(['0 issuewild "digicert.com"']), "caa_not_needed")
    )
  })
})

const planWithoutValidation = (input: CaaCase) => describeCaaPlan({ ...input, validateCAA: false })

describe("without validateCAA", () => {
  test("a desired issuer is always added, even as the first restriction", () => {
    expect(planWithoutValidation({ desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`], "caa_set_created")
    )
    expect(planWithoutValidation({ existing: [report], desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${report}`, `300 ${letsencrypt}`], "caa_set_created")
    )
  })

  test("a desired issuer is added with a copy of the RRset that already allows it", () => {
    expect(
      planWithoutValidation({ elsewhere: above(digicert, '0 issue "letsencrypt.org;"'), desired: [letsencrypt] })
    ).toEqual(outcome([`300 ${digicert}`, `300 ${letsencrypt}`, '300 0 issue "letsencrypt.org;"']))
  })

  test("a desired issuer makes an RRset restrict plain names that it left open", () => {
    expect(planWithoutValidation({ existing: ['0 issuewild "digicert.com"'], desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`, '1800 0 issuewild "digicert.com"'], "caa_set_created")
    )
  })

  test("a desired issuer makes an RRset restrict wildcards that it left open", () => {
    expect(planWithoutValidation({ desired: ['0 issuewild "letsencrypt.org"'] })).toEqual(
      outcome(['300 0 issuewild "letsencrypt.org"'], "caa_set_created")
    )
  })

  test("a desired ban on all issuers excludes no issuer that is already named, and gives a warning if there is none", () => {
    expect(planWithoutValidation({ desired: ['0 issue ";"'] })).toEqual(outcome(['300 0 issue ";"'], "caa_set_created"))
    expect(planWithoutValidation({ elsewhere: above(digicert), desired: ['0 issue ";"'] })).toEqual(
      outcome(['300 0 issue ";"', `300 ${digicert}`])
    )
  })
})

describe("wildcard certificates", () => {
  const wild = '0 issuewild "letsencrypt.org"'

  test("use `issue` if there is no `issuewild`", () => {
    expect(describeCaaPlan({ existing: [letsencrypt], desired: [wild] })).toEqual(
      outcome(kept([letsencrypt]), "caa_existing_sufficient")
    )
  })

  test("use `issuewild` if there is one", () => {
    const existing = [letsencrypt, '0 issuewild "digicert.com"']
    expect(describeCaaPlan({ existing, desired: [wild] })).toEqual(
      outcome([`1800 ${letsencrypt}`, '1800 0 issuewild "digicert.com"', `300 ${wild}`])
    )
  })

  test("stay allowed to the issuers in `issue` when the first `issuewild` is added", () => {
    const existing = [digicert, '128 issue "ca.example; a=1"', '0 issue ";"', report]
    expect(describeCaaPlan({ existing, desired: [wild] })).toEqual(
      outcome([
        `1800 ${report}`,
        '1800 0 issue ";"',
        `1800 ${digicert}`,
        '300 0 issuewild "digicert.com"',
        `300 ${wild}`,
        '1800 128 issue "ca.example; a=1"',
        '300 128 issuewild "ca.example; a=1"'
      ])
    )
  })

  test("stay allowed to the issuers in an `issue` above the host, too", () => {
    expect(describeCaaPlan({ elsewhere: above(digicert), desired: [wild] })).toEqual(
      outcome([`300 ${digicert}`, '300 0 issuewild "digicert.com"', `300 ${wild}`])
    )
  })

  test("are not opened to an issuer that is desired for plain names only", () => {
    expect(describeCaaPlan({ existing: [digicert], desired: [wild, '0 issue "pki.goog"'] })).toEqual(
      outcome([`1800 ${digicert}`, '300 0 issue "pki.goog"', '300 0 issuewild "digicert.com"', `300 ${wild}`])
    )
  })
})

describe("an issuer with parameters", () => {
  const account = '0 issue "letsencrypt.org; validationmethods=dns-01; accounturi=https://acme.example/1"'

  test("does not allow the same issuer without parameters", () => {
    expect(describeCaaPlan({ existing: [account], desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`, `1800 ${account}`])
    )
  })

  test("does not allow the same issuer with other parameters", () => {
    const desired = '0 issue "letsencrypt.org; accounturi=https://acme.example/2"'
    expect(describeCaaPlan({ existing: [account], desired: [desired] })).toEqual(
      outcome([`300 ${desired}`, `1800 ${account}`])
    )
  })

  test("is the same in another order, spacing and letter case of the tags", () => {
    const existing = ['0 issue "letsencrypt.org;AccountURI=https://acme.example/1;validationmethods = dns-01"']
    expect(describeCaaPlan({ existing, desired: [account] })).toEqual(
      outcome(kept(existing), "caa_existing_sufficient")
    )
  })

  test("needs no record if the issuer is allowed without parameters", () => {
    expect(describeCaaPlan({ existing: [letsencrypt], desired: [account] })).toEqual(
      outcome(kept([letsencrypt]), "caa_existing_sufficient")
    )
  })
})

describe("a ban on all issuers", () => {
  const nobody = '0 issue ";"'

  test("is lifted for a desired issuer by adding its record", () => {
    expect(describeCaaPlan({ elsewhere: above(nobody), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${nobody}`, `300 ${letsencrypt}`])
    )
  })

  test("is also the meaning of a malformed issuer", () => {
    expect(describeCaaPlan({ existing: ['0 issue "%%%%%"'], desired: [letsencrypt] })).toEqual(
      outcome(['1800 0 issue "%%%%%"', `300 ${letsencrypt}`])
    )
  })

  test("needs no permission and is never added with validateCAA", () => {
    expect(describeCaaPlan({ desired: [nobody] })).toEqual(outcome([], "caa_not_needed"))
    expect(describeCaaPlan({ existing: [digicert], desired: [nobody] })).toEqual(outcome(kept([digicert])))
    expect(describeCaaPlan({ existing: [nobody], desired: [nobody] })).toEqual(outcome([`300 ${nobody}`]))
  })
})

describe("an unknown critical property", () => {
  test("blocks every issuer, even one in the same RRset", () => {
    const existing = [unknownCritical, '0 issue "letsencrypt.org;"']
    expect(describeCaaPlan({ existing, desired: [letsencrypt] })).toEqual(
      outcome(['1800 0 issue "letsencrypt.org;"', `1800 ${unknownCritical}`])
    )
  })

  test("is copied like any other entry", () => {
    expect(describeCaaPlan({ elsewhere: above(unknownCritical), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`, `300 ${unknownCritical}`])
    )
  })

  test("restricts issuers if it is desired", () => {
    expect(describeCaaPlan({ desired: [unknownCritical] })).toEqual(
      outcome([`300 ${unknownCritical}`], "caa_set_created")
    )
  })
})

describe("other tags", () => {
  const mail = '0 contactemail "ca@example.com"'

  test("are always added, and an RRset of only them restricts nothing", () => {
    expect(describeCaaPlan({ desired: [report, mail, '0 tbs "x"'] })).toEqual(
      outcome([`300 ${mail}`, `300 ${report}`, '300 0 tbs "x"'])
    )
  })

  test("keep the restrictions of an RRset above the host", () => {
    expect(describeCaaPlan({ elsewhere: above(digicert), desired: [report] })).toEqual(
      outcome([`300 ${report}`, `300 ${digicert}`])
    )
  })

  test("do not add an issuer that is already allowed", () => {
    expect(describeCaaPlan({ desired: [report, letsencrypt] })).toEqual(outcome([`300 ${report}`], "caa_not_needed"))
    expect(describeCaaPlan({ existing: ['0 issue "letsencrypt.org;"'], desired: [report, letsencrypt] })).toEqual(
      outcome([`300 ${report}`, '1800 0 issue "letsencrypt.org;"'], "caa_existing_sufficient")
    )
  })
})

describe("if an alias or a wildcard answers for the host", () => {
  const sectigo = '0 issue "sectigo.com"'

  test("its RRset applies first, and is combined with the RRset that applies without it", () => {
    const elsewhere = { "www.example.com": [digicert], ...above(sectigo) }
    expect(describeCaaPlan({ elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`, `300 ${sectigo}`])
    )
  })

  test("an issuer is added if it would be excluded once the alias or wildcard no longer answers", () => {
    const elsewhere = { "www.example.com": ['0 issue "LetsEncrypt.org"'] }
    expect(describeCaaPlan({ elsewhere: { ...elsewhere, ...above(digicert) }, desired: [letsencrypt] })).toEqual(
      outcome(['300 0 issue "LetsEncrypt.org"', `300 ${digicert}`, `300 ${letsencrypt}`])
    )
    expect(describeCaaPlan({ elsewhere: { ...elsewhere, ...above(letsencrypt) }, desired: [letsencrypt] })).toEqual(
      outcome([], "caa_existing_sufficient")
    )
    expect(describeCaaPlan({ elsewhere: { ...elsewhere, "example.com": undefined }, desired: [letsencrypt] })).toEqual({
      records: [],
      warnings: ["caa_existing_sufficient", "caa_lookup_unknown"],
      unanswered: ["example.com CAA"]
    })
  })
})

describe("if the answers after the rest of the plan are known", () => {
  test("an issuer that a new alias would exclude is added, together with the issuers of the alias target", () => {
    expect(describeCaaPlan({ afterwards: above(digicert), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`], "caa_set_created")
    )
  })

  test("an issuer that only a removed alias allows is added", () => {
    const elsewhere = { "example.com": ['0 issue "LetsEncrypt.org"'] }
    expect(describeCaaPlan({ elsewhere, afterwards: { com: [digicert] }, desired: [letsencrypt] })).toEqual(
      outcome(['300 0 issue "LetsEncrypt.org"', `300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("only the RRset of an alias or wildcard that stays applies", () => {
    const elsewhere = { "www.example.com": [letsencrypt], ...above(digicert) }
    expect(describeCaaPlan({ elsewhere, afterwards: elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([], "caa_existing_sufficient")
    )
  })

  test("unanswered queries before and after the plan are reported once each", () => {
    const elsewhere = { "www.example.com": undefined, "example.com": undefined }
    expect(
      describeCaaPlan({ elsewhere, afterwards: { "example.com": undefined }, desired: [letsencrypt] }).unanswered
    ).toEqual(["www.example.com CAA", "example.com CAA"])
  })
})

describe("if a lookup is not answered", () => {
  const unknown = { "www.example.com": [], "example.com": undefined, com: undefined }
  const unanswered = ["example.com CAA", "com CAA"]

  test("all unanswered queries are reported, and the plan uses the known answers", () => {
    expect(describeCaaPlan({ elsewhere: unknown, desired: [letsencrypt] })).toEqual({
      records: [],
      warnings: ["caa_lookup_unknown"],
      unanswered
    })
    expect(describeCaaPlan({ elsewhere: unknown, desired: [letsencrypt], validateCAA: false })).toEqual({
      records: [`300 ${letsencrypt}`],
      warnings: ["caa_set_created", "caa_lookup_unknown"],
      unanswered
    })
    expect(describeCaaPlan({ elsewhere: { ...unknown, com: [digicert] }, desired: [letsencrypt] })).toEqual({
      records: [`300 ${digicert}`, `300 ${letsencrypt}`],
      warnings: ["caa_lookup_unknown"],
      unanswered: ["example.com CAA"]
    })
  })

  test("no query is reported if the host has its own RRset", () => {
    expect(describeCaaPlan({ existing: [digicert], elsewhere: unknown, desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`])
    )
  })
})

test("the order of desired and live records does not change the plan", () => {
  const desired = ['0 issuewild "ca.example"', letsencrypt, report]
  const existing = [digicert, '0 issue "ca.example; a=1"', unknownCritical]
  expect(describeCaaPlan({ desired: desired.toReversed(), existing: existing.toReversed() })).toEqual(
    describeCaaPlan({ desired, existing })
  )
})

test("an RRset of 64 KB with invalid records is planned", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `0 issue "ca${index}.example"`)
  const odd = ["a;", "a=1;", "\ud800", '"', " ", "\\"].map((part) => `0 issue "${part.repeat(32_768)}"`)
  const values = [...many, ...odd, "0 issue \u0000", "\ud800".repeat(65_536)]
  expect(describeCaaPlan({ existing: values, desired: [letsencrypt] }).records).toHaveLength(3_001 + 6)
  expect(describeCaaPlan({ elsewhere: above(...values), desired: [letsencrypt] }).records).toHaveLength(3_001 + 6)
})
