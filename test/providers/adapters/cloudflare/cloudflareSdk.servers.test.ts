import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../../support/effectTest.ts"
import { recordsIn, zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkCall, type SdkJudge, testSdkRecords } from "../sdkTests.ts"
import { cloudflare, validToken, zoneInUse } from "./cloudflare.ts"
import { type CloudflareData, showId } from "./storedCloudflareRecords.ts"

const judge: SdkJudge<CloudflareData> = {
  adapter: cloudflare,
  program: "cloudflare.js",
  package: "cloudflare",
  environment: (isRefused) => ({ CLOUDFLARE_API_TOKEN: isRefused ? "w".repeat(40) : validToken })
}

const call = (command: string, parameters: object = {}): SdkCall => [command, { zone_id: zoneInUse.id, ...parameters }]
const list = call("listRecords")

const at = (host: string, type: string, more: object) => ({ name: `${host}.${zone}`, type, ttl: 300, ...more })

describeSdk(judge, () => {
  live("finds the zone, and creates, lists, changes and deletes a record", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const www = { name: `www.${zone}`, type: "A", content: "192.0.2.1", ttl: 300 }
      const [id, next] = [showId("1000"), showId("1001")]
      const posts = [{ ...www, content: "192.0.2.4" }]
      const [zones, ...answers] = yield* sdk(
        ["listZones", { name: zone }],
        call("createRecord", { ...www, comment: "the shop" }),
        list,
        call("editRecord", { ...www, id, content: "192.0.2.2" }),
        call("updateRecord", { ...www, id, content: "192.0.2.3" }),
        call("batch", { deletes: [{ id }], posts })
      )
      expect(zones).toMatchObject([{ id: zoneInUse.id, name: zone, status: "active" }])
      expect(answers).toMatchObject([
        { id, ...www, comment: "the shop" },
        [{ id, ...www, comment: "the shop" }],
        { id, content: "192.0.2.2", comment: "the shop" },
        { id, content: "192.0.2.3", comment: null },
        { deletes: [{ id, content: "192.0.2.3" }], posts: [{ id: next, ...posts[0] }] }
      ])
      const before = fake.state()
      expect(recordsIn(fake)).toMatchObject([{ name: www.name, ttl: 300, type: "A", data: { content: "192.0.2.4" } }])
      expect(yield* refusalOf(call("createRecord", { ...posts[0] }))).toContain("81058")
      expect(yield* refusalOf(call("batch", { deletes: [{ id: next }, { id }] }))).toContain("81044")
      expect(yield* refusalOf(list, { isStranger: true })).toContain("9109")
      expect(fake.state()).toBe(before)
      yield* sdk(call("deleteRecord", { id: next }))
      expect(recordsIn(fake)).toEqual([])
    })
  )

  const service = { priority: 10, weight: 20, port: 5060, target: "sip.example.net" }
  const certificate = { usage: 3, selector: 1, matching_type: 2, certificate: "abcd" }
  const authority = { flags: 0, tag: "issue", value: "ca.example.net; account=1" }
  const posts = [
    { ...at("", "CAA", { data: authority }), name: zone },
    at("say", "TXT", { content: String.raw`"say \"hi\" & \\ <go>"` }),
    at("_sip._tcp", "SRV", { data: service }),
    at("team", "NS", { content: "ns1.example.net" }),
    at("team", "NS", { content: "ns2.example.net" }),
    at("www6", "AAAA", { content: "2001:db8::1" }),
    at("old", "CNAME", { content: "shops.example.net", proxied: false }),
    at("*", "A", { content: "192.0.2.7" }),
    { ...at("", "MX", { content: "mx.example.net", priority: 10 }), name: zone },
    at("_443._tcp", "TLSA", { data: certificate }),
    { ...at("", "SSHFP", { data: { algorithm: 4, type: 2, fingerprint: "1234" } }), name: zone },
    { ...at("", "URI", { priority: 10, data: { weight: 1, target: "https://www.example.net/" } }), name: zone }
  ]

  testSdkRecords(judge, {
    creates: [call("batch", { posts })],
    reads: [
      { host: "old", type: "CNAME", value: "shops.example.net" },
      { host: "*", type: "A", value: "192.0.2.7" },
      { host: "@", type: "MX", value: "mx.example.net", priority: 10 },
      { host: "_443._tcp", type: "TLSA", value: "3 1 2 abcd" },
      { host: "@", type: "SSHFP", value: "4 2 1234" },
      { host: "@", type: "URI", value: '10 1 "https://www.example.net/"' }
    ],
    desired: ["_null._tcp 300 SRV 10 5 5060 .", "mail 300 AAAA 2001:db8::5"],
    list,
    listed: [
      ...posts,
      at("say", "TXT", { content: '"green & <blue>"' }),
      at("*.shop", "CNAME", { content: "shops.example.net", proxied: false }),
      at("mail", "MX", { content: "mail.example.net", priority: 5 }),
      at("mail", "AAAA", { content: "2001:db8::5", proxied: false }),
      at("_null._tcp", "SRV", { data: { priority: 10, weight: 5, port: 5060, target: "." } }),
      at("secure", "CAA", { data: authority }),
      at("secure", "CAA", { data: { ...authority, value: "letsencrypt.org" } })
    ]
  })
})
