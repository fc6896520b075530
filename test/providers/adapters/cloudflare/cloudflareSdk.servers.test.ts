import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { creation, readRecords, recordOf, recordsAt, update, write, zone } from "./cloudflareExamples.ts"
import { cloudflareState, type FakeCloudflareZone, makeFakeCloudflare, validToken } from "./FakeCloudflare.ts"

const host = "api.cloudflare.com"
const zone_id = "457dd20dded351b97830cb528f507819"

/** Cloudflare's SDK, unaltered, against the fake at Cloudflare's own host. */
const makeSdk = (options: Partial<Omit<FakeCloudflareZone, "name">> = {}) =>
  Effect.gen(function* () {
    const environment = yield* makeVendorHosts([host])
    const state = cloudflareState({ [zone]: { id: zone_id, ...options } })
    const fake = yield* makeFakeCloudflare(state, environment.listener(host))
    const run = (command: string, parameters: object) =>
      environment.run([process.execPath, `${judges}cloudflare.js`, command, JSON.stringify(parameters)], {
        CLOUDFLARE_API_TOKEN: validToken
      })
    const sdk = (command: string, parameters: object) =>
      Effect.map(run(command, { zone_id, ...parameters }), ({ stderr, stdout }) => {
        expect(stderr).toBe("")
        return JSON.parse(stdout)
      })
    // Only what runs at Cloudflare's own host trusts the certificate there; the adapter works on the same state elsewhere.
    const plain = yield* makeFakeCloudflare(state)
    const exchange = (from: typeof fake, to: typeof fake) => Effect.sync(() => to.update(() => from.state()))
    const adapt = <A, E>(use: (plainFake: typeof fake) => Effect.Effect<A, E>) =>
      exchange(fake, plain).pipe(Effect.zipRight(use(plain)), Effect.zipLeft(exchange(plain, fake)))
    const stored = () => recordsAt(fake).map(({ content, name, ttl, type }) => [name, ttl, type, content])
    return { adapt, fake, run, sdk, stored }
  })

const refusal = missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/cloudflare/package.json`)

const www = { name: `www.${zone}`, type: "A", content: "192.0.2.1", ttl: 300 }

describeIfPossible("the SDK of Cloudflare", refusal, () => {
  live("finds the zone, and creates, lists, changes and deletes a record", () =>
    Effect.gen(function* () {
      const { fake, run, sdk, stored } = yield* makeSdk()
      const zones = yield* run("listZones", { name: zone })
      expect(JSON.parse(zones.stdout)).toMatchObject([{ id: zone_id, name: zone, status: "active" }])

      const { id } = yield* sdk("createRecord", { ...www, comment: "the shop" })
      expect(stored()).toEqual([[www.name, 300, "A", "192.0.2.1"]])
      expect(yield* sdk("listRecords", {})).toMatchObject([{ id, ...www, comment: "the shop" }])

      yield* sdk("editRecord", { ...www, id, content: "192.0.2.2" })
      expect(recordsAt(fake)).toMatchObject([{ id, content: "192.0.2.2", comment: "the shop" }])
      yield* sdk("updateRecord", { ...www, id, content: "192.0.2.3" })
      expect(recordsAt(fake)).toMatchObject([{ id, content: "192.0.2.3", comment: null }])

      yield* sdk("deleteRecord", { id })
      expect(stored()).toEqual([])
    })
  )

  live("writes a batch as a whole, and the adapter reads each record of it", () =>
    Effect.gen(function* () {
      const { adapt, fake, run, sdk } = yield* makeSdk()
      const { id } = yield* sdk("createRecord", www)
      const posts = [
        { name: `shop.${zone}`, type: "CNAME", content: "shops.example.net", ttl: 600, proxied: false },
        { name: `www6.${zone}`, type: "AAAA", content: "2001:db8::1", ttl: 600 },
        { name: `team.${zone}`, type: "NS", content: "ns1.example.net", ttl: 600 },
        { name: `*.${zone}`, type: "A", content: "192.0.2.7", ttl: 600 },
        { name: zone, type: "MX", content: "mx.example.net", priority: 10, ttl: 600 },
        { name: zone, type: "TXT", content: '"v=spf1 -all"', ttl: 600 },
        { name: zone, type: "CAA", data: { flags: 0, tag: "issue", value: "ca.example.net" }, ttl: 600 },
        {
          name: `_sip._tcp.${zone}`,
          type: "SRV",
          data: { priority: 10, weight: 5, port: 5060, target: "sip.example.net" },
          ttl: 600
        },
        {
          name: `_443._tcp.${zone}`,
          type: "TLSA",
          data: { usage: 3, selector: 1, matching_type: 2, certificate: "abcd" },
          ttl: 600
        },
        { name: zone, type: "SSHFP", data: { algorithm: 4, type: 2, fingerprint: "1234" }, ttl: 600 },
        { name: zone, type: "URI", priority: 10, data: { weight: 1, target: "https://www.example.net/" }, ttl: 600 }
      ]
      const result = yield* sdk("batch", { deletes: [{ id }], posts })
      expect(Object.keys(result)).toEqual(["deletes", "posts"])
      const common = { ttl: 600 }
      expect(yield* adapt(readRecords)).toEqual([
        { ...common, host: "shop", type: "CNAME", value: "shops.example.net" },
        { ...common, host: "www6", type: "AAAA", value: "2001:db8::1" },
        { ...common, host: "team", type: "NS", value: "ns1.example.net" },
        { ...common, host: "*", type: "A", value: "192.0.2.7" },
        { ...common, host: "@", type: "MX", value: "mx.example.net", priority: 10 },
        { ...common, host: "@", type: "TXT", value: "v=spf1 -all" },
        { ...common, host: "@", type: "CAA", value: '0 issue "ca.example.net"' },
        { ...common, host: "_sip._tcp", type: "SRV", value: "5 5060 sip.example.net", priority: 10 },
        { ...common, host: "_443._tcp", type: "TLSA", value: "3 1 2 abcd" },
        { ...common, host: "@", type: "SSHFP", value: "4 2 1234" },
        { ...common, host: "@", type: "URI", value: '10 1 "https://www.example.net/"' }
      ])

      const before = recordsAt(fake)
      const refused = yield* run("batch", { zone_id, deletes: [{ id: before[0]?.id }, { id }] })
      expect(refused.exitCode).not.toBe(0)
      expect(refused.stderr).toContain("81044")
      expect(recordsAt(fake)).toEqual(before)
    })
  )

  live("lists what the adapter has written, and changes it so that the adapter sees it", () =>
    Effect.gen(function* () {
      const { adapt, sdk } = yield* makeSdk()
      const mail = recordOf({ type: "MX", value: "mx.example.net", priority: 10 })
      const changes = [
        recordOf({ host: "www", type: "CNAME", value: "shops.example.net" }),
        mail,
        recordOf({ host: "www6", type: "AAAA", value: "2001:db8::1" }),
        recordOf({ host: "team", type: "NS", value: "ns1.example.net" }),
        recordOf({ host: "*", type: "A", value: "192.0.2.7" }),
        recordOf({ type: "TXT", value: 'say "hi"' }),
        recordOf({ type: "CAA", value: '0 issue "ca.example.net"' }),
        recordOf({ host: "_sip._tcp", type: "SRV", value: "5 5060 .", priority: 10 }),
        recordOf({ host: "_443._tcp", type: "TLSA", value: "3 1 2 abcd" }),
        recordOf({ type: "NAPTR", value: '20 100 "S" "SIP+D2U" "" _sip._udp.example.net' })
      ].map(creation)
      yield* adapt((fake) => write(fake, ...changes))
      yield* adapt((fake) => write(fake, update(mail, { ...mail, value: "mx2.example.net" })))
      const listed: ReadonlyArray<{ readonly id: string }> = yield* sdk("listRecords", {})
      expect(listed).toMatchObject([
        { name: `www.${zone}`, type: "CNAME", content: "shops.example.net", proxied: false, ttl: 300 },
        { name: zone, type: "MX", content: "mx2.example.net", priority: 10 },
        { name: `www6.${zone}`, type: "AAAA", content: "2001:db8::1", proxied: false },
        { name: `team.${zone}`, type: "NS", content: "ns1.example.net" },
        { name: `*.${zone}`, type: "A", content: "192.0.2.7", proxied: false },
        { name: zone, type: "TXT", content: String.raw`"say \"hi\""` },
        { name: zone, type: "CAA", data: { flags: 0, tag: "issue", value: "ca.example.net" } },
        { name: `_sip._tcp.${zone}`, type: "SRV", data: { priority: 10, weight: 5, port: 5060, target: "." } },
        { type: "TLSA", data: { usage: 3, selector: 1, matching_type: 2, certificate: "abcd" } },
        {
          type: "NAPTR",
          content: '20 100 "S" "SIP+D2U" "" _sip._udp.example.net.',
          data: { order: 20, preference: 100, flags: "S", service: "SIP+D2U", regex: "" }
        }
      ])

      const target = { name: `www.${zone}`, type: "CNAME", content: "other.example.net", ttl: 300 }
      yield* sdk("editRecord", { id: listed[0]?.id, ...target })
      const [changed] = yield* adapt(readRecords)
      expect(changed).toMatchObject({ host: "www", value: "other.example.net" })
    })
  )

  live("reads all pages of a zone", () =>
    Effect.gen(function* () {
      const { adapt, sdk } = yield* makeSdk()
      const changes = Array.from({ length: 150 }, (_, index) =>
        creation(recordOf({ host: `host${index}`, type: "A", value: "192.0.2.1" }))
      )
      yield* adapt((fake) => write(fake, ...changes))
      expect(yield* sdk("listRecords", { per_page: 50 })).toHaveLength(150)
    })
  )

  live("reports the refusal of an identical record", () =>
    Effect.gen(function* () {
      const { run, sdk, stored } = yield* makeSdk()
      yield* sdk("createRecord", www)
      const { exitCode, stderr } = yield* run("createRecord", { zone_id, ...www })
      expect(exitCode).not.toBe(0)
      expect(stderr).toContain("81058")
      expect(stored()).toHaveLength(1)
    })
  )
})
