import { expect, test } from "bun:test"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { planOrThrow, desiredRecords, zoneOf } from "../support/planFixtures.ts"

const warns = (domain: string, host: string): boolean =>
  planOrThrow({
    zone: zoneOf(),
    domain: DomainName.make(domain),
    desired: desiredRecords(`${host} 300 TXT hello`)
  }).warnings.includes("host_repeats_domain")

test("a host that repeats the first labels of its domain is planned with a warning", () => {
  const repeated = ["www", "*.www", "_dmarc.www", "www.shop", "a.www.shop"]
  expect(repeated.map((host) => warns("www.shop.example.com", host))).toEqual(repeated.map(() => true))
  expect(warns("example.com", "example")).toBe(true)
})

test("any other host is planned without that warning", () => {
  const others = ["@", "*", "shop", "www2", "awww", "www.a", "_dmarc", "com", "shop.www.a", "aexample"]
  expect(others.filter((host) => warns("www.shop.example.com", host))).toEqual([])
  expect(["www", "com", "example.www"].filter((host) => warns("example.com", host))).toEqual([])
})
