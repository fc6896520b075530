import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { effect } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  createChange,
  deleteChange,
  type DescribedFake,
  editRecords,
  linesIn,
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
import { testAtFake, testTraps } from "../vendorTests.ts"
import { transip, type TransipData } from "./transip.ts"
import { validLogin, wrongKeys } from "./transipTokens.ts"

const path = `/domains/${zone}/dns`

const entry = (name: string, type: string, content: string, expire = 3600) => ({
  dnsEntry: { name, expire, type, content }
})

const stored = (host: string, type: string, content: string) => storedAt(host, type, { content })

/** Tests by the words of `vendor-facts.json`. */
testTraps(transip, {
  "PUT /dns replaces the zone": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(transip, "keep 300 A 192.0.2.9\nwww 3600 A 192.0.2.1\nold 3600 TXT gone")
    const changes = [
      createChange(recordAt("new", "CNAME", "shops.example.net")),
      updateChange(address(1), { ...address(1), ttl: 300 }),
      deleteChange(recordAt("old", "TXT", "gone"))
    ]
    yield* writeAt(transip, fake, ...changes)
    expect(new Set(fake.calls().map(({ method }) => method))).toEqual(new Set(["GET", "POST", "DELETE"]))
    expect(linesIn(transip, fake).toSorted()).toEqual([
      "keep 300 A 192.0.2.9",
      "new 3600 CNAME shops.example.net.",
      "www 300 A 192.0.2.1"
    ])
  }),

  "PATCH finds the entry by name, type and TTL and fails when several match": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(transip, "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2")
    yield* writeAt(transip, fake, updateChange(address(1), address(3)))
    expect(writesTo(fake)).toEqual([
      { method: "DELETE", path, body: entry("www", "A", "192.0.2.1") },
      { method: "POST", path, body: entry("www", "A", "192.0.2.3") }
    ])
    expect(linesIn(transip, fake)).toEqual(["www 3600 A 192.0.2.2", "www 3600 A 192.0.2.3"])
  })
})

testAtFake(transip, {
  "a domain of the account that is delegated elsewhere is not opened": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(transip)
    const nameServers = ["ns1.other.example", "ns2.other.example"]
    const body = { nameservers: nameServers.map((hostname) => ({ hostname, ipv4: "", ipv6: "" })) }
    const operation = "GET /domains/{domain}/nameservers"
    fake.injectFault({ operation }, { change: "not_made", answer: { status: 200, body } })
    expect(yield* failureOf(openAt(transip, fake, { nameServers }))).toBe("authorization_zone_mismatch")
  }),

  "an entry that changes before the call arrives that removes it stays, and is a zone that has changed":
    Effect.fnUntraced(function* () {
      const fake = yield* makeFakeOf(transip, "www 3600 A 192.0.2.1")
      fake.beforeCall({ method: "DELETE" }, () =>
        editRecords(fake, (records) => records.map((record) => ({ ...record, ttl: 60 })))
      )
      const failure = yield* Effect.flip(writeAt(transip, fake, deleteChange(address(1))))
      expect(failure._tag).toBe("ZoneChanged")
      expect(linesIn(transip, fake)).toEqual(["www 60 A 192.0.2.1"])
    }),

  "a text is stored as it is served, and quotes around it are a part of it": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(transip, [stored("quoted", "TXT", '"v=spf1 -all"')])
    const long = `say "hi"; ${"k".repeat(1014)}`
    yield* writeAt(transip, fake, createChange(recordAt("long", "TXT", long)))
    expect(writesTo(fake)).toEqual([{ method: "POST", path, body: entry("long", "TXT", long) }])
    expect((yield* readAt(transip, fake)).map(({ value }) => value)).toEqual([long, '"v=spf1 -all"'])
  }),

  "a target without a final dot is relative to the zone, and one that is written has the dot": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(transip, [
        stored("blog", "CNAME", "www"),
        stored("mail", "MX", "10 MX.example.net."),
        stored("www", "CNAME", "@")
      ])
      const read = yield* readAt(transip, fake)
      expect(read.map(({ value }) => value.toLowerCase())).toEqual([`www.${zone}`, "mx.example.net", zone])
      yield* writeAt(transip, fake, deleteChange(recordAt("blog", "CNAME", `www.${zone}`)))
      const service = recordAt("_sip._tcp", "SRV", "20 5060 sip.example.net", { priority: 10 })
      yield* writeAt(transip, fake, createChange(service))
      expect(writesTo(fake).map(({ body }) => body)).toEqual([
        entry("blog", "CNAME", "www"),
        entry("_sip._tcp", "SRV", "10 20 5060 sip.example.net.")
      ])
    }
  ),

  "an alias at the apex is written as ALIAS, and removed as what it is": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(transip)
    expect(yield* applyDesired(transip, fake, ["@ 300 CNAME shops.example.net"])).toEqual([])
    const alias = recordAt("@", "ALIAS", "shops.example.net", { ttl: 300 })
    yield* writeAt(transip, fake, deleteChange(alias))
    const body = entry("@", "ALIAS", "shops.example.net.", 300)
    expect(writesTo(fake)).toEqual([
      { method: "POST", path, body },
      { method: "DELETE", path, body }
    ])
    expect(recordsIn(fake)).toEqual([])
  })
})

const tokenRequests = (fake: DescribedFake<TransipData>): ReadonlyArray<any> =>
  fake.calls().flatMap(({ body, path }) => (path === "/auth" ? [body] : []))

describeIfPossible("a token for TransIP", missingVendorData, () => {
  effect("is requested once, for any address and an hour, and again before it ends", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(transip)
      const { read } = yield* openAt(transip, fake)
      yield* read
      const nonce = expect.stringMatching(/^[0-9a-f]{32}$/)
      const request = { login: validLogin, nonce, read_only: false, expiration_time: "3600 seconds", global_key: true }
      expect(tokenRequests(fake)).toEqual([request])
      yield* TestClock.adjust("57 minutes")
      yield* read
      expect(tokenRequests(fake)).toHaveLength(1)
      yield* TestClock.adjust("2 minutes")
      yield* read
      expect(tokenRequests(fake)).toEqual([request, request])
      expect(new Set(tokenRequests(fake).map(({ nonce }) => nonce)).size).toBe(2)
    })
  )

  effect("is not requested with what cannot sign a request", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(transip)
      for (const credential of wrongKeys.slice(2)) {
        const failure = yield* Effect.flip(openAt(transip, fake, { credential }))
        expect(failure).toMatchObject({ code: "credential_invalid", isLocal: true })
      }
      expect(fake.calls()).toEqual([])
    })
  )

  effect("that is refused before a write leaves the zone as it is", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(transip)
      const snapshot = yield* Effect.flatMap(openAt(transip, fake), ({ read }) => read)
      yield* TestClock.adjust("1 hour")
      const answer = { status: 406, body: { error: "the key pair has been removed" } }
      fake.injectFault({ operation: "POST /auth" }, { change: "not_made", answer })
      expect(yield* failureOf(sendWrites(snapshot, [createChange(address(1))]))).toBe("credential_invalid")
      expect(recordsIn(fake)).toEqual([])
    })
  )
})
