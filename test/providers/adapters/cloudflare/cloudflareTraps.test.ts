import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import { applyFailureOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { makeDescribedVendor } from "../../../support/vendors/DescribedVendor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import {
  createChange,
  deleteChange,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { planFor } from "../planFor.ts"
import { testTraps } from "../vendorTests.ts"
import { cloudflare, listRecords, succeed, validToken } from "./cloudflare.ts"
import { show, storedRecord } from "./storedCloudflareRecords.ts"

const at = (host: string, type: string, value: string, more: Partial<ChangeRecord> = {}) =>
  recordAt(host, type, value, { ttl: 300, ...more })
const storing = (...records: ReadonlyArray<Parameters<typeof storedRecord>[0]>) =>
  makeFakeOf(cloudflare, records.map(storedRecord))

const long = `${"x".repeat(255)}${"y".repeat(45)}`
const spellings: ReadonlyArray<readonly [content: string, text: string]> = [
  ["token", "token"],
  ['"token"', "token"],
  ["v=spf1 include:spf.example.net -all", "v=spf1 include:spf.example.net -all"],
  ['"v=spf1 include:spf.example.net -all"', "v=spf1 include:spf.example.net -all"],
  ['"one two"', "one two"],
  ['"one " "two"', "one two"],
  ['say "hi" now', 'say "hi" now'],
  [String.raw`"say \"hi\" now"`, 'say "hi" now'],
  [long, long],
  [`"${long}"`, long],
  [`"${long.slice(0, 255)}" "${long.slice(255)}"`, long]
]

/** Tests by the words of `vendor-facts.json`. */
testTraps(cloudflare, {
  "TXT read back quoted, unquoted, or split; compare by decoded text": () =>
    Effect.forEach(spellings, ([content, text]) =>
      Effect.gen(function* () {
        const fake = yield* storing({ type: "TXT", content })
        const readValues = Effect.map(readAt(cloudflare, fake), (records) => records.map(({ value }) => value))
        expect(yield* readValues).toEqual([text])
        yield* writeAt(cloudflare, fake, deleteChange(at("@", "TXT", text)))
        expect(recordsIn(fake)).toEqual([])
        yield* writeAt(cloudflare, fake, createChange(at("@", "TXT", text)))
        const quoted = spellings.flatMap(([content, read]) => (read === text && content[0] === '"' ? content : []))
        expect(quoted).toContain(recordsIn(fake)[0]?.data.content ?? "")
        expect(yield* readValues).toEqual([text])
      })
    ),

  "records with meta.read_only (mail routing, workers) cannot be changed": () =>
    Effect.gen(function* () {
      const fake = yield* storing({
        type: "MX",
        priority: 10,
        content: "route1.mx.example.net",
        meta: { read_only: true }
      })
      const before = recordsIn(fake)
      expect(yield* readAt(cloudflare, fake)).toMatchObject([{ type: "MX", locked: "fixed" }])
      const request = yield* planFor(underTest(cloudflare, fake), ["@ 300 MX 5 mx.example.net", "www 300 A 192.0.2.1"])
      const failure = yield* withPlanApplierOnRealClock(applyFailureOf(request))
      expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
      expect([writesTo(fake), recordsIn(fake)]).toEqual([[], before])
    }),

  "proxied A/AAAA/CNAME answer with Cloudflare addresses; a written CNAME to be seen in DNS must be proxied:false":
    () =>
      Effect.gen(function* () {
        const proxied = { name: `www.${zone}`, type: "A", proxied: true, ttl: 1 }
        const fake = yield* storing({ ...proxied, content: "192.0.2.1" }, { ...proxied, content: "192.0.2.2" })
        expect(yield* readAt(cloudflare, fake)).toMatchObject([{ proxied: true }, { proxied: true }])
        yield* writeAt(
          cloudflare,
          fake,
          updateChange(at("www", "A", "192.0.2.1"), at("www", "A", "203.0.113.1")),
          createChange(at("shop", "CNAME", "shops.example.net")),
          createChange(at("www", "AAAA", "2001:db8::1"))
        )
        expect(recordsIn(fake).map(({ data: { content, proxied }, ttl }) => [content, proxied, ttl])).toEqual([
          ["203.0.113.1", false, 300],
          ["192.0.2.2", true, 1],
          ["shops.example.net", false, 300],
          ["2001:db8::1", false, 300]
        ])
      }),

  "PUT clears comment, tags and settings that are not sent": () =>
    Effect.gen(function* () {
      const settings = { flatten_cname: false, ipv4_only: true }
      const kept = { comment: "the shop", tags: ["owner:dns-team"], settings }
      const fake = yield* storing({ name: `www.${zone}`, type: "CNAME", content: "old.example.net", ...kept })
      const [before] = recordsIn(fake)
      const after = at("www", "CNAME", "new.example.net", { ttl: 600 })
      yield* writeAt(cloudflare, fake, updateChange(at("www", "CNAME", "old.example.net"), after))
      expect(recordsIn(fake)).toMatchObject([
        { id: before?.id, ttl: 600, data: { content: "new.example.net", ...kept } }
      ])
    }),

  "an ALIAS or SPF type may come back; NS of the apex and SOA are not in the list": () =>
    Effect.gen(function* () {
      const contents = { ALIAS: "shops.example.net", SPF: "v=spf1 -all", LATER: "something new" }
      const fake = yield* storing(...Object.entries(contents).map(([type, content]) => ({ type, content })))
      expect(yield* readAt(cloudflare, fake)).toEqual(
        Object.entries(contents).map(([type, value]) => ({ host: "@", type, value, ttl: 300 }))
      )
      // The document does not know these types.
      expect(fake.takeViolations().length).toBeGreaterThan(0)
    }),

  "IDN zones appear in Unicode in listings": () =>
    Effect.gen(function* () {
      const name = DomainName.make("xn--bcher-kva.example")
      const records = [storedRecord({ name, type: "TXT", content: "here" })]
      const fake = yield* makeDescribedVendor(cloudflare.vendor, { "bücher.example": records })
      const { read } = yield* openAt(cloudflare, fake, { zone: name, domain: name })
      expect((yield* read).zone.records.map(({ value }) => value)).toEqual(["here"])
    })
})

const hash = "ab".repeat(32)

/** Data in the form that the service has them, the fields that Cloudflare takes, and other data of the type. */
const examples: ReadonlyArray<readonly [type: string, value: string, data: object, other: string, beside?: object]> = [
  [
    "CAA",
    '0 issue "ca.example.net"',
    { flags: 0, tag: "issue", value: "ca.example.net" },
    '128 iodef "mailto:it@a.net"'
  ],
  ["CERT", "1 12345 8 AQID", { type: 1, key_tag: 12_345, algorithm: 8, certificate: "AQID" }, "3 0 0 BAUG"],
  ["DS", `1 13 2 ${hash}`, { key_tag: 1, algorithm: 13, digest_type: 2, digest: hash }, `2 8 1 ${"cd".repeat(20)}`],
  ["HTTPS", "1 . alpn=h2 port=8443", { priority: 1, target: ".", value: "alpn=h2 port=8443" }, "0 web.example.net"],
  [
    "NAPTR",
    String.raw`20 100 "S" "SIP+D2U" "!^.*$!sip:\\1@a.net!" .`,
    {
      order: 20,
      preference: 100,
      flags: "S",
      service: "SIP+D2U",
      regex: String.raw`!^.*$!sip:\1@a.net!`,
      replacement: "."
    },
    '30 5 "U" "E2U+sip" "" _sip._udp.example.net'
  ],
  ["SMIMEA", `3 0 1 ${hash}`, { usage: 3, selector: 0, matching_type: 1, certificate: hash }, `2 1 0 ${hash}`],
  [
    "SRV",
    "5 5060 sip.a.net",
    { priority: 10, weight: 5, port: 5060, target: "sip.a.net" },
    "0 443 .",
    { priority: 10 }
  ],
  // A fingerprint of digits alone is a text for Cloudflare all the same.
  ["SSHFP", `4 2 ${hash}`, { algorithm: 4, type: 2, fingerprint: hash }, `1 2 ${"12".repeat(32)}`],
  ["SVCB", "0 web.example.net", { priority: 0, target: "web.example.net", value: "" }, "2 web.example.net port=53"],
  ["TLSA", `3 1 2 ${hash}`, { usage: 3, selector: 1, matching_type: 2, certificate: hash }, `2 0 1 ${hash}`],
  [
    "URI",
    String.raw`10 1 "https://a.net/a?b=\"c\""`,
    { weight: 1, target: 'https://a.net/a?b="c"' },
    '20 2 "ftp://a.net/"'
  ]
]

describeIfPossible("at Cloudflare", missingVendorData, () => {
  for (const [type, value, data, other, beside = {}] of examples)
    live(`a record that is taken in fields is created, read as it was planned, changed and removed: ${type}`, () =>
      Effect.gen(function* () {
        const fake = yield* storing()
        const [record, changed] = [at("@", type, value, beside), at("@", type, other, beside)]
        const priority = type === "URI" ? { priority: 10 } : {}
        yield* writeAt(cloudflare, fake, createChange(record))
        expect(writesTo(fake)).toMatchObject([{ body: { posts: [{ data, ...priority }] } }])
        expect(recordsIn(fake).map(show)).toMatchObject([{ data, ...priority }])
        expect(yield* readAt(cloudflare, fake)).toEqual([{ host: "@", type, value, ttl: 300, ...beside }])

        yield* writeAt(cloudflare, fake, updateChange(record, changed))
        expect(yield* readAt(cloudflare, fake)).toEqual([{ host: "@", type, value: other, ttl: 300, ...beside }])

        yield* writeAt(cloudflare, fake, deleteChange(changed))
        expect(recordsIn(fake)).toEqual([])
      })
    )

  live("a service has the null target where Cloudflare shows `false` for it", () =>
    Effect.gen(function* () {
      const fake = yield* storing()
      const data = { priority: 0, weight: 0, port: 443, target: false }
      const record = show({ id: "1", ...storedRecord({ type: "SRV", priority: 0, content: "0 443 ." }) })
      const answer = succeed([{ ...record, data }], { result_info: { total_count: 1 } })
      fake.injectFault({ operation: listRecords }, { change: "not_made", answer })
      expect(yield* readAt(cloudflare, fake)).toMatchObject([{ type: "SRV", priority: 0, value: "0 443 ." }])
    })
  )

  live("an OAuth token opens the zone too", () =>
    Effect.gen(function* () {
      const credential = { _tag: "oauth_token", accessToken: Redacted.make(validToken) } as const
      yield* openAt(cloudflare, yield* storing(), { credential })
    })
  )

  live("a batch that is refused for one of its changes leaves all of them out", () =>
    Effect.gen(function* () {
      const fake = yield* storing({ name: `mail.${zone}`, type: "MX", priority: 10, content: "mx.example.net" })
      const before = fake.state()
      const tooShort = at("mail", "MX", "mx2.example.net", { priority: 5, ttl: 5 })
      const changes = [at("www", "A", "192.0.2.1"), tooShort].map(createChange)
      expect(yield* Effect.flip(writeAt(cloudflare, fake, ...changes))).toMatchObject({ code: "apply_rejected" })
      // The TTL is also outside of the document; the fake refuses it first.
      expect(fake.takeViolations().length).toBeGreaterThan(0)
      expect(fake.state()).toBe(before)
    })
  )
})
