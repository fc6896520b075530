import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { keyPages } from "../../../../src/web/steps/credentialFields.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf } from "../AdapterUnderTest.ts"
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
import { wix, type WixData, wixVendorThat, type WixWriting } from "./wix.ts"

const addresses = "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2"
const address = (last: number) => recordAt("www", "A", `192.0.2.${last}`)
const set = (...values: ReadonlyArray<string>) => [{ type: "A", hostName: `www.${zone}`, ttl: 3600, values }]

const wixThat = (writing: WixWriting) => ({ ...wix, vendor: wixVendorThat(writing) })

const valuesOf = (fake: DescribedFake<WixData>, type = "A") =>
  recordsIn(fake).flatMap((record) => (record.type === type && record.name !== zone ? record.data.value : []))

/** Tests by the words of `vendor-facts.json`. */
testTraps(wix, {
  "a domain that is only pointed to Wix has no zone there": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(wix)
    const pointed = DomainName.make("pointed.example")
    const failure = yield* Effect.flip(openAt(wix, fake, { domain: pointed, zone: pointed }))
    expect(failure).toMatchObject({
      code: "authorization_zone_mismatch",
      detail: expect.stringContaining("its records are at its registrar")
    })
  }),

  "one object per host and type holds all values; an addition to it may replace them (not stated)": Effect.fnUntraced(
    function* () {
      for (const writing of ["compares sets", "adds values", "replaces sets"] as const) {
        const adapter = wixThat(writing)
        const fake = yield* makeFakeOf(adapter, addresses)
        yield* writeAt(adapter, fake, updateChange(address(1), address(3)))
        yield* writeAt(adapter, fake, createChange(address(4)))
        yield* writeAt(adapter, fake, deleteChange(address(3)))
        expect([writing, valuesOf(fake).toSorted()]).toEqual([writing, ["192.0.2.2", "192.0.2.4"]])
        yield* writeAt(adapter, fake, deleteChange(address(2)), deleteChange(address(4)))
        expect(valuesOf(fake)).toEqual([])
        expect(writesTo(fake).map(({ body }) => body)).toEqual([
          { deletions: set("192.0.2.1", "192.0.2.2"), additions: set("192.0.2.2", "192.0.2.3") },
          { deletions: set("192.0.2.2", "192.0.2.3"), additions: set("192.0.2.2", "192.0.2.3", "192.0.2.4") },
          { deletions: set("192.0.2.2", "192.0.2.3", "192.0.2.4"), additions: set("192.0.2.2", "192.0.2.4") },
          { deletions: set("192.0.2.2", "192.0.2.4") }
        ])
      }
    }
  )
})

describeIfPossible("at Wix", missingVendorData, () => {
  live("an answer without the zone counts if the zone shows what was sent", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(wix, addresses)
      const written = () => writeAt(wix, fake, updateChange(address(1), address(3)))
      fake.injectFault({ method: "PATCH" }, { change: "not_made", answer: { status: 200, body: {} } })
      expect((yield* Effect.flip(written()))._tag).toBe("OutcomeUnknown")
      fake.heal()
      fake.injectFault({ method: "PATCH" }, { change: "made", answer: { status: 200, body: {} } })
      yield* written()
      expect(valuesOf(fake)).toEqual(["192.0.2.2", "192.0.2.3"])
    })
  )

  live("an answer without a record that was sent is no success", () =>
    Effect.gen(function* () {
      const adapter = wixThat("adds first")
      const fake = yield* makeFakeOf(adapter, addresses)
      const failure = yield* Effect.flip(writeAt(adapter, fake, updateChange(address(1), address(3))))
      expect(valuesOf(fake)).toEqual(["192.0.2.3"])
      expect(failure._tag).toBe("OutcomeUnknown")
    })
  )

  live("a refusal after which the set is not seen as it was leaves the outcome unknown", () =>
    Effect.gen(function* () {
      const refused = {
        change: "not_made",
        answer: { status: 428, body: { details: { applicationError: { code: "DOMAIN_DNS_EMPTY_RECORD_VALUE" } } } }
      } as const
      const limited = { change: "not_made", answer: { status: 429 } } as const
      const writeWhile = (edit: (fake: DescribedFake<WixData>) => void) =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(wix, addresses)
          fake.injectFault({ method: "PATCH" }, refused)
          fake.beforeCall({ method: "PATCH" }, () => edit(fake))
          return yield* failureOf(writeAt(wix, fake, updateChange(address(1), address(3))))
        })
      expect(yield* writeWhile(() => {})).toBe("apply_rejected")
      expect(yield* writeWhile((fake) => editRecords(fake, (all) => all.filter(({ type }) => type !== "A")))).toBe(
        "OutcomeUnknown"
      )
      expect(yield* writeWhile((fake) => fake.injectFault({ method: "GET" }, limited))).toBe("OutcomeUnknown")
    })
  )

  live("values are read with quotes and final dots and without, and written without", () =>
    Effect.gen(function* () {
      const stored = [
        { type: "TXT", value: "v=spf1 -all" },
        { type: "TXT", value: '"quoted text"' },
        { type: "MX", value: "10 mx1.mailprov.net." },
        { type: "MX", value: "20 mx2.mailprov.net" }
      ].map(({ type, value }) => ({ name: `WWW.${zone}`, type, ttl: 300, data: { value } }))
      const fake = yield* makeFakeOf(wix, stored)
      const { zone: read } = yield* Effect.flatMap(openAt(wix, fake), ({ read }) => read)
      expect(read.records.filter(({ host }) => host === "www").map(({ value }) => value)).toEqual([
        "v=spf1 -all",
        "quoted text",
        "mx1.mailprov.net",
        "mx2.mailprov.net"
      ])
      const long = `k=rsa; p=${"k".repeat(400)}`
      yield* writeAt(
        wix,
        fake,
        createChange(recordAt("www", "TXT", long)),
        createChange(recordAt("www", "MX", "mx3.mailprov.net", { priority: 30 })),
        createChange(recordAt("_sip._tcp", "SRV", "20 5060 sip.example.net", { priority: 10 }))
      )
      expect(writesTo(fake).map(({ body }: { readonly body: any }) => body.additions[0])).toMatchObject([
        { hostName: `WWW.${zone}`, values: ["v=spf1 -all", '"quoted text"', long] },
        { hostName: `WWW.${zone}`, values: ["10 mx1.mailprov.net.", "20 mx2.mailprov.net", "30 mx3.mailprov.net"] },
        { hostName: `_sip._tcp.${zone}`, values: ["10 20 5060 sip.example.net"] }
      ])
    })
  )

  live("a name that is not in the zone makes the list one that cannot be read", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(wix, addresses)
      const { read } = yield* openAt(wix, fake)
      editRecords(fake, (records) =>
        records.map((record) => (record.type === "A" ? { ...record, name: "www" } : record))
      )
      expect(yield* failureOf(read)).toBe("provider_snapshot_failed")
    })
  )

  live("a zone that Wix serves by other name servers than the parent says is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(wix)
      expect(yield* failureOf(openAt(wix, fake, { nameServers: ["ns1.wixdns.net", "ns8.wixdns.net"] }))).toBe(
        "authorization_zone_mismatch"
      )
    })
  )

  live("the page asks for the id of the account and a key, and names the permission", () =>
    Effect.gen(function* () {
      expect(keyPages["wix"]).toEqual({
        url: "https://manage.wix.com/account/api-keys",
        rights: "All account permissions · Manage Domains",
        labels: { username: "accountId" }
      })
      const fake = yield* makeFakeOf(wix)
      fake.injectFault({ method: "GET" }, { change: "not_made", answer: { status: 403 } })
      expect((yield* Effect.flip(openAt(wix, fake))).detail).toContain("the permission Manage Domains")
    })
  )
})
