import { expect, test } from "bun:test"
import { relativeNameOf } from "../../src/web/ConnectionDocument.ts"

test("a host is shown relative to its zone, as DNS providers expect it", () => {
  expect(relativeNameOf({ name: "shop.example.com", zoneHost: "shop" })).toBe("shop")
})

test("where the zone is unknown, a host is shown in full", () => {
  expect(relativeNameOf({ name: "shop.example.com" })).toBe("shop.example.com")
})
