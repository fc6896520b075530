import { expect, test } from "bun:test"
import { toUnicode } from "tr46"
import { toUnicodeName } from "../../src/web/toUnicodeName.ts"

test("a name is shown as people write it, as the service writes it too", () => {
  const names = [
    "xn--bcker-gra.com",
    "www.xn--mnchen-3ya.de",
    "xn--fiqs8s.xn--55qx5d",
    "xn--e1afmkfd.xn--p1ai",
    "shop.de"
  ]
  expect(names.map(toUnicodeName)).toEqual(names.map((name) => toUnicode(name).domain))
  expect(toUnicodeName("xn--bcker-gra.com")).toBe("bäcker.com")
})

test("a label that is no Punycode stays as it is", () => {
  for (const name of ["xn--.com", "xn--a-é.com", "xn--99999999999.com"]) expect(toUnicodeName(name)).toBe(name)
})
