import { expect } from "bun:test"
import { Effect } from "effect"
import { applyFailureOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  aRead,
  createChange,
  deleteChange,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { planFor } from "../planFor.ts"
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { testAtFake, testRefusedBodies, testTraps } from "../vendorTests.ts"
import { headers, infomaniak, infomaniakVendorWithoutTotals } from "./infomaniak.ts"

const records = `/2/zones/${zone}/records`

/** Tests by the words of `vendor-facts.json`. */
testTraps(infomaniak, {
  "two generations of paths": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(infomaniak)
    yield* writeAt(infomaniak, fake, createChange(address(1)))
    yield* writeAt(infomaniak, fake, updateChange(address(1), address(2)))
    yield* writeAt(infomaniak, fake, deleteChange(address(2)))
    const paths = new Set(fake.calls().map(({ method, path }) => `${method} ${path.replace(/\d+$/, "{record}")}`))
    expect([...paths]).toEqual([
      `GET /2/zones/${zone}`,
      `GET ${records}`,
      `POST ${records}`,
      `PUT ${records}/{record}`,
      `DELETE ${records}/{record}`
    ])
  })
})

testAtFake(infomaniak, {
  "the apex is a dot, and is read from a dot and from no name": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(infomaniak)
    const hosts = ["@", "www", "*", "_sip._tcp"]
    for (const host of hosts) yield* writeAt(infomaniak, fake, createChange(recordAt(host, "A", "192.0.2.1")))
    expect(writesTo(fake).map(({ body }: any) => body.source)).toEqual([".", "www", "*", "_sip._tcp"])
    expect((yield* readAt(infomaniak, fake)).slice(2).map(({ host }) => host)).toEqual(hosts)
    const shown = { id: 1, source: "", type: "A", ttl: 300, target: "192.0.2.9", updated_at: 1 }
    const { read } = yield* openAt(infomaniak, fake)
    const answer = { status: 200, body: { result: "success", data: [shown] } }
    fake.injectFault(aRead, { change: "not_made", answer })
    expect((yield* read).zone.records).toEqual([{ host: "@", type: "A", ttl: 300, value: "192.0.2.9" }])
  }),

  "a change names what changes only, and the record stays where it is": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(infomaniak, "mail 3600 MX 10 mx1.mailprov.net.")
    const id = recordsIn(fake).at(-1)?.id
    const before = recordAt("mail", "MX", "mx1.mailprov.net", { priority: 10 })
    const after = recordAt("mail", "MX", "mx2.mailprov.net", { priority: 20, ttl: 900 })
    yield* writeAt(infomaniak, fake, updateChange(before, after))
    const body = { target: "20 mx2.mailprov.net.", ttl: 900 }
    expect(writesTo(fake)).toEqual([{ method: "PUT", path: `${records}/${id}`, body }])
    expect(recordsIn(fake).at(-1)).toMatchObject({ id, ttl: 900, data: { target: "20 mx2.mailprov.net" } })
  }),

  "a text is written in quoted strings of 255 bytes, and read from them": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(infomaniak)
    const texts = [`say "hi" to C:\\ and `, `v=DKIM1; p=${"k".repeat(390)}`]
    for (const text of texts) yield* writeAt(infomaniak, fake, createChange(recordAt("say", "TXT", text)))
    expect(writesTo(fake).map(({ body }: any) => body.target)).toEqual([
      String.raw`"say \"hi\" to C:\\ and "`,
      `"v=DKIM1; p=${"k".repeat(244)}" "${"k".repeat(146)}"`
    ])
    expect((yield* readAt(infomaniak, fake)).slice(2).map(({ value }) => value)).toEqual(texts)
  }),

  "a key for signed mail comes with its kind, and no other text does": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(infomaniak)
    for (const [host, text] of [
      ["s1._domainkey", "v=DKIM1; k=rsa; p=MIIB"],
      ["s2._domainkey.shop", "v=DKIM1; k=ed25519; p=11qY"],
      ["s3._domainkey", "v=DKIM1; p=MIIB"],
      ["domainkey", "k=ed25519"]
    ] as const)
      yield* writeAt(infomaniak, fake, createChange(recordAt(host, "TXT", text)))
    expect(writesTo(fake).map(({ body }: any) => body.dkim_type)).toEqual(["rsa", "ed25519", "rsa", undefined])
  }),

  "an address of the dynamic DNS stays as it is, and so do the name servers of the zone": Effect.fnUntraced(
    function* () {
      const stored = storedAt("www", "A", { target: "192.0.2.1", dyndnsId: 7 })
      const fake = yield* makeFakeOf(infomaniak, [stored])
      const locks = (yield* readAt(infomaniak, fake)).map(({ locked, type }) => `${type} ${locked}`)
      expect(locks).toEqual(["NS fixed", "NS fixed", "A fixed"])
      const request = yield* planFor(underTest(infomaniak, fake), ["www 600 A 192.0.2.2"])
      const failure = yield* withPlanApplierOnRealClock(applyFailureOf(request))
      expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
    }
  ),

  "a zone is opened only if the parent delegates to the name servers that it has": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(infomaniak)
    for (const nameServers of [["ns11.infomaniak.ch", "ns1.other.example"], ["nsany1.infomaniak.com"], []])
      expect(yield* failureOf(openAt(infomaniak, fake, { nameServers }))).toBe("authorization_zone_mismatch")
    yield* openAt(infomaniak, fake, { nameServers: ["NS11.infomaniak.ch.", "ns12.infomaniak.ch"] })
  }),

  "a zone of 5,000 hosts is read within 60 calls a minute": Effect.fnUntraced(function* () {
    const { calls, records, shortestPause } = yield* readInVirtualTime(infomaniak, hostLines(5000))
    expect([calls, records.length]).toEqual([54, 5002])
    expect(shortestPause).toBeGreaterThanOrEqual(1000)
  }),

  "pages that do not say how many there are end with one that is not full": Effect.fnUntraced(function* () {
    for (const [hosts, calls] of [
      [150, 3],
      [198, 5]
    ] as const) {
      const read = yield* readInVirtualTime({ ...infomaniak, vendor: infomaniakVendorWithoutTotals }, hostLines(hosts))
      expect([read.records.length, read.calls]).toEqual([hosts + 2, calls])
    }
  })
})

const creation = { path: records, headers, status: 422, records: "www 300 A 192.0.2.1" }

testRefusedBodies(infomaniak, creation, {
  "a mail server of its own name": { type: "MX", source: ".", target: `10 ${zone}.`, ttl: 300 },
  "a text without a character": { type: "TXT", source: "empty", target: '""', ttl: 300 },
  "a TTL below a minute": { type: "A", source: "www", target: "192.0.2.2", ttl: 59 },
  "an alias at the apex": { type: "CNAME", source: ".", target: "shops.example.net", ttl: 300 }
})

testRefusedBodies(
  infomaniak,
  { ...creation, status: 400 },
  {
    "a key for signed mail without its kind": { type: "TXT", source: "_domainkey", target: "o=-", ttl: 300 },
    "a record that is there already": { type: "A", source: "www", target: "192.0.2.1", ttl: 300 }
  }
)
