import { expect, test } from "bun:test"
import type { ProofExchange } from "../../prove/provider/recordExchanges.ts"
import { redactScenarios } from "../../prove/provider/redactScenarios.ts"

const secret = 's3cret/with "quotes"'
const zoneId = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
const accountId = "ffeeddccbbaa99887766554433221100"

const exchange: ProofExchange = {
  method: "GET",
  url: `https://api.vendor.example/accounts/${accountId}/zones/${zoneId}?token=${encodeURIComponent(secret)}&team=bakers-of-kiel`,
  requestBody: { key: secret, basic: Buffer.from(secret).toString("base64") },
  status: 200,
  headers: { link: `<https://api.vendor.example/zones?name=Bakery.Example.ORG>; rel="next"` },
  responseBody: {
    "bakery.example.org": [{ id: zoneId, ttl: 300, type: "A", content: "192.0.2.1" }],
    account: { id: accountId, name: "Bakers" },
    owner_email: "baker@bakery.example.org",
    accountNumber: 48151623,
    note: "asked by User: arn:aws:iam::123456789012:user/baker and 48151623",
    account_slug: "bakers-of-kiel",
    xml: "<Owner>Bakers of Kiel</Owner><Name>www.bakery.example.org.</Name>"
  }
}

const redacted = redactScenarios([{ scenario: "row", interactions: [exchange] }], {
  secrets: [secret],
  zone: "bakery.example.org"
})

test("a recording has no secret in any encoding, no zone, no account and no person", () => {
  const text = JSON.stringify(redacted).toLowerCase()
  const hidden = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
    "bakery",
    accountId,
    zoneId,
    "48151623",
    "123456789012",
    "bakers",
    "kiel"
  ]
  expect(hidden.filter((part) => text.includes(part.toLowerCase()))).toEqual([])
})

test("a recording keeps its shape, its records, and the same identifier where it was the same", () => {
  const body: any = redacted[0]?.interactions[0]?.responseBody
  expect(body["zone.example"][0]).toMatchObject({ ttl: 300, type: "A", content: "192.0.2.1" })
  expect(body["zone.example"][0].id).toMatch(/^0+\d$/)
  expect(redacted[0]?.interactions[0]?.url).toContain(`/zones/${body["zone.example"][0].id}?`)
  expect([typeof body.account.id, body.accountNumber]).toEqual(["string", 0])
  expect(body.xml).toBe("<Owner>***</Owner><Name>www.zone.example.</Name>")
})
