import { expect } from "bun:test"
import { Effect } from "effect"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import type { CallPattern, VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import type { DescribedZones } from "../../../support/vendors/DescribedVendor.ts"
import { creation, deletion, record, update } from "../../writing/scriptedChanges.ts"
import { openZone, patientTimeouts } from "../AdapterUnderTest.ts"
import { addRecord, apiToken, callFake, type DescribedFake, hostLines, storedAt, zone } from "../DescribedAdapter.ts"
import { startInVirtualTime } from "../readInVirtualTime.ts"
import { expectLocked, testAtFake, testRefusedBodies, testTraps } from "../vendorTests.ts"
import { error, hetzner, type HetznerData, hetznerWith, validToken } from "./hetzner.ts"

const askAction = "GET /zones/actions/{id}"
const headers = { authorization: `Bearer ${validToken}` }
const rrsets = `/zones/${zone}/rrsets`

const start = (before: DescribedZones<HetznerData>[string] = "", options = {}, timeouts?: Timeouts) =>
  startInVirtualTime(hetznerWith(options), before, timeouts)

/** How a change ends, by which actions, and what the zone has then; all calls of one kind may fail in this way. */
const makeAt = (before: string, change: Change, options = {}, [pattern, answer]: CallsThatFail = [{ nth: 0 }, "cut"]) =>
  Effect.gen(function* () {
    const { fake, shown, write } = yield* start(before, options, patientTimeouts)
    fake.injectFault(pattern, { change: "not_made", answer })
    return [yield* write(change), actionsAt(fake).join(" "), ...shown()]
  })

type CallsThatFail = readonly [pattern: CallPattern, answer: VendorAnswer | "cut"]

const actionsAt = (fake: DescribedFake<HetznerData>) =>
  fake.calls().flatMap(({ isWrite, path }) => (isWrite ? path.slice(path.lastIndexOf("/") + 1) : []))

const values = (...all: ReadonlyArray<string>) => ({ records: all.map((value) => ({ value })) })

const www = creation("www 300 A 192.0.2.1")
const oldWww = "www 3600 A 192.0.2.1"
const other = update(oldWww, "www 300 A 192.0.2.2")
const failed = { code: "action_failed", message: "Action failed" }

/** Tests by the words of `vendor-facts.json`. */
testTraps(hetzner, {
  "201 means accepted: the action is running and can end in error": Effect.fnUntraced(function* () {
    const { fake, shown, write } = yield* start("", { actionMillis: 3000 })
    const seen: Array<ReadonlyArray<string>> = []
    fake.beforeCall({ operation: askAction }, () => void seen.push(shown()))
    expect(yield* write(www)).toBe("made")
    expect(seen).toEqual([[], [], [], [], []])
    expect(shown()).toEqual(["www 300 A 192.0.2.1"])
    for (const add_rrset_records of [failed, null])
      expect(yield* makeAt("", www, { actionErrors: { add_rrset_records } })).toEqual(["apply_rejected", "add_records"])
  }),

  "set_records does not take a TTL and change_ttl does not take records: one change can be two calls":
    Effect.fnUntraced(function* () {
      const shorter = update(oldWww, "www 300 A 192.0.2.1")
      expect(yield* makeAt(oldWww, other)).toEqual(["made", "change_ttl set_records", "www 300 A 192.0.2.2"])
      expect(yield* makeAt(oldWww, shorter)).toEqual(["made", "change_ttl", "www 300 A 192.0.2.1"])
    }),

  "409 conflict while another action runs on the zone": Effect.fnUntraced(function* () {
    const { fake, shown, write } = yield* start("", { actionMillis: 2000 })
    yield* callFake(fake, "POST", `${rrsets}/www/A/actions/add_records`, { body: values("192.0.2.1"), headers })
    expect(yield* write(creation("mail 300 A 192.0.2.3"))).toBe("made")
    const outcomes = fake.calls().flatMap(({ isWrite, outcome }) => (isWrite ? outcome : []))
    expect(outcomes).toEqual([201, 409, 409, 409, 409, 201])
    expect(shown()).toEqual(["www 0 A 192.0.2.1", "mail 300 A 192.0.2.3"])
  }),

  "zones of the old console API moved here in 2026": Effect.fnUntraced(function* () {
    for (const [token, hasHint] of [
      ["c0ns0le".padEnd(32, "0"), true],
      ["wrong".padEnd(64, "0"), false]
    ] as const) {
      const { open } = yield* start()
      const { code, detail } = yield* Effect.flip(open({ credential: apiToken(token) }))
      expect([code, detail.includes("former DNS Console")]).toEqual(["credential_invalid", hasHint])
      expect(detail).not.toContain(token)
    }
  })
})

testAtFake(hetzner, {
  "a question for an action without an answer is asked again, for a time": Effect.fnUntraced(function* () {
    const asked = yield* start()
    asked.fake.injectFault({ operation: askAction, nth: 1 }, { change: "not_made", answer: { status: 500 } })
    asked.fake.injectFault({ operation: askAction, nth: 2 }, { change: "not_made", answer: "cut" })
    expect(yield* asked.write(www)).toBe("made")
    const { write } = yield* start("", { actionMillis: 3_600_000 }, { call: "1 hour", snapshot: "30 seconds" })
    expect(yield* write(www)).toMatch(/^OutcomeUnknown: action \d+ has not ended/)
  }),

  "an action whose answer was lost shows in the list later": Effect.fnUntraced(function* () {
    const { fake, open, read, write } = yield* start("", { actionMillis: 17_000 })
    fake.injectFault({ method: "POST" }, { change: "made", answer: "cut" })
    expect(yield* write(www)).toMatch(/^OutcomeUnknown/)
    fake.advance((yield* open()).visibleWithin ?? 0)
    expect(yield* read).toContainEqual(expect.objectContaining({ host: "www" }))
  }),

  "when the records are refused, the TTL is as before, and nothing is made": Effect.fnUntraced(function* () {
    const change = update("www 86400 A 192.0.2.1", "www 300 A 192.0.2.2")
    const made = yield* makeAt("www 0 A 192.0.2.1", change, { actionErrors: { set_rrset_records: failed } })
    expect(made).toEqual(["apply_rejected", "change_ttl set_records change_ttl", "www 0 A 192.0.2.1"])
  }),

  "when the TTL cannot be put back either, the outcome is unknown": Effect.fnUntraced(function* () {
    const { fake, write } = yield* start(oldWww)
    const answer = error(422, "invalid_input")
    fake.injectFault({ method: "POST", where: () => actionsAt(fake).length > 1 }, { change: "not_made", answer })
    expect(yield* write(other)).toMatch(/^OutcomeUnknown: only a part is written: 422/)
  }),

  "when the records get no clear answer, the change is not made, and is made again": Effect.fnUntraced(function* () {
    for (const answer of ["cut", error(500, "server_error")] as const) {
      const { fake, shown, write } = yield* start(oldWww)
      fake.injectFault({ where: ({ path }) => path.endsWith("set_records") }, { change: "not_made", answer })
      expect(yield* write(other)).toMatch(/^OutcomeUnknown/)
      expect(shown()).toEqual(["www 300 A 192.0.2.1"])
      fake.heal()
      expect(yield* write(other)).toBe("made")
      expect(shown()).toEqual(["www 300 A 192.0.2.2"])
    }
  }),

  "a conflict that stays ends as provider_unavailable, with nothing made": Effect.fnUntraced(function* () {
    const seven = Array.from({ length: 7 }, () => "add_records").join(" ")
    for (const answer of [error(409, "conflict"), error(423, "locked")])
      expect(yield* makeAt("", www, {}, [{ method: "POST" }, answer])).toEqual(["provider_unavailable", seven])
  }),

  "a secondary zone is locked": Effect.fnUntraced(function* () {
    const { open } = yield* start("", { mode: "secondary" })
    expect(yield* Effect.flip(open())).toMatchObject({ code: "provider_zone_locked" })
  }),

  "a zone of 10,000 records is read in pages of 100 sets, within the limit of an hour": Effect.fnUntraced(function* () {
    const { fake, run, tested, write } = yield* start(hostLines(10_000), {}, patientTimeouts)
    const { zone } = yield* run(Effect.flatMap(openZone(tested, {}), ({ read }) => read))
    expect(zone.records.filter(({ type }) => type === "A")).toHaveLength(10_000)
    expect(fake.calls()).toHaveLength(105)
    // Before a write it is read to plan it; to compare, its name alone.
    expect(yield* write(www)).toBe("made")
    expect(fake.calls()).toHaveLength(105 + 105 + 1 + 2)
  }),

  "targets below the zone, and the zone's TTL, are read as they are served": Effect.fnUntraced(function* () {
    const { read } = yield* start([
      storedAt("docs", "CNAME", { value: "docs.example.com" }, 0),
      storedAt("self", "CNAME", { value: "@" }, 300),
      storedAt("mail", "MX", { value: "10 mx1" }, 300),
      storedAt("mail", "MX", { value: "0 ." }, 300)
    ])
    const below = (yield* read).filter(({ host }) => host !== "@")
    expect(below.map(({ host, priority, ttl, value }) => [host, ttl, priority, value].join(" "))).toEqual([
      "docs 86400  docs.example.com.example.com",
      "self 300  example.com",
      "mail 300 0 .",
      "mail 300 10 mx1.example.com"
    ])
  }),

  "nothing is lost that somebody adds to a set before the write": Effect.fnUntraced(function* () {
    for (const [change, left] of [
      [creation("www 300 TXT own"), ['"one"', '"two"', '"three"', '"own"']],
      [deletion("www 300 TXT one"), ['"two"', '"three"']]
    ] as const) {
      const { fake, shown, write } = yield* start('www 300 TXT "one"\nwww 300 TXT "two"')
      const third = { id: "3", ...storedAt("www", "TXT", { value: '"three"' }, 300) }
      fake.beforeCall({ method: "POST" }, () => addRecord(fake, third))
      expect(yield* write(change)).toBe("made")
      expect(shown()).toEqual(left.map((value) => `www 300 TXT ${value}`))
    }
  }),

  "records that stay in an exchanged set keep comments and spelling": Effect.fnUntraced(function* () {
    const kept = { value: "ns1", comment: "by hand" }
    const before = [kept, { value: "ns2.otherprov.net." }].map((data) => storedAt("shop", "NS", data, 300))
    const { write, writes } = yield* start(before)
    expect(yield* write(update("shop 300 NS ns2.otherprov.net", "shop 300 NS ns3.otherprov.net"))).toBe("made")
    expect(writes()).toMatchObject([{ body: { records: [kept, { value: "ns3.otherprov.net." }] } }])
  }),

  "a set that comes back, or that a record joins, has the zone's TTL": Effect.fnUntraced(function* () {
    const { shown, write } = yield* start('shop 0 TXT "one"')
    const after = { ...record("www 86400 A 192.0.2.1"), automaticTtl: true }
    expect(yield* write({ action: "create", after, destructive: false })).toBe("made")
    expect(yield* write(creation("shop 86400 TXT two"))).toBe("made")
    expect(shown()).toEqual(["www 0 A 192.0.2.1", 'shop 0 TXT "one"', 'shop 0 TXT "two"'])
  }),

  "texts are written as hcloud-go writes them": Effect.fnUntraced(function* () {
    for (const [value, stored] of [
      ['say "hi" to Zoë', '"say \\"hi\\" to Zoë"'],
      [String.raw`back\slash \195\188`, String.raw`"back\\slash \\195\\188"`],
      [`${"x".repeat(254)}ü`, String.raw`"${"x".repeat(254)}\195" "\188"`]
    ] as const) {
      const { read, shown, write } = yield* start()
      expect(yield* write(creation(`a 3600 TXT ${value}`))).toBe("made")
      expect(shown()).toEqual([`a 3600 TXT ${stored}`])
      expect(yield* read).toContainEqual(expect.objectContaining({ host: "a", value }))
    }
  }),

  "no plan changes a protected set, or the zone's name servers": Effect.fnUntraced(function* () {
    yield* expectLocked(hetzner, [{ value: "192.0.2.1", isProtected: true }])
    const { read } = yield* Effect.flatMap(start(), ({ open }) => open())
    const planned = (yield* read).planWrites([creation("@ 86400 NS ns1.otherprov.net")])
    expect(planned).toMatchObject({ left: { code: "provider_record_locked" } })
  })
})

const records = [
  storedAt("www", "A", { value: "192.0.2.1" }),
  storedAt("kept", "A", { value: "192.0.2.1", isProtected: true }, 300)
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
  "a change of a protected set": ["kept/A/actions/remove_records", values("192.0.2.1"), 423]
}

for (const [what, [action, body, status = 422]] of Object.entries(refused))
  testRefusedBodies(hetzner, { path: `${rrsets}/${action}`, headers, status, records }, { [what]: body })
