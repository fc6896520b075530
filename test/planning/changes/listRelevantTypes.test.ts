import { expect, test } from "bun:test"
import { listRelevantTypes } from "../../../src/planning/changes/conflicts.ts"

const everything = [
  "A AAAA CNAME MX TXT NS SRV CAA HTTPS SVCB DS NAPTR SSHFP TLSA DNAME LOC PTR URI",
  "HINFO RP AFSDB KX CERT IPSECKEY DHCID SMIMEA OPENPGPKEY SPF EUI48 EUI64"
].join(" ")

test("the relevant types of a record below the apex are its own, those that conflict with it, and NS", () => {
  expect(
    (["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"] as const).map((type) =>
      listRelevantTypes(type, false).join(" ")
    )
  ).toEqual([
    "A AAAA CNAME NS HTTPS SVCB",
    "A AAAA CNAME NS HTTPS SVCB",
    everything,
    "CNAME MX NS",
    "CNAME TXT NS",
    everything,
    "CNAME NS SRV",
    "CNAME NS CAA"
  ])
})

test("at the apex a CNAME counts as a flattened alias, and NS records are the zone's own", () => {
  expect(
    (["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"] as const).map((type) =>
      listRelevantTypes(type, true).join(" ")
    )
  ).toEqual([
    "A AAAA CNAME HTTPS SVCB",
    "A AAAA CNAME HTTPS SVCB",
    "A AAAA CNAME HTTPS SVCB",
    "MX",
    "TXT",
    "NS",
    "SRV",
    "CAA"
  ])
})
