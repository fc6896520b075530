import { describe, expect, test } from "bun:test"
import { Duration, Effect, Fiber, TestClock } from "effect"
import type { Change } from "../../../../src/domain/Plan.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { effect, live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { creation, deletion, firstWriteOf, update } from "../../writing/scriptedChanges.ts"
import { hetznerError, type HetznerState, hetznerState, makeFakeHetzner } from "./FakeHetzner.ts"
import type { FakeHetznerSet } from "./hetznerRules.ts"
import { clientFor, setsOf, tokenOf, withSets, zoneName, zoneRequest } from "./hetznerUnderTest.ts"

const traps = [
  "201 means accepted: the action is running and can end in error",
  "set_records does not take a TTL and change_ttl does not take records: one change can be two calls",
  "409 conflict while another action runs on the zone",
  "zones of the old console API moved here in 2026"
] as const

const addRecords = "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/add_records"
const setRecords = "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/set_records"
const askAction = "GET /zones/actions/{id}"

const setOf = (name: string, type: string, ttl: number | null, ...values: ReadonlyArray<string>): FakeHetznerSet => ({
  name,
  type,
  ttl,
  records: values.map((value) => ({ value }))
})

const fakeWith = (sets: ReadonlyArray<FakeHetznerSet>, more: Partial<HetznerState> = {}) =>
  makeFakeHetzner(hetznerState({ [zoneName]: sets }, more))

/** Plans the change as a run does, and sends its write; the result has a failure's code or what it is. */
const write = (fake: FakeVendor<HetznerState>, change: Change, client = clientFor(fake)) =>
  Effect.gen(function* () {
    const opened = yield* client.openZone(zoneRequest)
    return yield* Effect.matchEffect(firstWriteOf(yield* opened.read, [change]).send, {
      onFailure: (failure) =>
        Effect.succeed(failure._tag === "ProviderFailure" ? failure.code : `${failure._tag}: ${failure.detail}`),
      onSuccess: () => Effect.succeed("made")
    })
  })

const shown = (fake: FakeVendor<HetznerState>) =>
  setsOf(fake.state())
    .filter(({ name }) => name !== "@")
    .map(({ name, records, ttl, type }) => `${name} ${ttl} ${type} ${records.map(({ value }) => value).join(" ")}`)

const writes = (fake: FakeVendor<HetznerState>) =>
  fake.calls().flatMap(({ method, path }) => (method === "GET" ? [] : [path.split("/").at(-1)]))

/** Lets time pass for the adapter until it is done, while the fake answers in its own time. */
const passTime = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(work)
    while ((yield* Fiber.poll(fiber))._tag === "None") {
      yield* TestClock.adjust("250 millis")
      yield* Effect.promise(() => Bun.sleep(1))
    }
    return yield* Fiber.join(fiber)
  })

const www = creation("www 300 A 192.0.2.1")
const other = update("www 3600 A 192.0.2.1", "www 300 A 192.0.2.2")
const oldWww = setOf("www", "A", 3600, "192.0.2.1")

describeIfPossible("the traps of Hetzner", missingVendorData, () => {
  test("are those of the facts", async () => {
    const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
    const facts = vendors.find(({ id }: { readonly id: string }) => id === "hetzner")
    expect(facts.traps.map(({ trap }: { readonly trap: string }) => trap)).toEqual(traps)
  })

  describe(traps[0], () => {
    live("so a change is made when its action has ended", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([], { actionMillis: 3000 })
        const seen: Array<ReadonlyArray<string>> = []
        fake.beforeCall({ operation: askAction }, () => {
          seen.push(shown(fake))
          fake.advance("1 second")
        })
        expect(yield* write(fake, www)).toBe("made")
        expect(seen).toEqual([[], [], [], []])
        expect(shown(fake)).toEqual(["www 300 A 192.0.2.1"])
      })
    )

    live("so an action that fails leaves the change not made, and its reason is told", () =>
      Effect.gen(function* () {
        const failed = { code: "action_failed", message: "Action failed" }
        const fake = yield* fakeWith([], { actionErrors: { add_rrset_records: failed } })
        expect(yield* write(fake, www)).toBe("apply_rejected")
        expect(shown(fake)).toEqual([])
      })
    )

    live("so a question that gets no answer is asked again", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([])
        fake.injectFault({ operation: askAction, nth: 1 }, { change: "not_made", answer: { status: 500 } })
        fake.injectFault({ operation: askAction, nth: 2 }, { change: "not_made", answer: "cut" })
        expect(yield* write(fake, www)).toBe("made")
      })
    )

    effect("so the outcome is unknown when the action does not end in time", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([], { actionMillis: 3_600_000 })
        const client = clientFor(fake, { call: "1 hour", snapshot: "30 seconds" })
        expect(yield* passTime(write(fake, www, client))).toMatch(/^OutcomeUnknown: action \d+ has not ended/)
      })
    )

    live("so an action whose answer was lost shows in the list later", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([], { actionMillis: 17_000 })
        fake.injectFault({ operation: addRecords }, { change: "made", answer: "cut" })
        expect(yield* write(fake, www)).toMatch(/^OutcomeUnknown/)
        const opened = yield* clientFor(fake).openZone(zoneRequest)
        fake.advance(opened.visibleWithin ?? 0)
        expect((yield* opened.read).zone.records.some(({ host }) => host === "www")).toBe(true)
      })
    )
  })

  describe(traps[1], () => {
    live("the TTL first, then the records", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([oldWww])
        expect(yield* write(fake, other)).toBe("made")
        expect(writes(fake)).toEqual(["change_ttl", "set_records"])
        expect(shown(fake)).toEqual(["www 300 A 192.0.2.2"])
      })
    )

    live("when the records are refused, the TTL is as before, and nothing is made", () =>
      Effect.gen(function* () {
        const refused = { code: "action_failed", message: "Action failed" }
        const fake = yield* fakeWith([{ ...oldWww, ttl: null }], { actionErrors: { set_rrset_records: refused } })
        const change = update("www 86400 A 192.0.2.1", "www 300 A 192.0.2.2")
        expect(yield* write(fake, change)).toBe("apply_rejected")
        expect(writes(fake)).toEqual(["change_ttl", "set_records", "change_ttl"])
        expect(shown(fake)).toEqual(["www null A 192.0.2.1"])
      })
    )

    live("when the TTL cannot be put back either, the outcome is unknown", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([oldWww])
        fake.injectFault(
          { method: "POST", where: () => writes(fake).length > 1 },
          { change: "not_made", answer: hetznerError(422, "invalid_input", "no") }
        )
        expect(yield* write(fake, other)).toMatch(/^OutcomeUnknown: only a part is written: 422/)
      })
    )

    for (const [what, answer] of [
      ["no answer", "cut"],
      ["an error of Hetzner", hetznerError(500, "server_error", "internal error")]
    ] as const)
      live(`when the records get ${what}, the change counts as not made, and is made again`, () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith([oldWww])
          fake.injectFault({ operation: setRecords }, { change: "not_made", answer })
          expect(yield* write(fake, other)).toMatch(/^OutcomeUnknown/)
          expect(shown(fake)).toEqual(["www 300 A 192.0.2.1"])
          fake.heal()
          expect(yield* write(fake, other)).toBe("made")
          expect(shown(fake)).toEqual(["www 300 A 192.0.2.2"])
        })
      )

    live("the TTL of a set alone takes one call", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([oldWww])
        expect(yield* write(fake, update("www 3600 A 192.0.2.1", "www 300 A 192.0.2.1"))).toBe("made")
        expect(writes(fake)).toEqual(["change_ttl"])
        expect(shown(fake)).toEqual(["www 300 A 192.0.2.1"])
      })
    )
  })

  describe(traps[2], () => {
    live("is no reason to give up: the change is sent again when the other action has ended", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([], { actionMillis: 2000 })
        fake.beforeCall({ method: "POST", nth: 1 }, () => fake.advance("2 seconds"))
        fake.beforeCall({ operation: askAction }, () => fake.advance("1 second"))
        const somebodyElse = yield* fakeWith([])
        expect(yield* write(somebodyElse, www)).toBe("made")
        fake.update((state) => ({
          ...state,
          actions: somebodyElse.state().actions.map((action) => ({
            ...action,
            id: 1,
            hasEnded: false,
            endsAt: action.endsAt + 2000
          }))
        }))
        expect(yield* write(fake, creation("mail 300 A 192.0.2.3"))).toBe("made")
        expect(writes(fake)).toEqual(["add_records", "add_records"])
        expect(shown(fake)).toEqual(["www 300 A 192.0.2.1", "mail 300 A 192.0.2.3"])
      })
    )

    for (const [code, status] of [
      ["conflict", 409],
      ["locked", 423]
    ] as const)
      effect(`ends as provider_unavailable, with nothing made, when it stays: ${code}`, () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith([])
          const answer = hetznerError(status, code, "another action is running")
          fake.injectFault({ method: "POST" }, { change: "not_made", answer })
          const client = clientFor(fake, { call: "1 hour", snapshot: "1 hour" })
          expect(yield* passTime(write(fake, www, client))).toBe("provider_unavailable")
          expect(writes(fake)).toHaveLength(7)
        })
      )
  })

  describe(traps[3], () => {
    live("so a token of the old API is refused with a hint, and never repeated", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([])
        const token = "c0ns0le".padEnd(32, "0")
        const failure = yield* Effect.flip(clientFor(fake).openZone({ ...zoneRequest, credential: tokenOf(token) }))
        expect(failure.code).toBe("credential_invalid")
        expect(failure.detail).toContain("former DNS Console")
        expect(failure.detail).not.toContain(token)
      })
    )

    live("and a wrong token of the new one without", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([])
        const credential = tokenOf("wrong".padEnd(64, "0"))
        const failure = yield* Effect.flip(clientFor(fake).openZone({ ...zoneRequest, credential }))
        expect([failure.code, failure.detail.includes("Console")]).toEqual(["credential_invalid", false])
      })
    )
  })
})

describeIfPossible("the errors of Hetzner", missingVendorData, () => {
  const meanings: ReadonlyArray<readonly [code: string, status: number, failure: string | RegExp]> = [
    ["unauthorized", 401, "credential_invalid"],
    ["forbidden", 403, "authorization_insufficient_scope"],
    ["token_readonly", 403, "authorization_insufficient_scope"],
    ["not_found", 404, /^ZoneChanged/],
    ["uniqueness_error", 409, /^ZoneChanged/],
    ["rate_limit_exceeded", 429, "provider_rate_limited"],
    ["invalid_input", 422, "apply_rejected"],
    ["resource_limit_exceeded", 403, "apply_rejected"],
    ["resource_locked", 423, "provider_zone_locked"],
    ["protected", 403, "provider_zone_locked"],
    ["incorrect_zone_mode", 422, "provider_zone_locked"],
    ["maintenance", 503, /^OutcomeUnknown/],
    ["server_error", 500, /^OutcomeUnknown/]
  ]
  for (const [code, status, failure] of meanings)
    live(`in a write: ${code}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([])
        const answer = hetznerError(status, code, "no")
        fake.injectFault({ method: "POST" }, { change: "not_made", answer })
        expect(yield* write(fake, www)).toMatch(failure)
        expect(shown(fake)).toEqual([])
      })
    )

  live("a read-only token reads, and cannot write", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      const request = { ...zoneRequest, credential: tokenOf("readonly".padEnd(64, "0")) }
      const opened = yield* clientFor(fake).openZone(request)
      const failure = yield* Effect.flip(firstWriteOf(yield* opened.read, [www]).send)
      expect(failure).toMatchObject({ code: "authorization_insufficient_scope" })
    })
  )

  live("a secondary zone is locked", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      fake.update((state) => ({
        ...state,
        zones: { [zoneName]: { id: 1, ttl: 3600, mode: "secondary", sets: setsOf(state) } }
      }))
      const failure = yield* Effect.flip(clientFor(fake).openZone(zoneRequest))
      expect(failure.code).toBe("provider_zone_locked")
    })
  )

  live("the rate limit is over as soon as one call is back, not when the whole hour's are", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      const answer = {
        ...hetznerError(429, "rate_limit_exceeded", "limit of 3600 requests per hour reached"),
        headers: { "ratelimit-remaining": "0", "ratelimit-reset": "1767229200" }
      }
      fake.injectFault({}, { change: "not_made", answer })
      const failure = yield* Effect.flip(clientFor(fake).openZone(zoneRequest))
      expect(failure.code).toBe("provider_rate_limited")
      expect(failure.retryAfter).toEqual(Duration.seconds(10))
    })
  )
})

describeIfPossible("a zone at Hetzner", missingVendorData, () => {
  live("of 10,000 records is read within the limit of an hour, in pages of 100 sets", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 10_000 }, (_, index) => setOf(`host${index}`, "A", 300, "192.0.2.1"))
      const fake = yield* fakeWith(many)
      const opened = yield* clientFor(fake, { call: "30 seconds", snapshot: "60 seconds" }).openZone(zoneRequest)
      const { zone } = yield* opened.read
      expect(zone.records.filter(({ type }) => type === "A")).toHaveLength(10_000)
      expect(fake.calls().length).toBe(102)
      const before = fake.calls().length
      yield* write(fake, www)
      // Another read of the whole zone, and one list for the name that changes, instead of a hundred.
      expect(fake.calls().length - before).toBe(1 + 101 + 1 + 1 + 1)
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

  for (const [what, sets, change] of [
    ["that is protected", [{ ...oldWww, isProtected: true }], update("www 3600 A 192.0.2.1", "www 300 A 192.0.2.2")],
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
