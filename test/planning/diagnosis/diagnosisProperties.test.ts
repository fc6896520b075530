import { expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { listSlipNames, maxSlipQuestions, selectSlipQuestions } from "../../../src/planning/diagnosis/hostSlips.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { desiredRecords } from "../../support/planFixtures.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { diagnoseAll } from "./diagnosisCases.ts"

const wanted = [
  "@ 300 A 192.0.2.1",
  "www 300 CNAME shops.platform.example",
  "app 300 CNAME shops.platform.example",
  "@ 300 MX 10 mx.platform.example",
  "@ 300 TXT v=spf1 ip4:192.0.2.0/24 ~all",
  "_dmarc 300 TXT v=DMARC1; p=none",
  "_proof 300 TXT platform-proof=9f2c1b7a55e04d31",
  '@ 300 CAA 0 issue "letsencrypt.org"',
  "*.shops 300 CNAME shops.platform.example"
]

/** What people enter instead, and what was there before. */
const mistaken = [
  "@ 300 A 198.51.100.7",
  "@ 300 A 91.195.240.94",
  "www 300 CNAME shops.platform.example.shop.de",
  "www 300 A 198.51.100.7",
  "www 300 CNAME parkingpage.namecheap.com",
  "app 300 TXT shops.platform.example",
  "@ 300 MX 10 mx.platform.example.shop.de",
  '@ 300 TXT "v=spf1 ip4:192.0.2.0/24 ~all"',
  "@ 300 TXT v=spf1 mx -all",
  "@ 300 TXT v=DMARC1; p=none",
  "@ 300 TXT platform-proof=9f2c1b7a55e04d31",
  String.raw`_dmarc 300 TXT v=DMARC1\; p=none`,
  "_dmarc 300 TXT v=DMARC1; p=reject",
  '@ 300 CAA 0 issue "digicert.com"'
]

const elsewhere = ["www.shop.de.shop.de CNAME shops.platform.example", "_dmarc.www.shop.de TXT v=DMARC1; p=none"]

const serverArbitrary = fc.oneof(
  { weight: 5, arbitrary: fc.subarray([...wanted, ...mistaken]) },
  { weight: 1, arbitrary: fc.constant("silent" as const) }
)

const scenarioArbitrary = fc.record({
  desired: fc.subarray(wanted, { minLength: 1 }),
  servers: fc.array(serverArbitrary, { minLength: 1, maxLength: 3 }),
  elsewhere: fc.subarray(elsewhere),
  replaced: fc.subarray(mistaken),
  evidence: fc.record({ isJustWritten: fc.boolean(), isOtherProvider: fc.boolean() })
})

test("exactly the records that a server lacks have a diagnosis, which silence never is", () =>
  fc.assert(
    fc.property(scenarioArbitrary, (scenario) => {
      for (const { diagnosis, status } of diagnoseAll(scenario)) {
        expect(diagnosis !== undefined).toBe(status === "missing" || status === "different")
        expect(diagnosis?.seen.length ?? 0).toBeLessThanOrEqual(4)
        expect(diagnosis?.copy === undefined).toBe(diagnosis?.field === undefined)
      }
    }),
    { numRuns: propertyRuns(1_000) }
  ))

test("a silent server changes no diagnosis but its counts", () =>
  fc.assert(
    fc.property(scenarioArbitrary, (scenario) => {
      const answering = scenario.servers.filter((server) => server !== "silent")
      fc.pre(answering.length > 0)
      const codes = (servers: typeof scenario.servers) =>
        diagnoseAll({ ...scenario, servers }).map(({ diagnosis }) => [diagnosis?.code, diagnosis?.seen])
      expect(codes([...answering, "silent"])).toEqual(codes(answering))
    }),
    { numRuns: propertyRuns(500) }
  ))

test("over the checks, every name where a slip puts a record is asked for, three at a time", () => {
  const location = { domain: DomainName.make("shop.de"), zone: DomainName.make("shop.de") }
  fc.assert(
    fc.property(fc.subarray(wanted, { minLength: 1 }), (lines) => {
      const lacking = desiredRecords(...lines)
      const rounds = Array.from({ length: 4 }, (_, round) => selectSlipQuestions(lacking, location, round))
      for (const questions of rounds) expect(questions.length).toBeLessThanOrEqual(maxSlipQuestions)
      expect(new Set(rounds.flat().map(({ name }) => name))).toEqual(
        new Set(lacking.flatMap((record) => listSlipNames(record, location)))
      )
    }),
    { numRuns: propertyRuns(200) }
  )
})
