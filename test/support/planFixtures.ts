import { Either } from "effect"
import { formatOptionalFailure } from "../../src/domain/connection/Connection.ts"
import { DnsRecord, type ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { EffectiveIntent, Intent, type IntentRecord, type ResolvedIntent } from "../../src/domain/connection/Intent.ts"
import type { Change, ChangeRecord } from "../../src/domain/plan/Plan.ts"
import { anyTtl, type Capabilities, type Capability, type TtlRange } from "../../src/domain/provider/Provider.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import { hasPriority, isRecordType, normalizeValue } from "../../src/domain/records/recordTypes.ts"
import type { PlanContext } from "../../src/planning/PlanContext.ts"
import type { PlanResult } from "../../src/planning/buildPlan.ts"
import { planZone, type ZonePlanInput } from "./planZone.ts"

export const exampleCom = DomainName.make("example.com")

/** Capabilities that are all the same, except for the given ones. */
export const capabilities = (defaultCapability: Capability, overrides: Partial<Capabilities> = {}): Capabilities => ({
  rootNSModification: defaultCapability,
  subdomainNSModification: defaultCapability,
  wwwRedirect: defaultCapability,
  cnameFlattening: defaultCapability,
  wildcardRecords: defaultCapability,
  caaRecords: defaultCapability,
  spfRecords: defaultCapability,
  socialLogin: defaultCapability,
  ...overrides
})

/** The zone `example.com` with records written as in a zone file: `www 300 A 192.0.2.1`, `@ 300 MX 10 mail.example.com`. */
export const zoneOf = (...lines: ReadonlyArray<string>): Zone => ({
  name: exampleCom,
  basis: "provider",
  records: lines.map(zoneRecord)
})

/** Desired records, written like those of a zone; a leading `?` makes one optional. */
export const desiredRecords = (...lines: ReadonlyArray<string>): ReadonlyArray<DnsRecord> =>
  lines.map((line) => {
    const { type, ...rest } = zoneRecord(line.replace(/^\?/, ""))
    if (!isRecordType(type)) throw new Error(`no intent supports ${type}`)
    return DnsRecord.make({ ...rest, type, optional: line.startsWith("?") })
  })

const zoneRecord = (line: string): ZoneRecord => {
  const [host = "", ttl = "", type = "", ...rest] = line.split(" ")
  const priority = hasPriority(type) ? { priority: Number(rest[0]) } : {}
  return { host, type, value: rest.slice(hasPriority(type) ? 1 : 0).join(" "), ttl: Number(ttl), ...priority }
}

interface PlanScenario {
  readonly zone: Zone
  readonly desired: ReadonlyArray<DnsRecord>
  readonly domain?: DomainName
  readonly capabilities?: Capabilities
  readonly ttl?: TtlRange
  readonly policy?: Partial<Intent["existingRecordPolicy"]>
  /** The options of every desired TXT at a `_dmarc` host. */
  readonly dmarcOptions?: IntentRecord["advancedDmarcOptions"]
  /** DNS answers outside the zone: values by `name TYPE`. */
  readonly answers?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly others?: PlanContext["others"]
}

/** Formats a plan: each change like `create www 300 A 192.0.2.1`, with `!` if destructive. */
export const describePlan = (scenario: PlanScenario) => {
  const { changes, effectiveIntent, optionalFailures, warnings } = planOrThrow(scenario)
  return {
    changes: changes.map(describeChange),
    effective: effectiveIntent.records.map(formatRecord),
    warnings,
    ...(optionalFailures.length === 0 ? {} : { optionalFailures: optionalFailures.map(formatOptionalFailure) })
  }
}

/** Plans; a refusal fails the test. */
export const planOrThrow = (scenario: PlanScenario): PlanResult => Either.getOrThrow(attempt(scenario))

/** Formats the refusal as `TYPE host code`. */
export const describeRefusal = (scenario: PlanScenario): string =>
  Either.match(attempt(scenario), {
    onLeft: formatOptionalFailure,
    onRight: () => "planned"
  })

const attempt = (scenario: PlanScenario) => planZone(planInputOf(scenario))

/** The input of the planner: by default everything is supported and nothing is known outside the zone. */
export const planInputOf = ({
  answers = {},
  capabilities: providerCapabilities = capabilities("supported"),
  desired,
  dmarcOptions,
  domain = exampleCom,
  others = [],
  policy = {},
  ttl = anyTtl,
  zone
}: PlanScenario): ZonePlanInput => ({
  intent: intentFor(domain, desired, { ...(dmarcOptions === undefined ? {} : { dmarcOptions }), policy }),
  zone,
  limits: { capabilities: providerCapabilities, ttl },
  context: { answers: new Map(Object.entries(answers)), others }
})

/** Builds an intent with these records, which must be in normal form. */
export const intentFor = (
  domain: DomainName,
  desired: ReadonlyArray<DnsRecord>,
  { dmarcOptions, policy = {} }: Pick<PlanScenario, "dmarcOptions" | "policy"> = {}
): ResolvedIntent => ({
  domain,
  effectiveIntent: EffectiveIntent.make({ domain, records: desired }),
  intent: Intent.make({
    domain,
    records: desired.map((record) => ({
      ...record,
      ...(dmarcOptions !== undefined && /^_dmarc(\.|$)/.test(record.host) ? { advancedDmarcOptions: dmarcOptions } : {})
    })),
    existingRecordPolicy: { validateDmarc: true, validateCAA: true, ...policy }
  })
})

export const describeChange = ({ action, after, before, destructive }: Change): string =>
  [
    `${action}${destructive ? "!" : ""}`,
    ...[before, after].flatMap((record) => (record === undefined ? [] : [formatRecord(record)]))
  ].join(" | ")

const formatRecord = ({ host, priority, ttl, type, value }: ChangeRecord): string =>
  [host, ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")

/** The zones after each change; throws if a change does not fit the zone before it. */
export const zonesAfterEachChange = (zone: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<Zone> =>
  changes.reduce<ReadonlyArray<Zone>>((zones, change) => [...zones, applyChange(zones.at(-1) ?? zone, change)], [])

/** The zone after all changes. */
export const applyChanges = (zone: Zone, changes: ReadonlyArray<Change>): Zone =>
  zonesAfterEachChange(zone, changes).at(-1) ?? zone

const applyChange = (zone: Zone, change: Change): Zone => {
  const { after, before } = change
  const remaining = zone.records.filter((record) => before === undefined || !isSameRecord(record, before))
  const hasBefore = remaining.length < zone.records.length
  const hasAfter = after !== undefined && remaining.some((record) => isSameRecord(record, after))
  if (hasBefore !== (before !== undefined) || hasAfter)
    throw new Error(`${describeChange(change)} does not fit the zone`)
  return { ...zone, records: [...remaining, ...(after === undefined ? [] : [after])] }
}

/** Whether both records are the same, ignoring spelling and TTL. */
export const isSameRecord = (first: ZoneRecord, second: ZoneRecord): boolean =>
  // Most records of a zone differ in these already.
  first.host.toLowerCase() === second.host.toLowerCase() &&
  first.type.toUpperCase() === second.type.toUpperCase() &&
  identity(first) === identity(second)

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
