import { expect } from "bun:test"
import { Effect } from "effect"
import { makeDescribedVendor } from "../../../support/vendors/DescribedVendor.ts"
import { failureOf, planFrom, resolvedIntentOf } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  aRead,
  callFake,
  createChange,
  editRecords,
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
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { testAtFake, testRefusedBodies, testTraps } from "../vendorTests.ts"
import { linode, linodeVendor, validToken, zoneId } from "./linode.ts"

const records = `/v4/domains/${zoneId}/records`
const headers = { authorization: `Bearer ${validToken}` }

/** Tests by the words of `vendor-facts.json`. */
testTraps(linode, {
  "Retry-After on 200 answers must not be taken as throttling": Effect.fnUntraced(function* () {
    expect(linodeVendor.headers?.({} as never)).toMatchObject({ "retry-after": "98" })
    const { calls, elapsed, records } = yield* readInVirtualTime(linode, hostLines(500))
    expect([calls, elapsed, records.length]).toEqual([1, 0, 500])
  }),

  "TTL is snapped to a list; a TTL set on creation was not kept by older versions": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode)
    const opened = yield* openAt(linode, fake)
    const desired = ["www 600 A 192.0.2.1"]
    const { warnings } = planFrom(yield* opened.read, resolvedIntentOf(zone, { desired }), opened)
    expect(warnings).toContain("ttl_adjusted")
    expect(yield* applyDesired(linode, fake, desired)).toEqual([])
    expect(writesTo(fake).map(({ body }) => body)).toMatchObject([{ ttl_sec: 3600 }])
    expect(recordsIn(fake)).toMatchObject([{ ttl: 3600 }])
  }),

  "CAA flags are lost without an error": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode)
    const change = createChange(recordAt("@", "CAA", '128 issue "ca.example"'))
    expect(yield* failureOf(writeAt(linode, fake, change))).toBe("record_value_rejected")
    expect(writesTo(fake)).toEqual([])
  }),

  "SRV service and protocol come without underscore and apart from the name": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode)
    const value = "20 443 sip.example.net"
    expect(yield* applyDesired(linode, fake, [`_sip._tls 3600 SRV 10 ${value}`])).toEqual([])
    const body = { type: "SRV", name: "", service: "sip", protocol: "tls", target: "sip.example.net" }
    expect(writesTo(fake)).toMatchObject([{ body: { ...body, priority: 10, weight: 20, port: 443 } }])
    const answer = yield* callFake(fake, "GET", records, { headers })
    for (const [name, service, protocol, host] of [
      ["_sip._tls", "_sip", "_tls", "_sip._tls"],
      ["", "sip", "tls", "_sip._tls"],
      ["", "_sip", "_tls.shop", "_sip._tls.shop"]
    ] as const) {
      const { read } = yield* openAt(linode, fake)
      const body = { ...answer.body, data: [{ ...answer.body.data[0], name, service, protocol }] }
      fake.injectFault(aRead, { change: "not_made", answer: { status: 200, body } })
      expect((yield* read).zone.records).toEqual([{ host, type: "SRV", ttl: 3600, priority: 10, value }])
      fake.heal()
    }
  })
})

testAtFake(linode, {
  "a domain is found by its name among those of the account": Effect.fnUntraced(function* () {
    const fake = yield* makeDescribedVendor(linodeVendor, { "other.example": "", [zone]: "www 300 A 192.0.2.1" })
    expect(yield* readAt(linode, fake)).toHaveLength(1)
    expect(fake.calls()).toMatchObject([
      { path: "/v4/domains", conditions: { "x-filter": `{"domain":"${zone}"}` }, outcome: 200 },
      { path: `/v4/domains/${zoneId + 1}/records`, query: "page=1&page_size=500" }
    ])
  }),

  "a domain that is a copy, switched off or another one is not opened": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode)
    const { body } = yield* callFake(fake, "GET", "/v4/domains", { headers })
    for (const other of [{ type: "slave" }, { status: "disabled" }, { domain: `www.${zone}` }]) {
      const answer = { status: 200, body: { ...body, data: [{ ...body.data[0], ...other }] } }
      fake.injectFault(aRead, { change: "not_made", answer })
      expect(yield* failureOf(openAt(linode, fake))).toBe("authorization_zone_mismatch")
      fake.heal()
    }
  }),

  "a record without a TTL of its own has a day, or that of its zone, and stays so": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode, "www 0 A 192.0.2.1")
    expect(yield* readAt(linode, fake)).toMatchObject([{ ttl: 86_400, automaticTtl: true }])
    const before = { ...address(1), ttl: 86_400 }
    yield* writeAt(linode, fake, updateChange(before, { ...before, value: "192.0.2.2", automaticTtl: true }))
    expect(recordsIn(fake)).toMatchObject([{ ttl: 0, data: { target: "192.0.2.2" } }])
    const { body } = yield* callFake(fake, "GET", "/v4/domains", { headers })
    const answer = { status: 200, body: { ...body, data: [{ ...body.data[0], ttl_sec: 7200 }] } }
    fake.injectFault({ where: ({ path }) => path === "/v4/domains" }, { change: "not_made", answer })
    expect(yield* readAt(linode, fake)).toMatchObject([{ ttl: 7200, automaticTtl: true }])
  }),

  "a null MX has no target, and a mail server and it take the place of each other": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode, "@ 3600 MX 10 mx1.mailprov.net.")
    for (const [desired, data] of [
      ["@ 3600 MX 0 .", { target: "", priority: 0 }],
      ["@ 3600 MX 20 mx2.mailprov.net", { target: "mx2.mailprov.net", priority: 20 }]
    ] as const) {
      expect(yield* applyDesired(linode, fake, [desired])).toEqual([])
      expect(recordsIn(fake)).toMatchObject([{ data }])
    }
    expect(writesTo(fake).map(({ method }) => method)).toEqual(["PUT", "PUT"])
  }),

  "mail servers beside a null MX are refused before any of them is written": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode, "@ 3600 MX 0 .")
    const before = fake.state()
    const desired = ["@ 3600 MX 10 mx1.mailprov.net", "@ 3600 MX 20 mx2.mailprov.net"]
    expect(yield* failureOf(applyDesired(linode, fake, desired))).toBe("apply_rejected")
    expect(fake.state()).toBe(before)
  }),

  "a name server that stands at the apex is fixed": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(linode, "crew 3600 NS ns1.example.net.")
    editRecords(fake, (records) => records.map((record) => ({ ...record, name: zone })))
    expect(yield* readAt(linode, fake)).toMatchObject([{ host: "@", type: "NS", locked: "fixed" }])
  }),

  "12,000 records are read within 100 calls a minute and half a minute": Effect.fnUntraced(function* () {
    const { calls, elapsed, records, shortestPause } = yield* readInVirtualTime(linode, hostLines(12_000))
    expect([records.length, calls]).toEqual([12_000, 27])
    expect(shortestPause).toBeGreaterThanOrEqual(60_000 / 100)
    expect(elapsed).toBeLessThan(30_000)
  })
})

const creation = { path: records, headers, status: 400, records: "nomail 300 MX 0 ." }

testRefusedBodies(linode, creation, {
  "a mail server beside a null MX": { type: "MX", name: "nomail", target: "mx1.mailprov.net", priority: 10 },
  "a CAA value with a space": { type: "CAA", name: "", target: "ca.example; a=b", tag: "issue" },
  "an SRV with the priority 0": { type: "SRV", service: "sip", protocol: "tcp", priority: 0, target: "sip.example" },
  "name servers at a wildcard": { type: "NS", name: "*", target: "ns1.example.net" }
})
