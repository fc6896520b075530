import { expect } from "bun:test"
import { Effect } from "effect"
import { applyFailureOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  createChange,
  deleteChange,
  editRecords,
  hostLines,
  linesIn,
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
import { testAtFake, testTraps } from "../vendorTests.ts"
import { spaceship, type SpaceshipData, spaceshipVendor } from "./spaceship.ts"

const path = `/v1/dns/records/${zone}`
const list = "GET /v1/dns/records/{domain}"
const addresses = "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2\nwww 3600 TXT beside"

const custom = (members: SpaceshipData["members"]): SpaceshipData => ({ members, group: "custom" })
const addressItem = (last: number) => ({ type: "A", name: "www", address: `192.0.2.${last}` })
const put = (item: object) => ({ method: "PUT", path, body: { force: false, items: [item] } })
const remove = (item: object) => ({ method: "DELETE", path, body: [item] })

/** Tests by the words of `vendor-facts.json`. */
testTraps(spaceship, {
  "PUT may replace what stands at the name (flag force)": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(spaceship, addresses)
    yield* writeAt(spaceship, fake, createChange(address(3)))
    yield* writeAt(spaceship, fake, updateChange(address(1), { ...address(1), ttl: 600 }))
    expect(writesTo(fake)).toEqual([put({ ...addressItem(3), ttl: 3600 }), put({ ...addressItem(1), ttl: 600 })])
    expect(linesIn(spaceship, fake).toSorted()).toEqual([
      "www 3600 A 192.0.2.2",
      "www 3600 A 192.0.2.3",
      'www 3600 TXT "beside"',
      "www 600 A 192.0.2.1"
    ])
  })
})

testAtFake(spaceship, {
  "a record is replaced by a removal, which names its data, and an addition": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(spaceship, addresses)
    yield* writeAt(spaceship, fake, updateChange(address(1), address(9)))
    yield* writeAt(spaceship, fake, deleteChange(address(2)))
    expect(writesTo(fake)).toEqual([
      remove(addressItem(1)),
      put({ ...addressItem(9), ttl: 3600 }),
      remove(addressItem(2))
    ])
    expect(linesIn(spaceship, fake)).toEqual(['www 3600 TXT "beside"', "www 3600 A 192.0.2.9"])
  }),

  "a record that somebody else adds just before is stored once": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(spaceship)
    const same = storedAt("www", "A", custom({ address: "192.0.2.1" }))
    fake.beforeCall({ method: "PUT" }, () => editRecords(fake, () => [{ ...same, id: "1" }]))
    yield* writeAt(spaceship, fake, createChange(address(1)))
    expect(linesIn(spaceship, fake)).toEqual(["www 3600 A 192.0.2.1"])
  }),

  "records that differ in the case of a text are two": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(spaceship, "www 3600 TXT verify=abc")
    yield* writeAt(spaceship, fake, createChange(recordAt("www", "TXT", "verify=ABC")))
    yield* writeAt(spaceship, fake, deleteChange(recordAt("www", "TXT", "verify=abc")))
    expect(linesIn(spaceship, fake)).toEqual(['www 3600 TXT "verify=ABC"'])
  }),

  "records of a product, of own name servers and of new groups are left as they are": Effect.fnUntraced(function* () {
    for (const group of ["product", "personalNs", "personalNS", "new"]) {
      const fake = yield* makeFakeOf(spaceship, [storedAt("www", "A", { members: { address: "192.0.2.1" }, group })])
      expect(yield* readAt(spaceship, fake)).toMatchObject([{ host: "www", locked: "fixed" }])
      const request = yield* planFor(underTest(spaceship, fake), ["www 600 A 192.0.2.2"])
      const failure = yield* withPlanApplierOnRealClock(applyFailureOf(request))
      expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
      expect(yield* applyDesired(spaceship, fake, ["www 600 TXT beside"])).toEqual([])
      expect(linesIn(spaceship, fake)).toEqual(["www 3600 A 192.0.2.1", 'www 600 TXT "beside"'])
    }
  }),

  "name servers that the API shows at the apex are fixed": Effect.fnUntraced(function* () {
    const own = { name: zone, type: "NS", ttl: 3600, data: custom({ nameserver: "launch1.spaceship.net" }) }
    const fake = yield* makeFakeOf(spaceship, [own, storedAt("team", "NS", own.data)])
    expect((yield* readAt(spaceship, fake)).map(({ host, locked }) => [host, locked])).toEqual([
      ["@", "fixed"],
      ["team", undefined]
    ])
  }),

  "an alias at the apex is read as a CNAME, and gives way to an address": Effect.fnUntraced(function* () {
    const alias = { name: zone, type: "CNAME", ttl: 3600, data: custom({ cname: "shops.example.net" }) }
    const fake = yield* makeFakeOf(spaceship, [alias])
    expect(yield* readAt(spaceship, fake)).toMatchObject([{ host: "@", type: "CNAME", value: "shops.example.net" }])
    expect(yield* applyDesired(spaceship, fake, ["@ 600 A 192.0.2.1"])).toEqual([])
    expect(recordsIn(fake)).toMatchObject([{ name: zone, type: "A", ttl: 600 }])
  }),

  "an SRV is written below its service and protocol, and its port is read in either form": Effect.fnUntraced(
    function* () {
      const members = { priority: 10, weight: 20, target: "sip.example.net" }
      const item = { type: "SRV", name: "team", service: "_sip", protocol: "_tcp", ...members }
      for (const port of [5060, "5060", "_5060"]) {
        const fake = yield* makeFakeOf(spaceship, [storedAt("_sip._tcp.team", "SRV", custom({ ...members, port }))])
        const [record] = yield* readAt(spaceship, fake)
        const read = recordAt("_sip._tcp.team", "SRV", "20 5060 sip.example.net", { priority: 10 })
        expect(record).toMatchObject({ host: read.host, priority: 10, value: read.value })
        const other = recordAt("_sip._tcp", "SRV", "1 5061 sip.example.net", { priority: 0 })
        // What is shown in either form is the same number.
        fake.beforeCall({ method: "DELETE" }, () =>
          editRecords(fake, (all) => all.map((each) => ({ ...each, data: custom({ ...members, port: 5060 }) })))
        )
        yield* writeAt(spaceship, fake, deleteChange(read), createChange(other))
        expect(writesTo(fake)).toEqual([
          remove({ ...item, port: 5060 }),
          put({ ...item, name: "@", priority: 0, weight: 1, port: 5061, ttl: 3600 })
        ])
      }
    }
  ),

  "types whose names begin with a port are read, and not written": Effect.fnUntraced(function* () {
    const data = "ab".repeat(32)
    const certificate = { protocol: "_tcp", usage: 3, selector: 1, matching: 1, associationData: data }
    const service = { scheme: "_https", svcPriority: 1, targetName: "web.example.net", svcParams: "alpn=h2" }
    const fake = yield* makeFakeOf(spaceship, [
      storedAt("mail", "TLSA", custom({ ...certificate, port: "_25" })),
      storedAt("shop", "TLSA", custom({ ...certificate, port: 443 })),
      storedAt("any", "TLSA", custom({ ...certificate, port: "*" })),
      storedAt("www", "HTTPS", custom({ ...service, port: "_8443" })),
      storedAt("plain", "SVCB", custom({ svcPriority: 0, targetName: ".", svcParams: "" }))
    ])
    expect((yield* readAt(spaceship, fake)).map(({ host, type, value }) => [host, type, value])).toEqual([
      ["_25._tcp.mail", "TLSA", `3 1 1 ${data}`],
      ["_443._tcp.shop", "TLSA", `3 1 1 ${data}`],
      ["*._tcp.any", "TLSA", `3 1 1 ${data}`],
      ["_8443._https.www", "HTTPS", "1 web.example.net alpn=h2"],
      ["plain", "SVCB", "0 ."]
    ])
    const failure = writeAt(spaceship, fake, createChange(recordAt("_25._tcp", "TLSA", `3 1 1 ${data}`)))
    expect(yield* failureOf(failure)).toBe("record_type_unsupported")
  }),

  "12,000 records are read within 300 calls in five minutes": Effect.fnUntraced(function* () {
    const { calls, records, shortestPause } = yield* readInVirtualTime(spaceship, hostLines(12_000))
    expect([records.length, calls]).toEqual([12_000, 27])
    expect(shortestPause).toBeGreaterThanOrEqual(1000)
  }),

  "pages that are shorter than asked for are all read": Effect.fnUntraced(function* () {
    const { operations } = spaceshipVendor
    const listShort: (typeof operations)[string] = (call, state) => {
      call.query.set("take", "100")
      return operations[list]?.(call, state) ?? { status: 500 }
    }
    const vendor = { ...spaceshipVendor, operations: { ...operations, [list]: listShort } }
    const { records } = yield* readInVirtualTime({ ...spaceship, vendor }, hostLines(250))
    expect(records).toHaveLength(250)
  }),

  "a key or a secret that fits no header is refused before any call": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(spaceship)
    for (const credential of spaceship.wrongCredentials.slice(2))
      expect(yield* failureOf(openAt(spaceship, fake, { credential }))).toBe("credential_invalid")
    expect(fake.calls()).toEqual([])
  }),

  "a zone that other servers than Spaceship's serve is not opened": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(spaceship)
    for (const nameServers of [["launch1.spaceship.net", "ns1.other.example"], ["ns1.spaceship.com"], []])
      expect(yield* failureOf(openAt(spaceship, fake, { nameServers }))).toBe("authorization_zone_mismatch")
    yield* openAt(spaceship, fake, { nameServers: ["LAUNCH2.spaceship.net."] })
  })
})
