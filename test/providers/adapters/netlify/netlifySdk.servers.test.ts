import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { applyDesired, makeFakeOf, readAt, recordsIn, zone } from "../DescribedAdapter.ts"
import { netlify, validToken } from "./netlify.ts"

const host = "api.netlify.com"

/** Netlify's SDK, unaltered, against the fake at Netlify's own host. */
const makeSdk = Effect.gen(function* () {
  const environment = yield* makeVendorHosts([host])
  const fake = yield* makeFakeOf(netlify, "", environment.listener(host))
  const run = (operation: string, parameters: object, token = validToken) =>
    environment.run([process.execPath, `${judges}netlify.js`, operation, JSON.stringify(parameters)], {
      NETLIFY_AUTH_TOKEN: token
    })
  const sdk = (operation: string, parameters: object = {}) =>
    Effect.map(run(operation, parameters), ({ exitCode, stderr, stdout }) => {
      expect([exitCode, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    })
  return { fake, run, sdk }
})

const unavailable = missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/@netlify/api/package.json`)

describeIfPossible("Netlify's SDK", unavailable, () => {
  live("finds the zone, and creates, lists and deletes a record", () =>
    Effect.gen(function* () {
      const { fake, run, sdk } = yield* makeSdk
      const [found] = yield* sdk("getDnsZones")
      expect(found).toMatchObject({ name: zone, dns_servers: expect.arrayContaining(["dns1.p09.nsone.net"]) })
      const body = { type: "MX", hostname: zone, value: "mail.example.net", priority: 10, ttl: 600 }
      const created = yield* sdk("createDnsRecord", { zone_id: found.id, body })
      expect(created).toMatchObject({ ...body, weight: null, port: null, flag: null, tag: null, managed: false })
      expect(yield* sdk("getDnsRecords", { zone_id: found.id })).toEqual([created])

      const refused = yield* run("createDnsRecord", { zone_id: found.id, body: { ...body, value: "." } })
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("JSONHTTPError")])
      const stranger = yield* run("getDnsZones", {}, "wrong")
      expect([stranger.exitCode, stranger.stderr]).toEqual([1, expect.stringContaining("401")])
      expect(recordsIn(fake)).toHaveLength(1)

      const parameters = { zone_id: found.id, dns_record_id: created.id }
      expect(yield* sdk("getIndividualDnsRecord", parameters)).toEqual(created)
      yield* sdk("deleteDnsRecord", parameters)
      expect(recordsIn(fake)).toEqual([])
    })
  )

  live("writes records that the adapter reads, and reads those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, sdk } = yield* makeSdk
      const [{ id: zone_id }] = yield* sdk("getDnsZones")
      const bodies = [
        { type: "TXT", hostname: zone, value: 'say "hi" \\ ;' },
        { type: "SRV", hostname: `_sip._tcp.${zone}`, value: "sip.example.net.", priority: 10, weight: 20, port: 5060 },
        { type: "CAA", hostname: zone, value: "letsencrypt.org", flag: 0, tag: "issue" },
        { type: "A", hostname: `*.${zone}`, value: "192.0.2.7" },
        { type: "AAAA", hostname: `www6.${zone}`, value: "2001:db8::1" },
        { type: "NS", hostname: `team.${zone}`, value: "ns1.example.net" },
        { type: "ALIAS", hostname: zone, value: "web.example.net" }
      ]
      for (const body of bodies) yield* sdk("createDnsRecord", { zone_id, body: { ...body, ttl: 300 } })

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(netlify)
      plain.update(fake.state)
      expect(yield* readAt(netlify, plain)).toEqual([
        { host: "@", type: "TXT", ttl: 300, value: 'say "hi" \\ ;' },
        { host: "_sip._tcp", type: "SRV", ttl: 300, priority: 10, value: "20 5060 sip.example.net" },
        { host: "@", type: "CAA", ttl: 300, value: '0 issue "letsencrypt.org"' },
        { host: "*", type: "A", ttl: 300, value: "192.0.2.7" },
        { host: "www6", type: "AAAA", ttl: 300, value: "2001:db8::1" },
        { host: "team", type: "NS", ttl: 300, value: "ns1.example.net" },
        { host: "@", type: "ALIAS", ttl: 300, value: "web.example.net" }
      ])

      const written = [
        "@ 300 CNAME shops.example.net",
        "mail 300 MX 5 mail.example.net",
        "*.shop 300 A 192.0.2.8",
        "mail6 300 AAAA 2001:db8::2",
        "crew 300 NS ns3.example.net"
      ]
      expect(yield* applyDesired(netlify, plain, written)).toEqual([])
      fake.update(plain.state)
      const listed: ReadonlyArray<any> = yield* sdk("getDnsRecords", { zone_id })
      expect(listed.map(({ hostname, priority, type, value }) => [hostname, type, priority, value])).toEqual([
        ...bodies.slice(0, 6).map(({ hostname, priority = null, type, value }) => [hostname, type, priority, value]),
        [`*.shop.${zone}`, "A", null, "192.0.2.8"],
        [`mail6.${zone}`, "AAAA", null, "2001:db8::2"],
        [zone, "ALIAS", null, "shops.example.net"],
        [`mail.${zone}`, "MX", 5, "mail.example.net"],
        [`crew.${zone}`, "NS", null, "ns3.example.net"]
      ])
    })
  )
})
