import { expect } from "bun:test"
import { Effect } from "effect"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { DescribedZones } from "../../../support/vendors/DescribedVendor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { toAbsoluteName } from "../../../support/vendors/VendorZones.ts"
import { creation, deletion, record, update } from "../../writing/scriptedChanges.ts"
import { openZone, patientTimeouts } from "../AdapterUnderTest.ts"
import {
  addRecord,
  apiToken,
  callFake,
  type DescribedFake,
  hostLines,
  openAt,
  readAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { startInVirtualTime } from "../readInVirtualTime.ts"
import { testRefusedBodies, testTraps } from "../vendorTests.ts"
import { error, hetzner, type HetznerData, hetznerWith, validToken } from "./hetzner.ts"

const askAction = "GET /zones/actions/{id}"
const headers = { authorization: `Bearer ${validToken}` }
const rrsets = `/zones/${zone}/rrsets`

const stored = (host: string, type: string, ttl: number, data: HetznerData) => ({
  name: toAbsoluteName(host, zone),
  type,
  ttl,
  data
})

const start = (before: DescribedZones<HetznerData>[string] = "", options = {}, timeouts?: Timeouts) =>
  startInVirtualTime(hetznerWith(options), before, timeouts)

const actionsAt = (fake: DescribedFake<HetznerData>) => writesTo(fake).map(({ path }) => path.split("/").at(-1))

const values = (...all: ReadonlyArray<string>) => ({ records: all.map((value) => ({ value })) })

const www = creation("www 300 A 192.0.2.1")
const oldWww = "www 3600 A 192.0.2.1"
const other = update("www 3600 A 192.0.2.1", "www 300 A 192.0.2.2")
const failed = { code: "action_failed", message: "Action failed" }

/** Tests by the words of `vendor-facts.json`. */
testTraps(hetzner, {
  "201 means accepted: the action is running and can end in error": () =>
    Effect.gen(function* () {
      const { fake, shown, write } = yield* start("", { actionMillis: 3000 })
      const seen: Array<ReadonlyArray<string>> = []
      fake.beforeCall({ operation: askAction }, () => void seen.push(shown()))
      expect(yield* write(www)).toBe("made")
      expect(seen).toEqual([[], [], [], [], []])
      expect(shown()).toEqual(["www 300 A 192.0.2.1"])
      for (const error of [failed, null]) {
        const { shown, write } = yield* start("", { actionErrors: { add_rrset_records: error } })
        expect(yield* write(www)).toBe("apply_rejected")
        expect(shown()).toEqual([])
      }
    }),

  "set_records does not take a TTL and change_ttl does not take records: one change can be two calls": () =>
    Effect.gen(function* () {
      for (const [change, calls, after] of [
        [other, ["change_ttl", "set_records"], "www 300 A 192.0.2.2"],
        [update("www 3600 A 192.0.2.1", "www 300 A 192.0.2.1"), ["change_ttl"], "www 300 A 192.0.2.1"]
      ] as const) {
        const { fake, shown, write } = yield* start(oldWww)
        expect(yield* write(change)).toBe("made")
        expect([actionsAt(fake), shown()]).toEqual([[...calls], [after]])
      }
    }),

  "409 conflict while another action runs on the zone": () =>
    Effect.gen(function* () {
      const { fake, shown, write } = yield* start("", { actionMillis: 2000 })
      yield* callFake(fake, "POST", `${rrsets}/www/A/actions/add_records`, { body: values("192.0.2.1"), headers })
      expect(yield* write(creation("mail 300 A 192.0.2.3"))).toBe("made")
      const outcomes = fake.calls().flatMap(({ isWrite, outcome }) => (isWrite ? outcome : []))
      expect(outcomes).toEqual([201, 409, 409, 409, 409, 201])
      expect(shown()).toEqual(["www 0 A 192.0.2.1", "mail 300 A 192.0.2.3"])
    }),

  "zones of the old console API moved here in 2026": () =>
    Effect.gen(function* () {
      for (const [token, hasHint] of [
        ["c0ns0le".padEnd(32, "0"), true],
        ["wrong".padEnd(64, "0"), false]
      ] as const) {
        const { fake } = yield* start()
        const { code, detail } = yield* Effect.flip(openAt(hetzner, fake, { credential: apiToken(token) }))
        expect([code, detail.includes("former DNS Console")]).toEqual(["credential_invalid", hasHint])
        expect(detail).not.toContain(token)
      }
    })
})

describeIfPossible("at Hetzner", missingVendorData, () => {
  live("a question for an action that gets no answer is asked again, until the action does not end in time", () =>
    Effect.gen(function* () {
      const asked = yield* start()
      asked.fake.injectFault({ operation: askAction, nth: 1 }, { change: "not_made", answer: { status: 500 } })
      asked.fake.injectFault({ operation: askAction, nth: 2 }, { change: "not_made", answer: "cut" })
      expect(yield* asked.write(www)).toBe("made")
      const { write } = yield* start("", { actionMillis: 3_600_000 }, { call: "1 hour", snapshot: "30 seconds" })
      expect(yield* write(www)).toMatch(/^OutcomeUnknown: action \d+ has not ended/)
    })
  )

  live("an action whose answer was lost shows in the list later", () =>
    Effect.gen(function* () {
      const { fake, write } = yield* start("", { actionMillis: 17_000 })
      fake.injectFault({ method: "POST" }, { change: "made", answer: "cut" })
      expect(yield* write(www)).toMatch(/^OutcomeUnknown/)
      const { read, visibleWithin } = yield* openAt(hetzner, fake)
      fake.advance(visibleWithin ?? 0)
      expect((yield* read).zone.records.some(({ host }) => host === "www")).toBe(true)
    })
  )

  live("when the records are refused, the TTL is as before, and nothing is made", () =>
    Effect.gen(function* () {
      const refused = { actionErrors: { set_rrset_records: failed } }
      const { fake, shown, write } = yield* start("www 0 A 192.0.2.1", refused)
      expect(yield* write(update("www 86400 A 192.0.2.1", "www 300 A 192.0.2.2"))).toBe("apply_rejected")
      expect(actionsAt(fake)).toEqual(["change_ttl", "set_records", "change_ttl"])
      expect(shown()).toEqual(["www 0 A 192.0.2.1"])
    })
  )

  live("when the TTL cannot be put back either, the outcome is unknown", () =>
    Effect.gen(function* () {
      const { fake, write } = yield* start(oldWww)
      const answer = error(422, "invalid_input")
      fake.injectFault({ method: "POST", where: () => actionsAt(fake).length > 1 }, { change: "not_made", answer })
      expect(yield* write(other)).toMatch(/^OutcomeUnknown: only a part is written: 422/)
    })
  )

  live("when the records get no answer, or an error, the change counts as not made, and is made again", () =>
    Effect.gen(function* () {
      for (const answer of ["cut", error(500, "server_error")] as const) {
        const { fake, shown, write } = yield* start(oldWww)
        fake.injectFault({ where: ({ path }) => path.endsWith("set_records") }, { change: "not_made", answer })
        expect(yield* write(other)).toMatch(/^OutcomeUnknown/)
        expect(shown()).toEqual(["www 300 A 192.0.2.1"])
        fake.heal()
        expect(yield* write(other)).toBe("made")
        expect(shown()).toEqual(["www 300 A 192.0.2.2"])
      }
    })
  )

  live("a conflict that stays ends as provider_unavailable, with nothing made", () =>
    Effect.gen(function* () {
      for (const answer of [error(409, "conflict"), error(423, "locked")]) {
        const { fake, write } = yield* start("", {}, patientTimeouts)
        fake.injectFault({ method: "POST" }, { change: "not_made", answer })
        expect(yield* write(www)).toBe("provider_unavailable")
        expect(actionsAt(fake)).toHaveLength(7)
      }
    })
  )

  live("a secondary zone is locked", () =>
    Effect.gen(function* () {
      const { fake } = yield* start("", { mode: "secondary" })
      expect(yield* Effect.flip(openAt(hetzner, fake))).toMatchObject({ code: "provider_zone_locked" })
    })
  )

  live("a zone of 10,000 records is read within the limit of an hour, in pages of 100 sets", () =>
    Effect.gen(function* () {
      const { fake, run, tested, write } = yield* start(hostLines(10_000), {}, patientTimeouts)
      const { zone } = yield* run(Effect.flatMap(openZone(tested, {}), ({ read }) => read))
      expect(zone.records.filter(({ type }) => type === "A")).toHaveLength(10_000)
      expect(fake.calls()).toHaveLength(105)
      // Before a write it is read to plan it; to compare, its name alone.
      expect(yield* write(www)).toBe("made")
      expect(fake.calls()).toHaveLength(105 + 105 + 1 + 2)
    })
  )

  live("targets below the zone, and the TTL of the zone, are read as they are served", () =>
    Effect.gen(function* () {
      const { fake } = yield* start([
        stored("docs", "CNAME", 0, { value: "docs.example.com" }),
        stored("self", "CNAME", 300, { value: "@" }),
        stored("mail", "MX", 300, { value: "10 mx1" }),
        stored("mail", "MX", 300, { value: "0 ." })
      ])
      const below = (yield* readAt(hetzner, fake)).filter(({ host }) => host !== "@")
      expect(below.map(({ host, priority, ttl, value }) => [host, ttl, priority, value].join(" "))).toEqual([
        "docs 86400  docs.example.com.example.com",
        "self 300  example.com",
        "mail 300 0 .",
        "mail 300 10 mx1.example.com"
      ])
    })
  )

  live("loses nothing that somebody else adds to a set between the comparison and a write", () =>
    Effect.gen(function* () {
      for (const [change, left] of [
        [creation("www 300 TXT own"), ['"one"', '"two"', '"three"', '"own"']],
        [deletion("www 300 TXT one"), ['"two"', '"three"']]
      ] as const) {
        const { fake, shown, write } = yield* start('www 300 TXT "one"\nwww 300 TXT "two"')
        const third = { id: "3", ...stored("www", "TXT", 300, { value: '"three"' }) }
        fake.beforeCall({ method: "POST" }, () => addRecord(fake, third))
        expect(yield* write(change)).toBe("made")
        expect(shown()).toEqual(left.map((value) => `www 300 TXT ${value}`))
      }
    })
  )

  live("keeps the comments and the spelling of the records that stay in an exchanged set", () =>
    Effect.gen(function* () {
      const kept = { value: "ns1", comment: "by hand" }
      const before = [kept, { value: "ns2.otherprov.net." }].map((data) => stored("shop", "NS", 300, data))
      const { fake, write } = yield* start(before)
      expect(yield* write(update("shop 300 NS ns2.otherprov.net", "shop 300 NS ns3.otherprov.net"))).toBe("made")
      expect(writesTo(fake)).toMatchObject([{ body: { records: [kept, { value: "ns3.otherprov.net." }] } }])
    })
  )

  live("gives a set that comes back the zone's TTL again, and keeps that TTL of a set that another record joins", () =>
    Effect.gen(function* () {
      const { shown, write } = yield* start('shop 0 TXT "one"')
      const after = { ...record("www 86400 A 192.0.2.1"), automaticTtl: true }
      expect(yield* write({ action: "create", after, destructive: false })).toBe("made")
      expect(yield* write(creation("shop 86400 TXT two"))).toBe("made")
      expect(shown()).toEqual(["www 0 A 192.0.2.1", 'shop 0 TXT "one"', 'shop 0 TXT "two"'])
    })
  )

  live("gets texts as hcloud-go writes them: quotes with a backslash, and other scripts as they are", () =>
    Effect.gen(function* () {
      for (const [text, value] of [
        ['say "hi" to Zoë', '"say \\"hi\\" to Zoë"'],
        [String.raw`back\slash \195\188`, String.raw`"back\\slash \\195\\188"`],
        [`${"x".repeat(254)}ü`, String.raw`"${"x".repeat(254)}\195" "\188"`]
      ] as const) {
        const { fake, shown, write } = yield* start()
        const change = { ...creation("a 300 TXT"), after: { ...record("a 300 TXT"), value: text } }
        expect(yield* write(change)).toBe("made")
        expect(shown()).toEqual([`a 300 TXT ${value}`])
        expect((yield* readAt(hetzner, fake)).find(({ host }) => host === "a")?.value).toBe(text)
      }
    })
  )

  live("no plan changes a set that is protected, or the zone's own name servers", () =>
    Effect.gen(function* () {
      for (const [before, change] of [
        [[stored("www", "A", 3600, { value: "192.0.2.1", isProtected: true })], other],
        ["", creation("@ 86400 NS ns1.otherprov.net")]
      ] as const) {
        const { fake } = yield* start(before)
        const { read } = yield* openAt(hetzner, fake)
        expect((yield* read).planWrites([change])).toMatchObject({ left: { code: "provider_record_locked" } })
      }
    })
  )
})

const records = [
  stored("www", "A", 3600, { value: "192.0.2.1" }),
  stored("alias", "CNAME", 300, { value: "www" }),
  stored("kept", "A", 300, { value: "192.0.2.1", isProtected: true })
]

const refused: Readonly<Record<string, readonly [action: string, body: object, status?: number]>> = {
  // The document, `ttl` of add_records and `records` of a set.
  "another TTL for a part of a set": ["www/A/actions/add_records", { ttl: 60, ...values("192.0.2.2") }],
  "the same value twice": ["www/A/actions/add_records", values("192.0.2.1")],
  "a name in upper case": ["Mail/A/actions/add_records", values("192.0.2.1")],
  "a name with the zone": ["mail.example.com/A/actions/add_records", values("192.0.2.1")],
  "new records of a set that is not there": ["mail/A/actions/set_records", values("192.0.2.1"), 404],
  "a TTL of a set that is not there": ["mail/A/actions/change_ttl", { ttl: 60 }, 404],
  // vendor-facts.json: values.txt, values.mx, cannot_store.
  "a text without quotes": ["www/TXT/actions/add_records", values("text")],
  "a text of 256 bytes in one string": ["www/TXT/actions/add_records", values(`"${"k".repeat(256)}"`)],
  "an MX without a priority": ["www/MX/actions/add_records", values("mx1.mailprov.net.")],
  "the loss of an assigned name server": ["@/NS/actions/set_records", values("ns1.otherprov.net.")],
  "a change of the SOA": ["@/SOA/actions/change_ttl", { ttl: 60 }],
  // RFC 1034 section 3.6.2.
  "a CNAME beside other records": ["www/CNAME/actions/add_records", values("web.hostprov.net.")],
  "a CNAME at the apex": ["@/CNAME/actions/add_records", values("web.hostprov.net.")],
  "other records beside a CNAME": ["alias/TXT/actions/add_records", values('"text"')],
  "two aliases of one name": ["alias/CNAME/actions/add_records", values("web.hostprov.net.")],
  "a change of a protected set": ["kept/A/actions/remove_records", values("192.0.2.1"), 423]
}

for (const [what, [action, body, status = 422]] of Object.entries(refused))
  testRefusedBodies(hetzner, { path: `${rrsets}/${action}`, headers, status, records }, { [what]: body })
