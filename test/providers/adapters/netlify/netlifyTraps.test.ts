import { describe, expect, test } from "bun:test"
import { Effect, Fiber } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { detectProvider } from "../../../../src/providers/catalog/Detection.ts"
import { apply, applyFailureOf, journalOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { VendorFault } from "../../../support/vendors/FakeVendor.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, openZone } from "../AdapterUnderTest.ts"
import { makeFakeNetlify, netlifyNameServers, netlifyState } from "./FakeNetlify.ts"
import { requestAt, valuesOf } from "./netlifyPlans.ts"
import { siteRecord } from "./netlifyRecords.ts"
import { netlifyCredential, netlifyUnderTest, recordsOf, zone } from "./netlifyUnderTest.ts"

const www = { hostname: `www.${zone}`, type: "A", value: "192.0.2.1", ttl: 300 }

const update = ["www 300 A 192.0.2.2"]
const creation = { method: "POST", nth: 1 }
const refusedCreation: VendorFault = {
  change: "not_made",
  answer: { status: 422, body: { code: 422, message: "Value is invalid" } }
}

/** The tests of each trap, by its words in `vendor-facts.json`. */
const traps: Readonly<Record<string, () => void>> = {
  "delete done, create refused: the old record is gone": () => {
    live("a refused creation brings the old record back, and the failure is that of the creation", () =>
      withPlanApplierOnRealClock(
        Effect.gen(function* () {
          const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [www] }))
          fake.injectFault(creation, refusedCreation)
          const failure = yield* applyFailureOf(yield* requestAt(fake, update))
          expect(failure).toEqual({ code: "apply_rejected", hasWrites: true })
          expect(recordsOf(fake.state())).toMatchObject([www])
        })
      )
    )

    live("a process that ends between the two calls is resumed", () =>
      withPlanApplierOnRealClock(
        Effect.gen(function* () {
          const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [www] }))
          fake.injectFault({ method: "POST" }, { change: "not_made", answer: "silence" })
          const request = yield* requestAt(fake, update)
          const process = yield* Effect.fork(apply(request))
          yield* Effect.repeat(Effect.sleep("5 millis"), {
            until: () => fake.calls().some(({ method }) => method === "POST")
          })
          yield* Fiber.interrupt(process)
          expect(valuesOf(fake)).toEqual([])
          expect(yield* journalOf()).toEqual([
            "confirmed | delete! | www 300 A 192.0.2.1",
            "sent | create | www 300 A 192.0.2.2"
          ])

          fake.heal()
          yield* apply(request)
          expect(valuesOf(fake)).toEqual(["A 192.0.2.2"])
        })
      )
    )
  },

  "name servers are NS1's": () => {
    test("detection by nsone.net alone never says Netlify", () => {
      expect(detectProvider(netlifyNameServers).provider).toMatchObject({ id: "unknown", implementation: "manual" })
    })

    live("a zone that the token does not see, or that has another set of NS1's name servers, is not opened", () =>
      Effect.gen(function* () {
        const adapter = netlifyUnderTest(yield* makeFakeNetlify(netlifyState({ [zone]: [] })))
        const other = DomainName.make("example.net")
        expect(yield* failureOf(openZone(adapter, { domain: other, zone: other }))).toBe("authorization_zone_mismatch")
        const nameServers = [1, 2, 3, 4].map((number) => `dns${number}.p01.nsone.net`)
        expect(yield* failureOf(openZone(adapter, { nameServers }))).toBe("authorization_zone_mismatch")
      })
    )

    live("an API key of NS1 is not sent to Netlify", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [] }))
        // The key of the examples of ns1/nsone-php.
        const credential = netlifyCredential("qACMD09OJXBxT7XOuRs8")
        const failure = yield* Effect.flip(openZone(netlifyUnderTest(fake), { credential }))
        expect(failure).toMatchObject({ code: "credential_invalid" })
        expect(failure.detail).toContain("NS1")
        expect(failure.detail).not.toContain("qACMD09OJXBxT7XOuRs8")
        expect(fake.calls()).toEqual([])
      })
    )
  },

  "records of type NETLIFY are managed": () => {
    live("they count as the web of their host", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [siteRecord(zone), siteRecord(zone, "NETLIFYv6")] }))
        const opened = yield* openZone(netlifyUnderTest(fake), {})
        expect((yield* opened.read).zone.records).toEqual(
          ["NETLIFY", "NETLIFYv6"].map((type) => ({
            host: "@",
            type,
            value: "my-site.netlify.app",
            ttl: 3600,
            web: true,
            locked: "fixed"
          }))
        )
      })
    )

    live("they stay beside what does not concern the web", () =>
      withPlanApplierOnRealClock(
        Effect.gen(function* () {
          const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [siteRecord(zone)] }))
          yield* apply(yield* requestAt(fake, ["@ 300 TXT hello", "www 300 A 192.0.2.1"]))
          expect(valuesOf(fake)).toEqual(["NETLIFY my-site.netlify.app", "A 192.0.2.1", "TXT hello"])
        })
      )
    )

    live("they are not removed for another website: nothing is written", () =>
      withPlanApplierOnRealClock(
        Effect.gen(function* () {
          const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [siteRecord(zone)] }))
          const failure = yield* applyFailureOf(yield* requestAt(fake, ["@ 300 A 192.0.2.1", "www 300 A 192.0.2.1"]))
          expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
          expect(valuesOf(fake)).toEqual(["NETLIFY my-site.netlify.app"])
        })
      )
    )
  }
}

const facts =
  missingVendorData === undefined
    ? (await Bun.file(`${vendorData}vendor-facts.json`).json()).vendors.find(({ id }: any) => id === "netlify")
    : { traps: [] }

describe("the types that a zone at Netlify stores", () => {
  live("are read from the zone, and a type that is not in it is refused before the first write", () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const types = ["A", "AAAA", "CNAME", "MX", "NS", "TXT"]
        const fake = yield* makeFakeNetlify({ ...netlifyState({ [zone]: [] }), types })
        const desired = ["www 300 A 192.0.2.1", "_sip._tcp 300 SRV 1 2 3 sip.example.net"]
        const failure = yield* applyFailureOf(yield* requestAt(fake, desired))
        expect(failure).toEqual({ code: "record_type_unsupported", hasWrites: false })
        expect(valuesOf(fake)).toEqual([])
      })
    )
  )

  live("are all that Netlify creates where a zone names none", () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const fake = yield* makeFakeNetlify({ ...netlifyState({ [zone]: [] }), types: [] })
        yield* apply(yield* requestAt(fake, ["_sip._tcp 300 SRV 1 2 3 sip.example.net"]))
        expect(valuesOf(fake)).toEqual(["SRV sip.example.net"])
      })
    )
  )
})

describeIfPossible("the traps of Netlify", missingVendorData, () => {
  test("are those that are tested here", () => {
    expect(Object.keys(traps)).toEqual(facts.traps.map(({ trap }: any) => trap))
  })

  for (const [trap, tests] of Object.entries(traps)) describe(trap, tests)
})
