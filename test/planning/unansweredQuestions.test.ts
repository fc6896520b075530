import { describe, expect, test } from "bun:test"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

const shop = DomainName.make("shop.example.org")

type Answers = Readonly<Record<string, ReadonlyArray<string>>>

/** What a plan from the public DNS says of the questions that nobody answered, and the changes that this is about. */
const unknownIn = (answers: Answers, zone: ReadonlyArray<string>, ...desired: ReadonlyArray<string>) => {
  const { warningDetails } = planOrThrow({
    zone: { ...zoneOf(...zone), basis: "public_dns" },
    desired: desiredRecords(...desired),
    answers
  })
  return warningDetails
    .filter(({ code }) => code === "lookup_unknown")
    .map(({ changes, findings, severity = "as its code" }) => ({ changes, findings, severity }))
}

const unknown = (changes: ReadonlyArray<number>, ...findings: ReadonlyArray<string>) => [
  { changes, findings, severity: "as its code" }
]

/** The warnings of a first DMARC policy in the zone of a subdomain. */
const warningsBelow = (answers: Answers) => {
  const { warnings } = planOrThrow({
    domain: shop,
    zone: { ...zoneOf("@ 300 A 192.0.2.1"), name: shop },
    desired: desiredRecords("_dmarc 300 TXT v=DMARC1; p=none"),
    answers
  })
  return warnings
}

describe("a plan says that it is unknown", () => {
  const mail = ["@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.1"]

  test("whether a TLSA record pins the mail server whose address moves", () => {
    expect(unknownIn({}, mail, "mail 300 A 192.0.2.2")).toEqual(
      unknown([0], "The TLSA record of _25._tcp.mail.example.com could not be looked up.")
    )
    expect(unknownIn({ "_25._tcp.mail.example.com TLSA": [] }, mail, "mail 300 A 192.0.2.2")).toEqual([])
  })

  test("whether a TLSA record pins the mail server that gives way", () => {
    const answers = { "_mta-sts.example.com TXT": [] }
    expect(unknownIn(answers, ["@ 300 MX 10 mx.example.org"], "@ 300 MX 10 mx.example.net")).toEqual(
      unknown([0], "The TLSA record of _25._tcp.mx.example.org could not be looked up.")
    )
  })

  test("whether an MTA-STS policy lists the current mail servers", () => {
    const answers = { "_25._tcp.mx.example.org TLSA": [] }
    expect(unknownIn(answers, ["@ 300 MX 10 mx.example.org"], "@ 300 MX 10 mx.example.net")).toEqual(
      unknown([0], "The TXT record of _mta-sts.example.com could not be looked up.")
    )
  })

  test("which DMARC policy receivers currently apply, where only a parent can have one", () => {
    expect(warningsBelow({})).toEqual(["lookup_unknown"])
    expect(warningsBelow({ "_dmarc.example.org TXT": [] })).toEqual([])
    expect(warningsBelow({ "_dmarc.example.org TXT": ["v=DMARC1; p=reject"] })).toEqual(["dmarc_policy_weakened"])
  })

  test("whether a CNAME leads into a loop", () => {
    expect(unknownIn({}, [], "www 300 CNAME web.example.com")).toEqual(
      unknown([], "The CNAME record of web.example.com could not be looked up.")
    )
    expect(unknownIn({ "web.example.com CNAME": [] }, [], "www 300 CNAME web.example.com")).toEqual([])
  })
})
