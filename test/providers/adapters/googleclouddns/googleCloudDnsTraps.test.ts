import { expect } from "bun:test"
import { Effect, type Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  createChange,
  type DescribedFake,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { error, type GoogleData, googleCloudDns, zoneIdOf } from "./googleCloudDns.ts"

type GoogleFake = DescribedFake<GoogleData>

const ownNameServers = googleCloudDns.nameServers.map((name) => `${name}.`)

const zoneShown = (more: object) => ({ id: zoneIdOf(zone), dnsName: `${zone}.`, nameServers: ownNameServers, ...more })

/** Lists these zones instead of the one of the fake. */
const listZones = (fake: GoogleFake, ...managedZones: ReadonlyArray<object>) =>
  fake.injectFault(
    { where: ({ path }) => path.endsWith("/managedZones") },
    { change: "not_made", answer: { status: 200, body: { kind: "dns#managedZonesListResponse", managedZones } } }
  )

const policy = { wrr: { items: [{ weight: 1, rrdatas: ["192.0.2.1"] }] }, kind: "dns#rRSetRoutingPolicy" }

const stored = (host: string, type: string, data: GoogleData) => ({ name: `${host}.${zone}`, type, ttl: 3600, data })

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  "403 is throttling or scope by reason": () =>
    Effect.gen(function* () {
      for (const [reason, code] of [
        ["rateLimitExceeded", "provider_rate_limited"],
        ["dailyLimitExceeded", "provider_rate_limited"],
        ["forbidden", "authorization_insufficient_scope"],
        ["accessNotConfigured", "account_not_entitled"]
      ] as const) {
        const fake = yield* makeFakeOf(googleCloudDns)
        const opened = yield* openAt(googleCloudDns, fake)
        fake.injectFault({}, { change: "not_made", answer: error(403, reason, "no") })
        expect([reason, yield* failureOf(opened.read)]).toEqual([reason, code])
      }
    }),

  "routingPolicy sets have no rrdatas": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns, [stored("www", "A", { value: "", policy })])
      const before = recordsIn(fake)
      const read = yield* readAt(googleCloudDns, fake)
      expect(read.filter(({ host }) => host === "www")).toMatchObject([{ type: "A", locked: "fixed" }])
      const failure = yield* Effect.flip(writeAt(googleCloudDns, fake, createChange(address(2))))
      expect(failure).toMatchObject({ code: "provider_record_locked" })
      expect(writesTo(fake)).toEqual([])
      yield* writeAt(googleCloudDns, fake, createChange(recordAt("www", "TXT", "beside")))
      expect(recordsIn(fake)).toEqual(expect.arrayContaining([...before]))
    }),

  "two zones of one name, public and private": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns)
      const left = ["ns-cloud-a1.googledomains.com."]
      listZones(
        fake,
        zoneShown({ id: "11", visibility: "private", nameServers: ownNameServers }),
        zoneShown({ id: "12", visibility: "public", nameServers: left }),
        zoneShown({ visibility: "public" })
      )
      yield* writeAt(googleCloudDns, fake, createChange(recordAt("new", "A", "192.0.2.1")))
      expect(writesTo(fake).map(({ path }) => path)).toEqual([
        expect.stringContaining(`/managedZones/${zoneIdOf(zone)}/changes`)
      ])
      fake.heal()
      listZones(fake, zoneShown({ visibility: "private" }))
      expect(yield* failureOf(openAt(googleCloudDns, fake))).toBe("authorization_zone_mismatch")
    }),

  "googledomains.com servers belong to Squarespace": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns)
      listZones(fake)
      const nameServers = ["ns-cloud-d1.googledomains.com", "ns-cloud-d2.googledomains.com"]
      expect(yield* Effect.flip(openAt(googleCloudDns, fake, { nameServers }))).toMatchObject({
        code: "authorization_zone_mismatch",
        detail: expect.stringContaining("is managed at Squarespace")
      })
    })
}

describeIfPossible("at Google Cloud DNS", missingVendorData, () => {
  testTraps("googleclouddns", traps)

  live("one change deletes each set exactly as it was read, and adds it as it must be", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns, "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2\nold 60 A 192.0.2.3")
      yield* writeAt(
        googleCloudDns,
        fake,
        updateChange(address(1), { ...address(9), ttl: 300 }),
        updateChange(recordAt("old", "A", "192.0.2.3", { ttl: 60 }), recordAt("old", "CNAME", "web.hostprov.net"))
      )
      expect(writesTo(fake).map(({ body }) => body)).toEqual([
        {
          deletions: [
            { name: `www.${zone}.`, type: "A", ttl: 3600, rrdatas: ["192.0.2.1", "192.0.2.2"] },
            { name: `old.${zone}.`, type: "A", ttl: 60, rrdatas: ["192.0.2.3"] }
          ].toSorted((one, other) => one.ttl - other.ttl),
          additions: expect.arrayContaining([
            { name: `www.${zone}.`, type: "A", ttl: 300, rrdatas: ["192.0.2.2", "192.0.2.9"] },
            { name: `old.${zone}.`, type: "CNAME", ttl: 3600, rrdatas: ["web.hostprov.net."] }
          ])
        }
      ])
    })
  )

  live("an alias at the apex is written as ALIAS, but not in a zone that Google signs", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns)
      expect(yield* applyDesired(googleCloudDns, fake, ["@ 300 CNAME shops.example.net"])).toEqual([])
      expect(recordsIn(fake).filter(({ type }) => type === "ALIAS")).toMatchObject([
        { name: zone, ttl: 300, data: { value: "shops.example.net." } }
      ])
      listZones(fake, zoneShown({ dnssecConfig: { state: "on" } }))
      const signed = yield* openAt(googleCloudDns, fake)
      expect(signed.limits.capabilities.cnameFlattening).toBe("unsupported")
      expect(signed.checkRecord(recordAt("@", "CNAME", "shops.example.net"))).toMatchObject({
        value: { code: "apex_cname_unsupported" }
      })
    })
  )

  live("a text is written in quotes, with quotes and backslashes of its own escaped by a backslash", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns, [stored("www", "TXT", { value: '"v=spf1" "-all"' })])
      yield* writeAt(googleCloudDns, fake, createChange(recordAt("www", "TXT", 'say "hi" \\ ä')))
      expect(recordsIn(fake).flatMap(({ data, type }) => (type === "TXT" ? data.value : []))).toEqual([
        '"v=spf1" "-all"',
        String.raw`"say \"hi\" \\ \195\164"`
      ])
    })
  )

  live("all pages of a zone are read, each by the token of the one before", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns, hostLines(650))
      const read = yield* readAt(googleCloudDns, fake)
      expect(read.filter(({ type }) => type === "A")).toHaveLength(650)
      const asked = fake.calls().map(({ query }) => new URLSearchParams(query).get("pageToken"))
      expect(asked).toEqual(expect.arrayContaining([null, "300", "600"]))
    })
  )
})
