import { expect, test } from "bun:test"
import { Either, FastCheck as fc, Schema } from "effect"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { Change } from "../../src/domain/plan/Plan.ts"
import { isSpf } from "../../src/domain/records/SpfRecord.ts"
import { findSingletonTxtKind } from "../../src/domain/records/txt.ts"
import type { PlanResult } from "../../src/planning/buildPlan.ts"
import { listRelevantTypes } from "../../src/planning/changes/conflicts.ts"
import { computeResultingRecords } from "../../src/planning/changes/computeResultingRecords.ts"
import { isSpfAddition } from "../../src/planning/spf/mergeSpf.ts"
import { applyChanges, exampleCom, isSameRecord, zonesAfterEachChange } from "../support/planFixtures.ts"
import { propertyRuns } from "../support/propertyRuns.ts"
import { brokenPlanInputArbitrary, isValidZone, planInputArbitrary, respelledPlanInput } from "./arbitraries.ts"
import { declareProperties } from "./declareProperties.ts"
import { planZone, type ZonePlanInput } from "../support/planZone.ts"

/** The cases of each property. */
const numRuns = propertyRuns(2_000)

const declareProperty = declareProperties({
  inputs: planInputArbitrary,
  prepare: (input) => ({ input, planned: planZone(input) }),
  numRuns
})

/** Declares a property of every plan. */
const property = (name: string, holds: (input: ZonePlanInput, planned: PlanResult) => void) =>
  declareProperty(name, ({ input, planned }) =>
    Either.match(planned, { onLeft: () => {}, onRight: (result) => holds(input, result) })
  )

test("most generated inputs can be planned, so that the properties are meaningful", () => {
  const drawn = fc.sample(planInputArbitrary, 1_000)
  expect(drawn.filter((input) => Either.isRight(planZone(input))).length).toBeGreaterThan(700)
})

property("planning again after the plan was applied gives no changes and the same intent", (input, planned) => {
  // What the plan writes may answer a question about the zone itself that the context left open.
  if (planned.unanswered.some(({ name }) => name.endsWith(exampleCom))) return
  const again = Either.getOrThrow(planZone({ ...input, zone: applyChanges(input.zone, planned.changes) }))
  expect(again.changes).toEqual([])
  expect(again.effectiveIntent).toEqual(planned.effectiveIntent)
  expect(again.optionalFailures).toEqual(planned.optionalFailures)
})

property("a zone that equals the effective intent at its hosts gives no changes", (input, planned) => {
  // A skipped optional record may become plannable once the record that prevented it is gone.
  if (planned.optionalFailures.length > 0) return
  const { records } = planned.effectiveIntent
  // An alias that stands already is seen as the addresses of its target where the provider flattens it.
  const sets = new Set(
    records.flatMap(({ host, type }) =>
      (type === "CNAME" ? [type, "A", "AAAA"] : [type]).map((one) => `${host} ${one}`)
    )
  )
  const left = applyChanges(input.zone, planned.changes).records
  const others = left.filter(({ host, type }) => !sets.has(`${host} ${type.replace(/^(ALIAS|ANAME)$/, "CNAME")}`))
  const zone = { ...input.zone, records: [...others, ...records] }
  expect(Either.getOrThrow(planZone({ ...input, zone })).changes).toEqual([])
})

property("no change affects a record unrelated to the intent", (input, { changes, effectiveIntent }) => {
  const { domain, effectiveIntent: desired } = input.intent
  const isConcerned = (live: ZoneRecord) =>
    desired.records.some((record) => {
      const isApex = live.host === "@" && input.zone.name === domain
      const types: ReadonlyArray<string> = listRelevantTypes(record.type, isApex)
      const isKindred =
        record.type !== "TXT" || live.type !== "TXT" || findSingletonTxtKind(record) === findSingletonTxtKind(live)
      return (
        record.host === live.host &&
        isKindred &&
        (types.includes(live.type) || (types.includes("A") && !untouchable.has(live.type)))
      )
    })
  expect(changes.flatMap(({ before }) => (before === undefined || isConcerned(before) ? [] : [before]))).toEqual([])
  expect(
    changes.flatMap(({ after }) =>
      after === undefined || effectiveIntent.records.some((record) => isSameRecord(record, after)) ? [] : [after]
    )
  ).toEqual([])
})

const untouchable = new Set(["SOA", "RRSIG", "TYPE65301", "MX", "TXT", "CAA", "SRV", "NS"])

test("order, letter case and trailing dots of names do not change the plan", () =>
  fc.assert(
    fc.property(
      planInputArbitrary.chain((input) => fc.tuple(fc.constant(input), respelledPlanInput(input))),
      ([input, again]) => {
        const one = planZone(input)
        const other = planZone(again)
        expect(Either.isRight(other)).toBe(Either.isRight(one))
        if (Either.isLeft(one) || Either.isLeft(other)) return
        expect(other.right.digest).toBe(one.right.digest)
        expect(other.right.changes).toEqual(one.right.changes)
        expect(other.right.warnings).toEqual(one.right.warnings)
      }
    ),
    { numRuns }
  ))

test("a zone with broken records can be planned, and its changes match the schema", () =>
  fc.assert(
    fc.property(brokenPlanInputArbitrary, (input) =>
      Either.match(planZone(input), {
        onLeft: ({ code }) => expect(refusals).toContain(code),
        onRight: ({ changes }) => expect(changes.filter((change) => !Schema.is(Change)(change))).toEqual([])
      })
    ),
    { numRuns }
  ))

const refusals = [
  "spf_merge_impossible",
  "discovery_timeout",
  "host_delegated_elsewhere",
  "apex_cname_unsupported",
  "record_type_unsupported",
  "caa_host_is_cname",
  "cname_loop"
]

property("the zone is valid after every step", ({ intent, zone }, { changes }) => {
  expect(
    zonesAfterEachChange(zone, changes).filter(({ records, name }) => !isValidZone(records, name === intent.domain))
  ).toEqual([])
})

property("an RRset that exists before and after is never empty in between", ({ zone }, { changes }) => {
  const setsOf = ({ records }: typeof zone) => new Set(records.map(({ host, type }) => `${host} ${type}`))
  const steps = zonesAfterEachChange(zone, changes).map(setsOf)
  const lasting = setsOf(zone).intersection(steps.at(-1) ?? setsOf(zone))
  expect(steps.filter((sets) => !lasting.isSubsetOf(sets))).toEqual([])
})

property("every removal of data is marked destructive", ({ zone }, { changes }) => {
  const harmless = changes.filter(({ destructive }) => !destructive)
  const served = applyChanges(zone, harmless).records
  const isServed = (record: ZoneRecord) =>
    served.some((other) => dataOf(other) === dataOf(record) || isMoreSpf(record, other))
  expect(zone.records.filter((record) => !isServed(record))).toEqual([])
})

const isMoreSpf = (one: ZoneRecord, other: ZoneRecord) =>
  one.host === other.host && isSpf(one.value) && isSpf(other.value) && isSpfAddition(one.host, one.value, other.value)

const dataOf = ({ host, type, value }: ZoneRecord) => `${host} ${type} ${value}`

property("the reported resulting zone equals the zone after the changes", ({ zone }, { changes }) => {
  expect(computeResultingRecords(zone, changes).map(formatRecord).toSorted()).toEqual(
    applyChanges(zone, changes).records.map(formatRecord).toSorted()
  )
})

const formatRecord = ({ host, priority, ttl, type, value }: ZoneRecord) =>
  JSON.stringify([host, type, priority, value, ttl])

property("the resulting zone serves the effective intent", ({ intent, zone }, { changes, effectiveIntent }) => {
  const served = applyChanges(zone, changes).records.map((record) => ({
    ...record,
    type: record.type.replace(/^(ALIAS|ANAME)$/, "CNAME")
  }))
  // Public DNS shows only the addresses of a flattened CNAME.
  const isFlattened = ({ host, type }: ZoneRecord) =>
    zone.basis === "public_dns" && zone.name === intent.domain && host === "@" && type === "CNAME"
  expect(
    effectiveIntent.records.filter(
      (desired) =>
        !isFlattened(desired) && !served.some((record) => isSameRecord(record, desired) && record.ttl === desired.ttl)
    )
  ).toEqual([])
})
