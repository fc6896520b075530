import { expect, test } from "bun:test"
import { Either } from "effect"
import { computeIntentKey } from "../../../src/domain/connection/ConnectionKeys.ts"
import { type IntentRequest, resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { tenancyOf } from "../../support/testApi.ts"

const mail = { host: "@", type: "MX", value: "mail.example.net", priority: 10 } as const

const shop = { host: "shop", type: "CNAME", value: "shops.example.net" } as const

const keyOf = (records: IntentRequest["records"], domain = "example.com"): string => {
  const { effectiveIntent } = Either.getOrThrow(resolveIntent({ domain, records }))
  return Buffer.from(computeIntentKey(tenancyOf("app", "tenant"), effectiveIntent)).toString("hex")
}

test("intents that differ only in TTL, letter case, trailing dots, or order and repetition of records are the same", () => {
  const key = keyOf([mail, shop])
  const same: ReadonlyArray<readonly [IntentRequest["records"], string?]> = [
    [[{ ...mail, ttl: 60 }, shop]],
    [
      [
        { ...mail, value: "MAIL.Example.Net." },
        { ...shop, host: "Shop.example.com." }
      ]
    ],
    [[mail, shop], "EXAMPLE.com."],
    [[shop, mail]],
    [[shop, { host: mail.host, type: mail.type, value: mail.value }]]
  ]
  for (const [records, domain] of same) expect(keyOf(records, domain)).toBe(key)
  const { effectiveIntent } = Either.getOrThrow(resolveIntent({ domain: "example.com", records: [mail, shop] }))
  const repeated = { ...effectiveIntent, records: [...effectiveIntent.records, ...effectiveIntent.records] }
  expect(Buffer.from(computeIntentKey(tenancyOf("app", "tenant"), repeated)).toString("hex")).toBe(key)
})

test("values that mean the same in the language of their record are the same, in any spelling", () => {
  const spellings: ReadonlyArray<readonly [IntentRequest["records"][number], string]> = [
    [
      { host: "@", type: "TXT", value: "v=spf1 a include:mail.example.net -all" },
      "V=SPF1 A:Example.com Include:Mail.example.net. -ALL"
    ],
    [{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none; sp=reject" }, "v=DMARC1;P=None;  SP=Reject"],
    [{ host: "@", type: "CAA", value: '0 issue "ca.example.net"' }, '0 ISSUE "CA.example.net"'],
    [{ host: "@", type: "AAAA", value: "2001:db8::1" }, "2001:0DB8:0::0001"]
  ]
  for (const [record, value] of spellings) expect(keyOf([{ ...record, value }])).toBe(keyOf([record]))
})

test("every other difference makes another intent", () => {
  const others: ReadonlyArray<readonly [IntentRequest["records"], string?]> = [
    [[mail]],
    [[mail, shop], "example.org"],
    [[{ ...mail, priority: 20 }, shop]],
    [[{ ...mail, optional: true }, shop]],
    [[mail, { ...shop, host: "www" }]],
    [[mail, shop, { host: "token", type: "TXT", value: "abc" }]],
    [[mail, shop, { host: "token", type: "TXT", value: "ABC" }]]
  ]
  const keys = [keyOf([mail, shop]), ...others.map(([records, domain]) => keyOf(records, domain))]
  expect(new Set(keys).size).toBe(keys.length)
})
