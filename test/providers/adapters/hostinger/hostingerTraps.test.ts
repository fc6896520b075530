import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  createChange,
  deleteChange,
  type DescribedFake,
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
import { hostinger, type HostingerData } from "./hostinger.ts"

type HostingerFake = DescribedFake<HostingerData>

const contentsOf = (fake: HostingerFake, type: string) =>
  recordsIn(fake).flatMap((record) => (record.type === type && record.name !== zone ? record.data.content : []))

const addresses = "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2"

const address = (last: number) => recordAt("www", "A", `192.0.2.${last}`)

const bodiesTo = (fake: HostingerFake) => writesTo(fake).map(({ body, method }) => [method, body])

/** Tests by the words of `vendor-facts.json`. */
testTraps(hostinger, {
  "overwrite false updates TTLs and appends; true replaces: always send it": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(hostinger, addresses)
    yield* writeAt(hostinger, fake, updateChange(address(1), address(3)))
    expect(contentsOf(fake, "A").toSorted()).toEqual(["192.0.2.2", "192.0.2.3"])
    expect(bodiesTo(fake)).toMatchObject([["PUT", { overwrite: true, zone: [{ name: "www", type: "A", ttl: 3600 }] }]])
  }),

  "DELETE by name and type takes all members": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(hostinger, addresses)
    yield* writeAt(hostinger, fake, deleteChange(address(1)))
    expect(contentsOf(fake, "A")).toEqual(["192.0.2.2"])
    yield* writeAt(hostinger, fake, deleteChange(address(2)))
    expect(contentsOf(fake, "A")).toEqual([])
    expect(bodiesTo(fake)).toMatchObject([
      ["PUT", {}],
      ["DELETE", { filters: [{ name: "www", type: "A" }] }]
    ])
  }),

  "records carry is_disabled": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(hostinger, addresses)
    editRecords(fake, (records) =>
      records.map((record) =>
        record.data.content === "192.0.2.2" ? { ...record, data: { ...record.data, is_disabled: true } } : record
      )
    )
    const before = recordsIn(fake)
    const { zone: read } = yield* Effect.flatMap(openAt(hostinger, fake), ({ read }) => read)
    expect(read.records.filter(({ host }) => host === "www")).toMatchObject([{ value: "192.0.2.1", locked: "fixed" }])
    const failure = yield* Effect.flip(writeAt(hostinger, fake, createChange(address(3))))
    expect(failure).toMatchObject({ code: "provider_record_locked" })
    expect(bodiesTo(fake)).toEqual([])
    yield* writeAt(hostinger, fake, createChange(recordAt("www", "TXT", "beside")))
    expect(recordsIn(fake).slice(0, -1)).toEqual([...before])
  })
})

describeIfPossible("at Hostinger", missingVendorData, () => {
  live("a text is read with quotes and without, and written without", () =>
    Effect.gen(function* () {
      const long = "k".repeat(410)
      const stored = ["v=spf1 -all", '"quoted text"', `"${long}"`].map((content) => ({
        name: `www.${zone}`,
        type: "TXT",
        ttl: 300,
        data: { content, is_disabled: false }
      }))
      const fake = yield* makeFakeOf(hostinger, stored)
      const { zone: read } = yield* Effect.flatMap(openAt(hostinger, fake), ({ read }) => read)
      expect(read.records.flatMap(({ type, value }) => (type === "TXT" ? value : []))).toEqual([
        "v=spf1 -all",
        "quoted text",
        long
      ])
      yield* writeAt(hostinger, fake, createChange(recordAt("www", "TXT", `ä; ${long}`)))
      expect(contentsOf(fake, "TXT")).toEqual(["v=spf1 -all", '"quoted text"', `"${long}"`, `ä; ${long}`])
    })
  )

  live("an alias at the apex is written as ALIAS", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(hostinger)
      const opened = yield* openAt(hostinger, fake)
      const snapshot = yield* opened.read
      const intent = resolvedIntentOf(zone, { desired: ["@ 300 CNAME shops.example.net"] })
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      expect(recordsIn(fake).slice(2)).toMatchObject([
        { name: zone, type: "ALIAS", ttl: 300, data: { content: "shops.example.net." } }
      ])
      expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
    })
  )

  live("a zone that other servers than Hostinger's serve is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(hostinger)
      for (const nameServers of [
        ["ns1.dns-parking.com", "ns1.other.example"],
        ["ns1.dns-parking.com.evil.example"],
        []
      ])
        expect(yield* failureOf(openAt(hostinger, fake, { nameServers }))).toBe("authorization_zone_mismatch")
      expect(yield* Effect.either(openAt(hostinger, fake, { nameServers: ["HERA.dns-parking.com."] }))).toMatchObject({
        _tag: "Right"
      })
    })
  )
})
