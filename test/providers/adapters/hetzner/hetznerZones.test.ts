import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { creation, deletion, record, update } from "../../writing/scriptedChanges.ts"
import { patientTimeouts } from "../AdapterUnderTest.ts"
import { clientFor, fakeWith, setOf, setsOf, shown, withSets, write, zoneRequest } from "./hetznerUnderTest.ts"

const www = creation("www 300 A 192.0.2.1")

describeIfPossible("a zone at Hetzner", missingVendorData, () => {
  live("of 10,000 records is read within the limit of an hour, in pages of 100 sets", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 10_000 }, (_, index) => setOf(`host${index}`, "A", 300, "192.0.2.1"))
      const fake = yield* fakeWith(many)
      const opened = yield* clientFor(fake, patientTimeouts).openZone(zoneRequest)
      const { zone } = yield* opened.read
      expect(zone.records.filter(({ type }) => type === "A")).toHaveLength(10_000)
      expect(fake.calls()).toHaveLength(105)
      // Before a write it is read to plan it; to compare, its name alone.
      yield* write(fake, www)
      expect(fake.calls()).toHaveLength(105 + 105 + 1 + 2)
    })
  )

  live("shows targets below the zone, and the TTL of the zone, as they are served", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([
        setOf("docs", "CNAME", null, "docs.example.com"),
        setOf("self", "CNAME", 300, "@"),
        setOf("mail", "MX", 300, "10 mx1", "0 .")
      ])
      const { zone } = yield* (yield* clientFor(fake).openZone(zoneRequest)).read
      const records = zone.records.filter(({ host }) => host !== "@")
      expect(records.map(({ host, priority, ttl, value }) => [host, ttl, priority, value].join(" "))).toEqual([
        "docs 86400  docs.example.com.example.com",
        "self 300  example.com",
        "mail 300 0 .",
        "mail 300 10 mx1.example.com"
      ])
    })
  )

  live("loses nothing that somebody else adds to a set between the comparison and a write", () =>
    Effect.gen(function* () {
      const texts = setOf("www", "TXT", 300, '"one"', '"two"')
      const added = setOf("www", "TXT", 300, '"one"', '"two"', '"three"')
      for (const [change, left] of [
        [creation("www 300 TXT own"), '"one" "two" "three" "own"'],
        [deletion("www 300 TXT one"), '"two" "three"']
      ] as const) {
        const fake = yield* fakeWith([texts])
        fake.beforeCall({ method: "POST" }, () =>
          fake.update(withSets(() => [...setsOf(fake.state()).filter(({ name }) => name === "@"), added]))
        )
        expect(yield* write(fake, change)).toBe("made")
        expect(shown(fake)).toEqual([`www 300 TXT ${left}`])
      }
    })
  )

  live("keeps the comments and the spelling of the records that stay in an exchanged set", () =>
    Effect.gen(function* () {
      const kept = { value: "ns1", comment: "by hand" }
      const fake = yield* fakeWith([{ ...setOf("shop", "NS", 300), records: [kept, { value: "ns2.otherprov.net." }] }])
      const change = update("shop 300 NS ns2.otherprov.net", "shop 300 NS ns3.otherprov.net")
      expect(yield* write(fake, change)).toBe("made")
      const stored = setsOf(fake.state()).find(({ name }) => name === "shop")?.records
      expect(stored).toEqual([kept, { value: "ns3.otherprov.net." }])
    })
  )

  live("gives a set that comes back the zone's TTL again, and keeps that TTL of a set that another record joins", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([setOf("shop", "TXT", null, '"one"')])
      const after = { ...record("www 86400 A 192.0.2.1"), automaticTtl: true }
      expect(yield* write(fake, { action: "create", after, destructive: false })).toBe("made")
      expect(yield* write(fake, creation("shop 86400 TXT two"))).toBe("made")
      expect(shown(fake)).toEqual(["www null A 192.0.2.1", 'shop null TXT "one" "two"'])
    })
  )

  live("gets texts as hcloud-go writes them: quotes with a backslash, and other scripts as they are", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      for (const [host, text, value] of [
        ["a", 'say "hi" to Zoë', '"say \\"hi\\" to Zoë"'],
        ["b", String.raw`back\slash \195\188`, String.raw`"back\\slash \\195\\188"`],
        ["c", `${"x".repeat(254)}ü`, String.raw`"${"x".repeat(254)}\195" "\188"`]
      ] as const) {
        const after = { host, type: "TXT", value: text, ttl: 300, optional: false }
        expect(yield* write(fake, { action: "create", after, destructive: false })).toBe("made")
        expect(setsOf(fake.state()).find(({ name }) => name === host)?.records).toEqual([{ value }])
        const { zone } = yield* (yield* clientFor(fake).openZone(zoneRequest)).read
        expect(zone.records.find((record) => record.host === host)?.value).toBe(text)
      }
    })
  )

  for (const [what, sets, change] of [
    [
      "that is protected",
      [{ ...setOf("www", "A", 3600, "192.0.2.1"), isProtected: true }],
      update("www 3600 A 192.0.2.1", "www 300 A 192.0.2.2")
    ],
    ["of the zone's own name servers", [], creation("@ 86400 NS ns1.otherprov.net")]
  ] as const)
    live(`has a set ${what}, which no plan changes`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith(sets)
        const opened = yield* clientFor(fake).openZone(zoneRequest)
        const planned = (yield* opened.read).planWrites([change])
        expect(planned).toMatchObject({ left: { code: "provider_record_locked" } })
      })
    )
})
