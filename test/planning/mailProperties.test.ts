import { expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { DomainName, toRelativeHost } from "../../src/domain/names/DomainName.ts"
import { type IntentRequest, type ResolvedIntent, resolveIntent } from "../../src/domain/connection/Intent.ts"
import { anyTtl } from "../../src/domain/provider/Provider.ts"
import { makeWildcardAboveFinder, type Zone } from "../../src/domain/plan/Zone.ts"
import { isRecordType } from "../../src/domain/records/recordTypes.ts"
import { findSingletonTxtKind } from "../../src/domain/records/txt.ts"
import { questionKeyOf } from "../../src/planning/DnsLookup.ts"
import type { PlanResult } from "../../src/planning/buildPlan.ts"
import { makeZoneContextFinder } from "../../src/planning/zone/zoneContext.ts"
import { addValidRecords } from "./arbitraries.ts"
import { declareProperties } from "./declareProperties.ts"
import { AuthoritativeZone, type ZoneQuestioner } from "./evaluators/AuthoritativeZone.ts"
import { evaluateDmarc } from "./evaluators/evaluateDmarc.ts"
import { evaluateSpf } from "./evaluators/evaluateSpf.ts"
import { readPublicZone } from "./evaluators/readPublicZone.ts"
import { capabilities } from "../support/planFixtures.ts"
import { propertyRuns } from "../support/propertyRuns.ts"
import { planZone, type ZonePlanInput } from "../support/planZone.ts"

const numRuns = propertyRuns(4_000)

const apex = DomainName.make("example.org")
const domains = [apex, apex, DomainName.make("fruit.example.org"), DomainName.make("x.fruit.example.org")]

const outside: Readonly<Record<string, ReadonlyArray<string>>> = {
  "_spf.ours.net TXT": ["v=spf1 ip4:203.0.113.0/24 -all"],
  "_soft.ours.net TXT": ["v=spf1 ip4:203.0.113.0/25 ~all"],
  "_spf.theirs.net TXT": ["v=spf1 ip4:198.51.100.0/24 ?all"],
  "gone.theirs.net TXT": [],
  "policy.theirs.net TXT": ["v=DMARC1; p=reject"],
  "policy.theirs.net A": [],
  "mx.theirs.net A": ["198.51.100.9"],
  "web.ours.net A": ["203.0.113.9"],
  "web.ours.net TXT": [],
  "mx.theirs.net TXT": [],
  "_dmarc.org TXT": []
}

const senders = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "198.51.100.9", "203.0.113.9", "203.0.113.200", "10.0.0.1"]

const hosts = ["@", "a", "b.a", "c.b.a", "mail", "*", "*.a", "*.b.a", "x.fruit", "*.fruit", "fruit", "_spf"]

const liveTexts = [
  "hello",
  "v=spf1 ip4:192.0.2.1 -all",
  "v=spf1 a mx ~all",
  "v=spf1 mx:example.org -all",
  "v=spf1 a:mail.example.org -all",
  "v=spf1 include:_spf.theirs.net -all",
  "v=spf1 include:a.example.org ~all",
  "v=spf1 redirect=_spf.theirs.net",
  "v=spf1 +all",
  "v=spf1 include:_spf.example.org ~all",
  "v=spf1 redirect=_spf.example.org",
  "v=spf1 redirect=a.example.org",
  "v=spf1 include:gone.theirs.net ?all",
  "v=spf1 ip4:192.0.2.2 broken: -all",
  "v=spf1 -include:a.example.org -include:_spf.example.org ~all",
  "v=spf1 -a:mail.example.org -exists:a.example.org ?all",
  "v=spf1 exists:mail.example.org -all",
  `v=spf1 ip4:192.0.2.0/24 include:a.example.org ${"a:web.ours.net ".repeat(7)}-all`
]

const policies = [
  "v=DMARC1; p=none",
  "v=DMARC1; p=none; sp=reject",
  "v=DMARC1; p=none; np=reject",
  "v=DMARC1; p=reject; sp=quarantine; np=none",
  "v=DMARC1; p=quarantine; pct=20",
  "v=DMARC1; p=reject; sp=none; adkim=s",
  "v=DMARC1; p=reject; t=y; aspf=s",
  "v=DMARC1; p=broken"
]

const desiredTexts = [
  "hello2",
  "v=spf1 include:_spf.ours.net -all",
  "v=spf1 redirect=_spf.ours.net",
  "v=spf1 redirect=_soft.ours.net",
  "v=spf1 ip4:192.0.2.3 ~all",
  "v=spf1 mx -all",
  "v=spf1 include:_soft.ours.net ?all",
  "v=spf1 -ip4:192.0.2.1 include:_spf.ours.net -all",
  "v=spf1 ?ip4:198.51.100.9 ~include:_soft.ours.net -all"
]

const recordOf = (host: string, texts: ReadonlyArray<string>): fc.Arbitrary<ZoneRecord> => {
  const data: ReadonlyArray<Omit<ZoneRecord, "host" | "ttl">> = [
    ...texts.map((value) => ({ type: "TXT", value })),
    ...senders.slice(0, 3).map((value) => ({ type: "A", value })),
    { type: "CNAME", value: "web.ours.net" },
    { type: "CNAME", value: "a.example.org" },
    { type: "MX", value: "mx.theirs.net", priority: 10 },
    { type: "MX", value: "mail.example.org", priority: 5 },
    { type: "NS", value: "ns.theirs.net" }
  ]
  return fc.constantFrom(...data).map((record) => ({ host, ttl: 300, ...record }))
}

/** Policies behind aliases, and uses of policies below names that a plan may create. */
const otherPolicyRecords: ReadonlyArray<ZoneRecord> = [
  { host: "_dmarc", type: "CNAME", value: "policy.theirs.net" },
  { host: "_dmarc.a", type: "CNAME", value: "policy.theirs.net" },
  { host: "_dmarc", type: "CNAME", value: "q.b.a.example.org" },
  { host: "*", type: "TXT", value: "v=DMARC1; p=reject" },
  { host: "*", type: "TXT", value: "v=spf1 ip4:192.0.2.1 -all" },
  { host: "@", type: "TXT", value: "v=spf1 include:q.b.a.example.org -all" },
  { host: "@", type: "TXT", value: "v=spf1 redirect=q.a.example.org" }
].map((record) => ({ ...record, ttl: 300 }))

const zoneRecord: fc.Arbitrary<ZoneRecord> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hosts).chain((host) => recordOf(host, liveTexts)) },
  {
    weight: 1,
    arbitrary: fc.record({
      host: fc.constantFrom("_dmarc", "_dmarc.a", "_dmarc.fruit", "*", "*.a"),
      type: fc.constant("TXT"),
      value: fc.constantFrom(...policies),
      ttl: fc.constant(300)
    })
  },
  { weight: 1, arbitrary: fc.constantFrom(...otherPolicyRecords) },
  {
    weight: 2,
    // Mail of the apex that depends on the addresses of a domain below it.
    arbitrary: fc.constantFrom<ZoneRecord>(
      { host: "@", type: "TXT", value: "v=spf1 a:x.fruit.example.org mx -all", ttl: 300 },
      { host: "@", type: "MX", value: "fruit.example.org", priority: 5, ttl: 300 },
      { host: "x.fruit", type: "A", value: "192.0.2.1", ttl: 300 },
      { host: "fruit", type: "A", value: "192.0.2.2", ttl: 300 }
    )
  }
)

const desiredRecord = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("@", "a", "b.a", "_v", "send", "_v.a", "*", "*.a", "_spf")
      .chain((host) => recordOf(host, desiredTexts))
  },
  {
    weight: 1,
    arbitrary: fc.record({
      host: fc.constantFrom("_dmarc", "_dmarc.a", "_dmarc.send"),
      type: fc.constant("TXT"),
      value: fc.constantFrom(...policies.slice(0, -1)),
      ttl: fc.constant(300)
    })
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ZoneRecord>(
      { host: "_dmarc", type: "TXT", value: "hello", ttl: 300 },
      { host: "_dmarc.a", type: "A", value: "192.0.2.1", ttl: 300 },
      { host: "_dmarc", type: "A", value: "192.0.2.1", ttl: 300 },
      { host: "b.a", type: "TXT", value: "v=DMARC1; p=none", ttl: 300 }
    )
  }
)

interface Case {
  readonly basis: Zone["basis"]
  readonly intent: ResolvedIntent
  readonly before: AuthoritativeZone
  readonly planned: ReturnType<typeof planZone>
  readonly after: AuthoritativeZone
  readonly domain: DomainName
}

const scenario = fc.record({
  basis: fc.constantFrom<Zone["basis"]>("provider", "public_dns"),
  domain: fc.constantFrom(...domains),
  zone: fc.array(zoneRecord, { maxLength: 9 }),
  desired: fc.array(desiredRecord, { minLength: 1, maxLength: 3 }),
  validateDmarc: fc.boolean()
})

const nameOf = (host: string, domain: string): string => (host === "@" ? domain : `${host}.${domain}`)

/** Whether a record of the zone can be where it is: no NS at the apex, no wildcard delegation. */
const isPlausible = ({ host, type }: ZoneRecord): boolean => type !== "NS" || (host !== "@" && !host.startsWith("*"))

const keyOf = ({ priority, type, value }: ZoneRecord, name: string) => `${name} ${type} ${priority ?? ""} ${value}`

const prepare = ({
  basis,
  desired,
  domain,
  validateDmarc,
  zone
}: typeof scenario extends fc.Arbitrary<infer A> ? A : never): Case => {
  // A provider that flattens the CNAME at the apex shows the addresses of its target only.
  const isVisible = ({ host, type }: ZoneRecord) => basis === "provider" || type !== "CNAME" || host !== "@"
  const records = addValidRecords(
    [],
    zone.filter((record) => isPlausible(record) && isVisible(record)),
    false
  )
  const served = records.map((record) => ({ ...record, name: nameOf(record.host, apex) }))
  const request = (desired: ReadonlyArray<ZoneRecord>): IntentRequest => ({
    domain,
    records: desired.flatMap((record) => (isRecordType(record.type) ? [{ ...record, type: record.type }] : [])),
    existingRecordPolicy: { validateDmarc }
  })
  const kept = desired
    .filter(isPlausible)
    .reduce<ReadonlyArray<ZoneRecord>>(
      (all, record) => (Either.isRight(resolveIntent(request([...all, record]))) ? [...all, record] : all),
      []
    )
  const intent = Either.getOrThrow(
    resolveIntent(request(kept.length > 0 ? kept : [{ host: "_v", type: "TXT", value: "v", ttl: 300 }]))
  )
  const before = new AuthoritativeZone(apex, served)
  const input: Omit<ZonePlanInput, "context"> = {
    intent,
    zone: seenZone({ basis, before, domain, intent, served }),
    limits: { capabilities: capabilities("supported"), ttl: anyTtl }
  }
  const planned = planWithAnswers(input, askIn(before))
  const changes = Either.isRight(planned) ? planned.right.changes : []
  const removed = new Set(
    changes.flatMap(({ before }) => (before === undefined ? [] : [keyOf(before, nameOf(before.host, domain))]))
  )
  const after = [
    ...served.filter((record) => !removed.has(keyOf(record, record.name))),
    ...changes.flatMap(({ after: added }) =>
      added === undefined ? [] : [{ ...added, name: nameOf(added.host, domain) }]
    )
  ]
  return { basis, intent, planned, domain, before, after: new AuthoritativeZone(apex, after) }
}

/** The zone as its provider keeps it, or as the DNS shows it, from the point of view of the domain. */
const seenZone = ({
  basis,
  before,
  domain,
  intent,
  served
}: Pick<Case, "before" | "domain" | "intent"> & {
  readonly basis: Zone["basis"]
  readonly served: ReadonlyArray<ZoneRecord & { readonly name: string }>
}): Zone => {
  const { emptyNames, records } =
    basis === "provider"
      ? { emptyNames: [], records: served }
      : readPublicZone({ apex, records: served, zone: before }, domain, intent.effectiveIntent.records)
  const finder = makeWildcardAboveFinder({ domain, zone: apex })
  const zoneContext = makeZoneContextFinder({ domain, zone: apex })
  const seen = records.flatMap(({ name, priority, ttl, type, value }): ReadonlyArray<ZoneRecord> => {
    const data = { type, value, ttl, ...(priority === undefined ? {} : { priority }) }
    finder.add(name, data)
    zoneContext.add(name, data)
    if (name === domain) return [{ host: "@", ...data }]
    if (domain.endsWith(`.${name}`) && data.type === "NS") return [{ host: "@", ...data }]
    return name.endsWith(`.${domain}`) ? [{ host: name.slice(0, -domain.length - 1), ...data }] : []
  })
  emptyNames.forEach((name) => finder.addName(name))
  const otherHosts = emptyNames.flatMap((name) => Option.toArray(toRelativeHost(name, domain)))
  return { name: apex, basis, records: seen, ...zoneContext.find(), wildcardAbove: finder.find(), otherHosts }
}

/** Plans again with the answers to what a plan leaves open, as the service does. */
const planWithAnswers = (
  input: Omit<ZonePlanInput, "context">,
  ask: ZoneQuestioner,
  answers: ReadonlyMap<string, ReadonlyArray<string>> = new Map()
): Case["planned"] => {
  const planned = planZone({ ...input, context: { answers, others: [] } })
  const open = Either.merge(planned).unanswered.filter((question) => !answers.has(questionKeyOf(question)))
  return open.length === 0
    ? planned
    : planWithAnswers(
        input,
        ask,
        new Map([...answers, ...open.map((each) => [questionKeyOf(each), ask(each.name, each.type)] as const)])
      )
}

const property = declareProperties({ inputs: scenario, prepare, numRuns })

const askIn =
  (zone: AuthoritativeZone) =>
  (name: string, type: string): ReadonlyArray<string> =>
    name === apex || name.endsWith(`.${apex}`) ? follow(zone, name, type) : (outside[`${name} ${type}`] ?? [])

/** Follows an alias that leads out of the zone. */
const follow = (zone: AuthoritativeZone, name: string, type: string): ReadonlyArray<string> => {
  const [alias] = name === apex && type !== "A" ? [] : zone.answer(name, "CNAME")
  return alias !== undefined && !alias.endsWith(apex) ? (outside[`${alias} ${type}`] ?? []) : zone.answer(name, type)
}

/**
 * The names that send mail: those of the zone and those that the plan creates, but for services and wildcards. Names that
 * only a wildcard answers for, below a name that the plan creates, are none: the warning is about the created name. From
 * the public DNS a plan knows of the domain and its own hosts only.
 */
const sendingNames = ({ after, basis, before, domain, intent }: Case): ReadonlyArray<string> =>
  [
    ...new Set([
      ...(basis === "provider" ? hosts.map((host) => nameOf(host, apex)) : [domain]),
      ...intent.effectiveIntent.records.map(({ host }) => nameOf(host, domain))
    ])
  ].filter((name) => {
    const above = hosts.map((host) => nameOf(host, apex)).filter((other) => name.endsWith(`.${other}`))
    const isCutOff = !after.exists(name) && above.some((other) => after.exists(other) && !before.exists(other))
    return !isCutOff && !/(^|\.)[_*]/.test(name)
  })

/** The serious warnings after which a sender may fail SPF: the record, an address or a server that it names goes. */
const spfWarnings: ReadonlySet<string> = new Set([
  "cname_removed",
  "mail_target_changed",
  "mx_replaced",
  "spf_include_broken",
  "spf_lookup_limit_exceeded"
])

/** From the public DNS a plan does not know which other hosts are aliases of a name, so that the loss of its address counts. */
const warnsOfSpf = (planned: PlanResult, basis: Case["basis"]): boolean =>
  planned.warnings.some((warning) => spfWarnings.has(warning)) ||
  losesKind(planned, "SPF", "MX", "CNAME", ...(basis === "public_dns" ? ["A"] : []))

test("most generated cases can be planned", () => {
  const cases = fc.sample(scenario, 300).map(prepare)
  expect(cases.filter(({ planned }) => Either.isRight(planned)).length).toBeGreaterThan(150)
})

property("no sender that currently passes SPF fails afterwards without a serious warning about that", (drawn) => {
  const { after, basis, before, planned } = drawn
  if (Either.isLeft(planned) || warnsOfSpf(planned.right, basis)) return
  const lost = sendingNames(drawn)
    .filter((name) => !after.isDelegated(name) && !isReplacedAlias(drawn, name))
    .flatMap((name) =>
      senders
        .filter((sender) => evaluateSpf(sender, name, askIn(before)) === "pass")
        .map((sender) => [sender, name, evaluateSpf(sender, name, askIn(after))] as const)
        .filter(([, , result]) => result !== "pass")
    )
  expect(lost).toEqual([])
})

property(
  "no sender that receivers currently accept is rejected afterwards without a serious warning about that",
  (drawn) => {
    const { after, basis, before, domain, planned } = drawn
    if (Either.isLeft(planned) || warnsOfSpf(planned.right, basis)) return
    // A first policy at a name that no mail currently reaches may reject whom it likes; so may the target of an alias that
    // takes the place of addresses alone.
    const receivesMail = (name: string) =>
      before.answer(name, "MX").length > 0 || (before.answer(name, "A").length > 0 && !isNewAlias(drawn, name))
    const lost = sendingNames(drawn)
      .filter(
        (name) =>
          receivesMail(name) &&
          !after.isDelegated(name) &&
          !bringsMail(drawn, name, domain) &&
          !isReplacedAlias(drawn, name)
      )
      .flatMap((name) =>
        senders
          .filter((sender) => accepted.has(evaluateSpf(sender, name, askIn(before))))
          .map((sender) => [sender, name, evaluateSpf(sender, name, askIn(after))] as const)
          .filter(([, , result]) => result === "fail")
      )
    expect(lost).toEqual([])
  }
)

const accepted: ReadonlySet<string> = new Set(["pass", "neutral", "softfail", "none"])

const isNewAlias = ({ after, before }: Case, name: string): boolean =>
  name !== apex && after.answer(name, "CNAME").length > 0 && before.answer(name, "CNAME").length === 0

/** An alias in place of another is warned of as a replaced website: the policies of its target go with it. */
const isReplacedAlias = ({ after, before, planned }: Case, name: string): boolean =>
  Either.isRight(planned) &&
  planned.right.warnings.includes("website_replaced") &&
  before.answer(name, "CNAME").length > 0 &&
  after.answer(name, "CNAME").length > 0

/** Whether the intent contains the MX of a name, or of the wildcard that answers for it. */
const bringsMail = ({ after, intent }: Case, name: string, domain: string): boolean =>
  intent.effectiveIntent.records.some(
    ({ host, type }) =>
      type === "MX" &&
      (nameOf(host, domain) === name ||
        (host.startsWith("*") && !after.exists(name) && name.endsWith(nameOf(host, domain).slice(1))))
  )

property("no DMARC policy becomes stricter or weaker without its warning", (drawn) => {
  const { after, before, planned } = drawn
  if (Either.isLeft(planned)) return
  const { warnings } = planned.right
  const isCovered = losesKind(planned.right, "DMARC", "CNAME")
  const unannounced = sendingNames(drawn)
    .filter((name) => !after.isDelegated(name) && isPolicyRead(drawn, name))
    .flatMap((name) => {
      const [one, other] = [before, after].map((zone) => evaluateDmarc(name, askIn(zone), isKnown(drawn, name, zone)))
      if (one === undefined || other === undefined) return []
      const sides =
        one.action === 0 || other.action === 0
          ? [other.action - one.action]
          : [
              other.action - one.action,
              other.share - one.share,
              Number(other.isDkimStrict) - Number(one.isDkimStrict),
              Number(other.isSpfStrict) - Number(one.isSpfStrict)
            ]
      const isWeaker = sides.some((side) => side < 0) && !warnings.includes("dmarc_policy_weakened")
      const isStricter = sides.some((side) => side > 0) && !warnings.includes("dmarc_policy_strengthened")
      return (isWeaker || isStricter) && !isCovered ? [[name, one, other] as const] : []
    })
  expect(unannounced).toEqual([])
})

/** From the public DNS a plan does not know for sure which names exist. */
const isKnown = ({ basis }: Case, name: string, zone: AuthoritativeZone): boolean =>
  basis === "public_dns" || zone.responds(name)

/** From the public DNS a plan reads only the policies that it changes, and those above them. */
const isPolicyRead = ({ basis, domain, intent }: Case, name: string): boolean =>
  basis === "provider" ||
  name === domain ||
  intent.effectiveIntent.records.some(({ host }) => nameOf(host, domain) === `_dmarc.${name}`)

/**
 * Whether a plan says that a host loses records of a kind: by a serious warning about their removal, or about a wildcard or
 * a delegation that names the kind. With an alias goes everything that it leads to.
 */
const losesKind = ({ changes, warningDetails }: PlanResult, ...kinds: ReadonlyArray<string>): boolean =>
  warningDetails.some(({ changes: places, code, findings = [] }) =>
    code === "mail_records_removed"
      ? places.some((place) => kinds.includes(kindOf(changes[place]?.before)))
      : findings.some((finding) => kinds.some((kind) => new RegExp(`with .*\\b${kind}\\b`).test(finding)))
  )

const kindOf = (record: ZoneRecord | undefined): string =>
  record === undefined ? "" : (findSingletonTxtKind(record) ?? record.type)
