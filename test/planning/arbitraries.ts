import { Either, FastCheck as fc } from "effect"
import { DnsRecord, type ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { type IntentRequest, resolveIntent } from "../../src/domain/connection/Intent.ts"
import { anyTtl, type Capability } from "../../src/domain/provider/Provider.ts"
import type { ZoneBasis } from "../../src/domain/plan/Zone.ts"
import { hasPriority, type RecordType, recordTypeNames } from "../../src/domain/records/recordTypes.ts"
import { findSingletonTxtKind } from "../../src/domain/records/txt.ts"
import type { PlanContext } from "../../src/planning/PlanContext.ts"
import { capabilities, exampleCom, isSameRecord } from "../support/planFixtures.ts"
import { unicodeText } from "../support/unicodeText.ts"
import type { ZonePlanInput } from "../support/planZone.ts"

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
  "google-site-verification=1",
  "v=spf1 mx -all",
  "v=spf1 a include:_spf.example.net ~all",
  "v=spf1 include:mail.example.org ?all",
  "v=spf1 ip4:192.0.2.0/24 redirect=_spf.example.org",
  "v=spf1 -include:_spf.example.net ip6:2001:db8::/32 exp=why.example.com -all",
  "v=DMARC1; p=none",
  "v=DMARC1; p=reject; sp=none; rua=mailto:r@example.com",
  "v=DMARC1; p=quarantine; pct=50",
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
  CAA: [
    '0 issue "letsencrypt.org"',
    '0 issue "digicert.com; accounturi=https://ca.example/1"',
    '0 issue ";"',
    '0 issuewild "ca.test"',
    '0 iodef "mailto:ca@example.com"'
  ],
  HTTPS: ["1 . alpn=h2,h3", "1 . ipv4hint=192.0.2.1", "0 a.example.net", "2 a.example.net port=8443"],
  SVCB: ["1 a.example.net alpn=dot", "0 a.example.net"],
  DS: [`1 13 2 ${"ab".repeat(32)}`, `2 13 2 ${"cd".repeat(32)}`],
  NAPTR: ['10 100 "S" "SIP+D2U" "" _sip._udp.example.com', '20 100 "U" "E2U+sip" "!^.*$!sip:a@example.com!" .'],
  SSHFP: [`4 2 ${"ab".repeat(32)}`, `1 1 ${"ab".repeat(20)}`],
  TLSA: [`3 1 1 ${"ab".repeat(32)}`, "3 1 0 30820122"]
}

const types = [...recordTypeNames, "A", "A", "MX", "TXT", "TXT"] as const

const ttl = fc.constantFrom(60, 300, 3600)

const recordAt = (host: fc.Arbitrary<string>) =>
  fc
    .record({ host, type: fc.constantFrom(...types), ttl, priority: fc.constantFrom(0, 5, 10) })
    .chain(({ host, priority, ttl, type }) =>
      fc
        .constantFrom(...values[type])
        .map((value) => ({ host, type, value, ttl, ...(hasPriority(type) ? { priority } : {}) }))
    )

/** Policies that exist in zones although no intent may request them: broken ones, and those that allow every sender. */
const brokenTexts = [
  "v=spf1 +all",
  "v=spf1 include: ip4:999.1.1.1 a -all",
  "v=spf1",
  "V=SPF1  A  INCLUDE:_SPF.example.net  -ALL",
  "v=DMARC1; rua=mailto:x@example.com",
  "v=DMARC1; p=block",
  "V=dmarc1;P=None",
  "p=none; v=DMARC1"
]

const brokenTextAt = (host: fc.Arbitrary<string>): fc.Arbitrary<ZoneRecord> =>
  fc.record({ host, type: fc.constant("TXT"), value: fc.constantFrom(...brokenTexts), ttl })

/** Records of types that no intent supports, and values that no server should serve. */
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
  value: fc.oneof(unicodeText, fc.constantFrom("\ud800", "a..b", "-x-.example.com.", "999.1.1.1", "0 issue")),
  ttl: fc.constantFrom(-1, 2 ** 31, 1.5, Number.NaN, 300)
})

/** Few hosts at a time, so that desired and live records share hosts. */
const recordsAtFewHosts = fc
  .tuple(fc.boolean(), fc.subarray(hosts, { minLength: 1, maxLength: 3 }))
  .chain(([withApex, below]) => {
    const few = withApex ? ["@", ...below] : below
    const record = recordAt(fc.constantFrom(...few))
    const desired = fc.tuple(record, fc.boolean()).map(([record, optional]) => DnsRecord.make({ ...record, optional }))
    const live = fc.oneof(
      { weight: 8, arbitrary: record },
      { weight: 1, arbitrary: brokenTextAt(fc.constantFrom(...few)) },
      { weight: 1, arbitrary: oddRecordAt(fc.constantFrom(...few)) }
    )
    return fc.tuple(fc.array(desired, { minLength: 1, maxLength: 8 }), fc.array(live, { maxLength: 16 }))
  })

const whereabouts = fc.constantFrom(
  { domain: exampleCom, name: exampleCom },
  { domain: exampleCom, name: exampleCom },
  { domain: exampleCom, name: DomainName.make("com") }
)

const able = fc.constantFrom<Capability>("supported", "supported", "unsupported", "unknown")

const tag = fc.constantFrom("p", "sp", "pct", "rua", "adkim")

const tagValues: Readonly<Record<string, ReadonlyArray<string>>> = {
  p: ["none", "quarantine", "reject"],
  sp: ["none", "reject"],
  pct: ["50", "100"],
  rua: ["mailto:new@example.org"],
  adkim: ["s"]
}

const tags = fc
  .uniqueArray(tag, { maxLength: 2 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(tagValues[name] ?? []))])))
  )

/** Options that do not contradict each other. */
const dmarcOptions = fc
  .record({
    inheritRootDmarc: fc.boolean(),
    overrideTags: tags,
    addTagsIfNotExist: tags,
    removeTags: fc.subarray(["pct", "sp", "rua"])
  })
  .map(({ removeTags, ...options }) => ({
    ...options,
    removeTags: removeTags.filter(
      (name) => !Object.hasOwn(options.overrideTags, name) && !Object.hasOwn(options.addTagsIfNotExist, name)
    )
  }))

/** Answers for the names that policies refer to; the missing ones are unknown. */
const context = fc
  .record(
    {
      "_spf.example.net TXT": fc.constantFrom(
        [],
        ["v=spf1 ip4:198.51.100.0/24 -all"],
        ["v=spf1 include:_spf.example.net -all"]
      ),
      "mail.example.org TXT": fc.constantFrom([], ["v=spf1 mx a ptr exists:a.test -all"]),
      "_spf.example.org TXT": fc.constantFrom([], ["v=spf1 ~all"]),
      "edge.example.net TXT": fc.constantFrom([], ["v=DMARC1; p=none"], ["v=DKIM1; p=MIGf"]),
      "edge.example.net A": fc.constantFrom([], ["192.0.2.1"], ["192.0.2.1", "192.0.2.2"]),
      "edge.example.net AAAA": fc.constantFrom([], ["2001:db8::1"]),
      "edge.example.net CAA": fc.constantFrom([], ['0 issue "ca.test"']),
      "_dmarc.com TXT": fc.constantFrom([], ["v=DMARC1; p=reject; psd=y"]),
      "com CAA": fc.constantFrom([], ['0 issue "ca.test"'])
    },
    { requiredKeys: [] }
  )
  .map((answers): PlanContext => ({ answers: new Map(Object.entries(answers)), others: [] }))

const policy = fc.record({ validateDmarc: fc.boolean(), validateCAA: fc.boolean() })

/** An intent without conflicts and a valid zone: no duplicate records, every CNAME alone. */
export const planInputArbitrary: fc.Arbitrary<ZonePlanInput> = fc
  .record({
    whereabouts,
    records: recordsAtFewHosts,
    cnameFlattening: able,
    rootNSModification: able,
    policy,
    dmarcOptions: fc.option(dmarcOptions, { nil: undefined }),
    basis: fc.constantFrom<ZoneBasis>("provider", "provider", "public_dns"),
    ttl: fc.constantFrom(anyTtl, { minimum: 300, maximum: 86_400, automatic: { written: 1, served: 300 } }),
    context
  })
  .map(({ whereabouts: { domain, name }, records: [desired, live], ...drawn }) => {
    const request = (records: ReadonlyArray<DnsRecord>): IntentRequest => ({
      domain,
      records: records.map((record) => ({
        ...record,
        ...(drawn.dmarcOptions !== undefined && findSingletonTxtKind(record) === "DMARC"
          ? { advancedDmarcOptions: drawn.dmarcOptions }
          : {})
      })),
      existingRecordPolicy: drawn.policy
    })
    const { cnameFlattening, rootNSModification, ttl } = drawn
    return {
      intent: resolved(request(keepWhile(desired, (kept) => Either.isRight(resolveIntent(request(kept)))))),
      zone: { name, basis: drawn.basis, records: addValidRecords([], live, name === domain) },
      limits: { capabilities: capabilities("supported", { cnameFlattening, rootNSModification }), ttl },
      context: drawn.context
    }
  })

/** The same with invalid records in the zone. */
export const brokenPlanInputArbitrary: fc.Arbitrary<ZonePlanInput> = fc
  .tuple(planInputArbitrary, fc.array(brokenRecord, { minLength: 1, maxLength: 8 }))
  .map(([input, broken]) => ({ ...input, zone: { ...input.zone, records: [...input.zone.records, ...broken] } }))

/** The same input in another order, another letter case and with trailing dots. */
export const respelledPlanInput = (input: ZonePlanInput): fc.Arbitrary<ZonePlanInput> =>
  fc
    .tuple(shuffled(input.zone.records), shuffled(input.intent.intent.records), fc.infiniteStream(fc.boolean()))
    .map(([records, desired, choices]) => {
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
        intent: resolved({ ...input.intent.intent, records: desired.map(spelled) })
      }
    })

/** Whether no record occurs twice (ANAME and ALIAS are the same) and every CNAME below the apex is alone. */
export const isValidZone = (records: ReadonlyArray<ZoneRecord>, hasApex: boolean): boolean =>
  records.every((record, index) => canCoexist(records.slice(0, index), record, hasApex))

/** The records of a valid zone, with those of the added ones that keep it valid. */
export const addValidRecords = (
  records: ReadonlyArray<ZoneRecord>,
  added: ReadonlyArray<ZoneRecord>,
  hasApex: boolean
): ReadonlyArray<ZoneRecord> =>
  added.reduce((kept, record) => (canCoexist(kept, record, hasApex) ? [...kept, record] : kept), records)

const canCoexist = (records: ReadonlyArray<ZoneRecord>, one: ZoneRecord, hasApex: boolean): boolean =>
  records.every(
    (other) =>
      one.host !== other.host ||
      (!isSameRecord(asAlias(one), asAlias(other)) &&
        ((hasApex && one.host === "@") || isSignature(one) || isSignature(other) || !isCname(one, other)))
  )

/** Providers use either type name for the same record. */
const asAlias = (record: ZoneRecord): ZoneRecord => (record.type === "ANAME" ? { ...record, type: "ALIAS" } : record)

const isCname = (...records: ReadonlyArray<ZoneRecord>) => records.some(({ type }) => type === "CNAME")

const isSignature = ({ type }: ZoneRecord) => ["SOA", "RRSIG", "TYPE65301"].includes(type)

const holdsName = new Set(["CNAME", "MX", "NS", "ALIAS", "ANAME", "DNAME", "PTR", "SRV"])

const resolved = (request: IntentRequest) => Either.getOrThrow(resolveIntent(request))

const shuffled = <A>(items: ReadonlyArray<A>) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })

const keepWhile = <A>(items: ReadonlyArray<A>, isFine: (items: ReadonlyArray<A>) => boolean): ReadonlyArray<A> =>
  items.reduce<ReadonlyArray<A>>((kept, item) => (isFine([...kept, item]) ? [...kept, item] : kept), [])
