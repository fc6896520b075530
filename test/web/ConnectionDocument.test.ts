import { expect, test } from "bun:test"
import { nameInZone } from "../../src/web/ConnectionDocument.ts"

const connectionOf = (domain: string, zone?: string): any => ({
  effectiveIntent: { domain },
  plan: zone === undefined ? {} : { zone }
})

test("a host is named as the DNS settings of its zone take it", () => {
  const [own, below] = ["example.com", "shop.example.com"].map((domain) => connectionOf(domain, "example.com"))
  const hosts = ["@", "www", "*"]
  expect(hosts.map((host) => nameInZone(host, own))).toEqual(["@", "www", "*"])
  expect(hosts.map((host) => nameInZone(host, below))).toEqual(["shop", "www.shop", "*.shop"])
})

test("where a plan of old does not say its zone, no name is shortened, so that none means another place", () => {
  expect(nameInZone("@", connectionOf("shop.example.com"))).toBe("shop.example.com")
})
