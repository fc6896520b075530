import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { serveVendor } from "../../../support/vendors/VendorServer.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, recordsIn, underTest, zone } from "../DescribedAdapter.ts"
import { azure } from "./azure.ts"
import { azureTokens, principal } from "./azureTokens.ts"

const [host, tokenHost] = ["management.azure.com", "login.microsoftonline.com"]
const group = principal.resourceGroup

/** Azure's client at fakes that listen as the vendor's hosts. */
const makeSdk = Effect.fnUntraced(function* (lines = "") {
  const environment = yield* makeVendorHosts([host, tokenHost])
  yield* Effect.orDie(serveVendor(azureTokens.react, environment.listener(tokenHost)))
  const fake = yield* makeFakeOf(azure, lines, environment.listener(host))
  const run = (calls: ReadonlyArray<unknown>, clientSecret: string = principal.clientSecret) =>
    environment.run([process.execPath, `${judges}azure.js`, JSON.stringify(calls)], {
      AZURE_TENANT_ID: principal.tenantId,
      AZURE_CLIENT_ID: principal.clientId,
      AZURE_CLIENT_SECRET: clientSecret,
      AZURE_SUBSCRIPTION_ID: principal.subscriptionId
    })
  const sdk = (...calls: ReadonlyArray<unknown>) =>
    Effect.map(run(calls), ({ exitCode, stderr, stdout }) => {
      expect([exitCode, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    })
  return { fake, run, sdk }
})

const put = (name: string, type: string, records: object, conditions: object = {}) => [
  "createOrUpdate",
  group,
  zone,
  name,
  type,
  { ttl: 300, ...records },
  conditions
]

const list = ["listByDnsZone", group, zone]

const unavailable =
  missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/@azure/arm-dns/package.json`)

describeIfPossible("Azure's client", unavailable, () => {
  live("finds the zone, and creates, lists, replaces and deletes a set, each under a condition", () =>
    Effect.gen(function* () {
      const { fake, run, sdk } = yield* makeSdk()
      const before = recordsIn(fake)
      const [one, two] = [{ ipv4Address: "192.0.2.1" }, { ipv4Address: "192.0.2.2" }]
      const isNew = { ifNoneMatch: "*" }
      const [found, created] = yield* sdk(
        ["getZone", group, zone],
        put("*", "A", { aRecords: [one], metadata: { owner: "sdk" } }, isNew)
      )
      expect(found).toMatchObject({ zoneType: "Public", nameServers: azure.nameServers.map((name) => `${name}.`) })
      const ifMatch = created.etag
      const [replaced, listed] = yield* sdk(put("*", "A", { aRecords: [one, two] }, { ifMatch }), list)
      expect(replaced.etag).not.toBe(ifMatch)
      expect(listed).toContainEqual(expect.objectContaining({ name: "*", ttl: 300, aRecords: [one, two] }))

      for (const refused of [
        put("*", "A", { aRecords: [one] }, { ifMatch }),
        put("*", "A", { aRecords: [one] }, isNew)
      ]) {
        const { exitCode, stderr } = yield* run([refused])
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining("PreconditionFailed")])
      }
      const stranger = yield* run([list], "wrong")
      expect([stranger.exitCode, stranger.stderr]).toEqual([1, expect.stringContaining("AADSTS7000215")])
      yield* sdk(["delete", group, zone, "*", "A", { ifMatch: replaced.etag }])
      expect(recordsIn(fake)).toEqual(before)
    })
  )

  live("writes records that the adapter reads, and reads those that the adapter writes, on every page", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 120 }, (_, index) => `host${index} 3600 A 192.0.2.1`)
      const { fake, sdk } = yield* makeSdk(others.join("\n"))
      yield* sdk(
        put("@", "TXT", { txtRecords: [{ value: ['say "hi" ', "& \\ <go>"] }] }),
        put("_sip._tcp", "SRV", { srvRecords: [{ priority: 10, weight: 20, port: 5060, target: "sip.example.net" }] }),
        put("www6", "AAAA", { aaaaRecords: [{ ipv6Address: "2001:db8::1" }] }),
        put("team", "NS", { nsRecords: [{ nsdname: "ns1.example.net" }, { nsdname: "ns2.example.net" }] }),
        put("@", "CAA", { caaRecords: [{ flags: 0, tag: "issue", value: "ca.example.net; account=1" }] })
      )

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(azure)
      plain.update(fake.state)
      const opened = yield* openZone(underTest(azure, plain), {})
      const snapshot = yield* opened.read
      expect(snapshot.zone.records.filter(({ ttl }) => ttl === 300)).toEqual(
        expect.arrayContaining([
          { host: "@", type: "CAA", ttl: 300, value: '0 issue "ca.example.net; account=1"' },
          { host: "@", type: "TXT", ttl: 300, value: 'say "hi" & \\ <go>' },
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
      const [listed] = yield* sdk(list)
      expect(listed.length).toBeGreaterThan(others.length)
      const sets = new Map(listed.map(({ name, type, ...set }: any) => [`${name} ${type.split("/").at(-1)}`, set]))
      expect(sets.get("@ TXT")).toMatchObject({
        ttl: 300,
        txtRecords: [{ value: ['say "hi" ', "& \\ <go>"] }, { value: ["green & <blue>"] }]
      })
      expect(sets.get("*.shop CNAME")).toMatchObject({ ttl: 300, cnameRecord: { cname: "shops.example.net." } })
      expect(sets.get("mail MX")).toMatchObject({ mxRecords: [{ preference: 5, exchange: "mail.example.net." }] })
      expect(sets.get("secure CAA")).toMatchObject({
        caaRecords: expect.arrayContaining([{ flags: 0, tag: "issue", value: "letsencrypt.org" }])
      })
    })
  )
})
