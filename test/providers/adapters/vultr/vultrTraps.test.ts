import { expect } from "bun:test"
import { Effect } from "effect"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { describeRecords } from "../../../planning/roundTrip/RoundTrip.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  callFake,
  createChange,
  editRecords,
  hostLines,
  linesIn,
  makeFakeOf,
  openAt,
  readAt,
  recordsIn,
  storedAt,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { testAtFake, testRefusedBodies, testTraps } from "../vendorTests.ts"
import { headers, vultr } from "./vultr.ts"

const records = `/domains/${zone}/records`
const aPatch = { where: ({ method }: { readonly method: string }) => method === "PATCH" }

/** Tests by the words of `vendor-facts.json`. */
testTraps(vultr, {
  "TXT without outer quotes is refused, and read always quoted": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vultr)
    const body = { type: "TXT", name: "bare", data: "without quotes", ttl: 300 }
    expect((yield* callFake(fake, "POST", records, { headers, body })).status).toBe(400)
    const desired = [String.raw`key 300 TXT ${"k".repeat(400)}\; `, "say 300 TXT two words"]
    for (const _ of ["written", "kept"]) expect(yield* applyDesired(vultr, fake, desired)).toEqual([])
    expect(writesTo(fake).slice(1)).toMatchObject([
      { body: { data: String.raw`"${"k".repeat(400)}\; "` } },
      { body: { data: '"two words"' } }
    ])
    const { body: answer } = yield* callFake(fake, "GET", records, { headers })
    expect(answer.records.at(-1)).toMatchObject({ type: "TXT", data: '"two words"' })
  }),

  "PATCH answers 204 without a body": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vultr, "www 3600 A 192.0.2.1")
    const [{ id } = { id: "" }] = recordsIn(fake).filter(({ type }) => type === "A")
    yield* writeAt(vultr, fake, updateChange(address(1), address(2)))
    const body = { name: "www", data: "192.0.2.2", priority: 0, ttl: 3600 }
    expect(writesTo(fake)).toEqual([{ method: "PATCH", path: `${records}/${id}`, body }])
    expect(fake.calls().at(-1)).toMatchObject({ outcome: 204 })
    expect(recordsIn(fake)).toContainEqual({ id, ...storedAt("www", "A", { data: "192.0.2.2", priority: 0 }) })
    fake.injectFault(aPatch, { change: "not_made", answer: { status: 200, body: {} } })
    expect(yield* failureOf(writeAt(vultr, fake, updateChange(address(2), address(3))))).toBe("OutcomeUnknown")
  }),

  "targets may come back in Unicode": Effect.fnUntraced(function* () {
    const desired = [
      "shop 3600 CNAME xn--bcher-kva.example.net",
      "mail 3600 MX 10 xn--bcher-kva.example.net",
      "_sip._tls 3600 SRV 10 20 443 xn--bcher-kva.example.net",
      "team 3600 NS xn--bcher-kva.example.net"
    ]
    const fake = yield* makeFakeOf(vultr)
    expect(yield* applyDesired(vultr, fake, desired)).toEqual([])
    const written = writesTo(fake).length
    editRecords(fake, (all) =>
      all.map(({ data, ...record }) => ({
        ...record,
        data: { ...data, data: data.data.replace("xn--bcher-kva", "bücher") }
      }))
    )
    expect(yield* applyDesired(vultr, fake, desired)).toEqual([])
    expect([written, writesTo(fake).length]).toEqual([4, 4])
    const read = (yield* readAt(vultr, fake)).filter(({ host }) => host !== "@")
    expect(describeRecords(read)).toEqual(desired.toSorted())
  })
})

/** A change of a record beside another one, or of the only one, and what Vultr has then. */
interface TtlCase {
  readonly before: string
  readonly change: Change
  readonly stored: ReadonlyArray<string>
}

const ttlCases: Readonly<Record<string, TtlCase>> = {
  "that is added": {
    before: "www 120 A 192.0.2.8",
    change: createChange(address(1)),
    stored: ["www 120 A 192.0.2.8", "www 120 A 192.0.2.1"]
  },
  "that is replaced": {
    before: "www 120 A 192.0.2.8\nwww 120 A 192.0.2.1",
    change: updateChange({ ...address(1), ttl: 120 }, address(2)),
    stored: ["www 120 A 192.0.2.8", "www 120 A 192.0.2.2"]
  },
  "that is alone": {
    before: "www 120 A 192.0.2.1\nwww 60 AAAA 2001:db8::1",
    change: updateChange({ ...address(1), ttl: 120 }, address(2)),
    stored: ["www 3600 A 192.0.2.2", "www 60 AAAA 2001:db8::1"]
  }
}

testAtFake(vultr, {
  ...Object.fromEntries(
    Object.entries(ttlCases).map(([about, { before, change, stored }]) => [
      `a record ${about} has the TTL of those beside it, if there are any`,
      Effect.fnUntraced(function* () {
        const fake = yield* makeFakeOf(vultr, before)
        yield* writeAt(vultr, fake, change)
        expect(linesIn(vultr, fake)).toEqual([...stored])
      })
    ])
  ),

  "another TTL alone is refused beside other records, and given to the only one": Effect.fnUntraced(function* () {
    const change = updateChange({ ...address(1), ttl: 120 }, address(1))
    const fake = yield* makeFakeOf(vultr, "www 120 A 192.0.2.1\nwww 120 A 192.0.2.8")
    const before = fake.state()
    expect(yield* failureOf(writeAt(vultr, fake, change))).toBe("apply_rejected")
    expect(fake.state()).toBe(before)
    const other = yield* makeFakeOf(vultr, "www 120 A 192.0.2.1")
    yield* writeAt(vultr, other, change)
    expect(linesIn(vultr, other)).toEqual(["www 3600 A 192.0.2.1"])
  }),

  "two mail servers that get other priorities and another TTL keep the TTL that they had": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(vultr, "@ 3600 MX 10 mx1.mailprov.net.\n@ 3600 MX 20 mx2.mailprov.net.")
      expect(yield* applyDesired(vultr, fake, ["@ 300 MX 1 mx1.mailprov.net", "@ 300 MX 5 mx2.mailprov.net"])).toEqual(
        []
      )
      expect((yield* readAt(vultr, fake)).filter(({ type }) => type === "MX")).toMatchObject([
        { ttl: 3600, priority: 1 },
        { ttl: 3600, priority: 5 }
      ])
    }
  ),

  "a refusal that names no TTL, or names one again, refuses the record": Effect.fnUntraced(function* () {
    const words = "Unable to add record: New records TTL (3600) must match the TTL of existing records"
    for (const [error, calls] of [
      [words, 1],
      [`${words} (120)`, 2]
    ] as const) {
      const fake = yield* makeFakeOf(vultr)
      const answer = { status: 400, body: { error, status: 400 } }
      fake.injectFault({ method: "POST" }, { change: "not_made", answer })
      expect(yield* failureOf(writeAt(vultr, fake, createChange(address(1))))).toBe("apply_rejected")
      expect(writesTo(fake)).toHaveLength(calls)
    }
  }),

  "a domain is asked for by its name": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vultr, "www 300 A 192.0.2.1")
    expect(yield* readAt(vultr, fake)).toMatchObject([{ type: "NS" }, { type: "NS" }, { host: "www", type: "A" }])
    expect(fake.calls().map(({ path, query }) => [path, query])).toEqual([
      [`/domains/${zone}`, ""],
      [records, "per_page=500"]
    ])
  }),

  "a name server that stands at the apex is fixed": Effect.fnUntraced(function* () {
    const read = yield* readAt(vultr, yield* makeFakeOf(vultr))
    expect(read.map(({ host, locked, value }) => [host, value, locked])).toEqual(
      vultr.nameServers.map((name) => ["@", name, "fixed"])
    )
  }),

  "a null MX that somebody else has made is read": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vultr, [storedAt("nomail", "MX", { data: ".", priority: 0 })])
    expect((yield* readAt(vultr, fake)).at(-1)).toMatchObject({ host: "nomail", type: "MX", priority: 0, value: "." })
  }),

  "a list whose next page has no records is incomplete, and is read again once": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vultr, hostLines(510))
    const opened = yield* openAt(vultr, fake)
    const answer = { status: 200, body: { records: [], meta: { total: 512, links: { next: "", prev: "" } } } }
    fake.injectFault({ where: ({ query }) => query.has("cursor") }, { change: "not_made", answer })
    expect(yield* failureOf(opened.read)).toBe("provider_snapshot_failed")
    expect(fake.calls().filter(({ query }) => query.includes("cursor"))).toHaveLength(2)
  }),

  "12,000 records are read within 30 calls a second": Effect.fnUntraced(function* () {
    const { calls, elapsed, records, shortestPause } = yield* readInVirtualTime(vultr, hostLines(12_000))
    expect([records.length, calls]).toEqual([12_002, 28])
    expect(shortestPause).toBeGreaterThanOrEqual(1000 / 30)
    expect(elapsed).toBeLessThan(5000)
  })
})

const creation = { path: records, headers, status: 400, records: "www 120 A 192.0.2.8\nshop 120 CNAME a.example.net." }

testRefusedBodies(vultr, creation, {
  "a record with another TTL than those beside it": { type: "A", name: "www", data: "192.0.2.1", ttl: 300 },
  "a record beside an alias": { type: "TXT", name: "shop", data: '"text"', ttl: 120 },
  "a text without quotes": { type: "TXT", name: "", data: "text" },
  "a text with a quote in it": { type: "TXT", name: "", data: String.raw`"a\"b"` },
  "a CAA value with a space": { type: "CAA", name: "", data: '0 issue "ca.example; a=b"' },
  "a null MX": { type: "MX", name: "", data: ".", priority: 0 },
  "a target with a dot at its end": { type: "CNAME", name: "other", data: "a.example.net." }
})
