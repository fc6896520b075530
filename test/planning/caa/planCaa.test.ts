import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { DnsRecord } from "../../../src/domain/DnsRecord.ts"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { planCaa } from "../../../src/planning/caa/planCaa.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"

type Answers = Readonly<Record<string, ReadonlyArray<string> | undefined>>

interface Case {
  /** Wanted values at a TTL of 300; a leading `?` makes one optional. */
  readonly desired: ReadonlyArray<string>
  /** Live values of the host at a TTL of 1800. */
  readonly existing?: ReadonlyArray<string>
  /** What the DNS answers, by name; where a name is not given there is nothing, and `undefined` is not known. */
  readonly elsewhere?: Answers
  /** The same once the rest of the plan is there; without it, an alias or wildcard that answers for the host goes. */
  readonly afterwards?: Answers
  readonly validateCAA?: boolean
}

interface Outcome {
  /** `ttl value` each, with a leading `?` where optional. */
  readonly records: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<string>
}

/** What becomes of CAA records that are desired at `www.example.com`. */
const describeCaaPlan = ({ afterwards, desired, elsewhere = {}, existing = [], validateCAA = true }: Case): Outcome => {
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

/** Records of the host as they are, in their order. */
const kept = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.toSorted().map((value) => `1800 ${value}`)

const answering = (answers: Answers) =>
  fakeLookup(({ name }) => (Object.hasOwn(answers, name) ? Option.fromNullable(answers[name]) : Option.some([])))

const outcome = (records: ReadonlyArray<string>, ...warnings: ReadonlyArray<string>): Outcome => ({
  records,
  warnings,
  unanswered: []
})

const letsencrypt = '0 issue "letsencrypt.org"'
const digicert = '0 issue "digicert.com"'
const report = '0 iodef "mailto:ca@example.com"'
const unknownCritical = '128 tbs "unknown"'
const above = (...values: ReadonlyArray<string>) => ({ "example.com": values })

describe("if a set of the host restricts issuers", () => {
  test("a desired issuer that it does not allow is added to it (case 13)", () => {
    expect(describeCaaPlan({ existing: [digicert], desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("a desired issuer that exists already is no change", () => {
    expect(describeCaaPlan({ existing: [digicert, letsencrypt], desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`], "caa_existing_sufficient")
    )
  })

  test("a desired issuer that it allows in another spelling is dropped", () => {
    const existing = ['0 issue "LetsEncrypt.org ;"']
    expect(describeCaaPlan({ existing, desired: [letsencrypt] })).toEqual(
      outcome(['1800 0 issue "LetsEncrypt.org ;"'], "caa_existing_sufficient")
    )
  })

  test("nothing above it counts", () => {
    const elsewhere = { ...above(letsencrypt), "www.example.com": [letsencrypt] }
    expect(describeCaaPlan({ existing: [digicert], elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`])
    )
    expect(describeCaaPlan({ existing: [report], elsewhere: above(digicert), desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${report}`])
    )
  })
})

describe("if a set above the host restricts issuers", () => {
  test("a desired issuer that it allows is dropped", () => {
    expect(describeCaaPlan({ elsewhere: above(letsencrypt, digicert), desired: [letsencrypt] })).toEqual(
      outcome([], "caa_existing_sufficient")
    )
  })

  test("a desired issuer that it does not allow is added, with the whole set, report addresses included", () => {
    const wild = '0 issuewild ";"'
    expect(describeCaaPlan({ elsewhere: above(digicert, report, wild), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${report}`, `300 ${digicert}`, `300 ${letsencrypt}`, `300 ${wild}`])
    )
  })

  test("the set may be that of the top-level domain", () => {
    expect(describeCaaPlan({ elsewhere: { com: [digicert] }, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("only the nearest set counts", () => {
    expect(describeCaaPlan({ elsewhere: { ...above(digicert), com: [letsencrypt] }, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("copied entries are in normal form, each once, without invalid ones", () => {
    const elsewhere = above("0 ISSUE digicert.com", digicert, "nonsense", "\ud800", "\\# 3 000161")
    expect(describeCaaPlan({ elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("a desired record that is copied as well stays as it was requested, and does not count as unnecessary", () => {
    const elsewhere = above(digicert, letsencrypt)
    expect(describeCaaPlan({ elsewhere, desired: [`?${letsencrypt}`, '0 issue "sectigo.com"'] })).toEqual(
      outcome([`300 ${digicert}`, `?300 ${letsencrypt}`, '300 0 issue "sectigo.com"'])
    )
  })

  test("copied entries are optional only if all desired ones are", () => {
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
  test("a desired issuer is dropped, since any may issue (case 14)", () => {
    expect(describeCaaPlan({ desired: [letsencrypt] })).toEqual(outcome([]))
    expect(describeCaaPlan({ elsewhere: above(report), desired: [letsencrypt] })).toEqual(outcome([]))
    expect(describeCaaPlan({ existing: ['0 issuemail "ca.example"', '0 tbs "x"'], desired: [letsencrypt] })).toEqual(
      outcome(kept(['0 issuemail "ca.example"', '0 tbs "x"']))
    )
  })

  test("a set with `issuewild` alone leaves plain names to everyone", () => {
    expect(describeCaaPlan({ existing: ['0 issuewild "digicert.com"'], desired: [letsencrypt] })).toEqual(
      outcome(kept(['0 issuewild "digicert.com"']))
    )
  })
})

const planWithoutValidation = (input: Case) => describeCaaPlan({ ...input, validateCAA: false })

describe("without validateCAA", () => {
  test("a desired issuer is always added, and starts to restrict if nothing did (case 14)", () => {
    expect(planWithoutValidation({ desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`], "caa_set_created")
    )
    expect(planWithoutValidation({ existing: [report], desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${report}`, `300 ${letsencrypt}`], "caa_set_created")
    )
  })

  test("it is added although a set allows it, together with that set", () => {
    expect(
      planWithoutValidation({ elsewhere: above(digicert, '0 issue "letsencrypt.org;"'), desired: [letsencrypt] })
    ).toEqual(outcome([`300 ${digicert}`, `300 ${letsencrypt}`, '300 0 issue "letsencrypt.org;"']))
  })

  test("a set that leaves plain names free begins to restrict them", () => {
    expect(planWithoutValidation({ existing: ['0 issuewild "digicert.com"'], desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`, '1800 0 issuewild "digicert.com"'], "caa_set_created")
    )
  })

  test("a set that leaves wildcards free begins to restrict them", () => {
    expect(planWithoutValidation({ desired: ['0 issuewild "letsencrypt.org"'] })).toEqual(
      outcome(['300 0 issuewild "letsencrypt.org"'], "caa_set_created")
    )
  })

  test("a ban on all issuers excludes no issuer that was named, with a warning if none was", () => {
    expect(planWithoutValidation({ desired: ['0 issue ";"'] })).toEqual(outcome(['300 0 issue ";"'], "caa_set_created"))
    expect(planWithoutValidation({ elsewhere: above(digicert), desired: ['0 issue ";"'] })).toEqual(
      outcome(['300 0 issue ";"', `300 ${digicert}`])
    )
  })
})

describe("wildcards", () => {
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

  test("stay with the issuers that `issue` allows when the first `issuewild` is added", () => {
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

  test("stay with those whom `issue` allows above the host, too", () => {
    expect(describeCaaPlan({ elsewhere: above(digicert), desired: [wild] })).toEqual(
      outcome([`300 ${digicert}`, '300 0 issuewild "digicert.com"', `300 ${wild}`])
    )
  })

  test("are allowed to no issuer that was not allowed before and is desired for plain names only", () => {
    expect(describeCaaPlan({ existing: [digicert], desired: [wild, '0 issue "pki.goog"'] })).toEqual(
      outcome([`1800 ${digicert}`, '300 0 issue "pki.goog"', '300 0 issuewild "digicert.com"', `300 ${wild}`])
    )
  })
})

describe("an issuer with parameters", () => {
  const account = '0 issue "letsencrypt.org; validationmethods=dns-01; accounturi=https://acme.example/1"'

  test("does not allow the same issuer without", () => {
    expect(describeCaaPlan({ existing: [account], desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`, `1800 ${account}`])
    )
  })

  test("does not allow the same issuer with others", () => {
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

  test("needs no record if the issuer is allowed without any", () => {
    expect(describeCaaPlan({ existing: [letsencrypt], desired: [account] })).toEqual(
      outcome(kept([letsencrypt]), "caa_existing_sufficient")
    )
  })
})

describe("a ban on all issuers", () => {
  const nobody = '0 issue ";"'

  test("is lifted for a desired issuer by its record", () => {
    expect(describeCaaPlan({ elsewhere: above(nobody), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${nobody}`, `300 ${letsencrypt}`])
    )
  })

  test("is also what a malformed issuer means", () => {
    expect(describeCaaPlan({ existing: ['0 issue "%%%%%"'], desired: [letsencrypt] })).toEqual(
      outcome(['1800 0 issue "%%%%%"', `300 ${letsencrypt}`])
    )
  })

  test("needs no permission, so with validateCAA it is never added", () => {
    expect(describeCaaPlan({ desired: [nobody] })).toEqual(outcome([]))
    expect(describeCaaPlan({ existing: [digicert], desired: [nobody] })).toEqual(outcome(kept([digicert])))
    expect(describeCaaPlan({ existing: [nobody], desired: [nobody] })).toEqual(outcome([`300 ${nobody}`]))
  })
})

describe("an unknown critical property", () => {
  test("allows no issuer, whichever is named beside it", () => {
    const existing = [unknownCritical, '0 issue "letsencrypt.org;"']
    expect(describeCaaPlan({ existing, desired: [letsencrypt] })).toEqual(
      outcome(['1800 0 issue "letsencrypt.org;"', `1800 ${unknownCritical}`])
    )
  })

  test("is carried along like all else", () => {
    expect(describeCaaPlan({ elsewhere: above(unknownCritical), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${letsencrypt}`, `300 ${unknownCritical}`])
    )
  })

  test("starts to restrict if it is desired", () => {
    expect(describeCaaPlan({ desired: [unknownCritical] })).toEqual(
      outcome([`300 ${unknownCritical}`], "caa_set_created")
    )
  })
})

describe("other tags", () => {
  const mail = '0 contactemail "ca@example.com"'

  test("are always added, and a set of them restricts nothing", () => {
    expect(describeCaaPlan({ desired: [report, mail, '0 tbs "x"'] })).toEqual(
      outcome([`300 ${mail}`, `300 ${report}`, '300 0 tbs "x"'])
    )
  })

  test("loosen nothing that a set above the host restricts", () => {
    expect(describeCaaPlan({ elsewhere: above(digicert), desired: [report] })).toEqual(
      outcome([`300 ${report}`, `300 ${digicert}`])
    )
  })

  test("do not bring an issuer that nothing leaves out", () => {
    expect(describeCaaPlan({ desired: [report, letsencrypt] })).toEqual(outcome([`300 ${report}`]))
    expect(describeCaaPlan({ existing: ['0 issue "letsencrypt.org;"'], desired: [report, letsencrypt] })).toEqual(
      outcome([`300 ${report}`, '1800 0 issue "letsencrypt.org;"'], "caa_existing_sufficient")
    )
  })
})

describe("if an alias or a wildcard answers for the host", () => {
  const sectigo = '0 issue "sectigo.com"'

  test("its set applies first, and is combined with the one that applies without it", () => {
    const elsewhere = { "www.example.com": [digicert], ...above(sectigo) }
    expect(describeCaaPlan({ elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`, `300 ${sectigo}`])
    )
  })

  test("an issuer is needed if it would be left out once that answer is gone", () => {
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
  test("an issuer that an alias to come leaves out is needed, and those whom its target names go along", () => {
    expect(describeCaaPlan({ afterwards: above(digicert), desired: [letsencrypt] })).toEqual(
      outcome([`300 ${digicert}`, `300 ${letsencrypt}`], "caa_set_created")
    )
  })

  test("an issuer that a departing alias alone allows is needed", () => {
    const elsewhere = { "example.com": ['0 issue "LetsEncrypt.org"'] }
    expect(describeCaaPlan({ elsewhere, afterwards: { com: [digicert] }, desired: [letsencrypt] })).toEqual(
      outcome(['300 0 issue "LetsEncrypt.org"', `300 ${digicert}`, `300 ${letsencrypt}`])
    )
  })

  test("an alias or a wildcard that stays counts alone", () => {
    const elsewhere = { "www.example.com": [letsencrypt], ...above(digicert) }
    expect(describeCaaPlan({ elsewhere, afterwards: elsewhere, desired: [letsencrypt] })).toEqual(
      outcome([], "caa_existing_sufficient")
    )
  })

  test("questions before and after are reported, each once", () => {
    const elsewhere = { "www.example.com": undefined, "example.com": undefined }
    expect(
      describeCaaPlan({ elsewhere, afterwards: { "example.com": undefined }, desired: [letsencrypt] }).unanswered
    ).toEqual(["www.example.com CAA", "example.com CAA"])
  })
})

describe("if a lookup is not answered", () => {
  const unknown = { "www.example.com": [], "example.com": undefined, com: undefined }
  const unanswered = ["example.com CAA", "com CAA"]

  test("all questions are listed, and the known answers are taken for the set", () => {
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

  test("no question is reported if the host has a set of its own", () => {
    expect(describeCaaPlan({ existing: [digicert], elsewhere: unknown, desired: [letsencrypt] })).toEqual(
      outcome([`1800 ${digicert}`, `300 ${letsencrypt}`])
    )
  })
})

test("the order of desired and live records does not matter", () => {
  const desired = ['0 issuewild "ca.example"', letsencrypt, report]
  const existing = [digicert, '0 issue "ca.example; a=1"', unknownCritical]
  expect(describeCaaPlan({ desired: desired.toReversed(), existing: existing.toReversed() })).toEqual(
    describeCaaPlan({ desired, existing })
  )
})

test("as many records as fit into an answer of 64 KB are ruled, however odd some are", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `0 issue "ca${index}.example"`)
  const odd = ["a;", "a=1;", "\ud800", '"', " ", "\\"].map((part) => `0 issue "${part.repeat(32_768)}"`)
  const values = [...many, ...odd, "0 issue \u0000", "\ud800".repeat(65_536)]
  expect(describeCaaPlan({ existing: values, desired: [letsencrypt] }).records).toHaveLength(3_001 + 6)
  expect(describeCaaPlan({ elsewhere: above(...values), desired: [letsencrypt] }).records).toHaveLength(3_001 + 6)
})
