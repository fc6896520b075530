import { expect, test } from "bun:test"
import { describePlan, desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

const nullMx = ["@ 300 MX 0 .", "shop 300 MX 0 ."]

/** The findings of a warning in the plan of these records. */
const findingsOf = (code: string, zone: ReadonlyArray<string>, ...desired: ReadonlyArray<string>) =>
  planOrThrow({
    zone: zoneOf(...zone),
    desired: desiredRecords(...desired),
    answers: { "mail.example.net TXT": ["v=spf1 ip4:192.0.2.0/24 -all"] }
  }).warningDetails.flatMap((warning) => (warning.code === code ? (warning.findings ?? []) : []))

/** The questions that a plan leaves open. */
const questions = (scenario: Parameters<typeof planOrThrow>[0]) =>
  planOrThrow(scenario).unanswered.map(({ name, type }) => `${name} ${type}`)

test("a domain with a null MX that becomes a sender is warned, whatever makes it one", () => {
  const senders = [
    "@ 300 TXT v=spf1 include:mail.example.net ~all",
    "@ 300 TXT v=spf1 redirect=mail.example.net",
    "s1._domainkey 300 TXT v=DKIM1; p=MIIB",
    "s1._domainkey 300 CNAME s1.dkim.example.net"
  ]
  const atShop = ["shop 300 TXT v=spf1 ip4:192.0.2.1 -all", "s1._domainkey.shop 300 CNAME s1.dkim.example.net"]
  for (const sender of senders)
    expect(findingsOf("null_mx_sender", nullMx, sender)).toEqual(["example.com has a null MX."])
  for (const sender of atShop)
    expect(findingsOf("null_mx_sender", nullMx, sender)).toEqual(["shop.example.com has a null MX."])
  expect(findingsOf("null_mx_sender", ["* 300 MX 0 ."], "s1._domainkey.app 300 CNAME s1.dkim.example.net")).toEqual([])
  expect(findingsOf("null_mx_sender", ["*.app 300 MX 0 ."], "a.app 300 A 192.0.2.1")).toEqual([])
})

test("a sender that gets a null MX is warned, and one that receives mail or sends none is not", () => {
  const policy = "@ 300 TXT v=spf1 include:mail.example.net ~all"
  expect(findingsOf("null_mx_sender", [policy], "@ 300 MX 0 .")).toEqual(["example.com has a null MX."])
  expect(findingsOf("null_mx_sender", [], "@ 300 MX 0 .", "@ 300 TXT v=spf1 -all")).toEqual([])
  expect(findingsOf("null_mx_sender", nullMx, policy, "@ 300 MX 10 mx.example.net")).toEqual([])
  expect(findingsOf("null_mx_sender", ["@ 300 MX 10 mx.example.net"], policy)).toEqual([])
  expect(findingsOf("null_mx_sender", [...nullMx, policy], "www 300 A 192.0.2.1")).toEqual([])
  for (const revoked of ["v=DKIM1; p=", "v=DKIM1; k=rsa; p= ;", "p="])
    expect(findingsOf("null_mx_sender", nullMx, `s1._domainkey 300 TXT ${revoked}`)).toEqual([])
  expect(findingsOf("null_mx_sender", ["@ 300 MX 10 ."], "s1._domainkey 300 TXT k=rsa; p=MIIB")).toEqual([
    "example.com has a null MX."
  ])
})

test("a wanted MX that leads to an alias or to a host without an address is warned", () => {
  const wanted = "@ 300 MX 10 mx.example.com"
  const at = (...zone: ReadonlyArray<string>) => findingsOf("mx_target_unusable", zone, wanted)
  expect(at("mx 300 CNAME host.example.net")).toEqual([
    "mx.example.com, to which the MX of example.com leads, is an alias (CNAME)."
  ])
  expect(at("* 300 CNAME host.example.net")).toEqual([
    "mx.example.com, to which the MX of example.com leads, is an alias (CNAME)."
  ])
  expect(at("mx 300 TXT hello")).toEqual(["mx.example.com, to which the MX of example.com leads, has no address."])
  expect(at()).toEqual(["mx.example.com, to which the MX of example.com leads, has no address."])
  expect(at("mx 300 HTTPS 1 . alpn=h2")).toEqual(at())
  expect(
    findingsOf("mx_target_unusable", ["*.xn--mll-hoa 300 CNAME a.example.net"], "@ 300 MX 5 mx.xn--mll-hoa.example.com")
  ).toEqual(["mx.xn--mll-hoa.example.com, to which the MX of example.com leads, is an alias (CNAME)."])
  expect([at("mx 300 A 192.0.2.1"), at("mx 300 AAAA 2001:db8::1"), at("* 300 A 192.0.2.1")]).toEqual([[], [], []])
  expect(findingsOf("mx_target_unusable", [], wanted, "mx 300 A 192.0.2.1")).toEqual([])
  expect(findingsOf("mx_target_unusable", [], "@ 300 MX 10 mx.example.net", "www 300 MX 0 .")).toEqual([])
  expect(findingsOf("mx_target_unusable", ["@ 300 ALIAS host.example.net"], "@ 300 MX 10 example.com")).toEqual([])
  expect(findingsOf("mx_target_unusable", [wanted], wanted)).toEqual([])
})

test("a target that the zone does not hold is asked for where the zone was read in public or is delegated", () => {
  const desired = desiredRecords("@ 300 MX 10 mx.example.com")
  const read = { ...zoneOf(), basis: "public_dns" as const }
  const asked = ["mx.example.com CNAME", "mx.example.com A", "mx.example.com AAAA"]
  expect(questions({ zone: read, desired })).toEqual(asked)
  expect(questions({ zone: zoneOf("mx 300 NS ns.example.net"), desired })).toEqual(asked)
  const answers = { "mx.example.com CNAME": ["host.example.net"], "mx.example.com A": [], "mx.example.com AAAA": [] }
  expect(describePlan({ zone: read, desired, answers }).warnings).toContain("mx_target_unusable")
})

test("a target outside the domain, in its zone or elsewhere, is asked for too", () => {
  const desired = desiredRecords("@ 300 MX 10 mx.example.net")
  const asked = ["mx.example.net CNAME", "mx.example.net A", "mx.example.net AAAA"] as const
  expect(questions({ zone: zoneOf(), desired })).toEqual([...asked])
  const warningsOf = (answers: Readonly<Record<string, ReadonlyArray<string>>>) =>
    planOrThrow({ zone: zoneOf(), desired, answers }).warningDetails.flatMap(({ code, findings = [] }) =>
      code === "mx_target_unusable" ? findings : []
    )
  const withAnswers = (cname: ReadonlyArray<string>, a: ReadonlyArray<string>, aaaa: ReadonlyArray<string>) =>
    warningsOf({ [asked[0]]: cname, [asked[1]]: a, [asked[2]]: aaaa })
  expect(withAnswers(["host.example.org"], ["192.0.2.1"], [])).toEqual([
    "mx.example.net, to which the MX of example.com leads, is an alias (CNAME)."
  ])
  expect(withAnswers([], [], [])).toEqual(["mx.example.net, to which the MX of example.com leads, has no address."])
  expect(warningsOf({ [asked[0]]: ["host.example.org"] })).toEqual([
    "mx.example.net, to which the MX of example.com leads, is an alias (CNAME)."
  ])
  expect([withAnswers([], ["192.0.2.1"], []), withAnswers([], [], ["2001:db8::1"])]).toEqual([[], []])
})

test("a policy that an intent has twice in other spellings is taken once, as it was first written", () => {
  const desired = desiredRecords("@ 300 TXT v=spf1 a ~all", "@ 300 TXT v=spf1  A:example.com ~all")
  const plan = planOrThrow({ zone: zoneOf("@ 300 A 192.0.2.1"), desired })
  expect(plan.changes.map(({ after }) => after?.value)).toEqual(["v=spf1 a ~all"])
  expect(plan.warningDetails).toEqual([
    { code: "record_repeated", changes: [0], findings: ["example.com TXT v=spf1 a ~all"] }
  ])
})

test("a record that an intent has twice is taken once, with the lowest TTL, and required if one of them is", () => {
  const desired = desiredRecords("?_acme 600 CNAME a.example.net", "_acme 300 CNAME a.example.net")
  const plan = planOrThrow({ zone: zoneOf(), desired })
  expect(plan.effectiveIntent.records.map((record) => ({ ...record }))).toEqual([
    { host: "_acme", type: "CNAME", value: "a.example.net", ttl: 300, optional: false }
  ])
  expect(plan.changes.length).toBe(1)
  expect(plan.warningDetails).toEqual([
    { code: "record_repeated", changes: [0], findings: ["_acme.example.com CNAME a.example.net"] }
  ])
})
