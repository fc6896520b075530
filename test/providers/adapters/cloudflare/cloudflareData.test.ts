import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { creation, fakeWith, readRecords, recordOf, recordsAt, update, write } from "./cloudflareExamples.ts"

const hash = "ab".repeat(32)

/** Data in the form that the service has them, what Cloudflare stores for them, and other data of the type. */
const examples: ReadonlyArray<{
  readonly type: string
  readonly value: string
  readonly priority?: number
  readonly stored: object
  readonly other: string
}> = [
  {
    type: "CAA",
    value: '0 issue "ca.example.net"',
    stored: { data: { flags: 0, tag: "issue", value: "ca.example.net" } },
    other: '128 iodef "mailto:it@example.net"'
  },
  {
    type: "CERT",
    value: "1 12345 8 AQID",
    stored: { data: { type: 1, key_tag: 12_345, algorithm: 8, certificate: "AQID" } },
    other: "3 0 0 BAUG"
  },
  {
    type: "DS",
    value: `12345 13 2 ${hash}`,
    stored: { data: { key_tag: 12_345, algorithm: 13, digest_type: 2, digest: hash } },
    other: `54321 8 1 ${"cd".repeat(20)}`
  },
  {
    type: "HTTPS",
    value: "1 . alpn=h2 port=8443",
    stored: { data: { priority: 1, target: ".", value: "alpn=h2 port=8443" } },
    other: "0 web.example.net"
  },
  {
    type: "NAPTR",
    value: String.raw`20 100 "S" "SIP+D2U" "!^.*$!sip:\\1@example.net!" .`,
    stored: {
      data: {
        order: 20,
        preference: 100,
        flags: "S",
        service: "SIP+D2U",
        regex: String.raw`!^.*$!sip:\1@example.net!`,
        replacement: "."
      }
    },
    other: '30 5 "U" "E2U+sip" "" _sip._udp.example.net'
  },
  {
    type: "SMIMEA",
    value: `3 0 1 ${hash}`,
    stored: { data: { usage: 3, selector: 0, matching_type: 1, certificate: hash } },
    other: `2 1 0 ${hash}`
  },
  {
    type: "SRV",
    value: "5 5060 sip.example.net",
    priority: 10,
    stored: { data: { priority: 10, weight: 5, port: 5060, target: "sip.example.net" } },
    other: "0 443 ."
  },
  {
    type: "SSHFP",
    value: `4 2 ${hash}`,
    stored: { data: { algorithm: 4, type: 2, fingerprint: hash } },
    // A fingerprint of digits alone is a text for Cloudflare all the same.
    other: `1 2 ${"12".repeat(32)}`
  },
  {
    type: "SVCB",
    value: "0 web.example.net",
    stored: { data: { priority: 0, target: "web.example.net", value: "" } },
    other: "2 web.example.net port=53"
  },
  {
    type: "TLSA",
    value: `3 1 2 ${hash}`,
    stored: { data: { usage: 3, selector: 1, matching_type: 2, certificate: hash } },
    other: `2 0 1 ${hash}`
  },
  {
    type: "URI",
    value: '10 1 "https://www.example.net/a?b=\\"c\\""',
    stored: { priority: 10, data: { weight: 1, target: 'https://www.example.net/a?b="c"' } },
    other: '20 2 "ftp://www.example.net/"'
  }
]

describeIfPossible("a record that Cloudflare takes in fields", missingVendorData, () => {
  for (const { other, stored, type, value, ...more } of examples)
    live(`is created, read as it was planned, changed and removed: ${type}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith()
        const record = recordOf({ type, value, ...more })
        yield* write(fake, creation(record))
        expect(recordsAt(fake)).toMatchObject([stored])
        expect(yield* readRecords(fake)).toEqual([{ host: "@", type, value, ttl: 300, ...more }])

        const changed = { ...record, value: other }
        yield* write(fake, update(record, changed))
        expect(yield* readRecords(fake)).toEqual([{ host: "@", type, value: other, ttl: 300, ...more }])

        yield* write(fake, { action: "delete", before: changed, destructive: true })
        expect(recordsAt(fake)).toEqual([])
      })
    )

  live("has the null target where Cloudflare shows `false` for it", () =>
    Effect.gen(function* () {
      const data = { priority: 0, weight: 0, port: 443, target: false }
      const fake = yield* fakeWith({ type: "SRV", priority: 0, content: "0 443 .", data })
      expect(yield* readRecords(fake)).toMatchObject([{ type: "SRV", priority: 0, value: "0 443 ." }])
      // The document knows texts only.
      expect(fake.takeViolations().length).toBeGreaterThan(0)
    })
  )
})
