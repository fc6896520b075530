import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  addRecord,
  createChange,
  deleteChange,
  editRecords,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { gandi } from "./gandi.ts"

const records = `/domains/${zone}/records`
const body = (message: string, object = "HTTPError") => ({ code: 404, message, object, cause: message })

/** Tests by the words of `vendor-facts.json`. */
testTraps(gandi, {
  "PUT of a name removes every type there": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(gandi, 'www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2\nwww 3600 TXT "stays"')
    yield* writeAt(gandi, fake, updateChange(recordAt("www", "A", "192.0.2.1"), recordAt("www", "A", "192.0.2.3")))
    expect(writesTo(fake)).toEqual([
      {
        method: "PUT",
        path: `${records}/www/A`,
        body: { rrset_ttl: 3600, rrset_values: ["192.0.2.2", "192.0.2.3"] }
      }
    ])
    expect(recordsIn(fake).filter(({ type }) => type === "TXT")).toHaveLength(1)
  }),

  "the path must spell the name in the stored letter case": Effect.fnUntraced(function* () {
    const stored = { name: `WWW.${zone}`, type: "A", ttl: 3600, data: { value: "192.0.2.1" } }
    const fake = yield* makeFakeOf(gandi, [stored])
    yield* writeAt(gandi, fake, createChange(recordAt("www", "A", "192.0.2.2")))
    yield* writeAt(gandi, fake, deleteChange(recordAt("www", "A", "192.0.2.1")))
    yield* writeAt(gandi, fake, deleteChange(recordAt("www", "A", "192.0.2.2")))
    expect(writesTo(fake).map(({ method, path }) => [method, path])).toEqual(
      ["PUT", "PUT", "DELETE"].map((method) => [method, `${records}/WWW/A`])
    )
    expect(recordsIn(fake).every(({ type }) => type === "NS")).toBe(true)
  }),

  "404 of one set is not 404 of the zone": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(gandi, "www 3600 A 192.0.2.1")
    const opened = yield* openAt(gandi, fake)
    const snapshot = yield* opened.read
    fake.beforeCall({ method: "DELETE" }, () => editRecords(fake, (all) => all.filter(({ type }) => type === "NS")))
    const failure = yield* Effect.flip(sendWrites(snapshot, [deleteChange(recordAt("www", "A", "192.0.2.1"))], opened))
    expect(failure._tag).toBe("ZoneChanged")
  }),

  "empty account answer when the token is of another organisation": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(gandi)
    const answer = { status: 404, body: body("The resource could not be found.", "HTTPNotFound") }
    fake.injectFault({}, { change: "not_made", answer })
    expect(yield* Effect.flip(openAt(gandi, fake))).toMatchObject({
      code: "authorization_zone_mismatch",
      detail: expect.stringContaining("a token is of one organization")
    })
  }),

  "personal access tokens expire (up to a year) and belong to one organisation": Effect.fnUntraced(function* () {
    for (const status of [401, 403]) {
      const fake = yield* makeFakeOf(gandi)
      fake.injectFault({}, { change: "not_made", answer: { status, body: body("The access token has expired") } })
      expect([status, yield* failureOf(openAt(gandi, fake))]).toEqual([status, "authorization_expired"])
    }
  })
})

describeIfPossible("at Gandi", missingVendorData, () => {
  live("a target without a dot at its end is relative to the zone, and is written back as it was", () =>
    Effect.gen(function* () {
      const stored = [
        { name: `www.${zone}`, type: "CNAME", value: "shop" },
        { name: `apex.${zone}`, type: "CNAME", value: "@" },
        { name: zone, type: "MX", value: "10 mail" },
        { name: zone, type: "MX", value: "20 mx.example.net." }
      ].map(({ value, ...place }) => ({ ...place, ttl: 3600, data: { value } }))
      const fake = yield* makeFakeOf(gandi, stored)
      const { zone: read } = yield* Effect.flatMap(openAt(gandi, fake), ({ read }) => read)
      expect(read.records.flatMap(({ type, value }) => (type === "NS" ? [] : value))).toEqual([
        `shop.${zone}`,
        zone,
        `mail.${zone}`,
        "mx.example.net"
      ])
      yield* writeAt(gandi, fake, createChange(recordAt("@", "MX", "new.example.net", { priority: 30 })))
      expect(writesTo(fake)).toMatchObject([
        { path: `${records}/@/MX`, body: { rrset_values: ["10 mail", "20 mx.example.net.", "30 new.example.net."] } }
      ])
    })
  )

  live("an alias at the apex is written as ALIAS", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(gandi)
      const opened = yield* openAt(gandi, fake)
      const intent = resolvedIntentOf(zone, { desired: ["@ 300 CNAME shops.example.net"] })
      const snapshot = yield* opened.read
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      expect(writesTo(fake)).toMatchObject([{ method: "POST", path: `${records}/@/ALIAS` }])
      expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
    })
  )

  live("a set that appeared before it is created is a zone that has changed", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(gandi)
      const opened = yield* openAt(gandi, fake)
      const snapshot = yield* opened.read
      const other = { id: "1", name: `new.${zone}`, type: "A", ttl: 3600, data: { value: "192.0.2.9" } }
      fake.beforeCall({ method: "POST" }, () => addRecord(fake, other))
      const failure = yield* Effect.flip(
        sendWrites(snapshot, [createChange(recordAt("new", "A", "192.0.2.1"))], opened)
      )
      expect(failure._tag).toBe("ZoneChanged")
      expect(recordsIn(fake).at(-1)).toEqual(other)
    })
  )

  live("pages are read until one that is not full, and a zone that fills its last one to an empty one", () =>
    Effect.gen(function* () {
      for (const [hosts, pages] of [
        [150, 2],
        [199, 3]
      ] as const) {
        const fake = yield* makeFakeOf(
          gandi,
          Array.from({ length: hosts }, (_, index) => `host${index} 3600 A 192.0.2.1`).join("\n")
        )
        const opened = yield* openAt(gandi, fake)
        const { zone: read } = yield* opened.read
        expect(read.records).toHaveLength(hosts + 3)
        const asked = fake.calls().map(({ query }) => query)
        expect(asked).toContain(`page=${pages}&per_page=100`)
        expect(asked).not.toContain(`page=${pages + 1}&per_page=100`)
      }
    })
  )
})
