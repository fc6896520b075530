import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost } from "../../domain/names/DomainName.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { listHostAndAncestors } from "../zone/LiveZone.ts"
import type { RecordComparison } from "./compareZone.ts"

interface HostAnswers {
  readonly zone: Zone
  /** The hosts and types for which a wildcard may answer, whatever it answers for other names. */
  readonly wildcardRRsets?: ReadonlyArray<{ readonly host: string; readonly type: string }>
}

/** A zone as it was read before a plan. */
export interface ReadZone extends HostAnswers {
  /** All its authoritative servers, if each answered every question: without them, nothing is known to be absent. */
  readonly answeredBy?: ReadonlyArray<string> | undefined
}

/** The hosts that prove control if entered by hand: no server answers in the records' place, and one can prove it. */
export const listEnterableHosts = (intent: EffectiveIntent, read: ReadZone): ReadonlyArray<string> => {
  const { answeredBy = [], zone } = read
  if (answeredBy.length === 0 || zone.basis !== "public_dns") return []
  const isDelegated = makeDelegationCheck(intent, zone)
  const recordsAt = Map.groupBy(zone.records, ({ host }) => host.toLowerCase())
  const isBelowWildcard = makeWildcardCheck(intent, read)
  const hosts = hostsWhere(
    intent,
    zone,
    (host, records) =>
      !isDelegated(host) &&
      !isBelowWildcard(host) &&
      records.every(({ type }) => !(recordsAt.get(host) ?? []).some((answered) => isInPlaceOf(type, answered)))
  )
  // Once it is entered, it answers for the hosts below it.
  const others = intent.records.filter(({ host }) => !hosts.includes(host))
  const isBelowOther = makeWildcardCheck(intent, { zone: { ...zone, records: others } })
  return hosts.filter((host) => !isBelowOther(host))
}

/** The answers of one server at a check, with their comparison with the intent. */
interface ComparedAnswers extends HostAnswers {
  readonly compared: ReadonlyArray<RecordComparison>
}

/**
 * The hosts whose proving records every server shows as planned, without a wildcard that may have answered. One of the
 * intent may: whoever enters it controls all names below it.
 */
export const listEnteredHosts = (
  intent: EffectiveIntent,
  servers: ReadonlyArray<ComparedAnswers>
): ReadonlyArray<string> => {
  const [{ zone } = {}] = servers
  if (zone === undefined) return []
  const missing = new Set(
    servers.flatMap(({ compared }) => compared.flatMap(({ isExact, record }) => (isExact ? [] : [record])))
  )
  const hosts = hostsWhere(intent, zone, (_, records) =>
    records.filter(canProve(intent, zone)).every((one) => !missing.has(one))
  )
  const checks = servers.map((server) => makeWildcardCheck(intent, server))
  const own = new Set(hosts.filter((host) => !checks.some((isBelowWildcard) => isBelowWildcard(host))))
  return hosts.filter((host) => own.has(host) || listWildcardsAbove(host).some((wildcard) => own.has(wildcard)))
}

/** The hosts that meet the condition and have a record that can prove control. */
const hostsWhere = (
  intent: EffectiveIntent,
  zone: Pick<Zone, "name">,
  condition: (host: string, records: ReadonlyArray<DnsRecord>) => boolean
): ReadonlyArray<string> =>
  [...Map.groupBy(intent.records, ({ host }) => host)].flatMap(([host, records]) =>
    records.some(canProve(intent, zone)) && condition(host, records) ? [host] : []
  )

/**
 * Whether entering a record can prove control: not an optional one, which is never verified, nor what counts as served
 * by other records, such as a policy (SPF, DMARC, CAA) or an alias at the apex of a zone.
 */
const canProve =
  ({ domain }: EffectiveIntent, { name }: Pick<Zone, "name">) =>
  (record: DnsRecord): boolean =>
    !record.optional &&
    record.type !== "CAA" &&
    findSingletonTxtKind(record) === undefined &&
    !(record.type === "CNAME" && record.host === apexHost && name === domain)

/** Whether a record answers in the place of one of a type: it has the type, or one of both is an alias. */
const isInPlaceOf = (type: string, { type: answered }: Pick<ZoneRecord, "type">): boolean =>
  answered === type || answered === "CNAME" || type === "CNAME"

/** Makes the function that tells whether a wildcard may answer in the place of a record at a host of the intent. */
const makeWildcardCheck = (
  { records }: EffectiveIntent,
  { wildcardRRsets = [], zone }: HostAnswers
): ((host: string) => boolean) => {
  const typesAt = Map.groupBy(records, ({ host }) => host)
  const recordsAt = Map.groupBy(zone.records, ({ host }) => host.toLowerCase())
  const answersAt = Map.groupBy(wildcardRRsets, ({ host }) => host)
  return (host) => {
    const answers = [
      ...(answersAt.get(host) ?? []),
      ...listWildcardsAbove(host).flatMap((wildcard) => recordsAt.get(wildcard) ?? []),
      ...(zone.wildcardAbove?.records ?? [])
    ]
    return (typesAt.get(host) ?? []).some(({ type }) => answers.some((answered) => isInPlaceOf(type, answered)))
  }
}

/** The wildcards that answer for a host as long as it does not exist. */
const listWildcardsAbove = (host: string): ReadonlyArray<string> =>
  listHostAndAncestors(host === "*" ? apexHost : host.replace(/^\*\./, ""))
    .slice(1)
    .map((above) => (above === apexHost ? "*" : `*.${above}`))

/** Whether other servers answer for a host, which is at or below a delegation or below an alias of a whole tree. */
const makeDelegationCheck = ({ domain }: EffectiveIntent, zone: Zone) => {
  const delegations = new Set(
    zone.records.flatMap(({ host, type }) =>
      type === "DNAME" || (type === "NS" && !(host === apexHost && zone.name === domain)) ? [host.toLowerCase()] : []
    )
  )
  return (host: string): boolean => listHostAndAncestors(host).some((name) => delegations.has(name))
}
