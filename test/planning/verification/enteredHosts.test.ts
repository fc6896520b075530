import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { isSpf } from "../../../src/domain/records/SpfRecord.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"
import { findSingletonTxtKind } from "../../../src/domain/records/txt.ts"
import { emptyPlanContext, type PlanContext } from "../../../src/planning/PlanContext.ts"
import type { PlanResult } from "../../../src/planning/buildPlan.ts"
import { compareZone } from "../../../src/planning/verification/compareZone.ts"
import { listEnterableHosts, listEnteredHosts } from "../../../src/planning/verification/enteredHosts.ts"
import { computeAtOnce } from "../../../src/runtime/LongComputation.ts"
import { addValidRecords, planInputArbitrary } from "../arbitraries.ts"
import { declareProperties } from "../declareProperties.ts"
import { applyChanges, desiredRecords, exampleCom, isSameRecord, zoneOf } from "../../support/planFixtures.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { planZone, type ZonePlanInput } from "../../support/planZone.ts"

const answeredBy = ["ns1.example.net"]

const intentOf = (...lines: ReadonlyArray<string>) =>
  EffectiveIntent.make({ domain: exampleCom, records: desiredRecords(...lines) })

const publicZone = (...lines: ReadonlyArray<string>): Zone => ({ ...zoneOf(...lines), basis: "public_dns" })

/** Declares the test of the hosts that entering these records in a zone proves. */
const enterable = (name: string, desired: ReadonlyArray<string>, zone: Zone, expected: ReadonlyArray<string>) =>
  test(name, () => expect(listEnterableHosts(intentOf(...desired), { zone, answeredBy })).toEqual([...expected]))

describe("the hosts that entering records proves", () => {
  enterable(
    "are those where nothing is answered yet",
    ["shop 300 CNAME a.example.net", "a.b 300 A 192.0.2.1"],
    publicZone(),
    ["shop", "a.b"]
  )

  const beside = publicZone("@ 300 A 192.0.2.1", "@ 300 TXT hello", "mail 300 MX 10 mail.example.com")
  enterable("may answer other types", ["@ 300 MX 10 a.example.net", "mail 300 A 192.0.2.9"], beside, ["@", "mail"])

  for (const [reason, line, zone] of [
    ["answer another value of the type", "www 300 A 192.0.2.2", publicZone("www 300 A 192.0.2.1")],
    ["are an alias", "www 300 TXT token", publicZone("www 300 CNAME a.example.net")],
    ["answer anything in the place of an alias", "www 300 CNAME a.example.net", publicZone("www 300 TXT hello")],
    ["are answered by a wildcard", "a.www 300 A 192.0.2.1", publicZone("*.www 300 A 192.0.2.1")],
    ["may be answered by a wildcard further above", "a.www 300 A 192.0.2.1", publicZone("* 300 A 192.0.2.1")],
    ["lie below a delegation", "a.www 300 A 192.0.2.1", publicZone("www 300 NS ns1.example.net")],
    ["lie below a tree that is renamed", "a.www 300 A 192.0.2.1", publicZone("www 300 DNAME example.net")],
    ["have only an optional record", "?www 300 A 192.0.2.1", publicZone()],
    ["have only an SPF record", "@ 300 TXT v=spf1 mx -all", publicZone()],
    ["have only a DMARC record", "_dmarc 300 TXT v=DMARC1; p=none", publicZone()],
    ["have only a CAA record", '@ 300 CAA 0 issue "ca.test"', publicZone()],
    ["are the apex of a zone with an alias", "@ 300 CNAME a.example.net", publicZone()],
    ["were read at the provider", "www 300 A 192.0.2.1", zoneOf()]
  ] as const)
    enterable(`are none that ${reason}`, [line], zone, [])

  enterable(
    "are none of whose records an optional or a policy stood already",
    ["www 300 A 192.0.2.1", "?www 300 TXT old", "@ 300 MX 10 a.example.net", "@ 300 TXT v=spf1 mx -all"],
    publicZone("www 300 TXT old", "@ 300 TXT v=spf1 a -all"),
    []
  )

  test("are none for which a wildcard may answer, though it seems to answer otherwise", () => {
    const intent = intentOf("www 300 A 192.0.2.1", "mail 300 MX 10 a.example.net", "ftp 300 A 192.0.2.1")
    const wildcardRRsets = [
      { host: "www", type: "A" },
      { host: "mail", type: "CNAME" },
      { host: "ftp", type: "TXT" }
    ]
    expect(listEnterableHosts(intent, { zone: publicZone(), answeredBy, wildcardRRsets })).toEqual(["ftp"])
  })

  test("are none where a server did not answer, or where that is not known", () => {
    const intent = intentOf("www 300 A 192.0.2.1")
    expect(listEnterableHosts(intent, { zone: publicZone(), answeredBy: [] })).toEqual([])
    expect(listEnterableHosts(intent, { zone: publicZone() })).toEqual([])
  })
})

/** What a check compares at each server. */
const compare = (intent: EffectiveIntent, zone: Zone, context: PlanContext = emptyPlanContext) =>
  computeAtOnce(compareZone(intent, { zone: { ...zone, basis: "public_dns" }, unknownRRsets: [] }, context)).records

describe("entered records", () => {
  const intent = intentOf("www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "?www 300 TXT any", "@ 300 MX 10 a.example.net")
  const all = ["www 7 A 192.0.2.1", "www 7 A 192.0.2.2", "@ 7 MX 10 a.example.net"]
  const enteredAt = (...servers: ReadonlyArray<ReadonlyArray<string>>) =>
    listEnteredHosts(
      intent,
      servers.map((lines) => ({ zone: zoneOf(...lines), compared: compare(intent, zoneOf(...lines)) }))
    )

  test("are seen with each required one at every server, with any TTL", () =>
    expect(enteredAt(all, all)).toEqual(["www", "@"]))

  test("are not seen where a server lacks one, has another priority, or none was asked", () => {
    expect(enteredAt(all, all.slice(1))).toEqual(["@"])
    expect(enteredAt(["@ 7 MX 20 a.example.net"])).toEqual([])
    expect(enteredAt()).toEqual([])
  })

  test("are not seen where a wildcard answers with them", () => {
    const one = intentOf("www 300 A 192.0.2.1")
    const zone = zoneOf("* 300 A 192.0.2.1")
    expect(listEnteredHosts(one, [{ zone, compared: compare(one, zone) }])).toEqual([])
  })

  test("are not seen where a wildcard of any server may have answered with them", () => {
    const zone = zoneOf(...all)
    const own = { zone, compared: compare(intent, zone) }
    expect(listEnteredHosts(intent, [own, { ...own, wildcardRRsets: [{ host: "www", type: "A" }] }])).toEqual(["@"])
  })

  test("are not seen where a server does not answer", () => {
    const one = intentOf("www 300 A 192.0.2.1")
    const unknownRRsets = [{ host: "www", type: "A" }]
    const zone = zoneOf("www 300 A 192.0.2.1")
    const { records } = computeAtOnce(compareZone(one, { zone, unknownRRsets }, emptyPlanContext))
    expect(listEnteredHosts(one, [{ zone, compared: records }])).toEqual([])
  })
})

/** The hosts that are proven by a zone as it is at a check, after a plan that was made from another one. */
const listProven = ({ effectiveIntent }: PlanResult, before: Zone, after: Zone, context: PlanContext) => {
  const enterable = listEnterableHosts(effectiveIntent, { zone: before, answeredBy })
  const entered = listEnteredHosts(effectiveIntent, [
    { zone: after, compared: compare(effectiveIntent, after, context) }
  ])
  return enterable.filter((host) => entered.includes(host))
}

/** A zone that has the records of an intent already, and in the place of its policies others that permit the same. */
const makeStandingInput = (input: ZonePlanInput): ZonePlanInput => {
  const policies = input.intent.effectiveIntent.records.filter((record) => findSingletonTxtKind(record) !== undefined)
  const stood = planZone(input).pipe(Either.map(({ changes }) => applyChanges(input.zone, changes).records))
  const others = Either.getOrElse(stood, () => input.zone.records).filter(
    (record) =>
      findSingletonTxtKind(record) === undefined || !policies.some(({ host }) => host === record.host.toLowerCase())
  )
  const wider = policies.map((policy) => ({
    ...policy,
    value: isSpf(policy.value) ? "v=spf1 include:inner.example.net ~all" : `${policy.value}; rf=afrf`
  }))
  const inner = policies.flatMap(({ value }) => (isSpf(value) ? [value] : [])).slice(0, 1)
  return {
    ...input,
    zone: { ...input.zone, records: [...others, ...wider] },
    context: { ...input.context, answers: new Map([...input.context.answers, ["inner.example.net TXT", inner]]) }
  }
}

/** Zones and intents. Where the records of an intent stood already, a proof by what is entered would be wrong. */
const pairs = fc.oneof(planInputArbitrary, planInputArbitrary.map(makeStandingInput))

/** A zone and an intent, a single other record, and the number that chooses one to remove. */
const inputs = fc.tuple(pairs, planInputArbitrary, fc.nat()).map(([input, other, choice]) => ({
  input: { ...input, zone: { ...input.zone, basis: "public_dns" as const } },
  other: other.zone.records[0],
  choice
}))

const outcomes = { proven: 0 }

const property = declareProperties({
  inputs,
  numRuns: propertyRuns(2_000),
  prepare: ({ input, ...drawn }) => ({ ...drawn, input, planned: planZone(input) })
})

/** Declares a property of every plan, and of one change of the zone that does not enter a record of the plan. */
const eachPlan = (
  name: string,
  holds: (planned: PlanResult, input: ZonePlanInput, other: ZoneRecord | undefined, choice: number) => void,
  holdsOverall?: () => void
) =>
  property(
    name,
    ({ choice, input, other, planned }) => {
      if (Either.isRight(planned)) holds(planned.right, input, other, choice)
    },
    holdsOverall
  )

eachPlan("a zone that nobody changes proves no host of any intent", (planned, { context, zone }) =>
  expect(listProven(planned, zone, zone, context)).toEqual([])
)

eachPlan(
  "one more record that no plan has, or one less, proves no host",
  (planned, { context, zone }, other, choice) => {
    const isPlanned = planned.effectiveIntent.records.some(
      (record) => other !== undefined && isSameRecord(record, other)
    )
    const added = other === undefined || isPlanned ? [] : [other]
    const more = addValidRecords(zone.records, added, zone.name === exampleCom)
    const less = zone.records.filter((_, index) => index !== choice % zone.records.length)
    for (const records of [more, less]) expect(listProven(planned, zone, { ...zone, records }, context)).toEqual([])
  }
)

eachPlan(
  "the records of a plan prove each of its hosts where they can be entered",
  (planned, { context, zone }) => {
    const proven = listProven(planned, zone, applyChanges(zone, planned.changes), context)
    expect(proven).toEqual([...listEnterableHosts(planned.effectiveIntent, { zone, answeredBy })])
    outcomes.proven += proven.length
  },
  // The properties say something only if records that are entered prove hosts.
  () => expect(outcomes.proven).toBeGreaterThan(0)
)
