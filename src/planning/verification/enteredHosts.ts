import { type DnsRecord, findSingletonTxtKind, type ZoneRecord } from "../../domain/DnsRecord.ts"
import { apexHost } from "../../domain/DomainName.ts"
import type { EffectiveIntent } from "../../domain/Intent.ts"
import type { Zone } from "../../domain/Zone.ts"
import { listHostAndAncestors } from "../zone/LiveZone.ts"
import type { RecordComparison } from "./compareZone.ts"

/** A zone as it was read before a plan. */
export interface ReadZone {
  readonly zone: Zone
  /** All its authoritative servers, if each answered every question: without them, nothing is known to be absent. */
  readonly answeredBy?: ReadonlyArray<string> | undefined
}

/**
 * The hosts of an intent that its owner can prove by entering the planned records by hand: no server answers anything yet in
 * the place of any record there, and one of the records can prove control.
 */
export const listEnterableHosts = (
  intent: EffectiveIntent,
  { answeredBy = [], zone }: ReadZone
): ReadonlyArray<string> => {
  if (answeredBy.length === 0 || zone.basis !== "public_dns") return []
  const isDelegated = makeDelegationCheck(intent, zone)
  const recordsAt = Map.groupBy(zone.records, ({ host }) => host.toLowerCase())
  /** The records that answer for a host: its own, those of its aliases' place, and those of every wildcard above it. */
  const listAnswering = (host: string): ReadonlyArray<ZoneRecord> => [
    ...(recordsAt.get(host) ?? []),
    ...listWildcardsAbove(host).flatMap((wildcard) => recordsAt.get(wildcard) ?? []),
    ...(zone.wildcardAbove?.records ?? [])
  ]
  return hostsWhere(
    intent,
    zone,
    (host, records) =>
      !isDelegated(host) &&
      records.every(({ type }) => !listAnswering(host).some((answered) => isInPlaceOf(type, answered)))
  )
}

/** The hosts of an intent whose proving records every server shows exactly as they were planned. */
export const listEnteredHosts = (
  intent: EffectiveIntent,
  zone: Pick<Zone, "name">,
  servers: ReadonlyArray<ReadonlyArray<RecordComparison>>
): ReadonlyArray<string> => {
  if (servers.length === 0) return []
  const missing = new Set(
    servers.flatMap((compared) => compared.flatMap(({ isExact, record }) => (isExact ? [] : [record])))
  )
  return hostsWhere(intent, zone, (_, records) =>
    records.filter(canProve(intent, zone)).every((one) => !missing.has(one))
  )
}

/** The hosts that have a record which can prove control, and of which the condition holds. */
const hostsWhere = (
  intent: EffectiveIntent,
  zone: Pick<Zone, "name">,
  condition: (host: string, records: ReadonlyArray<DnsRecord>) => boolean
): ReadonlyArray<string> =>
  [...Map.groupBy(intent.records, ({ host }) => host)].flatMap(([host, records]) =>
    records.some(canProve(intent, zone)) && condition(host, records) ? [host] : []
  )

/**
 * Whether entering a record can prove control. Optional records are never verified. Policies (SPF, DMARC, CAA) count as
 * served where others permit the same, and an alias at the apex of a zone where its addresses are the same.
 */
const canProve =
  ({ domain }: EffectiveIntent, { name }: Pick<Zone, "name">) =>
  (record: DnsRecord): boolean =>
    !record.optional &&
    record.type !== "CAA" &&
    findSingletonTxtKind(record) === undefined &&
    !(record.type === "CNAME" && record.host === apexHost && name === domain)

/** Whether a record answers in the place of one of a type: it has the type, or one of both is an alias. */
const isInPlaceOf = (type: string, { type: answered }: ZoneRecord): boolean =>
  answered === type || answered === "CNAME" || type === "CNAME"

const listWildcardsAbove = (host: string): ReadonlyArray<string> => [
  ...listHostAndAncestors(host).flatMap((name) => (name === apexHost ? [] : [`*.${name}`])),
  "*"
]

/** Whether other servers answer for a host, which is at or below a delegation or below an alias of a whole tree. */
const makeDelegationCheck = ({ domain }: EffectiveIntent, zone: Zone) => {
  const delegations = new Set(
    zone.records.flatMap(({ host, type }) =>
      type === "DNAME" || (type === "NS" && !(host === apexHost && zone.name === domain)) ? [host.toLowerCase()] : []
    )
  )
  return (host: string): boolean => listHostAndAncestors(host).some((name) => delegations.has(name))
}
