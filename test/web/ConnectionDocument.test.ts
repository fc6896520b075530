import { expect, test } from "bun:test"
import { relativeNameOf } from "../../src/web/ConnectionDocument.ts"

const connectionOf = (domain: string, zone?: string): any => ({
  effectiveIntent: { domain },
  plan: zone === undefined ? {} : { zone }
})

test("a host is shown relative to its zone, as DNS providers expect it", () => {
  const [own, below] = ["example.com", "shop.example.com"].map((domain) => connectionOf(domain, "example.com"))
  const hosts = ["@", "www", "*"]
  expect(hosts.map((host) => relativeNameOf(host, own))).toEqual(["@", "www", "*"])
  expect(hosts.map((host) => relativeNameOf(host, below))).toEqual(["shop", "www.shop", "*.shop"])
})

test("where an old plan does not name its zone, hosts are shown in full", () => {
  expect(relativeNameOf("@", connectionOf("shop.example.com"))).toBe("shop.example.com")
})
