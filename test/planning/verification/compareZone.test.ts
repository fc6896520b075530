import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc } from "effect"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"
import { emptyPlanContext } from "../../../src/planning/PlanContext.ts"
import { compareZone, type PartialZone } from "../../../src/planning/verification/compareZone.ts"
import { computeAtOnce } from "../../../src/runtime/LongComputation.ts"
import { applyChanges, desiredRecords, exampleCom, zoneOf } from "../../support/planFixtures.ts"
import { planInputArbitrary } from "../arbitraries.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { planZone } from "../../support/planZone.ts"

/** The runs of the properties take a minute and more on a busy machine. */

type RecordLines = ReadonlyArray<string>

interface ComparisonInput {
  readonly desired: RecordLines
  readonly zone: RecordLines
  readonly answers?: Readonly<Record<string, RecordLines>>
  readonly unknownRRsets?: PartialZone["unknownRRsets"]
  readonly name?: Zone["name"]
}

const comparison = ({ answers = {}, desired, name = exampleCom, unknownRRsets = [], zone }: ComparisonInput) =>
  computeAtOnce(
    compareZone(
      EffectiveIntent.make({ domain: exampleCom, records: desiredRecords(...desired) }),
      { zone: { ...zoneOf(...zone), basis: "public_dns", name }, unknownRRsets },
      { ...emptyPlanContext, answers: new Map(Object.entries(answers)) }
    )
  )

/** The status of each desired record, with the observed records. */
const statuses = (input: ComparisonInput) =>
  comparison(input).records.map(({ observed: seen, status }) => [
    status,
    ...seen.map(({ type, value }) => `${type} ${value}`)
  ])

const compares = (name: string, input: ComparisonInput, ...expected: ReadonlyArray<RecordLines>) =>
  test(name, () => expect(statuses(input)).toEqual(expected.map((one) => [...one])))

describe("a record", () => {
  const desired = ["www 300 A 192.0.2.1"]

  compares("is present whatever its TTL", { desired, zone: ["www 7 A 192.0.2.1"] }, ["present", "A 192.0.2.1"])

  compares("is missing if nothing is served", { desired, zone: ["mail 300 A 192.0.2.1"] }, ["missing"])

  compares("is different if the old value is served", { desired, zone: ["www 300 A 192.0.2.9"] }, [
    "different",
    "A 192.0.2.9"
  ])

  compares("is different if another type excludes it", { desired, zone: ["www 300 CNAME shop.example.net"] }, [
    "different",
    "CNAME shop.example.net"
  ])

  compares(
    "is different if its RRset has a foreign member",
    {
      desired,
      zone: ["www 300 A 192.0.2.1", "www 300 A 192.0.2.9"]
    },
    ["different", "A 192.0.2.1", "A 192.0.2.9"]
  )

  compares(
    "is the only missing one if the rest of its RRset is served",
    { desired: ["@ 300 MX 10 a.example.net", "@ 300 MX 20 b.example.net"], zone: ["@ 300 MX 10 a.example.net"] },
    ["present", "MX a.example.net"],
    ["missing", "MX a.example.net"]
  )

  compares(
    "is different if its priority is different",
    { desired: ["@ 300 MX 10 a.example.net"], zone: ["@ 300 MX 20 a.example.net"] },
    ["different", "MX a.example.net"]
  )

  compares(
    "is missing if it is served only at another host",
    { desired: ["a.shop 300 A 192.0.2.1"], zone: ["shop 300 NS ns.other.net"] },
    ["missing"]
  )
})

describe("a record of which a host may have several", () => {
  compares(
    "is present among others: TXT",
    { desired: ["@ 300 TXT proof=1"], zone: ["@ 300 TXT proof=1", "@ 300 TXT other"] },
    ["present", "TXT proof=1"]
  )

  compares(
    "is missing if only others are served: TXT",
    { desired: ["@ 300 TXT proof=1"], zone: ["@ 300 TXT proof=2"] },
    ["missing"]
  )

  compares(
    "is present among others: CAA in any spelling",
    {
      desired: ['@ 300 CAA 0 issue "ca.test"'],
      zone: ['@ 300 CAA 0 issue "CA.test"', '@ 300 CAA 0 issue "other.test"']
    },
    ["present", 'CAA 0 issue "CA.test"']
  )

  compares(
    "is missing if only others are served: CAA",
    { desired: ['@ 300 CAA 0 issue "ca.test"'], zone: ['@ 300 CAA 0 iodef "mailto:a@b.test"'] },
    ["missing"]
  )
})

const textsAtApex = (...texts: RecordLines) => texts.map((text) => `@ 300 TXT ${text}`)

describe("SPF", () => {
  const desired = ["@ 300 TXT v=spf1 mx include:mailer.test ~all"]

  compares(
    "is compared by mechanism",
    { desired, zone: textsAtApex("v=spf1 ip4:192.0.2.1 include:Mailer.test mx -all") },
    ["present", "TXT v=spf1 ip4:192.0.2.1 include:Mailer.test mx -all"]
  )

  compares("is different if a mechanism is missing", { desired, zone: textsAtApex("v=spf1 mx ~all") }, [
    "different",
    "TXT v=spf1 mx ~all"
  ])

  compares(
    "is different if there are two records",
    { desired, zone: textsAtApex("v=spf1 mx include:mailer.test ~all", "v=spf1 -all") },
    ["different", "TXT v=spf1 -all", "TXT v=spf1 mx include:mailer.test ~all"]
  )

  const throughInclude = { desired, zone: textsAtApex("v=spf1 include:_spfm.example.com -all") }
  const text = "TXT v=spf1 include:_spfm.example.com -all"

  compares(
    "is present if the provider moves it into its own policies",
    {
      ...throughInclude,
      answers: {
        "_spfm.example.com TXT": ["v=spf1 include:_2.example.com mx:example.com ~all"],
        "_2.example.com TXT": ["v=spf1 include:mailer.test ~all"]
      }
    },
    ["present", text]
  )

  compares(
    "is different if an include covers another name's mail servers, or permits no sender",
    {
      ...throughInclude,
      answers: { "_spfm.example.com TXT": ["v=spf1 mx -include:mailer.test ~all"], "mailer.test TXT": ["v=spf1 -all"] }
    },
    ["different", text]
  )

  compares(
    "is present if it redirects to the desired policy",
    {
      desired,
      zone: textsAtApex("v=spf1 mx redirect=mailer2.test"),
      answers: { "mailer2.test TXT": ["v=spf1 include:mailer.test -all"] }
    },
    ["present", "TXT v=spf1 mx redirect=mailer2.test"]
  )

  compares(
    "is different if an include permits senders that are desired as neutral",
    {
      ...throughInclude,
      desired: ["@ 300 TXT v=spf1 ?include:mailer.test ~all"],
      answers: { "_spfm.example.com TXT": ["v=spf1 include:mailer.test ~all"], "mailer.test TXT": ["v=spf1 -all"] }
    },
    ["different", text]
  )

  test("is unknown while the include is unknown", () => {
    const { records, unanswered } = comparison(throughInclude)
    expect(records.map(({ status }) => status)).toEqual(["unknown"])
    expect(unanswered).toEqual([{ name: "_spfm.example.com", type: "TXT" }])
  })

  test("needs no lookup if the record itself permits the sender", () =>
    expect(comparison({ desired, zone: textsAtApex("v=spf1 mx include:mailer.test ~all") }).unanswered).toEqual([]))

  test("terminates if policies include each other", () =>
    expect(
      statuses({ ...throughInclude, answers: { "_spfm.example.com TXT": ["v=spf1 include:_spfm.example.com ~all"] } })
    ).toEqual([["different", text]]))
})

const behindAlias = (text: string) => ({ "b.guard.test TXT": [text] })

describe("DMARC", () => {
  const desired = ["_dmarc 300 TXT v=DMARC1; p=quarantine; rua=mailto:a@b.test"]

  compares(
    "is compared by tag",
    { desired, zone: ["_dmarc 300 TXT v=DMARC1;rua=mailto:a@b.test; p=Quarantine; adkim=s"] },
    ["present", "TXT v=DMARC1;rua=mailto:a@b.test; p=Quarantine; adkim=s"]
  )

  compares(
    "is different if a tag has another value",
    { desired, zone: ["_dmarc 300 TXT v=DMARC1; p=none; rua=mailto:a@b.test"] },
    ["different", "TXT v=DMARC1; p=none; rua=mailto:a@b.test"]
  )

  const hosted = { desired, zone: ["_dmarc 300 CNAME b.guard.test"] }

  compares(
    "is compared behind an alias",
    { ...hosted, answers: behindAlias("v=DMARC1; p=quarantine; rua=mailto:a@b.test") },
    ["present", "CNAME b.guard.test"]
  )

  compares("is different if the alias leads to another", { ...hosted, answers: behindAlias("v=DMARC1; p=none") }, [
    "different",
    "CNAME b.guard.test"
  ])

  compares("is unknown while it is unknown what is behind the alias", hosted, ["unknown", "CNAME b.guard.test"])
})

compares(
  "a DKIM key is compared by tag",
  {
    desired: ["s1._domainkey 300 TXT v=DKIM1; k=rsa; p=AAAABBBB"],
    zone: ["s1._domainkey 300 TXT v=DKIM1;k=rsa;p=AAAA BBBB;"]
  },
  ["present", "TXT v=DKIM1;k=rsa;p=AAAA BBBB;"]
)

const addressOfTarget = (address: string) => ({ "shop.example.net A": [address], "shop.example.net AAAA": [] })

describe("a CNAME at the apex", () => {
  const desired = ["@ 300 CNAME shop.example.net", "@ 300 TXT proof=1"]
  const zone = ["@ 300 A 192.0.2.1", "@ 300 TXT proof=1"]
  const text = ["present", "TXT proof=1"]

  compares(
    "is present if its addresses are the target's",
    { desired, zone, answers: addressOfTarget("192.0.2.1") },
    ["present", "A 192.0.2.1"],
    text
  )

  compares(
    "is different if its addresses are not the target's",
    { desired, zone, answers: addressOfTarget("192.0.2.2") },
    ["different", "A 192.0.2.1"],
    text
  )

  compares("is unknown while the target's addresses are unknown", { desired, zone }, ["unknown", "A 192.0.2.1"], text)

  compares("is missing if there are no addresses", { desired, zone: ["@ 300 TXT proof=1"] }, ["missing"], text)
})

const statusesOnly = (input: ComparisonInput) => statuses(input).map(([status]) => status)

describe("an RRset that a server did not answer", () => {
  const desired = ["www 300 A 192.0.2.1", "www 300 TXT hello", "a.shop 300 A 192.0.2.1"]
  const zone = ["www 300 A 192.0.2.1", "www 300 TXT hello", "a.shop 300 A 192.0.2.1"]
  const withUnknown = (host: string, type: string) => ({ desired, zone, unknownRRsets: [{ host, type }] })

  test("leaves the record unknown", () =>
    expect(statusesOnly(withUnknown("www", "TXT"))).toEqual(["present", "unknown", "present"]))

  test("leaves a record unknown that the other type would exclude", () =>
    expect(statusesOnly(withUnknown("www", "CNAME"))).toEqual(["unknown", "unknown", "present"]))

  test("for a delegation leaves everything below it unknown", () =>
    expect(statusesOnly(withUnknown("shop", "NS"))).toEqual(["present", "present", "unknown"]))

  test("for the zone's own name servers affects nothing else", () =>
    expect(statusesOnly(withUnknown("@", "NS"))).toEqual(["present", "present", "present"]))
})

compares(
  "a record that cannot be planned does not hide the status of the others",
  {
    desired: ['www 300 CAA 0 issue "ca.test"', "mail 300 A 192.0.2.1"],
    zone: ["www 300 CNAME a.test", "mail 300 A 192.0.2.9"]
  },
  ["different", "CNAME a.test"],
  ["different", "A 192.0.2.9"]
)

test("after a plan is applied, its whole effective intent is present or unknown", () =>
  fc.assert(
    fc.property(planInputArbitrary, (input) =>
      Either.match(planZone(input), {
        onLeft: () => {},
        onRight: ({ changes, effectiveIntent }) => {
          const zone = applyChanges(input.zone, changes)
          const { records } = computeAtOnce(compareZone(effectiveIntent, { zone, unknownRRsets: [] }, input.context))
          expect(records.filter(({ status }) => status !== "present")).toEqual([])
        }
      })
    ),
    { numRuns: propertyRuns(2_000) }
  ))
