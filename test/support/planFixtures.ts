import { Either } from "effect"
import { formatOptionalFailure } from "../../src/domain/Connection.ts"
import { DnsRecord, hasPriority, isRecordType, normalizeValue, type ZoneRecord } from "../../src/domain/DnsRecord.ts"
import { DomainName } from "../../src/domain/DomainName.ts"
import { EffectiveIntent, Intent, type IntentRecord, type ResolvedIntent } from "../../src/domain/Intent.ts"
import type { Change, ChangeRecord } from "../../src/domain/Plan.ts"
import { anyTtl, type Capabilities, type Capability, type TtlRange } from "../../src/domain/Provider.ts"
import type { Zone } from "../../src/domain/Zone.ts"
import type { PlanContext } from "../../src/planning/PlanContext.ts"
import { buildPlan, type PlanInput, type PlanResult } from "../../src/planning/buildPlan.ts"

export const exampleCom = DomainName.make("example.com")

/** Capabilities that are all the same, but for those that are named. */
export const capabilities = (all: Capability, others: Partial<Capabilities> = {}): Capabilities => ({
  rootNSModification: all,
  subdomainNSModification: all,
  wwwRedirect: all,
  cnameFlattening: all,
  wildcardRecords: all,
  caaRecords: all,
  spfRecords: all,
  socialLogin: all,
  ...others
})

/** The zone `example.com` with records as in a zone file: `www 300 A 192.0.2.1`, `@ 300 MX 10 mail.example.com`. */
export const zoneOf = (...lines: ReadonlyArray<string>): Zone => ({
  name: exampleCom,
  basis: "provider",
  records: lines.map(zoneRecord)
})

/** Wanted records, written like those of a zone; a leading `?` makes one optional. */
export const desiredRecords = (...lines: ReadonlyArray<string>): ReadonlyArray<DnsRecord> =>
  lines.map((line) => {
    const { type, ...rest } = zoneRecord(line.replace(/^\?/, ""))
    if (!isRecordType(type)) throw new Error(`no intent can ask for ${type}`)
    return DnsRecord.make({ ...rest, type, optional: line.startsWith("?") })
  })

const zoneRecord = (line: string): ZoneRecord => {
  const [host = "", ttl = "", type = "", ...rest] = line.split(" ")
  const priority = hasPriority(type) ? { priority: Number(rest[0]) } : {}
  return { host, type, value: rest.slice(hasPriority(type) ? 1 : 0).join(" "), ttl: Number(ttl), ...priority }
}

interface Situation {
  readonly zone: Zone
  readonly wanted: ReadonlyArray<DnsRecord>
  readonly domain?: DomainName
  readonly capabilities?: Capabilities
  readonly ttl?: TtlRange
  readonly policy?: Partial<Intent["existingRecordPolicy"]>
  /** For every wanted TXT at a `_dmarc` host. */
  readonly dmarcOptions?: IntentRecord["advancedDmarcOptions"]
  /** What the DNS answers elsewhere: values by `name TYPE`. */
  readonly answers?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly others?: PlanContext["others"]
}

/** A plan in words: the changes as `create www 300 A 192.0.2.1`, with `!` where destructive. */
export const describePlan = (situation: Situation) => {
  const { changes, effectiveIntent, optionalFailures, warnings } = planOrThrow(situation)
  return {
    changes: changes.map(describeChange),
    effective: effectiveIntent.records.map(recordInWords),
    warnings,
    ...(optionalFailures.length === 0 ? {} : { optionalFailures: optionalFailures.map(formatOptionalFailure) })
  }
}

/** The plan itself; a refusal is an error of the test. */
export const planOrThrow = (situation: Situation): PlanResult => Either.getOrThrow(attempt(situation))

/** The refusal, in the words of `optionalFailures`. */
export const describeRefusal = (situation: Situation): string =>
  Either.match(attempt(situation), {
    onLeft: formatOptionalFailure,
    onRight: () => "planned"
  })

const attempt = (situation: Situation) => buildPlan(planInputOf(situation))

/** All that the planner is given, with everything supported and nothing known from elsewhere unless it is named. */
export const planInputOf = ({
  answers = {},
  capabilities: able = capabilities("supported"),
  dmarcOptions,
  domain = exampleCom,
  others = [],
  policy = {},
  ttl = anyTtl,
  wanted,
  zone
}: Situation): PlanInput => ({
  intent: intentFor(domain, wanted, { ...(dmarcOptions === undefined ? {} : { dmarcOptions }), policy }),
  zone,
  limits: { capabilities: able, ttl },
  context: { answers: new Map(Object.entries(answers)), others }
})

/** An intent that asks for these records, which are in normal form already. */
export const intentFor = (
  domain: DomainName,
  wanted: ReadonlyArray<DnsRecord>,
  { dmarcOptions, policy = {} }: Pick<Situation, "dmarcOptions" | "policy"> = {}
): ResolvedIntent => ({
  domain,
  effectiveIntent: EffectiveIntent.make({ domain, records: wanted }),
  intent: Intent.make({
    domain,
    records: wanted.map((record) => ({
      ...record,
      ...(dmarcOptions !== undefined && /^_dmarc(\.|$)/.test(record.host) ? { advancedDmarcOptions: dmarcOptions } : {})
    })),
    existingRecordPolicy: { validateDmarc: true, validateCAA: true, ...policy }
  })
})

export const describeChange = ({ action, after, before, destructive }: Change): string =>
  [
    `${action}${destructive ? "!" : ""}`,
    ...[before, after].flatMap((record) => (record === undefined ? [] : [recordInWords(record)]))
  ].join(" | ")

const recordInWords = ({ host, priority, ttl, type, value }: ChangeRecord): string =>
  [host, ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")

/** The zones after each change; it is an error of the plan if a change does not fit the zone it meets. */
export const zonesAfterEachChange = (zone: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<Zone> =>
  changes.reduce<ReadonlyArray<Zone>>((steps, change) => [...steps, applyChange(steps.at(-1) ?? zone, change)], [])

/** The zone after all changes. */
export const applyChanges = (zone: Zone, changes: ReadonlyArray<Change>): Zone =>
  zonesAfterEachChange(zone, changes).at(-1) ?? zone

const applyChange = (zone: Zone, change: Change): Zone => {
  const { after, before } = change
  const remaining = zone.records.filter((record) => before === undefined || !isSameRecord(record, before))
  const isThere = remaining.length < zone.records.length
  const isTaken = after !== undefined && remaining.some((record) => isSameRecord(record, after))
  if (isThere !== (before !== undefined) || isTaken) throw new Error(`${describeChange(change)} does not fit the zone`)
  return { ...zone, records: [...remaining, ...(after === undefined ? [] : [after])] }
}

/** Whether both serve the same, spelling and TTL aside. */
export const isSameRecord = (one: ZoneRecord, other: ZoneRecord): boolean => identity(one) === identity(other)

const identity = ({ host, priority, type, value }: ZoneRecord): string =>
  JSON.stringify([
    host.toLowerCase(),
    type.toUpperCase(),
    hasPriority(type) ? priority : undefined,
    type === "TXT" || type === "CAA"
      ? normalizeValue(type, value.toWellFormed())
      : normalizeValue(type, value.toWellFormed())
          .toLowerCase()
          .replace(/(.)\.$/, "$1")
  ])
