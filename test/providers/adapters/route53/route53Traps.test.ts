import { expect } from "bun:test"
import { Effect } from "effect"
import { awsError } from "../../../support/vendors/awsSignature.ts"
import { failureOf, silenceTimeouts } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  createChange,
  deleteChange,
  type DescribedFake,
  hostLines,
  linesIn,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  storedAt,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { applyPlanFor } from "../planFor.ts"
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { expectLocked, testAtFake, testTraps } from "../vendorTests.ts"
import { answer, route53, type Route53Data, showZone, throttled, zoneIdOf } from "./route53.ts"

/** The changes of each batch. */
const changesIn = (fake: DescribedFake<Route53Data>): ReadonlyArray<ReadonlyArray<any>> =>
  writesTo(fake).map(({ body }: any) => body.ChangeResourceRecordSetsRequest.ChangeBatch.Changes)

const applyAddress = (fake: DescribedFake<Route53Data>) =>
  applyPlanFor(underTest(route53, fake, { timeouts: silenceTimeouts }), ["www 300 A 192.0.2.1"])

const weighted = (value: string, SetIdentifier: string) => ({ value, settings: { SetIdentifier, Weight: "50" } })

testTraps(route53, {
  "\\052 and octal names": Effect.fnUntraced(function* () {
    const odd = storedAt("a space and*", "TXT", { value: '"\\303\\244\\134101"' })
    const fake = yield* makeFakeOf(route53, [odd, storedAt("*", "A", { value: "192.0.2.1" })])
    const read = (yield* readAt(route53, fake)).filter(({ host }) => host !== "@")
    expect(read).toMatchObject([
      { host: "*", value: "192.0.2.1" },
      { host: "a\\032space\\032and*", value: "ä\\101" }
    ])
    const desired = ["* 300 A 192.0.2.2", "* 300 TXT ä", "_x 300 TXT under_score"]
    expect(yield* applyDesired(route53, fake, desired)).toEqual([])
    expect(JSON.stringify(changesIn(fake))).toContain(String.raw`\\303\\244`)
    const stored = ["* 300 A 192.0.2.2", '* 300 TXT "\\195\\164"', '_x 300 TXT "under_score"']
    expect(linesIn(route53, fake).toSorted()).toEqual([...stored, 'a space and* 3600 TXT "\\195\\164\\092101"'])
    // A restore brings names back that no intent can have.
    const spaced = recordAt("new\\032space\\233*", "TXT", "hello")
    yield* writeAt(route53, fake, createChange(spaced))
    expect(linesIn(route53, fake)).toContain('new space\xe9* 3600 TXT "hello"')
    expect(yield* readAt(route53, fake)).toContainEqual(expect.objectContaining({ host: spaced.host, value: "hello" }))
  }),

  "weighted, latency, geo sets share a name and type": () =>
    expectLocked(route53, [weighted("192.0.2.1", "blue"), weighted("192.0.2.2", "green")]),

  "alias sets have no TTL and no values": () => {
    const value = "d111111abcdef8.cloudfront.net."
    const AliasTarget = { HostedZoneId: "Z2FDTNDATAQYW2", DNSName: value, EvaluateTargetHealth: "false" }
    return expectLocked(route53, [{ value, settings: { AliasTarget } }], { value, ttl: 60 })
  },

  "Throttling and PriorRequestNotComplete are 400": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(route53)
    for (const [index, answer] of [throttled, awsError(400, "PriorRequestNotComplete")].entries())
      fake.injectFault({ method: "POST", nth: index + 1 }, { change: "not_made", answer })
    yield* applyAddress(fake)
    expect([linesIn(route53, fake), writesTo(fake).length]).toEqual([["www 300 A 192.0.2.1"], 3])
  }),

  'an SDK that retries a lost CREATE reports "already exists" for its own write': Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(route53)
    fake.injectFault({ method: "POST", nth: 1 }, { change: "made", answer: "silence" })
    yield* applyAddress(fake)
    expect([linesIn(route53, fake), writesTo(fake).length]).toEqual([["www 300 A 192.0.2.1"], 1])
    expect(fake.calls().at(-1)?.method).toBe("GET")
  }),

  // Developer guide, "Frequency of Amazon Route 53 API Requests" in DNSLimitations.html; "Throttling for Amazon Route 53 API requests" allows ten now.
  "429-free: 5 requests a second": Effect.fnUntraced(function* () {
    const rateLimit = { countAs: () => ({ kind: "call", rates: { 5: 1000 } }), refuse: () => throttled }
    const limited = { ...route53, vendor: { ...route53.vendor, rateLimit } }
    const { calls, elapsed, records } = yield* readInVirtualTime(limited, hostLines(9_998))
    expect([records.length, calls]).toEqual([9_998 + 4, 34])
    expect(elapsed).toBeLessThan(30_000)
  })
})

const others = [showZone(zone, { id: "ZPRIVATE", PrivateZone: true }), showZone(zone, { id: "ZOTHER" })]

/** Answers with these zones in place of the one of the fake, of which `ZOTHER` has other name servers. */
const listZones = (fake: DescribedFake<Route53Data>, HostedZones: ReadonlyArray<object>) => {
  const other = { HostedZone: others[1], DelegationSet: { NameServers: ["ns-1.awsdns-01.org"] } }
  const answers = {
    "/hostedzonesbyname": answer("ListHostedZonesByNameResponse", { HostedZones, IsTruncated: false, MaxItems: 9 }),
    "/ZOTHER": answer("GetHostedZoneResponse", other)
  }
  for (const [end, answer] of Object.entries(answers))
    fake.injectFault({ where: ({ path }) => path.endsWith(end) }, { change: "not_made", answer })
}

const creations = (count: number, host: string, type: string, value: string) =>
  Array.from({ length: count }, (_, index) => createChange(recordAt(`${host}${index}`, type, value)))

testAtFake(route53, {
  "of several zones of one name, the public one with the delegated name servers is written": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(route53)
      listZones(fake, [...others, showZone(zone), showZone(`www.${zone}`)])
      yield* writeAt(route53, fake, createChange(address(1)))
      expect(writesTo(fake)).toMatchObject([{ path: `/2013-04-01/hostedzone/${zoneIdOf(zone)}/rrset/` }])
      fake.heal()
      listZones(fake, others)
      expect(yield* failureOf(openAt(route53, fake))).toBe("authorization_zone_mismatch")
    }
  ),

  "a zone of another service is locked": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(route53)
    const HostedZone = showZone(zone, { LinkedService: { ServicePrincipal: "servicediscovery.amazonaws.com" } })
    const shown = answer("GetHostedZoneResponse", { HostedZone, DelegationSet: { NameServers: route53.nameServers } })
    fake.injectFault({ operation: "GET /2013-04-01/hostedzone/{Id}" }, { change: "not_made", answer: shown })
    expect(yield* failureOf(openAt(route53, fake))).toBe("provider_zone_locked")
  }),

  "a set with a setting besides its TTL and values is locked": () => {
    const value = "192.0.2.1"
    return expectLocked(route53, [{ value, settings: { HealthCheckId: "abcdef11-2222-3333" } }], { value })
  },

  "a plan is one batch of deletions and creations only, also for another type": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(route53, "www 3600 A 192.0.2.1\ngone 3600 A 192.0.2.1\nmore 3600 A 192.0.2.1")
    yield* writeAt(
      route53,
      fake,
      deleteChange(recordAt("gone", "A", "192.0.2.1")),
      updateChange(address(1), recordAt("www", "CNAME", "web.hostprov.net")),
      createChange(recordAt("more", "A", "192.0.2.2")),
      createChange(recordAt("new", "A", "192.0.2.2"))
    )
    const steps = changesIn(fake).map((changes) =>
      changes.map(({ Action, ResourceRecordSet: { Name } }: any) => `${Action} ${Name.split(".")[0]}`).toSorted()
    )
    expect(steps).toEqual([["CREATE more", "CREATE new", "CREATE www", "DELETE gone", "DELETE more", "DELETE www"]])
  }),

  "a plan is as many batches as the limits of records and characters need": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(route53)
    yield* writeAt(route53, fake, ...creations(1001, "h", "A", "192.0.2.1"))
    yield* writeAt(route53, fake, ...creations(9, "t", "TXT", "x".repeat(3900)))
    const sizes = changesIn(fake).map((changes) => changes.length)
    expect([sizes, linesIn(route53, fake).length]).toEqual([[1000, 1, 8, 1], 1001 + 9])
  }),

  "a guard before a write asks for the sets from the touched name on, and reads no other name": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(route53, `${hostLines(400)}\n* 3600 A 192.0.2.3`)
      yield* writeAt(route53, fake, createChange(recordAt("*", "A", "192.0.2.2")))
      const queries = fake.calls().map(({ method, query }) => `${method} ${new URLSearchParams(query).get("name")}`)
      // To open it, two calls; to read it, two pages.
      const pages = ["GET null", expect.stringMatching(/^GET host/)]
      expect(queries).toEqual(["GET null", "GET null", ...pages, `GET *.${zone}`, "POST null"])
      expect(linesIn(route53, fake).filter((line) => line.startsWith("*"))).toHaveLength(2)
    }
  )
})
