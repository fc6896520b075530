import { Array, Effect, Either } from "effect"
import { DnsRecord, type ZoneRecord } from "../src/domain/records/DnsRecord.ts"
import { DomainName } from "../src/domain/names/DomainName.ts"
import { EffectiveIntent, Intent, type ResolvedIntent } from "../src/domain/connection/Intent.ts"
import type { Zone } from "../src/domain/plan/Zone.ts"
import type { PlanResult } from "../src/planning/buildPlan.ts"
import { emptyPlanContext } from "../src/planning/PlanContext.ts"
import { limitsOf, unknownProvider } from "../src/providers/catalog/catalog.ts"
import { median, type Report, roundToThreeDigits, formatTable } from "./Report.ts"
import { planZone, type ZonePlanInput } from "../test/support/planZone.ts"

/**
 * Measures planning with conflicts, merges, order and digest: 100 creates, 100 updates and 100 deletes in zones of three
 * sizes, and a typical intent in a typical zone. The floor is a hand-written comparison of the records alone.
 */
export const planning: Effect.Effect<Report> = Effect.sync(() => {
  // Measured before the large zones fill the heap: a service plans one typical zone after the other.
  const typical = medianMillis(() => planOf(typicalInput), 5_000)
  const sizes = [1_000, 10_000, 100_000].map(measureSize)
  const rules = Object.entries(largeRRsets).map(([rule, recordAt]) => ({ rule, ...measureRule(recordAt) }))
  const growth = (sizes[2]?.perRecordSet ?? Number.NaN) / (sizes[1]?.perRecordSet ?? Number.NaN)
  return {
    title: "Planning: 100 creates, 100 updates and 100 deletes, with conflicts, merges and digest",
    lines: [
      ...formatTable([
        ["record sets", "", "plan ms", "bare comparison ms", "ratio", "heap MB"],
        ...sizes.map(({ floor, heap, plan, recordSets }) => [
          recordSets.toLocaleString("en"),
          "",
          plan.toFixed(2),
          floor.toFixed(2),
          (plan / floor).toFixed(1),
          heap.toFixed(1)
        ])
      ]),
      `A zone of ${typicalInput.zone.records.length} records, ${typicalInput.intent.effectiveIntent.records.length} of them desired, changed or new: ${roundToThreeDigits(typical * 1_000)} µs.`,
      ...rules.map(
        ({ growth, millis, rule }) =>
          `${largeRRset.toLocaleString("en")} ${rule} records at one host: ${roundToThreeDigits(millis)} ms, ${roundToThreeDigits(growth)} times those of half as many.`
      )
    ],
    figures: { sizes, typical, rules },
    targets: [
      { kind: "gate", what: "ms for 10,000 record sets", value: sizes[1]?.plan ?? Number.NaN, atMost: 10 },
      { kind: "gate", what: "ms for a typical zone", value: typical, atMost: 0.2 },
      { kind: "aim", what: "time per record set at 100,000 ÷ at 10,000", value: growth, atMost: 1.5 },
      ...rules.map(({ growth, rule }) => ({
        kind: "aim" as const,
        what: `time for twice as many ${rule} records`,
        value: growth,
        atMost: 2.5
      }))
    ]
  }
})

/** Records of one host that a rule merges or replaces as a whole. */
const largeRRsets: { readonly [rule: string]: RecordMaker } = {
  SPF: (index) => ({ host: "@", type: "TXT", value: `v=spf1 ip4:${addressAt(index)} -all`, ttl: 300 }),
  CAA: (index) => ({ host: "@", type: "CAA", value: `0 issue "ca${index}.example.net"`, ttl: 300 }),
  MX: (index) => ({ host: "@", type: "MX", value: `mx${index}.example.net`, priority: 10, ttl: 300 }),
  A: (index) => ({ host: "@", type: "A", value: addressAt(index), ttl: 300 }),
  "SPF include": (index) => ({ host: "@", type: "TXT", value: `v=spf1 include:s${index}.example.com -all`, ttl: 300 }),
  "wildcard MX": (index) => ({ host: "*", type: "MX", value: `mx${index}.example.com`, priority: 10, ttl: 300 })
}

type RecordMaker = (index: number) => ZoneRecord

/** As many as fit into a DNS message, which no real host has. */
const largeRRset = 4_000

const measureRule = (recordAt: RecordMaker) => {
  const millisFor = (count: number) => {
    const zone: Zone = { ...typicalInput.zone, records: Array.makeBy(count, recordAt) }
    return medianMillis(
      () => planOf({ ...typicalInput, intent: intentWithMail(typicalInput.intent.effectiveIntent.records), zone }),
      15
    )
  }
  const [half, millis] = [millisFor(largeRRset / 2), millisFor(largeRRset)]
  return { millis, growth: millis / half }
}

const measureSize = (recordSets: number) => {
  const input = inputFor(recordSets)
  const { changes } = planOf(input)
  const counts = Array.groupBy(changes, ({ action }) => action)
  const actual = [counts["create"], counts["update"], counts["delete"]].map((rows) => rows?.length ?? 0)
  if (actual.join() !== "100,100,100") throw new Error(`the plan has other changes than expected: ${actual.join()}`)
  const runs = recordSets > 50_000 ? 15 : 100
  const plan = medianMillis(() => planOf(input), runs)
  const floor = medianMillis(() => bareComparison(input), runs)
  return { recordSets, plan, floor, perRecordSet: plan / recordSets, heap: heapMegabytes(() => planOf(input)) }
}

const planOf = (input: ZonePlanInput): PlanResult => Either.getOrThrow(planZone(input))

/** Counts missing desired records and undesired records in their RRsets, without rules, order or digest. */
const bareComparison = ({ intent, zone }: ZonePlanInput): number => {
  const live = new Set(zone.records.map(keyOf))
  const desired = new Set(intent.effectiveIntent.records.map(keyOf))
  const sets = new Set(intent.effectiveIntent.records.map(({ host, type }) => `${host} ${type}`))
  const removed = zone.records.filter(
    (record) => sets.has(`${record.host} ${record.type}`) && !desired.has(keyOf(record))
  )
  return removed.length + desired.difference(live).size
}

const keyOf = ({ host, type, value }: ZoneRecord): string => `${host} ${type} ${value}`

const medianMillis = (run: () => unknown, runs: number): number => {
  for (const _ of Array.range(1, runs)) run()
  return median(
    Array.makeBy(runs, () => {
      const start = Bun.nanoseconds()
      run()
      return (Bun.nanoseconds() - start) / 1e6
    })
  )
}

/** The memory that one run allocates before garbage collection, in MB. */
const heapMegabytes = (run: () => unknown): number => {
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  run()
  return Math.max(process.memoryUsage().heapUsed - before, 0) / 2 ** 20
}

const name = DomainName.make("example.com")

/** 80 % A, 10 % TXT, 10 % CNAME; a hundred hosts also have an AAAA, which the desired A at the host removes. */
const zoneFor = (recordSets: number): Zone => ({
  name,
  basis: "provider",
  records: [
    ...Array.makeBy(recordSets - 100, (index) => recordAt(index, index % 10)),
    ...Array.makeBy(100, (index) => ({
      host: hostAt(dualStackIndex(index)),
      type: "AAAA",
      value: `2001:db8::${index + 1}`,
      ttl: 300
    }))
  ]
})

const recordAt = (index: number, kind: number): ZoneRecord => {
  const host = hostAt(index)
  if (kind === 8) return { host, type: "TXT", value: `site-verification=${index}`, ttl: 300 }
  if (kind === 9) return { host, type: "CNAME", value: `edge${index}.example.net`, ttl: 300 }
  return { host, type: "A", value: addressAt(index), ttl: 300 }
}

/** The indices of the hosts that also have an AAAA: two of every ten. */
const dualStackIndex = (index: number): number => Math.floor(index / 2) * 10 + (index % 2) * 2

const hostAt = (index: number): string => `host${index}`
const addressAt = (index: number): string => `198.51.${Math.floor(index / 256) % 256}.${index % 256}`

const inputFor = (recordSets: number): ZonePlanInput => ({
  intent: intentFor([
    ...Array.makeBy(100, (index) => desiredRecord(`new${index}`, "A", "203.0.113.1")),
    ...Array.makeBy(60, (index) => desiredRecord(hostAt(index * 10 + 1), "A", "203.0.113.2")),
    ...Array.makeBy(40, (index) => desiredRecord(hostAt(index * 10 + 9), "CNAME", "shops.example.net")),
    ...Array.makeBy(100, (index) => desiredRecord(hostAt(dualStackIndex(index)), "A", addressAt(dualStackIndex(index))))
  ]),
  zone: zoneFor(recordSets),
  limits: limitsOf(unknownProvider),
  context: emptyPlanContext
})

const desiredRecord = (host: string, type: DnsRecord["type"], value: string, priority?: number): DnsRecord =>
  DnsRecord.make({ host, type, value, ttl: 300, ...(priority === undefined ? {} : { priority }), optional: false })

const intentFor = (records: ReadonlyArray<DnsRecord>): ResolvedIntent => ({
  domain: name,
  effectiveIntent: EffectiveIntent.make({ domain: name, records }),
  intent: Intent.make({
    domain: name,
    records: records.map((record) => ({ ...record })),
    existingRecordPolicy: { validateDmarc: true, validateCAA: true }
  })
})

/** Mail servers are compared and replaced too. */
const intentWithMail = (records: ReadonlyArray<DnsRecord>): ResolvedIntent =>
  intentFor([...records, desiredRecord("@", "MX", "mx.example.org", 5)])

/** A domain with mail, a site and verifications, and a shop that needs six records in it. */
const typicalInput: ZonePlanInput = {
  intent: intentFor([
    desiredRecord("@", "A", "203.0.113.1"),
    desiredRecord("www", "CNAME", "shops.example.net"),
    desiredRecord("@", "TXT", "v=spf1 include:spf.mail.example.net -all"),
    desiredRecord("_dmarc", "TXT", "v=DMARC1; p=quarantine"),
    desiredRecord("s1._domainkey", "TXT", `v=DKIM1; k=rsa; p=${"MIGf".repeat(90)}`),
    desiredRecord("@", "CAA", '0 issue "letsencrypt.org"')
  ]),
  zone: {
    name,
    basis: "provider",
    records: [
      { host: "@", type: "A", value: "192.0.2.10", ttl: 3600 },
      { host: "@", type: "MX", value: "mx1.example.net", priority: 10, ttl: 3600 },
      { host: "@", type: "MX", value: "mx2.example.net", priority: 20, ttl: 3600 },
      { host: "@", type: "NS", value: "ns1.example.org", ttl: 86400 },
      { host: "@", type: "NS", value: "ns2.example.org", ttl: 86400 },
      { host: "@", type: "TXT", value: "v=spf1 include:_spf.google.com ~all", ttl: 3600 },
      { host: "@", type: "TXT", value: "google-site-verification=abc", ttl: 3600 },
      { host: "@", type: "CAA", value: '0 issue "digicert.com"', ttl: 3600 },
      { host: "www", type: "CNAME", value: "parking.example.org", ttl: 3600 },
      { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none; rua=mailto:dmarc@example.com", ttl: 3600 },
      ...Array.makeBy(20, (index) => recordAt(index, index % 10))
    ]
  },
  limits: limitsOf(unknownProvider),
  context: emptyPlanContext
}
