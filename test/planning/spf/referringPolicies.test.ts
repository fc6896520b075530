import { describe, expect, test } from "bun:test"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const answers = {
  "spf.example.net TXT": ["v=spf1 ip4:203.0.113.0/24 -all"],
  "a.example.net A": ["192.0.2.1"]
}

/** The warnings of a plan that adds a sender to the policy at `_spf`, with their findings. */
const planWithRecords = (...records: ReadonlyArray<string>) => {
  const zone = zoneOf("_spf 300 TXT v=spf1 a:a.example.net -all", ...records)
  const desired = desiredRecords("_spf 300 TXT v=spf1 include:spf.example.net -all")
  return planOrThrow({ zone, desired, answers })
}

const repeated = (times: number) => "a:a.example.net ".repeat(times)

describe("a policy that another one includes gets another sender:", () => {
  test("the other one may pass ten look-ups", () => {
    const [within, beyond] = [7, 8].map(
      (times) => planWithRecords(`@ 300 TXT v=spf1 include:_spf.example.com ${repeated(times)}-all`).warnings
    )
    expect(within).toEqual(["spf_record_merged"])
    expect(beyond).toEqual(["spf_record_merged", "spf_lookup_limit_exceeded"])
  })

  test("the warning names the other one, and the change", () => {
    const { warningDetails } = planWithRecords(`shop 300 TXT v=spf1 ${repeated(8)} include:_spf.example.com -all`)
    expect(warningDetails.filter(({ code }) => code === "spf_lookup_limit_exceeded")).toEqual([
      {
        code: "spf_lookup_limit_exceeded",
        changes: [0],
        findings: ["The SPF record of shop.example.com, which uses a changed one, passes the limit."]
      }
    ])
  })

  test("a policy that exceeds them already is not reported", () => {
    expect(planWithRecords(`@ 300 TXT v=spf1 include:_spf.example.com ${repeated(10)}-all`).warnings).toEqual([
      "spf_record_merged"
    ])
  })

  test("through an alias, a redirect or a third policy too", () => {
    const long = `include:b.example.com ${repeated(7)}`
    for (const between of [
      ["b 300 CNAME _spf.example.com", `@ 300 TXT v=spf1 a:a.example.net ${long}-all`],
      ["b 300 TXT v=spf1 redirect=_spf.example.com", `@ 300 TXT v=spf1 ${long}-all`],
      ["b 300 TXT v=spf1 include:_spf.example.com ?all", `@ 300 TXT v=spf1 ${long}-all`]
    ])
      expect(planWithRecords(...between).warnings).toContain("spf_lookup_limit_exceeded")
  })

  test("one that rejects what the policy permits rejects the new sender", () => {
    for (const sign of ["-", "~", "?"])
      expect(planWithRecords(`@ 300 TXT v=spf1 ${sign}include:_spf.example.com +a ?all`).warnings).toContain(
        "mail_target_changed"
      )
    expect(planWithRecords("@ 300 TXT v=spf1 +include:_spf.example.com ?all").warnings).not.toContain(
      "mail_target_changed"
    )
  })
})

test("a name that an SPF record requires to exist is a target of mail", () => {
  expect(warningsOfNewName("v=spf1 -exists:sender.example.com ~all")).toContain("mail_target_changed")
  expect(warningsOfNewName("v=spf1 -exists:other.example.com ~all")).toEqual([])
})

test("a new wildcard answers for the names that an SPF record rejects", () => {
  const zone = zoneOf("fruit 300 TXT v=spf1 -exists:a.example.com ?all")
  const warningsOf = (...desired: ReadonlyArray<string>) =>
    planOrThrow({ zone, desired: desiredRecords(...desired) }).warnings
  expect(warningsOf("* 300 A 192.0.2.1")).toContain("mail_target_changed")
  expect(warningsOf("*.other 300 A 192.0.2.1")).not.toContain("mail_target_changed")
})

const warningsOfNewName = (policy: string) =>
  planOrThrow({ zone: zoneOf(`@ 300 TXT ${policy}`), desired: desiredRecords("sender 300 A 192.0.2.1") }).warnings
