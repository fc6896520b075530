import { Array, Either } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import { DnsRecord } from "../../domain/DnsRecord.ts"
import { HostName, toFqdn } from "../../domain/DomainName.ts"
import { EffectiveIntent } from "../../domain/Intent.ts"
import type { Change } from "../../domain/Plan.ts"
import { anyTtl, type ProviderLimits } from "../../domain/Provider.ts"
import type { ObservationStatus } from "../../domain/RecordObservation.ts"
import type { Zone } from "../../domain/Zone.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import { type DesiredRecord, desiredRecordsOf } from "../DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { buildPlan } from "../buildPlan.ts"
import { relevantTypes } from "../relevantTypes.ts"
import { hostAndAncestors, isApex, type LiveRecord, type LiveZone, liveZone } from "../zone/LiveZone.ts"
import { unflattenApex } from "../zone/unflattenApex.ts"
import { zoneLookup } from "../zone/zoneLookup.ts"
import { findPlacement, type RecordPlacement } from "./RecordPlacement.ts"
import { checkSpfPermission, type SpfPermission } from "./checkSpfPermission.ts"
import { toExactIntent } from "./toExactIntent.ts"

/** A zone as one server shows it; nothing is known of the RRsets in `unknownRRsets`. */
export interface PartialZone {
  readonly zone: Zone
  readonly unknownRRsets: ReadonlyArray<{ readonly host: string; readonly type: string }>
}

/** What a server shows of a record of the effective intent, and what stands in its place there. */
export interface RecordComparison {
  readonly record: DnsRecord
  readonly status: ObservationStatus
  readonly observed: ReadonlyArray<LiveRecord>
}

/** `unanswered`: what has to be asked beyond the zone before more can be said. */
export interface ZoneComparison {
  readonly records: ReadonlyArray<RecordComparison>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Compares an effective intent with what one server shows. A record is right where planning against that zone asks for
 * no change in its place; an SPF record also where policies that the one there leads to permit the same.
 */
export const compareZone = (effective: EffectiveIntent, shown: PartialZone, context: PlanContext): ZoneComparison => {
  const intent = toExactIntent(eachByItself(effective))
  const zone = liveZone(shown.zone, intent.domain)
  const lookup = zoneLookup(zone, context)
  const wanted = desiredRecordsOf(intent, zone)
  const circumstances = {
    zone,
    lookup,
    outcome: outcomeOf(buildPlan({ intent, zone: shown.zone, limits: noLimits, context })),
    unflattened: unflattenApex(zone, wanted, lookup).unanswered
  }
  const compared = Array.zipWith(effective.records, wanted, (record, one) => {
    const place = findPlacement(one, wanted, zone)
    const finding = isOpen(one, shown.unknownRRsets, zone) ? openFor([]) : findingFor(one, place, circumstances)
    return { compared: { record, status: finding.status, observed: place.occupants }, unanswered: finding.unanswered }
  })
  return {
    records: compared.map(({ compared }) => compared),
    unanswered: compared.flatMap(({ unanswered }) => unanswered)
  }
}

/** A record that cannot be planned must not hide what becomes of the others. */
const eachByItself = (effective: EffectiveIntent): EffectiveIntent =>
  EffectiveIntent.make({
    ...effective,
    records: effective.records.map((record) => DnsRecord.make({ ...record, optional: true }))
  })

/** What a server answers is there, whether its provider is known to be able to store it or not. */
const noLimits: ProviderLimits = {
  ttl: anyTtl,
  capabilities: {
    rootNSModification: "supported",
    subdomainNSModification: "supported",
    wwwRedirect: "supported",
    cnameFlattening: "supported",
    wildcardRecords: "supported",
    caaRecords: "supported",
    spfRecords: "supported",
    socialLogin: "supported"
  }
}

/** What a plan would change and cannot plan. */
interface Outcome {
  readonly changes: ReadonlyArray<Change>
  readonly unanswered: ReadonlyArray<LookupQuestion>
  readonly refusalOf: (record: DnsRecord) => FailureCode | undefined
}

const outcomeOf = (planned: ReturnType<typeof buildPlan>): Outcome =>
  Either.match(planned, {
    onLeft: ({ code, unanswered }) => ({ changes: [], unanswered, refusalOf: () => code }),
    onRight: ({ changes, optionalFailures, unanswered }) => ({
      changes,
      unanswered,
      refusalOf: ({ host, type }) =>
        optionalFailures.find((failure) => failure.type === type && failure.host === host)?.code
    })
  })

interface Circumstances {
  readonly zone: LiveZone
  readonly lookup: DnsLookup
  readonly outcome: Outcome
  /** What would tell whether the addresses of the apex are those of an alias that is wanted there. */
  readonly unflattened: ReadonlyArray<LookupQuestion>
}

interface Finding {
  readonly status: ObservationStatus
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

const findingFor = (wanted: DesiredRecord, place: RecordPlacement, circumstances: Circumstances): Finding => {
  const { outcome, unflattened } = circumstances
  const refusal = outcome.refusalOf(wanted.record)
  if (refusal === "discovery_timeout") return openFor(outcome.unanswered)
  if (refusal === undefined && !outcome.changes.some(place.isAffectedBy)) return present
  if (wanted.role === "ALIAS" && unflattened.length > 0) return openFor(unflattened)
  return Either.match(permission(wanted, place, circumstances), {
    onLeft: openFor,
    onRight: (isPermitted) =>
      isPermitted ? present : { status: place.isContested ? "different" : "missing", unanswered: [] }
  })
}

const present: Finding = { status: "present", unanswered: [] }

const openFor = (unanswered: ReadonlyArray<LookupQuestion>): Finding => ({ status: "unknown", unanswered })

const permission = (
  { record }: DesiredRecord,
  { occupants: taken }: RecordPlacement,
  { lookup, zone }: Circumstances
): SpfPermission =>
  singletonTxtKind(record) === "SPF"
    ? checkSpfPermission(
        record.value,
        taken.map(({ value }) => value),
        toFqdn(HostName.make(record.host), zone.domain),
        lookup
      )
    : Either.right(false)

/** Whether something that the record concerns is not known: a type at its host, or a delegation at or above it. */
const isOpen = (
  { record: { host, type } }: DesiredRecord,
  open: PartialZone["unknownRRsets"],
  zone: LiveZone
): boolean => {
  const types: ReadonlySet<string> = new Set(relevantTypes(type, isApex(zone, host)))
  const cuts = new Set(hostAndAncestors(host).filter((above) => !isApex(zone, above)))
  return open.some((one) => (one.host === host && types.has(one.type)) || (one.type === "NS" && cuts.has(one.host)))
}
