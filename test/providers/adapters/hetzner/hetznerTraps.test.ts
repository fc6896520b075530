import { describe, expect, test } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { effect, live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { creation, update } from "../../writing/scriptedChanges.ts"
import { patientTimeouts } from "../AdapterUnderTest.ts"
import { hetznerError } from "./FakeHetzner.ts"
import type { HetznerState } from "./hetznerState.ts"
import { clientFor, fakeWith, setOf, shown, tokenOf, write, zoneRequest } from "./hetznerUnderTest.ts"

const traps = [
  "201 means accepted: the action is running and can end in error",
  "set_records does not take a TTL and change_ttl does not take records: one change can be two calls",
  "409 conflict while another action runs on the zone",
  "zones of the old console API moved here in 2026"
] as const

const addRecords = "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/add_records"
const setRecords = "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/set_records"
const askAction = "GET /zones/actions/{id}"

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

    live("so an action that fails leaves the change not made, and its reason is reported", () =>
      Effect.gen(function* () {
        const failed = { code: "action_failed", message: "Action failed" }
        const fake = yield* fakeWith([], { actionErrors: { add_rrset_records: failed } })
        expect(yield* write(fake, www)).toBe("apply_rejected")
        expect(shown(fake)).toEqual([])
      })
    )

    live("so an action that fails without a reason leaves the change not made too", () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([], { actionErrors: { add_rrset_records: "no reason" } })
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
          const client = clientFor(fake, patientTimeouts)
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
