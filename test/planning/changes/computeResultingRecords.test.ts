import { expect, test } from "bun:test"
import { computeResultingRecords } from "../../../src/planning/changes/computeResultingRecords.ts"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

/** The zone after the plan for the desired records, in the notation of `zoneOf`. */
const after = (zone: ReadonlyArray<string>, desired: ReadonlyArray<string>) => {
  const live = zoneOf(...zone)
  const { changes } = planOrThrow({ zone: live, desired: desiredRecords(...desired) })
  return computeResultingRecords(live, changes).map(({ host, priority, ttl, type, value }) =>
    [host, ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")
  )
}

test("an unaffected record keeps its spelling", () => {
  const odd = ["WWW 300 a 192.000.2.1", "x..y -1 HINFO \u0000", "@ 300 MX 10 Mail.Example.com."]
  expect(after([...odd, "shop 300 A 192.0.2.1"], ["shop 600 A 192.0.2.2"])).toEqual([...odd, "shop 600 A 192.0.2.2"])
})

test("a removed record takes all its duplicates with it, in any spelling", () => {
  expect(
    after(
      [
        "Shop 300 aaaa 2001:DB8::0:1",
        "shop 60 AAAA 2001:db8::1",
        "shop 300 MX 10 MX.example.net.",
        "shop 300 MX 10 mx.example.net"
      ],
      ["shop 300 CNAME shops.example.net"]
    )
  ).toEqual(["shop 300 CNAME shops.example.net"])
})

test("of two records that differ only in priority, the plan removes only the undesired one", () => {
  expect(after(["@ 300 MX 10 mx.example.net", "@ 300 MX 20 mx.example.net"], ["@ 300 MX 20 mx.example.net"])).toEqual([
    "@ 300 MX 20 mx.example.net"
  ])
})

test("records that no plan may change stay at a host that changes", () => {
  expect(after(["shop 300 RRSIG A 13 2", "shop 300 A 192.0.2.1"], ["shop 300 CNAME shops.example.net"])).toEqual([
    "shop 300 RRSIG A 13 2",
    "shop 300 CNAME shops.example.net"
  ])
})

test("a plan without changes leaves the zone unchanged", () => {
  const { records } = zoneOf("@ 300 A 192.0.2.1", "www 300 CNAME example.com.")
  expect(computeResultingRecords(zoneOf("@ 300 A 192.0.2.1", "www 300 CNAME example.com."), [])).toEqual(records)
})
