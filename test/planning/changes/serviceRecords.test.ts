import { describe, expect, test } from "bun:test"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

/** What a plan says of the services that lose a record. */
const findingsOf = (zone: string, desired: string) =>
  planOrThrow({ zone: zoneOf(zone), desired: desiredRecords(desired) }).warningDetails.flatMap((detail) =>
    detail.code === "service_record_replaced" ? (detail.findings ?? []) : []
  )

describe("a plan says which service loses a record:", () => {
  test.each([
    ["_imaps._tcp 300 SRV 1 1 993 a.example.net", "_imaps._tcp 300 SRV 1 1 993 b.example.net", "(SRV)"],
    ["_imaps._tcp 300 SRV 1 1 993 a.example.net", "_imaps._tcp 300 CNAME b.example.net", "(SRV)"],
    ["_acme-challenge 300 CNAME a.example.net", "_acme-challenge 300 CNAME b.example.net", "(ACME)"],
    ["_acme-challenge.www 300 CNAME a.example.net", "_acme-challenge.www 300 TXT token", "(ACME)"],
    ["_acme-challenge 300 TXT token", "_acme-challenge 300 CNAME b.example.net", "(ACME)"],
    ["_mta-sts 300 TXT v=STSv1; id=1", "_mta-sts 300 TXT v=STSv1; id=2", "(MTA-STS)"],
    ["_mta-sts 300 CNAME a.example.net", "_mta-sts 300 CNAME b.example.net", "(MTA-STS)"],
    [
      "_smtp._tls 300 TXT v=TLSRPTv1; rua=mailto:a@example.net",
      "_smtp._tls 300 TXT v=TLSRPTv1; rua=mailto:b@example.net",
      "(TLS-RPT)"
    ],
    [
      "default._bimi 300 TXT v=BIMI1; l=https://a.example.net",
      "default._bimi 300 TXT v=BIMI1; l=https://b.example.net",
      "(BIMI)"
    ]
  ])("%s becomes %s", (live, desired, service) => {
    expect(findingsOf(live, desired)).toEqual([expect.stringContaining(service)])
  })

  test("and nothing where it keeps the record", () => {
    expect(findingsOf("_acme-challenge 300 TXT token", "_acme-challenge 300 TXT other")).toEqual([])
    expect(
      findingsOf("_imaps._tcp 300 SRV 1 1 993 a.example.net", "_imaps._tcp 300 SRV 2 1 993 a.example.net")
    ).toEqual([])
    expect(findingsOf("www 300 CNAME a.example.net", "www 300 CNAME b.example.net")).toEqual([])
  })
})
