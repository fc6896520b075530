import { Either, FastCheck as fc } from "effect"
import { contradictions } from "../../src/domain/contradictions.ts"
import { DnsRecord, hasPriority, RecordType, type ZoneRecord } from "../../src/domain/DnsRecord.ts"
import { DomainName } from "../../src/domain/DomainName.ts"
import { resolveIntent } from "../../src/domain/Intent.ts"
import type { Capability } from "../../src/domain/Provider.ts"
import type { PlanInput } from "../../src/planning/buildPlan.ts"
import { capabilities, exampleCom, isSame } from "../support/zones.ts"

const hosts = [
  "www",
  "mail",
  "foo",
  "www.foo",
  "ns1.foo",
  "deep.www.foo",
  "new",
  "x.new",
  "*",
  "*.foo",
  "_dmarc",
  "_mta-sts",
  "s1._domainkey",
  "_sip._tcp"
]

const names = ["edge.example.net", "mail.example.com", "foo.example.com", "ns1.foo.example.com", "example.com"]

const texts = [
  "hello",
  "Hello",
  "v=spf1 mx -all",
  "v=spf1 include:_spf.example.net ~all",
  "v=DMARC1; p=none",
  "v=STSv1; id=1",
  "v=STSv1; id=2",
  "v=DKIM1; p=MIGf",
  "ü".repeat(200)
]

const values: { readonly [_ in RecordType]: ReadonlyArray<string> } = {
  A: ["192.0.2.1", "192.0.2.2", "192.0.2.3"],
  AAAA: ["2001:db8::1", "2001:db8::2"],
  CNAME: names,
  MX: names,
  TXT: texts,
  NS: ["ns1.example.net", "ns2.example.net", "ns1.foo.example.com", "foo.example.com"],
  SRV: names.map((name) => `5 5060 ${name}`),
  CAA: ['0 issue "letsencrypt.org"', '0 issuewild "ca.test"']
}

const types = [...RecordType.literals, "A", "A", "MX", "TXT", "TXT"] as const

const ttl = fc.constantFrom(60, 300, 3600)

const recordAt = (host: fc.Arbitrary<string>) =>
  fc
    .record({ host, type: fc.constantFrom(...types), ttl, priority: fc.constantFrom(0, 5, 10) })
    .chain(({ host, priority, ttl, type }) =>
      fc
        .constantFrom(...values[type])
        .map((value) => ({ host, type, value, ttl, ...(hasPriority(type) ? { priority } : {}) }))
    )

/** What no intent can ask for, and what no server should serve. */
const oddRecordAt = (host: fc.Arbitrary<string>): fc.Arbitrary<ZoneRecord> =>
  fc.record({
    host,
    type: fc.constantFrom(
      "HTTPS",
      "SVCB",
      "DS",
      "DNAME",
      "ALIAS",
      "ANAME",
      "SOA",
      "RRSIG",
      "TYPE65301",
      "TYPE300",
      "PTR"
    ),
    value: fc.constantFrom("edge.example.net", "1 .", "1 . ipv4hint=192.0.2.1", "\\# 0", "", "\ud800"),
    ttl
  })

const brokenRecord: fc.Arbitrary<ZoneRecord> = fc.record({
  host: fc.oneof(fc.constantFrom(...hosts), fc.string()),
  type: fc.oneof(fc.constantFrom(...types, "SOA", "HTTPS", "ALIAS"), fc.string()),
  value: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\ud800", "a..b", "-x-.example.com.", "999.1.1.1", "0 issue")
  ),
  ttl: fc.constantFrom(-1, 2 ** 31, 1.5, Number.NaN, 300)
})

/** Few hosts at a time, so that what is wanted and what is served meet. */
const recordsAtFewHosts = fc
  .tuple(fc.boolean(), fc.subarray(hosts, { minLength: 1, maxLength: 3 }))
  .chain(([withApex, below]) => {
    const few = withApex ? ["@", ...below] : below
    const record = recordAt(fc.constantFrom(...few))
    const wanted = fc.tuple(record, fc.boolean()).map(([record, optional]) => DnsRecord.make({ ...record, optional }))
    const live = fc.oneof(
      { weight: 9, arbitrary: record },
      { weight: 1, arbitrary: oddRecordAt(fc.constantFrom(...few)) }
    )
    return fc.tuple(fc.array(wanted, { minLength: 1, maxLength: 8 }), fc.array(live, { maxLength: 16 }))
  })

const whereabouts = fc.constantFrom(
  { domain: exampleCom, name: exampleCom },
  { domain: exampleCom, name: exampleCom },
  { domain: exampleCom, name: DomainName.make("com") }
)

const able = fc.constantFrom<Capability>("supported", "supported", "unsupported", "unknown")

/** An intent free of contradictions and a zone as a server would hold it: no record twice, every CNAME alone. */
export const situation: fc.Arbitrary<PlanInput> = fc
  .tuple(whereabouts, recordsAtFewHosts, able, able)
  .map(([{ domain, name }, [wanted, records], cnameFlattening, rootNSModification]) => ({
    domain,
    wanted: keepWhile(wanted, (kept) => contradictions(kept, domain).length === 0),
    zone: { name, records: keepWhile(records, (kept) => isSound(kept, name === domain)) },
    capabilities: capabilities("supported", { cnameFlattening, rootNSModification })
  }))

/** The same with records that make no sense. */
export const brokenSituation: fc.Arbitrary<PlanInput> = fc
  .tuple(situation, fc.array(brokenRecord, { minLength: 1, maxLength: 8 }))
  .map(([input, broken]) => ({ ...input, zone: { ...input.zone, records: [...input.zone.records, ...broken] } }))

/** The same question asked in another order, another letter case and with trailing dots. */
export const respelled = (input: PlanInput): fc.Arbitrary<PlanInput> =>
  fc
    .tuple(shuffled(input.zone.records), shuffled(input.wanted), fc.infiniteStream(fc.boolean()))
    .map(([records, wanted, choices]) => {
      const respell = (name: string) => (choices.next().value === true ? name.toUpperCase() : name)
      const dotted = (name: string) =>
        choices.next().value === true && !name.endsWith(".") && name !== "" ? `${respell(name)}.` : name
      const spelled = <R extends ZoneRecord>(record: R) => ({
        ...record,
        host: respell(record.host),
        value: holdsName.has(record.type) ? dotted(record.value) : record.value
      })
      return {
        ...input,
        zone: { ...input.zone, records: records.map(spelled) },
        wanted: resolved({ domain: input.domain, records: wanted.map(spelled) })
      }
    })

/** Whether no record is there twice and, below the apex, every CNAME is alone. */
export const isSound = (records: ReadonlyArray<ZoneRecord>, hasApex: boolean): boolean =>
  records.every((one, index) =>
    records.every(
      (other, at) =>
        at <= index ||
        one.host !== other.host ||
        (!isSame(one, other) &&
          ((hasApex && one.host === "@") || isSignature(one) || isSignature(other) || !isCname(one, other)))
    )
  )

const isCname = (...records: ReadonlyArray<ZoneRecord>) => records.some(({ type }) => type === "CNAME")

const isSignature = ({ type }: ZoneRecord) => ["SOA", "RRSIG", "TYPE65301"].includes(type)

const holdsName = new Set(["CNAME", "MX", "NS", "ALIAS", "ANAME", "DNAME", "PTR", "SRV"])

const resolved = (request: Parameters<typeof resolveIntent>[0]) =>
  Either.getOrThrow(resolveIntent(request)).effectiveIntent.records

const shuffled = <A>(items: ReadonlyArray<A>) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })

const keepWhile = <A>(items: ReadonlyArray<A>, isFine: (items: ReadonlyArray<A>) => boolean): ReadonlyArray<A> =>
  items.reduce<ReadonlyArray<A>>((kept, item) => (isFine([...kept, item]) ? [...kept, item] : kept), [])
