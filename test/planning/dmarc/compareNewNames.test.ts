import { describe, expect, test } from "bun:test"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

/** The warnings about DMARC, with what was found, of a plan in a zone with this policy at its apex. */
const warningsWith = (policy: string, desired: ReadonlyArray<string>, ...zone: ReadonlyArray<string>) =>
  planOrThrow({
    zone: zoneOf(`_dmarc 300 TXT v=DMARC1; ${policy}`, ...zone),
    desired: desiredRecords(...desired)
  }).warningDetails.filter(({ code }) => code.startsWith("dmarc_policy"))

const shop = "shop 300 CNAME shops.example.net"

describe("a name that comes into being leaves the policy for names that do not exist (np)", () => {
  test("for a looser or a stricter one, which nobody has to acknowledge", () => {
    const findings = ["shop.example.com exists from now on, so that sp applies to its mail and no longer np."]
    expect(warningsWith("p=none; np=reject", [shop])).toEqual([
      { code: "dmarc_policy_weakened", changes: [0], findings, severity: "caution" }
    ])
    expect(warningsWith("p=reject; np=none", [shop])).toEqual([
      { code: "dmarc_policy_strengthened", changes: [0], findings, severity: "caution" }
    ])
  })

  test("by a record below it too", () => {
    expect(warningsWith("p=none; np=reject", ["_v.shop 300 TXT token"])).toHaveLength(1)
  })

  test("and so do all names for which a new wildcard answers", () => {
    expect(warningsWith("p=none; np=reject", ["* 300 A 192.0.2.1"])).toHaveLength(1)
  })

  test("but not a name that exists already, or for which a wildcard answers", () => {
    expect(warningsWith("p=none; np=reject", [shop], "shop 300 TXT token")).toEqual([])
    expect(warningsWith("p=none; np=reject", [shop], "_v.shop 300 TXT token")).toEqual([])
    expect(warningsWith("p=none; np=reject", [shop], "* 300 TXT token")).toEqual([])
  })

  test("but not where both are the same, or the name belongs to a service", () => {
    expect(warningsWith("p=reject", [shop])).toEqual([])
    expect(warningsWith("p=none; sp=reject; np=reject", [shop])).toEqual([])
    expect(warningsWith("p=none; np=reject", ["_v 300 TXT token"])).toEqual([])
  })
})

test("a policy of its own takes the place of that for names that do not exist", () => {
  expect(warningsWithOwn("none")).toContain("dmarc_policy_weakened")
  expect(warningsWithOwn("reject")).not.toContain("dmarc_policy_weakened")
})

/** The warnings of a plan about DMARC, each followed by what was found. */
const findingsOf = (policy: string, ...desired: ReadonlyArray<string>) =>
  warningsWith(policy, desired).flatMap(({ code, findings = [] }) => [code, ...findings])

test("a name with a policy of its own is not said to leave np for sp", () => {
  const own = "_dmarc.shop 300 TXT v=DMARC1; p=none"
  expect([
    findingsOf("p=reject", own),
    findingsOf("p=quarantine", own, shop),
    findingsOf("p=reject; sp=reject; np=none", own),
    findingsOf("p=none; np=reject", own)
  ]).toEqual([
    ["dmarc_policy_weakened"],
    ["dmarc_policy_weakened"],
    ["dmarc_policy_weakened"],
    ["dmarc_policy_weakened"]
  ])
})

test("a name under a policy without np that is changed itself is not said to leave np for sp", () => {
  const { warningDetails } = planOrThrow({
    zone: zoneOf("_dmarc 300 TXT v=DMARC1; p=reject"),
    desired: desiredRecords("_dmarc 300 TXT v=DMARC1; p=none", shop),
    policy: { validateDmarc: false }
  })
  expect(warningDetails.flatMap(({ code, findings = [] }) => [code, ...findings])).toEqual(["dmarc_policy_weakened"])
})

const warningsWithOwn = (policy: string): ReadonlyArray<string> =>
  warningsWith("p=none; np=reject", [shop, `_dmarc.shop 300 TXT v=DMARC1; p=${policy}`]).map(({ code }) => code)

test("a name that comes into being loses the policy by which a wildcard answered for it", () => {
  const zone = zoneOf("*.a 300 TXT v=DMARC1; p=none", "_dmarc 300 TXT v=DMARC1; p=reject")
  const warningsOf = (...desired: ReadonlyArray<string>) =>
    planOrThrow({ zone, desired: desiredRecords(...desired) }).warnings
  expect(warningsOf("b.a 300 TXT v=DMARC1; p=none")).toContain("dmarc_policy_strengthened")
  expect(warningsOf("b.a 300 A 192.0.2.1", "_dmarc.b.a 300 TXT v=DMARC1; p=none")).not.toContain(
    "dmarc_policy_strengthened"
  )
})
