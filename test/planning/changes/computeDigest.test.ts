import { expect, test } from "bun:test"
import canonicalize from "canonicalize"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { desiredRecords, exampleCom, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const desired = desiredRecords("www 300 A 192.0.2.1", "@ 600 MX 5 mx.example.net")

test("the digest is SHA-256 over the canonical JSON of domain, zone and changes", () => {
  const canonical =
    '{"changes":[' +
    '{"action":"create","after":{"host":"@","optional":false,"priority":5,"ttl":600,"type":"MX","value":"mx.example.net"},"destructive":false},' +
    '{"action":"create","after":{"host":"www","optional":false,"ttl":300,"type":"A","value":"192.0.2.1"},"destructive":false}' +
    '],"domain":"example.com","zone":"example.com"}'
  const hash = new Bun.CryptoHasher("sha256").update(canonical).digest("hex")
  expect<string>(planOrThrow({ zone: zoneOf(), desired }).digest).toBe(`sha-256:${hash}`)
})

test("texts with any characters have the canonical JSON that RFC 8785 describes", () => {
  const before = { host: "@", type: "TXT", value: 'a"\\\u0001\u2028é😀/', ttl: 1e9, optional: false, proxied: true }
  const change = { destructive: true, action: "delete" as const, before }
  const canonical = `{"changes":[${canonicalize(change)}],"domain":"example.com","zone":"example.com"}`
  expect<string>(computeDigest({ domain: exampleCom, zone: exampleCom, changes: [change] })).toBe(
    `sha-256:${new Bun.CryptoHasher("sha256").update(canonical).digest("hex")}`
  )
})

test("the digest depends on everything except the order of the changes", () => {
  const { changes } = planOrThrow({ zone: zoneOf(), desired })
  const [first] = changes
  const digest = (given = changes) => computeDigest({ domain: exampleCom, zone: exampleCom, changes: given })
  expect(digest(changes.toReversed())).toBe(digest())
  expect(digest(first === undefined ? [] : [first])).not.toBe(digest())
  expect(digest(changes.map((change) => ({ ...change, destructive: true })))).not.toBe(digest())
})

test("the digest covers the proxy of a record, and without one is what it was", () => {
  expect(digestOfReplacing({ proxied: true })).not.toBe(digestOfReplacing({}))
  expect(digestOfReplacing({ proxied: false })).toBe(digestOfReplacing({}))
})

const digestOfReplacing = (marks: { readonly proxied?: boolean }) => {
  const records = zoneOf("www 300 A 192.0.2.9").records.map((record) => ({ ...record, ...marks }))
  return planOrThrow({ zone: { ...zoneOf(), records }, desired }).digest
}
