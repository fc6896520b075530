import { expect } from "bun:test"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { serveVendor } from "../../../support/vendors/VendorServer.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, recordsIn, underTest, zone } from "../DescribedAdapter.ts"
import { googleCloudDns, zoneNameOf } from "./googleCloudDns.ts"
import { googleTokens, keyFile, wrongKeyFiles } from "./googleTokens.ts"

const [host, tokenHost] = ["dns.googleapis.com", "oauth2.googleapis.com"]

/** Google's client at fakes that listen as the vendor's hosts. */
const makeSdk = Effect.fnUntraced(function* (lines = "") {
  const environment = yield* makeVendorHosts([host, tokenHost])
  yield* Effect.orDie(serveVendor(googleTokens.react, environment.listener(tokenHost)))
  const fake = yield* makeFakeOf(googleCloudDns, lines, environment.listener(host))
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "google-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  )
  const run = (calls: ReadonlyArray<unknown>, file: object = keyFile) => {
    writeFileSync(join(directory, "key.json"), JSON.stringify(file))
    return environment.run([process.execPath, `${judges}google.js`, JSON.stringify(calls)], {
      GOOGLE_APPLICATION_CREDENTIALS: join(directory, "key.json")
    })
  }
  const sdk = (...calls: ReadonlyArray<unknown>) =>
    Effect.map(run(calls), ({ exitCode, stderr, stdout }) => {
      expect([exitCode, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    })
  return { fake, run, sdk }
})

const managedZone = zoneNameOf(zone)

const set = (host: string, type: string, ttl: number, ...rrdatas: ReadonlyArray<string>) => ({
  name: `${host}${zone}.`,
  type,
  ttl,
  rrdatas
})

const list = (query: object = {}) => ["list", managedZone, query]

const change = (sets: object) => ["change", managedZone, sets]

const unavailable =
  missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/@google-cloud/dns/package.json`)

describeIfPossible("Google's client", unavailable, () => {
  live("finds the zone, and creates, lists, replaces and deletes a set", () =>
    Effect.gen(function* () {
      const { fake, run, sdk } = yield* makeSdk()
      const before = recordsIn(fake)
      const [old, next] = [set("*.", "A", 60, "192.0.2.1"), set("*.", "A", 300, "192.0.2.1", "192.0.2.2")]
      const [zones, created, replaced, listed] = yield* sdk(
        ["zones", {}],
        change({ add: [old] }),
        change({ delete: [old], add: [next] }),
        list({ name: `*.${zone}.`, type: "A" })
      )
      expect(zones).toMatchObject([
        { name: managedZone, dnsName: `${zone}.`, nameServers: googleCloudDns.nameServers.map((name) => `${name}.`) }
      ])
      expect([created.status, replaced.status]).toEqual(["pending", "pending"])
      expect(listed).toMatchObject([next])

      const outdated = yield* run([change({ delete: [old] })])
      expect([outdated.exitCode, outdated.stderr]).toEqual([1, expect.stringContaining("Precondition not met")])
      const twice = yield* run([change({ add: [next] })])
      expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining("already exists")])
      const stranger = yield* run([["zones", {}]], wrongKeyFiles[0])
      expect([stranger.exitCode, stranger.stderr]).toEqual([1, expect.stringContaining("invalid_grant")])

      yield* sdk(change({ delete: [next] }))
      expect(recordsIn(fake)).toEqual(before)
    })
  )

  live("writes records that the adapter reads, and reads those that the adapter writes, on every page", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 120 }, (_, index) => `host${index} 3600 A 192.0.2.1`)
      const { fake, sdk } = yield* makeSdk(others.join("\n"))
      yield* sdk(
        change({
          add: [
            set("", "TXT", 300, '"say \\"hi\\" & <go>"'),
            set("_sip._tcp.", "SRV", 300, "10 20 5060 sip.example.net."),
            set("www6.", "AAAA", 300, "2001:db8::1"),
            set("team.", "NS", 300, "ns1.example.net.", "ns2.example.net."),
            set("", "CAA", 300, '0 issue "ca.example.net; account=1"')
          ]
        })
      )

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(googleCloudDns)
      plain.update(fake.state)
      const opened = yield* openZone(underTest(googleCloudDns, plain), {})
      const snapshot = yield* opened.read
      expect(snapshot.zone.records.filter(({ ttl }) => ttl === 300)).toEqual(
        expect.arrayContaining([
          { host: "@", type: "CAA", ttl: 300, value: '0 issue "ca.example.net; account=1"' },
          { host: "@", type: "TXT", ttl: 300, value: 'say "hi" & <go>' },
          { host: "_sip._tcp", type: "SRV", ttl: 300, priority: 10, value: "20 5060 sip.example.net" },
          { host: "team", type: "NS", ttl: 300, value: "ns1.example.net" },
          { host: "team", type: "NS", ttl: 300, value: "ns2.example.net" },
          { host: "www6", type: "AAAA", ttl: 300, value: "2001:db8::1" }
        ])
      )

      const desired = [
        "@ 300 TXT green & <blue>",
        "*.shop 300 CNAME shops.example.net",
        "mail 300 MX 5 mail.example.net",
        'secure 300 CAA 0 issue "letsencrypt.org"'
      ]
      yield* sendWrites(snapshot, planFrom(snapshot, resolvedIntentOf(zone, { desired }), opened).changes, opened)
      fake.update(plain.state)
      const [listed] = yield* sdk(list())
      expect(listed.length).toBeGreaterThan(others.length)
      expect(listed.filter(({ ttl }: { readonly ttl: number }) => ttl === 300)).toMatchObject([
        set("", "CAA", 300, '0 issue "ca.example.net; account=1"'),
        set("", "TXT", 300, '"say \\"hi\\" & <go>"', '"green & <blue>"'),
        set("_sip._tcp.", "SRV", 300, "10 20 5060 sip.example.net."),
        set("mail.", "MX", 300, "5 mail.example.net."),
        expect.objectContaining({ name: `secure.${zone}.`, type: "CAA" }),
        set("*.shop.", "CNAME", 300, "shops.example.net."),
        set("team.", "NS", 300, "ns1.example.net.", "ns2.example.net."),
        set("www6.", "AAAA", 300, "2001:db8::1")
      ])
    })
  )
})
