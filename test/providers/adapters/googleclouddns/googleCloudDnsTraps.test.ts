import { expect } from "bun:test"
import { Effect } from "effect"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  createChange,
  type DescribedFake,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  storedAt,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { expectLocked, testAtFake, testTraps } from "../vendorTests.ts"
import { error, type GoogleData, googleCloudDns, setAt, zoneIdOf } from "./googleCloudDns.ts"

const nameServers = googleCloudDns.nameServers.map((name) => `${name}.`)

/** Lists these zones instead of the one of the fake. */
const listZones = (fake: DescribedFake<GoogleData>, ...zones: ReadonlyArray<object>) => {
  const managedZones = zones.map((shown) => ({ id: zoneIdOf(zone), dnsName: `${zone}.`, nameServers, ...shown }))
  const answer = { status: 200, body: { kind: "dns#managedZonesListResponse", managedZones } }
  fake.injectFault({ where: ({ path }) => path.endsWith("/managedZones") }, { change: "not_made", answer })
}

testTraps(googleCloudDns, {
  "403 is throttling or scope by reason": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(googleCloudDns)
    const { read } = yield* openAt(googleCloudDns, fake)
    fake.injectFault({}, { change: "not_made", answer: error(403, "dailyLimitExceeded") })
    expect(yield* failureOf(read)).toBe("provider_rate_limited")
    fake.heal()
    fake.injectFault({}, { change: "not_made", answer: error(403, "forbidden") })
    expect(yield* failureOf(read)).toBe("authorization_insufficient_scope")
  }),

  "routingPolicy sets have no rrdatas": () => {
    const items = [{ weight: 1, rrdatas: ["192.0.2.1"] }]
    const policy = { wrr: { items }, kind: "dns#rRSetRoutingPolicy" }
    return expectLocked(googleCloudDns, [{ value: "", policy }])
  },

  "two zones of one name, public and private": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(googleCloudDns)
    const left = { id: "12", visibility: "public", nameServers: ["ns-cloud-a1.googledomains.com."] }
    listZones(fake, { id: "11", visibility: "private" }, left, { visibility: "public" })
    yield* writeAt(googleCloudDns, fake, createChange(address(1)))
    const path = expect.stringContaining(`/managedZones/${zoneIdOf(zone)}/changes`)
    expect(writesTo(fake)).toMatchObject([{ path }])
    fake.heal()
    listZones(fake, { visibility: "private" })
    expect(yield* failureOf(openAt(googleCloudDns, fake))).toBe("authorization_zone_mismatch")
  }),

  "googledomains.com servers belong to Squarespace": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(googleCloudDns)
    listZones(fake)
    const nameServers = ["ns-cloud-d1.googledomains.com", "ns-cloud-d2.googledomains.com"]
    const { code, detail } = yield* Effect.flip(openAt(googleCloudDns, fake, { nameServers }))
    expect([code, detail]).toEqual(["authorization_zone_mismatch", expect.stringContaining("managed at Squarespace")])
  })
})

testAtFake(googleCloudDns, {
  "one change deletes each set exactly as it was read, and adds it as it must be": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(googleCloudDns, "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2\nold 60 A 192.0.2.3")
    const old = recordAt("old", "A", "192.0.2.3", { ttl: 60 })
    const change = updateChange(address(1), { ...address(9), ttl: 300 })
    yield* writeAt(googleCloudDns, fake, change, updateChange(old, recordAt("old", "CNAME", "web.hostprov.net")))
    const [first, second] = [setAt("old", "A", 60, "192.0.2.3"), setAt("www", "A", 3600, "192.0.2.1", "192.0.2.2")]
    const additions = [
      setAt("www", "A", 300, "192.0.2.2", "192.0.2.9"),
      setAt("old", "CNAME", 3600, "web.hostprov.net.")
    ]
    expect(writesTo(fake).map(({ body }) => body)).toEqual([
      { deletions: [first, second], additions: expect.arrayContaining(additions) }
    ])
  }),

  "an alias at the apex is written as ALIAS, but not in a zone that Google signs": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(googleCloudDns)
    expect(yield* applyDesired(googleCloudDns, fake, ["@ 300 CNAME shops.example.net"])).toEqual([])
    const alias = { name: zone, type: "ALIAS", ttl: 300, data: { value: "shops.example.net." } }
    expect(recordsIn(fake)).toContainEqual(expect.objectContaining(alias))
    listZones(fake, { dnssecConfig: { state: "on" } })
    const signed = yield* openAt(googleCloudDns, fake)
    expect(signed.limits.capabilities.cnameFlattening).toBe("unsupported")
    const refused = signed.checkRecord(recordAt("@", "CNAME", "shops.example.net"))
    expect(refused).toMatchObject({ value: { code: "apex_cname_unsupported" } })
  }),

  "a text is written in quotes, with quotes and backslashes of its own escaped by a backslash": Effect.fnUntraced(
    function* () {
      const stored = storedAt("www", "TXT", { value: '"v=spf1" "-all"' })
      const fake = yield* makeFakeOf(googleCloudDns, [stored])
      yield* writeAt(googleCloudDns, fake, createChange(recordAt("www", "TXT", 'say "hi" \\ ä')))
      const texts = recordsIn(fake).flatMap(({ data, type }) => (type === "TXT" ? data.value : []))
      expect(texts).toEqual([stored.data.value, String.raw`"say \"hi\" \\ \195\164"`])
    }
  )
})
