import { expect } from "bun:test"
import { Duration, Effect } from "effect"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  addRecord,
  address,
  applyDesired,
  createChange,
  deleteChange,
  type DescribedFake,
  editRecords,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testRateLimit } from "../rateLimitTests.ts"
import { testAtFake, testRecordRules, testTraps } from "../vendorTests.ts"
import { desec, type DesecData, desecRates, desecVendorWith, throttled } from "./desec.ts"

const list = "GET /domains/{name}/rrsets/"

const queriesOf = (fake: DescribedFake<DesecData>) =>
  fake.calls().flatMap(({ operation, query }) => (operation === list ? query.replace(/=.+/, "=…") : []))

/** Of a zone of 1,200 sets. */
const pages = ["", "cursor=", "cursor=…", "cursor=…"]

const pageTo = (url: string) => ({ status: 200, headers: { link: `<${url}>; rel="next"` }, body: [] })

const shop = createChange(recordAt("shop", "CNAME", "shops.example.net"))

/** Of a set that somebody else adds; it is the last one. */
const added = (host: string) => ({ ...storedAt(host, "A", { content: "192.0.2.9" }), id: "9000" })

/** Tests by the words of `vendor-facts.json`. */
testTraps(desec, {
  "the first page beyond 500 is a 400 with a Link header": Effect.fnUntraced(function* () {
    for (const [hosts, queries] of Object.entries({ 499: [""], 1200: pages })) {
      const fake = yield* makeFakeOf(desec, hostLines(Number(hosts)))
      expect(yield* readAt(desec, fake)).toHaveLength(Number(hosts) + 2)
      expect(queriesOf(fake)).toEqual(queries)
    }
  }),

  "minimum TTL is of the domain": Effect.fnUntraced(function* () {
    for (const minimum of [60, 900, 7_200]) {
      const adapter = { ...desec, vendor: desecVendorWith(minimum) }
      const fake = yield* makeFakeOf(adapter)
      expect((yield* openAt(adapter, fake)).limits.ttl).toEqual({ minimum, maximum: 86_400 })
      yield* applyDesired(adapter, fake, ["www 30 A 192.0.2.1"])
      expect(recordsIn(fake).at(-1)).toMatchObject({ type: "A", ttl: minimum })
      fake.injectFault({ nth: 1 }, { change: "not_made", answer: { status: 200, body: {} } })
      expect((yield* openAt(adapter, fake)).limits.ttl).toEqual({ minimum: 3600, maximum: 86_400 })
    }
  }),

  "Retry-After of an hour is more than a customer waits": Effect.fnUntraced(function* () {
    for (const [index, step] of ["opening", "reading", "comparing", "writing"].entries()) {
      const fake = yield* makeFakeOf(desec)
      fake.injectFault({ nth: index + 1 }, { change: "not_made", answer: throttled(3_600_000) })
      const failure = yield* Effect.flip(writeAt(desec, fake, shop))
      const limited = { code: "provider_rate_limited", retryAfter: Duration.hours(1) }
      expect([step, failure, fake.calls().length]).toMatchObject([step, limited, index + 1])
    }
  }),

  // docs/dns/rrsets.rst, `records`: values "that are not given in canonical form [...] will be converted by the API".
  "signed always; values are normalised by the server": Effect.fnUntraced(function* () {
    const desired = [
      "V6 300 AAAA 2001:0DB8:0:0::FFFF:192.0.2.1",
      "WWW 300 CNAME Web.HostProv.NET.",
      "@ 300 MX 010 MX1.MailProv.net",
      '@ 300 CAA 0 ISSUE "LetsEncrypt.org"',
      "@ 300 TXT Größe"
    ]
    expect(yield* applyDesired(desec, yield* makeFakeOf(desec), desired)).toEqual([])
  })
})

testAtFake(desec, {
  "before a write, only the affected names of a large zone are read again, if they are few": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(desec, hostLines(1_200))
      yield* writeAt(desec, fake, createChange(recordAt("a.b", "A", "192.0.2.7")), shop)
      expect(queriesOf(fake).slice(4)).toEqual(["", "subname=…", "subname=…", "subname=…"])
      const many = Array.from({ length: 11 }, (_, index) => createChange(recordAt(`new${index}`, "A", "192.0.2.7")))
      yield* writeAt(desec, fake, ...many)
      expect(queriesOf(fake).slice(12)).toEqual(pages)
      expect(recordsIn(fake)).toHaveLength(1_215)
    }
  ),

  "a set that somebody adds in a large zone at an affected name stops the write": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(desec, hostLines(600))
    fake.beforeCall({ where: ({ query }) => query.get("subname") === "shop" }, () => addRecord(fake, added("shop")))
    expect((yield* Effect.flip(writeAt(desec, fake, shop)))._tag).toBe("ZoneChanged")
    expect(writesTo(fake)).toEqual([])
  }),

  "sets that are added and deleted between two pages neither hide nor double another": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(desec, hostLines(1_200))
    fake.beforeCall({ operation: list, nth: 3 }, () => {
      addRecord(fake, added("between"))
      editRecords(fake, (all) => all.filter(({ name }) => name !== `host1199.${zone}`))
    })
    const hosts = (yield* readAt(desec, fake)).flatMap(({ host, type }) => (type === "A" ? host : []))
    expect(hosts.toSorted()).toEqual(Array.from({ length: 1_200 }, (_, index) => `host${index}`).toSorted())
  }),

  "a link that leads elsewhere gets no token, and one without a cursor no part of the zone": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(desec, hostLines(600))
      const { read } = yield* openAt(desec, fake)
      const first = { where: ({ query }: { readonly query: URLSearchParams }) => query.get("cursor") === "" }
      fake.injectFault(first, { change: "not_made", answer: pageTo("https://elsewhere.example/?cursor=abc") })
      yield* read
      expect(fake.calls().map(({ query }) => query)).toContain("cursor=abc")
      fake.heal()
      fake.injectFault(first, { change: "not_made", answer: pageTo("nowhere") })
      expect(yield* failureOf(read)).toBe("provider_snapshot_failed")
    }
  ),

  "a set whose TTL is from a time with a lower minimum keeps it, and can be changed": Effect.fnUntraced(function* () {
    const place = { name: `www.${zone}`, type: "A", ttl: 60 }
    const other = { ...place, data: { content: "192.0.2.2" } }
    const fake = yield* makeFakeOf(desec, [{ ...place, data: { content: "192.0.2.1" } }, other])
    yield* writeAt(desec, fake, deleteChange({ ...address(1), ttl: 60 }))
    expect(recordsIn(fake).at(-1)).toMatchObject(other)
    expect(writesTo(fake).map(({ body }) => body)).toEqual([[{ subname: "www", type: "A", records: ["192.0.2.2"] }]])
  })
})

const label = "x".repeat(59)

testRecordRules(desec, [
  ["@", "CNAME", "shops.example.net.", "apex_cname_unsupported"],
  ["@", "MX", "10 mail_1.example.net.", "record_value_rejected"],
  ["@", "MX", "0 ."],
  ["sub", "NS", "_ns.example.net.", "record_value_rejected"],
  ["sub", "NS", "ns1.example.net."],
  ["sub", "NS", "ns1.example.net.", "record_type_unsupported", "shop.dedyn.io"],
  ["_sip._tcp", "SRV", "0 0 5060 -sip.example.net.", "record_value_rejected"],
  ["_sip._tcp", "SRV", "0 0 0 ."],
  ["k1._domainkey", "CNAME", "k1._domainkey.example.net."],
  [`${label}.${label}.${label}`, "A", "192.0.2.1", "record_value_rejected"],
  [`x.${label}.${label}.${label.slice(3)}`, "A", "192.0.2.1"],
  ["@", "TXT", '""']
])

testRateLimit(desec, { rateLimit: desecRates, reads: 47 })
