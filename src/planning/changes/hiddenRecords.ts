import { Array, Option, Order } from "effect"
import { isDmarc } from "../../domain/records/DmarcRecord.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost, type DomainName, isAtOrBelow, listSelfAndAncestors, toFqdn } from "../../domain/names/DomainName.ts"
import { isSpf, listSpfAddressNames } from "../../domain/records/SpfRecord.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { type LocatedWarning, maxFindings } from "../LocatedWarning.ts"
import { isAddressRole } from "../RecordRole.ts"
import { hasDataLoss, type HostDiff, type PlanRow } from "./diffZone.ts"
import { isDkimKey } from "../mailPolicies.ts"
import { hasRecordType, isServiceHost, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"
import { findAnsweringHost, listNewNames, listSynthesizedRecords } from "../zone/wildcards.ts"

/** The kinds of records that a name no longer answers with. */
interface HiddenRecords {
  readonly name: string
  /** `SPF`, `DKIM`, `DMARC` or another kind of text record, else the type. */
  readonly kinds: ReadonlyArray<string>
  /** Whether the SPF policy of the name permits the addresses that it loses. */
  readonly isSender?: boolean
}

/** The warnings about records that a name loses by a row; they are serious if visitors or mail may need them. */
export const warnAboutHidden = (
  warning: Extract<Warning, "wildcard_hidden" | "ns_delegation_hides_records">,
  row: PlanRow,
  { isSender = false, kinds, name }: HiddenRecords
): ReadonlyArray<LocatedWarning> => [
  {
    warning,
    rows: [row],
    finding: `${name} no longer answers with ${kinds.join(", ")}.`,
    ...(kinds.some(isNeededKind) ? {} : { severity: "caution" })
  },
  ...(kinds.some(isMailKind) ? [{ warning: "mail_records_removed" as const, rows: [row] }] : []),
  ...(isSender ? [{ warning: "mail_target_changed" as const, rows: [row] }] : [])
]

const isNeededKind = (kind: string): boolean => isMailKind(kind) || servingTypes.has(kind)

/** The types that lead to a website or to another zone. */
const servingTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS", "ANAME", "DNAME", "NS"])

const isMailKind = (kind: string): boolean => mailKinds.has(kind)

const mailKinds: ReadonlySet<string> = new Set(["MX", "SPF", "DKIM", "DMARC"])

/**
 * Finds which answers of a wildcard a row hides: a new record creates its host and the empty names above it, for which
 * no wildcard answers then (RFC 4592). An answer that the intent replaces at the same name does not count.
 */
export const makeWildcardCheck = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>
): ((row: PlanRow) => ReadonlyArray<LocatedWarning>) => {
  const diffAt = new Map(diffs.map((diff) => [diff.host, diff]))
  const hiddenAt = (host: string): HiddenRecords => {
    const answers = listSynthesizedRecords(zone, host)
    // Nobody visits a name of a service, nor sends mail from there: an address has no meaning for it.
    const hidden = answers.filter(
      (record) => !isReplacedAtHost(record, diffAt.get(host)) && (!isAddressOrCname(record) || !isServiceHost(host))
    )
    return toHidden(toFqdn(host, zone.domain), hidden, answers)
  }
  const answersAbove = listSynthesizedRecords(zone, apexHost)
  const hiddenBetween = listNewNamesBelowWildcard(zone).map((name) => toHidden(name, answersAbove, answersAbove))
  return (row) => {
    if (!zone.hasWildcards || row.after === undefined) return []
    const names = listNewNames(zone, row.host)
    return [...names.map(hiddenAt), ...(names.includes(apexHost) ? hiddenBetween : [])]
      .filter(({ kinds }) => kinds.length > 0)
      .flatMap((hidden) => warnAboutHidden("wildcard_hidden", row, hidden))
  }
}

/** The records of a wildcard that a new name hides. */
const toHidden = (
  name: DomainName,
  hidden: ReadonlyArray<LiveRecord>,
  answers: ReadonlyArray<LiveRecord>
): HiddenRecords => ({
  name,
  kinds: listKinds(hidden),
  isSender: hidden.some(isAddressOrCname) && answers.some((record) => permitsOwnAddress(record, name))
})

const isAddressOrCname = ({ role }: LiveRecord): boolean => isAddressRole(role) || role === "CNAME"

const permitsOwnAddress = ({ type, value }: LiveRecord, name: DomainName): boolean =>
  type === "TXT" && isSpf(value) && listSpfAddressNames(value, name).includes(name)

/** The names between the domain and the wildcard above it, which the first record of the domain creates too. */
const listNewNamesBelowWildcard = ({ domain, wildcardAbove }: LiveZone): ReadonlyArray<DomainName> => {
  const encloser = wildcardAbove?.name.slice("*.".length)
  return encloser === undefined
    ? []
    : listSelfAndAncestors(domain).filter((name) => name !== domain && name !== encloser && isAtOrBelow(name, encloser))
}

/** Whether the plan replaces a wildcard's record at the same name. A replaced website has a warning of its own. */
const isReplacedAtHost = (record: LiveRecord, diff: HostDiff | undefined): boolean =>
  record.role === "TXT"
    ? (diff?.rows ?? []).some(({ after }) => after?.type === "TXT" && isSuccessor(record, after))
    : diff?.roles.has(record.role) === true || (isAddressOrCname(record) && diff?.roles.has("CNAME") === true)

/** Whether a later answer of a name takes the place of one that a wildcard gave. */
export const isReplacedBy = (record: LiveRecord, after: LiveRecord): boolean =>
  record.role === after.role && (record.role !== "TXT" || isSuccessor(record, after))

const isSuccessor = (record: ZoneRecord, after: ZoneRecord): boolean =>
  after.value === record.value ||
  (findSingletonTxtKind(record) !== undefined && findSingletonTxtKind(record) === findSingletonTxtKind(after))

/** Makes a function that warns where a DKIM key, or the alias to one, replaces another that a wildcard answers with. */
export const makeWildcardKeyCheck = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>
): ((row: PlanRow) => ReadonlyArray<LocatedWarning>) => {
  const rowsAt = new Map(diffs.map(({ host, rows }) => [host, rows]))
  return (row) => {
    const { after, host } = row
    if (!zone.hasWildcards || after === undefined || !isDkimKey(after)) return []
    const answering = findAnsweringHost(zone, host)
    const wildcard = answering === host ? (zone.wildcardAbove?.name ?? host) : answering
    const isLost = listSynthesizedRecords(zone, host).some(
      (record) =>
        // A wildcard for all names has no keys in mind.
        (record.type === "CNAME" ? isDkimKey({ ...record, host: wildcard }) : isDkimKey(record)) &&
        (rowsAt.get(host) ?? []).every((other) => other.after?.value !== record.value)
    )
    return isLost ? [{ warning: "dkim_key_replaced", rows: [row] }] : []
  }
}

/** Makes a check for rows that replace a wildcard's answer by a new record; to clients this is an update. */
export const makeWildcardReplacementCheck = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>
): ((row: PlanRow) => boolean) => {
  const rowsAt = new Map(diffs.map(({ host, rows }) => [host, rows]))
  return ({ after, host, role }) =>
    after !== undefined &&
    listSynthesizedRecords(zone, host).some(
      (record) =>
        record.role === role &&
        (role !== "TXT" || isSuccessor(record, after)) &&
        (rowsAt.get(host) ?? []).every((row) => hasDataLoss(toFqdn(host, zone.domain), { ...row, before: record }))
    )
}

/** Finds the records that a new delegation hides below it, without the addresses of its name servers. */
export const makeDelegationCheck = (
  zone: LiveZone,
  diffs: ReadonlyArray<HostDiff>
): ((row: PlanRow) => ReadonlyArray<LocatedWarning>) => {
  const cuts = new Set(
    diffs
      .filter(({ host, roles }) => roles.has("DELEGATION") && !hasRecordType(zone, host, "NS"))
      .map(({ host }) => host)
  )
  const nameServers = new Set(
    diffs.flatMap(({ results }) => results.map(([record]) => (record.type === "NS" ? record.value : "")))
  )
  const hiddenAt = (host: string): ReadonlyArray<LiveRecord> => {
    const mayBeGlue = nameServers.has(toFqdn(host, zone.domain))
    return zone.recordsAt(host).filter(({ role }) => !(mayBeGlue && isAddressRole(role)))
  }
  const hiddenBelow = new Map<string, Array<HiddenRecords>>()
  for (const host of cuts.size === 0 ? [] : zone.byHost.keys()) {
    // A large zone has hundreds of thousands of hosts, few of them below a cut.
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      const above = host.slice(dot + 1)
      if (!cuts.has(above)) continue
      const kinds = listKinds(hiddenAt(host))
      if (kinds.length === 0) continue
      const hidden = hiddenBelow.get(above) ?? []
      hiddenBelow.set(above, hidden)
      hidden.push({ name: toFqdn(host, zone.domain), kinds })
    }
  }
  return (row) => {
    const { after, host, role } = row
    const hidden = after !== undefined && role === "DELEGATION" ? (hiddenBelow.get(host) ?? []) : []
    return selectGravest(hidden).flatMap((each) => warnAboutHidden("ns_delegation_hides_records", row, each))
  }
}

/** The hidden names that weigh most; a delegation may hide hundreds of thousands. */
const selectGravest = (hidden: ReadonlyArray<HiddenRecords>): ReadonlyArray<HiddenRecords> =>
  Array.sort(hidden, gravestFirst).slice(0, maxFindings)

const gravestFirst: Order.Order<HiddenRecords> = Order.combineAll([
  Order.mapInput(Order.reverse(Order.boolean), ({ kinds }) => kinds.some(isMailKind)),
  Order.mapInput(Order.reverse(Order.boolean), ({ kinds }) => kinds.some(isNeededKind)),
  Order.mapInput(Order.string, ({ name }) => name)
])

/** The kind of a record that a host loses: the kind of a policy, else its type. */
export const kindOf = (record: Pick<ZoneRecord, "host" | "type" | "value">): string =>
  findSingletonTxtKind(record) ?? Option.getOrElse(kindAtNameBelow(record), () => record.type)

/** A wildcard answers for the policies of a host too, which are at names below the host. */
const kindAtNameBelow = ({ host, type, value }: Pick<ZoneRecord, "host" | "type" | "value">): Option.Option<string> =>
  Option.fromNullable(
    type === "TXT" && isDmarc(value)
      ? "DMARC"
      : findSingletonTxtKind({ host: `_domainkey.${host}`, type, value: /v\s*=\s*DKIM1/i.test(value) ? value : "" })
  )

export const listKinds = (records: ReadonlyArray<Parameters<typeof kindOf>[0]>): ReadonlyArray<string> =>
  Array.dedupe(records.map(kindOf)).toSorted()
