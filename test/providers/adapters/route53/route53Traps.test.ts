import { expect } from "bun:test"
import { Effect } from "effect"
import { awsError } from "../../../support/vendors/awsSignature.ts"
import type { VendorFault } from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { creation, creations, deletion, update } from "../../writing/scriptedChanges.ts"
import { failureOf, silenceTimeouts } from "../AdapterUnderTest.ts"
import { type DescribedFake, hostLines, startFake, storedAt, underTest, zone, writesTo } from "../DescribedAdapter.ts"
import { applyPlanFor } from "../planFor.ts"
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { expectLocked, testAtFake, testTraps } from "../vendorTests.ts"
import { answerZone, answerZones, route53, type Route53Data, showZone, throttled, zoneIdOf } from "./route53.ts"

/** The changes of each batch. */
const changesIn = (fake: DescribedFake<Route53Data>): ReadonlyArray<ReadonlyArray<any>> =>
  writesTo(fake).map(({ body }: any) => body.ChangeResourceRecordSetsRequest.ChangeBatch.Changes)

/** Applies a plan of which the first calls that write fail so, and expects that all calls that write are so many. */
const applyDespite = (count: number, ...faults: ReadonlyArray<VendorFault>) =>
  Effect.gen(function* () {
    const { fake, lines, writes } = yield* startFake(route53)
    for (const [index, fault] of faults.entries()) fake.injectFault({ method: "POST", nth: index + 1 }, fault)
    yield* applyPlanFor(underTest(route53, fake, { timeouts: silenceTimeouts }), ["www 300 A 192.0.2.1"])
    expect([lines(), writes().length]).toEqual([["www 300 A 192.0.2.1"], count])
    return fake.calls().at(-1)?.method
  })

const weighted = (value: string, SetIdentifier: string) => ({ value, settings: { SetIdentifier, Weight: "50" } })

testTraps(route53, {
  "\\052 and octal names": Effect.fnUntraced(function* () {
    const odd = storedAt("a space and*", "TXT", { value: '"\\303\\244\\134101"' })
    const wildcard = storedAt("*", "A", { value: "192.0.2.1" })
    const { apply, fake, lines, read, write } = yield* startFake(route53, [odd, wildcard])
    const found = (yield* read).filter(({ host }) => host !== "@")
    expect(found).toMatchObject([
      { host: "*", value: "192.0.2.1" },
      { host: "a\\032space\\032and*", value: "ä\\101" }
    ])
    const desired = ["* 300 A 192.0.2.2", "* 300 TXT ä", "_x 300 TXT under_score"]
    expect(yield* apply(...desired)).toEqual([])
    expect(JSON.stringify(changesIn(fake))).toContain(String.raw`\\303\\244`)
    const stored = ["* 300 A 192.0.2.2", '* 300 TXT "\\195\\164"', '_x 300 TXT "under_score"']
    expect(lines().toSorted()).toEqual([...stored, 'a space and* 3600 TXT "\\195\\164\\092101"'])
    // A restore brings names back that no intent can have.
    const name = "new\\032space\\233*"
    yield* write(creation(`${name} 3600 TXT hello`))
    expect(lines()).toContain('new space\xe9* 3600 TXT "hello"')
    expect(yield* read).toContainEqual(expect.objectContaining({ host: name, value: "hello" }))
  }),

  "weighted, latency, geo sets share a name and type": () =>
    expectLocked(route53, [weighted("192.0.2.1", "blue"), weighted("192.0.2.2", "green")]),

  "alias sets have no TTL and no values": () => {
    const value = "d111111abcdef8.cloudfront.net."
    const AliasTarget = { HostedZoneId: "Z2FDTNDATAQYW2", DNSName: value, EvaluateTargetHealth: "false" }
    return expectLocked(route53, [{ value, settings: { AliasTarget } }], { value, ttl: 60 })
  },

  "Throttling and PriorRequestNotComplete are 400": () => {
    const [first, second] = [throttled, awsError(400, "PriorRequestNotComplete")]
    return applyDespite(3, { change: "not_made", answer: first }, { change: "not_made", answer: second })
  },

  'an SDK that retries a lost CREATE reports "already exists" for its own write': () =>
    Effect.map(applyDespite(1, { change: "made", answer: "silence" }), (last) => expect(last).toBe("GET")),

  // Developer guide, "Frequency of Amazon Route 53 API Requests" in DNSLimitations.html; "Throttling for Amazon Route 53 API requests" allows ten now.
  "429-free: 5 requests a second": Effect.fnUntraced(function* () {
    const rateLimit = { countAs: () => ({ kind: "call", rates: { 5: 1000 } }), refuse: () => throttled }
    const limited = { ...route53, vendor: { ...route53.vendor, rateLimit } }
    const { calls, elapsed, records } = yield* readInVirtualTime(limited, hostLines(9_998))
    expect([records.length, calls]).toEqual([9_998 + 4, 34])
    expect(elapsed).toBeLessThan(30_000)
  })
})

/** Answers so to the calls whose paths have this end. */
const answerAt = (fake: DescribedFake<Route53Data>, end: string, answer: VendorAnswer) =>
  fake.injectFault({ where: ({ path }) => path.endsWith(end) }, { change: "not_made", answer })

const others = [showZone(zone, { id: "ZPRIVATE", PrivateZone: true }), showZone(zone, { id: "ZOTHER" })]

/** Lists these zones in place of the one of the fake; `ZOTHER` has other name servers. */
const listZones = (fake: DescribedFake<Route53Data>, zones: ReadonlyArray<object>) => {
  answerAt(fake, "byname", answerZones(zones))
  answerAt(fake, "/ZOTHER", answerZone(showZone(zone, { id: "ZOTHER" }), ["ns-1.awsdns-01.org"]))
}

testAtFake(route53, {
  "the public zone of the delegation is written, unless another service keeps it": Effect.fnUntraced(function* () {
    const { fake, open, write, writes } = yield* startFake(route53)
    listZones(fake, [...others, showZone(zone), showZone(`www.${zone}`)])
    yield* write(creation("www 3600 A 192.0.2.1"))
    expect(writes()).toMatchObject([{ path: `/2013-04-01/hostedzone/${zoneIdOf(zone)}/rrset/` }])
    fake.heal()
    listZones(fake, others)
    expect(yield* failureOf(open())).toBe("authorization_zone_mismatch")
    // Another service keeps it.
    fake.heal()
    const LinkedService = { ServicePrincipal: "servicediscovery.amazonaws.com" }
    answerAt(fake, zoneIdOf(zone), answerZone(showZone(zone, { LinkedService })))
    expect(yield* failureOf(open())).toBe("provider_zone_locked")
  }),

  "a plan is one batch of deletions and creations only, also for another type": Effect.fnUntraced(function* () {
    const { fake, write } = yield* startFake(route53, "www 60 A 192.0.2.1\ngone 60 A 192.0.2.1\nmore 60 A 192.0.2.1")
    const retyped = update("www 60 A 192.0.2.1", "www 60 CNAME web.hostprov.net")
    const created = [creation("more 60 A 192.0.2.2"), creation("new 60 A 192.0.2.2")]
    yield* write(deletion("gone 60 A 192.0.2.1"), retyped, ...created)
    const steps = changesIn(fake).map((changes) =>
      changes.map(({ Action, ResourceRecordSet: { Name } }: any) => `${Action} ${Name.split(".")[0]}`).toSorted()
    )
    expect(steps).toEqual([["CREATE more", "CREATE new", "CREATE www", "DELETE gone", "DELETE more", "DELETE www"]])
  }),

  "a plan is as many batches as the limits of records and characters need": Effect.fnUntraced(function* () {
    const { fake, lines, write } = yield* startFake(route53)
    yield* write(...creations(1001, "h", "3600 A 192.0.2.1"))
    yield* write(...creations(9, "t", `3600 TXT ${"x".repeat(3900)}`))
    expect(changesIn(fake).map(({ length }) => length)).toEqual([1000, 1, 8, 1])
    expect(lines()).toHaveLength(1001 + 9)
  }),

  "a guard before a write reads the sets from the touched name on, and no other": Effect.fnUntraced(function* () {
    const { fake, lines, write } = yield* startFake(route53, `${hostLines(400)}\n* 3600 A 192.0.2.3`)
    yield* write(creation("* 3600 A 192.0.2.2"))
    const queries = fake.calls().map(({ method, query }) => `${method} ${new URLSearchParams(query).get("name")}`)
    // To open it, two calls; to read it, two pages.
    const pages = ["GET null", expect.stringMatching(/^GET host/)]
    expect(queries).toEqual(["GET null", "GET null", ...pages, `GET *.${zone}`, "POST null"])
    expect(lines().filter((line) => line.startsWith("*"))).toHaveLength(2)
  })
})
