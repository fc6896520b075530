import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { makeDescribedVendor } from "../../../support/vendors/DescribedVendor.ts"
import { failureOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  address,
  aRead,
  createChange,
  deleteChange,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testAtFake, testRefusedBodies, testTraps } from "../vendorTests.ts"
import { error, headers, simply, simplyVendorOf } from "./simply.ts"

const records = `/2/my/products/${zone}/dns/records/`

/** A product of the account, as the list shows it. */
const product = (object: string, name: string) => ({ object, name: object, cancelled: false, domain: { name } })

const productsOf = (...products: ReadonlyArray<object>) =>
  ({ change: "not_made", answer: { status: 200, body: { products, status: 200, message: "success" } } }) as const

/** The list of the products of an account. */
const theProducts = { where: ({ path }: { readonly path: string }) => path === "/2/my/products/" }

/** The facts of Simply.com name no trap. */
testTraps(simply, {})

testAtFake(simply, {
  "a zone is reached by the object of its product, whatever that is": Effect.fnUntraced(function* () {
    for (const [object, domain] of [
      ["customer-handle-42", zone],
      ["blåbær.dk", "xn--blbr-roah.dk"],
      ["a/b?c", zone]
    ] as const) {
      const vendor = simplyVendorOf((name) => (name === domain ? object : name))
      const fake = yield* makeDescribedVendor(vendor, { [domain]: "" })
      const name = DomainName.make(domain)
      const opened = yield* openAt({ ...simply, vendor }, fake, { domain: name, zone: name })
      yield* sendWrites(yield* opened.read, [createChange(address(1))], opened)
      expect(writesTo(fake).map(({ path }) => path)).toEqual([`/2/my/products/${object}/dns/records/`])
    }
  }),

  "of several products with the name of a domain, the one that has a zone is taken": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply, "www 3600 A 192.0.2.1")
    const others = [product("other", "other.example"), product("none", `www.${zone}`)]
    fake.injectFault(theProducts, productsOf(...others, product("old", zone), product(zone, zone)))
    expect((yield* readAt(simply, fake)).map(({ type }) => type)).toEqual(["NS", "NS", "NS", "NS", "A"])
    fake.heal()
    for (const products of [others, [], [product(zone, zone), product(zone, zone)]]) {
      fake.injectFault(theProducts, productsOf(...products))
      expect(yield* failureOf(openAt(simply, fake))).toBe("authorization_zone_mismatch")
      fake.heal()
    }
  }),

  "a product whose zone cannot be read is not left out": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply)
    fake.injectFault(theProducts, productsOf(product("old", zone), product(zone, zone)))
    fake.injectFault({ where: ({ path }) => path.includes("/old/") }, { change: "not_made", answer: error(500, "no") })
    expect(yield* failureOf(openAt(simply, fake))).toBe("provider_unavailable")
  }),

  "a zone that other servers than Simply.com's serve is not opened": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply)
    for (const nameServers of [["ns1.simply.com", "ns1.other.example"], ["ns1.simply.com.evil.example"], []])
      expect(yield* failureOf(openAt(simply, fake, { nameServers }))).toBe("authorization_zone_mismatch")
    yield* openAt(simply, fake, { nameServers: ["NS1.Simply.com.", "ns2.simply.com"] })
  }),

  "names are relative, and the apex is @": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply)
    const hosts = ["@", "www", "*", "_sip._tcp"]
    for (const host of hosts) yield* writeAt(simply, fake, createChange(recordAt(host, "A", "192.0.2.1")))
    expect(writesTo(fake).map(({ body }: any) => body.name)).toEqual(hosts)
    expect((yield* readAt(simply, fake)).slice(4).map(({ host }) => host)).toEqual(hosts)
  }),

  "a name that ends in that of its zone would be taken as an absolute one": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply, [storedAt(`www.${zone}`, "A", { data: "192.0.2.1" })])
    const doubled = recordAt(`www.${zone}`, "A", "192.0.2.1")
    const other = { ...doubled, value: "192.0.2.2" }
    expect(yield* failureOf(writeAt(simply, fake, updateChange(doubled, other)))).toBe("record_value_rejected")
    yield* writeAt(simply, fake, createChange(recordAt(`my${zone}`, "A", "192.0.2.3")), deleteChange(doubled))
    expect(recordsIn(fake).slice(4)).toMatchObject([{ name: `my${zone}.${zone}` }])
  }),

  "a priority is apart, and 0 or null where there is none": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply, "@ 900 MX 10 mx.mailprov.net.\n_sip._tcp 900 SRV 5 20 5060 sip.example.net.")
    expect((yield* readAt(simply, fake)).slice(4)).toEqual([
      { host: "@", type: "MX", ttl: 900, priority: 10, value: "mx.mailprov.net" },
      { host: "_sip._tcp", type: "SRV", ttl: 900, priority: 5, value: "20 5060 sip.example.net" }
    ])
    yield* writeAt(simply, fake, createChange(recordAt("@", "MX", "mx0.mailprov.net", { priority: 0 })))
    yield* writeAt(simply, fake, createChange(address(1)))
    expect(writesTo(fake).map(({ body }: any) => [body.data, body.priority])).toEqual([
      ["mx0.mailprov.net", 0],
      ["192.0.2.1", undefined]
    ])
    const shown = { record_id: 1, name: "", type: "A", ttl: 300, data: "192.0.2.9", priority: null, comment: null }
    const { read } = yield* openAt(simply, fake)
    const answer = { status: 200, body: { records: [shown], status: 200, message: "success" } }
    fake.injectFault(aRead, { change: "not_made", answer })
    expect((yield* read).zone.records).toEqual([{ host: "@", type: "A", ttl: 300, value: "192.0.2.9" }])
  }),

  "a replacement names all of a record, so that the comment of the customer stays": Effect.fnUntraced(function* () {
    const stored = { ...storedAt("mail", "MX", { data: "mx1.mailprov.net", priority: 10, comment: "old shop" }) }
    const fake = yield* makeFakeOf(simply, [stored])
    const id = recordsIn(fake).at(-1)?.id
    const before = recordAt("mail", "MX", "mx1.mailprov.net", { priority: 10 })
    const after = recordAt("mail", "MX", "mx2.mailprov.net", { priority: 20, ttl: 900 })
    yield* writeAt(simply, fake, updateChange(before, after))
    const body = { type: "MX", name: "mail", data: "mx2.mailprov.net", ttl: 900, priority: 20, comment: "old shop" }
    expect(writesTo(fake)).toEqual([{ method: "PUT", path: `${records}${id}/`, body }])
    expect(recordsIn(fake).at(-1)).toMatchObject({ id, data: { priority: 20, comment: "old shop" } })
  }),

  "a text is written without quotes whatever its length, and read with quotes and without": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(simply)
      const texts = ["say hi; and more", `v=DKIM1; p=${"k".repeat(390)}`]
      for (const text of texts) yield* writeAt(simply, fake, createChange(recordAt("say", "TXT", text)))
      expect(writesTo(fake).map(({ body }: any) => body.data)).toEqual(texts)
      const quoted = storedAt("quoted", "TXT", { data: '"v=spf1 -all"' })
      const odd = storedAt("odd", "TXT", { data: String.raw`say "hi" to C:\ too` })
      const other = yield* makeFakeOf(simply, [quoted, odd])
      const read = [...(yield* readAt(simply, fake)), ...(yield* readAt(simply, other))]
      expect(read.flatMap(({ type, value }) => (type === "TXT" ? value : []))).toEqual([
        ...texts,
        "v=spf1 -all",
        String.raw`say "hi" to C:\ too`
      ])
    }
  ),

  "the name servers of the zone are fixed, and those of a host below are not": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply, "team 3600 NS ns1.example.net.")
    const read = yield* readAt(simply, fake)
    expect(read.map(({ host, locked, type, value }) => [host, type, value, locked])).toEqual([
      ...["ns1", "ns2", "ns3", "ns4"].map((server) => ["@", "NS", `${server}.simply.com`, "fixed"]),
      ["team", "NS", "ns1.example.net", undefined]
    ])
    yield* writeAt(simply, fake, deleteChange(recordAt("team", "NS", "ns1.example.net")))
    expect(recordsIn(fake)).toHaveLength(4)
  }),

  "an answer is a success only with the status 200 in its body": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(simply)
    const opened = yield* openAt(simply, fake)
    const snapshot = yield* opened.read
    for (const body of [{ status: 202, message: "accepted" }, { message: "success" }, {}]) {
      const fault = { change: "not_made", answer: { status: 200, body } } as const
      fake.injectFault({ where: ({ isWrite }) => isWrite }, fault)
      expect(yield* failureOf(sendWrites(snapshot, [createChange(address(1))], opened))).toBe("OutcomeUnknown")
      fake.heal()
    }
    for (const body of [{ status: 200, message: "success" }, { records: [] }]) {
      fake.injectFault(aRead, { change: "not_made", answer: { status: 200, body } })
      expect(yield* failureOf(opened.read)).toBe("provider_snapshot_failed")
      fake.heal()
    }
  })
})

const creation = { path: records, headers, status: 400, records: "www 300 A 192.0.2.1" }

testRefusedBodies(simply, creation, {
  "a mail server without a priority": { type: "MX", name: "@", data: "mx.mailprov.net", ttl: 300 },
  "a text without a character": { type: "TXT", name: "empty", data: "", ttl: 300 },
  "a TTL below a minute": { type: "A", name: "www", data: "192.0.2.2", ttl: 59 },
  "an alias at the apex": { type: "CNAME", name: "@", data: "shops.example.net", ttl: 300 }
})
