import { expect } from "bun:test"
import { Duration, Effect } from "effect"
import { catalogAdapters } from "../../../../src/providers/catalog/catalogAdapters.ts"
import { en } from "../../../../src/web/words/en.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeVirtualTime } from "../../../support/vendors/virtualTime.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  createChange,
  deleteChange,
  editRecords,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { goDaddy } from "./goDaddy.ts"

const recordsPath = `/v3/domains/zones/${zone}/dns-records`
const [first, second] = [recordAt("www", "A", "192.0.2.1"), recordAt("www", "A", "192.0.2.2")]
const addresses = "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2\nshop 3600 A 192.0.2.1"
const denied = { name: "ACCESS_DENIED", correlationId: "1", message: "Authenticated user is not allowed access" }

/** Tests by the words of `vendor-facts.json`. */
testTraps(goDaddy, {
  "the DNS API was closed in May 2024 to accounts with fewer than 10 domains; since April 2026 one bought domain is enough, but an account may still be refused":
    () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(goDaddy)
        fake.injectFault({}, { change: "not_made", answer: { status: 403, body: denied } })
        const failure = yield* Effect.flip(openAt(goDaddy, fake))
        expect(failure).toMatchObject({ code: "account_not_entitled", detail: expect.stringContaining("not allowed") })
        expect(en.failures.account_not_entitled.next).toContain("enter the changes yourself")
        expect(catalogAdapters["godaddy"]?.limitations?.join(" ")).toContain("lets not every account use its API")
      }),

  "PUT of a type replaces every name": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(goDaddy, addresses)
    yield* writeAt(goDaddy, fake, updateChange(first, recordAt("www", "A", "192.0.2.9")))
    expect(writesTo(fake).map(({ method }) => method)).toEqual(["DELETE", "POST"])
    expect(
      recordsIn(fake)
        .flatMap(({ data, type }) => (type === "A" ? data.data : []))
        .toSorted()
    ).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.9"])
  }),

  "the last record of a set could not be deleted by PUT []": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(goDaddy, addresses)
    const ids = recordsIn(fake).flatMap(({ id, name }) => (name.startsWith("www.") ? id : []))
    yield* writeAt(goDaddy, fake, deleteChange(first), deleteChange(second))
    expect(writesTo(fake)).toEqual(
      ids.map((id) => ({ method: "DELETE", path: `${recordsPath}/${id}`, body: undefined }))
    )
  }),

  "GET does not need the set to exist: 200 []": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(goDaddy)
    const opened = yield* openAt(goDaddy, fake)
    expect((yield* opened.read).zone.records.map(({ type }) => type)).toEqual(["NS", "NS"])
    yield* writeAt(goDaddy, fake, createChange(recordAt("new", "A", "192.0.2.1")))
    expect(recordsIn(fake)).toHaveLength(3)
  })
})

describeIfPossible("at GoDaddy", missingVendorData, () => {
  live("an address becomes an alias by a removal and a creation", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(goDaddy, addresses)
      yield* writeAt(
        goDaddy,
        fake,
        updateChange(recordAt("shop", "A", "192.0.2.1"), recordAt("shop", "CNAME", "a.example.net"))
      )
      expect(writesTo(fake).map(({ method }) => method)).toEqual(["DELETE", "POST"])
      expect(recordsIn(fake).at(-1)).toMatchObject({ name: `shop.${zone}`, data: { data: "a.example.net." } })
    })
  )

  live("an SRV is written below its service and protocol, and read back in either form", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(goDaddy)
      const opened = yield* openAt(goDaddy, fake)
      const desired = [
        "_sip._tcp 3600 SRV 10 20 5060 sip.example.net",
        "_sip._udp.team 3600 SRV 1 2 5061 sip.example.net"
      ]
      const intent = resolvedIntentOf(zone, { desired })
      const snapshot = yield* opened.read
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      expect(writesTo(fake).map(({ body }: any) => [body.name, body.service, body.protocol, body.data])).toEqual([
        ["@", "_sip", "_tcp", "sip.example.net."],
        ["team", "_sip", "_udp", "sip.example.net."]
      ])
      expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
    })
  )

  live("name servers and records without an id are GoDaddy's own", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(goDaddy, "www 3600 A 192.0.2.1")
      editRecords(fake, (records) => records.map((record) => (record.type === "A" ? { ...record, id: "" } : record)))
      const { zone: read } = yield* Effect.flatMap(openAt(goDaddy, fake), ({ read }) => read)
      expect(read.records.map(({ locked, type }) => [type, locked])).toEqual([
        ["NS", "fixed"],
        ["NS", "fixed"],
        ["A", "fixed"]
      ])
    })
  )

  for (const [where, host, query] of [
    ["for one name, not for the whole zone", "www", "totalRequired=true&name=www&page=1&pageSize=100"],
    ["for the apex by its sign", "@", "totalRequired=true&name=%40&page=1&pageSize=100"],
    ["at a wildcard for the whole zone", "*", "totalRequired=true&page=1&pageSize=100"]
  ] as const)
    live(`a guard before a write asks ${where}`, () =>
      Effect.gen(function* () {
        const hosts = Array.from({ length: 300 }, (_, index) => `host${index} 3600 A 192.0.2.1`).join("\n")
        const time = makeVirtualTime()
        const fake = yield* makeFakeOf(goDaddy, hosts, { clock: time.now })
        const adapter = underTest(goDaddy, fake, { http: time.track(httpClientFor(fake), fake) })
        const calls = yield* Effect.gen(function* () {
          const opened = yield* openZone(adapter, {})
          const snapshot = yield* opened.read
          const before = fake.calls().length
          yield* sendWrites(snapshot, [createChange(recordAt(host, "A", "192.0.2.9"))], opened)
          return fake.calls().slice(before)
        }).pipe(time.run)
        expect(calls[0]?.query).toBe(query)
      })
    )

  live("a limit may say in its body how long to wait", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(goDaddy)
      const body = { name: "TOO_MANY_REQUESTS", correlationId: "1", message: "Too many requests", retryAfterSec: 30 }
      fake.injectFault({}, { change: "not_made", answer: { status: 429, body, headers: { "retry-after": "5" } } })
      const failure = yield* Effect.flip(openAt(goDaddy, fake))
      expect([failure.code, Duration.toSeconds(failure.retryAfter ?? 0)]).toEqual(["provider_rate_limited", 30])
    })
  )

  live("a large zone is read within 60 calls a minute, to its last page", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 998 }, (_, index) => `host${index} 3600 A 192.0.2.1`).join("\n")
      const time = makeVirtualTime()
      const fake = yield* makeFakeOf(goDaddy, hosts, { clock: time.now })
      const adapter = underTest(goDaddy, fake, { http: time.track(httpClientFor(fake), fake) })
      const opened = yield* time.run(openZone(adapter, {}))
      const { zone: read } = yield* time.run(opened.read)
      expect(read.records).toHaveLength(1_000)
      const times = fake
        .calls()
        .slice(1)
        .map(({ now }) => now)
      const pauses = times.slice(1).map((now, index) => now - (times[index] ?? 0))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000)
    })
  )
})
