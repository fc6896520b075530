import { expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { detectProvider } from "../../../../src/providers/catalog/Detection.ts"
import { apply, applyFailureOf, journalOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { makeDescribedVendor } from "../../../support/vendors/DescribedVendor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  apiToken,
  applyDesired,
  callFake,
  type DescribedFake,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordsIn,
  underTest,
  zone
} from "../DescribedAdapter.ts"
import { applyPlanFor, planFor } from "../planFor.ts"
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { testRefusedBodies, testTraps } from "../vendorTests.ts"
import { idOf, netlify, type NetlifyData, netlifyVendorWith, siteRecord, validToken } from "./netlify.ts"

const www = "www 300 A 192.0.2.1"
const moved = ["www 300 A 192.0.2.2"]
const path = `/dns_zones/${idOf(zone)}/dns_records`
const headers = { authorization: `Bearer ${validToken}` }

/** What the fake has, one line for each record. */
const valuesIn = (fake: DescribedFake<NetlifyData>) => recordsIn(fake).map(({ data, type }) => `${type} ${data.value}`)

const planAt = (fake: DescribedFake<NetlifyData>, desired: ReadonlyArray<string>) =>
  planFor(underTest(netlify, fake), desired)

/** Tests by the words of `vendor-facts.json`. */
testTraps(netlify, {
  "delete done, create refused: the old record is gone": () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(netlify, www)
        const answer = { status: 422, body: { code: 422, message: "Value is invalid" } }
        fake.injectFault({ method: "POST", nth: 1 }, { change: "not_made", answer })
        expect(yield* applyFailureOf(yield* planAt(fake, moved))).toEqual({ code: "apply_rejected", hasWrites: true })
        expect(valuesIn(fake)).toEqual(["A 192.0.2.1"])
      })
    ),

  "name servers are NS1's": Effect.fnUntraced(function* () {
    const detected = detectProvider([...netlify.nameServers]).provider
    expect(detected).toMatchObject({ id: "unknown", implementation: "manual" })
    const fake = yield* makeFakeOf(netlify)
    const nameServers = netlify.nameServers.map((name) => name.replace("p09", "p01"))
    expect(yield* failureOf(openAt(netlify, fake, { nameServers }))).toBe("authorization_zone_mismatch")
  }),

  "records of type NETLIFY are managed": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(netlify, [siteRecord(zone), siteRecord(zone, "NETLIFYv6")])
    const site = { host: "@", value: "my-site.netlify.app", ttl: 3600, web: true, locked: "fixed" } as const
    expect(yield* readAt(netlify, fake)).toEqual(["NETLIFY", "NETLIFYv6"].map((type) => ({ ...site, type })))
  })
})

describeIfPossible("at Netlify", missingVendorData, () => {
  live("a process that ends between the removal and the creation is resumed", () =>
    withPlanApplierOnRealClock(
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(netlify, www)
        fake.injectFault({ method: "POST" }, { change: "not_made", answer: "silence" })
        const request = yield* planAt(fake, moved)
        const process = yield* Effect.fork(apply(request))
        yield* Effect.repeat(Effect.sleep("5 millis"), {
          until: () => fake.calls().some(({ method }) => method === "POST")
        })
        yield* Fiber.interrupt(process)
        expect(valuesIn(fake)).toEqual([])
        expect(yield* journalOf()).toEqual([`confirmed | delete! | ${www}`, `sent | create | ${moved[0]}`])

        fake.heal()
        yield* apply(request)
        expect(valuesIn(fake)).toEqual(["A 192.0.2.2"])
      })
    )
  )

  live("an API key of NS1 is not sent to Netlify", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(netlify)
      // The key of the examples of ns1/nsone-php.
      const failure = yield* Effect.flip(openAt(netlify, fake, { credential: apiToken("qACMD09OJXBxT7XOuRs8") }))
      expect([failure.code, failure.detail]).toEqual(["credential_invalid", expect.stringContaining("NS1")])
      expect(failure.detail).not.toContain("qACMD09OJXBxT7XOuRs8")
      expect(fake.calls()).toEqual([])
    })
  )

  live("records of a site stay beside what does not concern the web, and are not removed for another website", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(netlify, [siteRecord(zone)])
      const failure = yield* withPlanApplierOnRealClock(
        Effect.flatMap(planAt(fake, ["@ 300 A 192.0.2.1", www]), applyFailureOf)
      )
      expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
      expect(valuesIn(fake)).toEqual(["NETLIFY my-site.netlify.app"])
      yield* applyPlanFor(underTest(netlify, fake), ["@ 300 TXT hello", www])
      expect(valuesIn(fake)).toEqual(["NETLIFY my-site.netlify.app", "A 192.0.2.1", "TXT hello"])
      const removal = `${path}/${recordsIn(fake)[0]?.id}`
      expect((yield* callFake(fake, "DELETE", removal, { headers })).status).toBe(422)
    })
  )

  for (const [where, supportedTypes, outcome, stored] of [
    ["is stored where the zone names it", ["A", "SRV"], { right: [] }, 2],
    ["is stored where the zone names none", [], { right: [] }, 2],
    ["is refused before any write where the zone names others", ["A"], { left: { code: "record_type_unsupported" } }, 0]
  ] as const)
    live(`a type of records ${where}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf({ vendor: netlifyVendorWith({ supportedTypes }) })
        const desired = [www, "_sip._tcp 300 SRV 1 2 3 sip.example.net"]
        expect(yield* Effect.either(applyDesired(netlify, fake, desired))).toMatchObject(outcome)
        expect(recordsIn(fake)).toHaveLength(stored)
      })
    )

  live("an alias at the apex is an ALIAS, and gives way to an address", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(netlify, '@ 300 TXT "hello"')
      expect(yield* applyDesired(netlify, fake, ["@ 300 CNAME web.hostprov.net"])).toEqual([])
      expect(valuesIn(fake)).toEqual(["TXT hello", "ALIAS web.hostprov.net"])
      expect(yield* applyDesired(netlify, fake, ["@ 300 A 192.0.2.20"])).toEqual([])
      expect(valuesIn(fake)).toEqual(["TXT hello", "A 192.0.2.20"])
    })
  )

  live("the pages of both lists are followed, where there are any", () =>
    Effect.gen(function* () {
      const zones = { "example.org": "", "example.net": "", [zone]: hostLines(7) }
      const fake = yield* makeDescribedVendor(netlifyVendorWith({ pageLength: 2 }), zones)
      expect(yield* readAt(netlify, fake)).toHaveLength(7)
      expect(fake.calls().map(({ path, query }) => `${path.split("/").at(-1)} ${query}`)).toEqual([
        ...["", "page=2", ""].map((query) => `dns_zones ${query}`),
        ...["", "page=2", "page=3", "page=4", "", "page=2", "page=3"].map((query) => `dns_records ${query}`)
      ])
    })
  )

  live("10,000 records are read in pages of 100 at no more than 500 calls a minute", () =>
    Effect.gen(function* () {
      const { calls, records, shortestPause } = yield* readInVirtualTime(netlify, hostLines(10_000))
      expect([records.length, calls]).toEqual([10_000, 199])
      expect(shortestPause).toBeGreaterThanOrEqual(60_000 / 500)
    })
  )

  // What DNSControl's suite has stored: providers/netlify/testdata/netlify.json.
  live("an SRV without a target and a long text are stored as they are, and a record twice", () =>
    Effect.gen(function* () {
      const [fake, text] = [yield* makeFakeOf(netlify), "k".repeat(766)]
      expect(yield* applyDesired(netlify, fake, ["_sip._tcp 300 SRV 15 65 75 .", `@ 300 TXT ${text}`])).toEqual([])
      const body = { type: "TXT", hostname: zone, value: text }
      expect(yield* callFake(fake, "POST", path, { body, headers })).toMatchObject({ status: 201, body })
      expect(valuesIn(fake).toSorted()).toEqual(["SRV .", `TXT ${text}`, `TXT ${text}`])
    })
  )
})

const creation = { path, headers, status: 422, records: [siteRecord(`site.${zone}`)] }

testRefusedBodies(netlify, creation, {
  "a null MX": { type: "MX", hostname: zone, value: ".", priority: 0 },
  "an empty text": { type: "TXT", hostname: zone, value: "" },
  "an address where a site at Netlify is": { type: "A", hostname: `site.${zone}`, value: "192.0.2.1" },
  "a record of its own type": { type: "NETLIFY", hostname: zone, value: "my-site.netlify.app" },
  "a type that it does not have": { type: "TLSA", hostname: zone, value: "3 1 1 00" },
  "an alias beside other records": { type: "CNAME", hostname: `site.${zone}`, value: "b.example.net" },
  "a name outside the zone": { type: "A", hostname: "www.example.net", value: "192.0.2.1" },
  "an address that is none": { type: "A", hostname: `www.${zone}`, value: "example.net" }
})
