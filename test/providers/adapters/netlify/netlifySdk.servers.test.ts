import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../../support/effectTest.ts"
import { recordsIn, zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkJudge, testSdkRecords } from "../sdkTests.ts"
import { idOf, netlify, type NetlifyData, validToken } from "./netlify.ts"

const judge: SdkJudge<NetlifyData> = {
  adapter: netlify,
  program: "netlify.js",
  package: "@netlify/api",
  environment: (isRefused) => ({ NETLIFY_AUTH_TOKEN: isRefused ? "wrong" : validToken })
}

const zone_id = idOf(zone)
const create = (body: object) => ["createDnsRecord", { zone_id, body: { ttl: 300, ...body } }]
const list = ["getDnsRecords", { zone_id }]

describeSdk(judge, () => {
  live("finds the zone, and creates, lists and deletes a record", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const body = { type: "MX", hostname: zone, value: "mail.example.net", priority: 10, ttl: 600 }
      const [[found], created, listed] = yield* sdk(["getDnsZones"], create(body), list)
      expect(found).toMatchObject({ id: zone_id, name: zone, dns_servers: [...netlify.nameServers] })
      expect(created).toMatchObject({ ...body, weight: null, port: null, flag: null, tag: null, managed: false })
      expect(listed).toEqual([created])
      expect(yield* refusalOf(create({ ...body, value: "." }))).toContain("JSONHTTPError")
      expect(yield* refusalOf(["getDnsZones"], { isStranger: true })).toContain("401")
      expect(recordsIn(fake)).toHaveLength(1)

      const named = { zone_id, dns_record_id: created.id }
      const [shown] = yield* sdk(["getIndividualDnsRecord", named], ["deleteDnsRecord", named])
      expect(shown).toEqual(created)
      expect(recordsIn(fake)).toEqual([])
    })
  )

  const service = { type: "SRV", hostname: `_sip._tcp.${zone}`, priority: 10, weight: 20, port: 5060 }
  const authority = { type: "CAA", hostname: zone, value: "ca.example.net; account=1", flag: 0, tag: "issue" }
  const records = [
    { type: "TXT", hostname: `say.${zone}`, value: 'say "hi" & \\ <go>' },
    { ...service, value: "sip.example.net." },
    { type: "AAAA", hostname: `www6.${zone}`, value: "2001:db8::1" },
    { type: "NS", hostname: `team.${zone}`, value: "ns1.example.net" },
    { type: "NS", hostname: `team.${zone}`, value: "ns2.example.net" },
    { type: "A", hostname: `*.${zone}`, value: "192.0.2.7" },
    authority
  ]

  testSdkRecords(judge, {
    creates: [...records, { type: "ALIAS", hostname: zone, value: "web.example.net" }].map(create),
    reads: [
      { host: "*", type: "A", value: "192.0.2.7" },
      { host: "@", type: "ALIAS", value: "web.example.net" }
    ],
    desired: ["@ 300 CNAME shops.example.net"],
    list,
    readsOnePage: true,
    listed: [
      ...records,
      { type: "TXT", hostname: `say.${zone}`, value: "green & <blue>" },
      { type: "ALIAS", hostname: zone, value: "shops.example.net" },
      { type: "CNAME", hostname: `*.shop.${zone}`, value: "shops.example.net" },
      { type: "MX", hostname: `mail.${zone}`, priority: 5, value: "mail.example.net" },
      { ...authority, hostname: `secure.${zone}` },
      { ...authority, hostname: `secure.${zone}`, value: "letsencrypt.org" }
    ]
  })
})
