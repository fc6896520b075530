import { Array, Either, Option } from "effect"
import { toFqdn } from "../domain/names/DomainName.ts"
import type { DnsRecord } from "../domain/records/DnsRecord.ts"
import type { Capabilities } from "../domain/provider/Provider.ts"
import { findRecordType } from "../domain/records/recordTypes.ts"
import { findSingletonTxtKind } from "../domain/records/txt.ts"
import { type DesiredRecord, groupByHost } from "./DesiredRecord.ts"
import type { RecordRefusal, RefusalCode } from "./RecordRefusal.ts"
import { hasSameMembers } from "./RecordRole.ts"
import { isConflicting } from "./changes/conflicts.ts"
import { hasRecordType, isApex, listHostAndAncestors, type LiveZone } from "./zone/LiveZone.ts"

/** Separates the desired records that the zone can contain from those that it cannot. */
export const separatePlannable = (
  desired: ReadonlyArray<DesiredRecord>,
  zone: LiveZone,
  capabilities: Capabilities
): [refused: ReadonlyArray<RecordRefusal>, plannable: ReadonlyArray<DesiredRecord>] => {
  const context = { zone, capabilities, desiredAt: indexByHost(desired) }
  return Array.partitionMap(desired, (record) =>
    Option.match(refusalOf(record, context), {
      onNone: () => Either.right(record),
      onSome: (code) => Either.left({ code, desired: record })
    })
  )
}

/** Separates CAA records at a CNAME that are alone once others are refused: no reason to remove the CNAME. */
export const separateAtAliases = (
  desired: ReadonlyArray<DesiredRecord>,
  zone: LiveZone
): [refused: ReadonlyArray<RecordRefusal>, plannable: ReadonlyArray<DesiredRecord>] => {
  const context = { zone, desiredAt: indexByHost(desired) }
  // A host may have thousands of CAA records, all of which have the same answer.
  const hosts = groupByHost(desired.filter(({ role }) => role === "CAA")).entries()
  const refused = new Set(
    [...hosts].flatMap(([, [first]]) => (first && isCaaAtCname(first, context) ? [first.record.host] : []))
  )
  return Array.partitionMap(desired, (record) =>
    record.role === "CAA" && refused.has(record.record.host)
      ? Either.left({ code: "caa_host_is_cname" as const, desired: record })
      : Either.right(record)
  )
}

const indexByHost = (desired: ReadonlyArray<DesiredRecord>) => {
  const hosts = groupByHost(desired)
  return (host: string): ReadonlyArray<DesiredRecord> => hosts.get(host) ?? []
}

interface RuleContext {
  readonly zone: LiveZone
  readonly capabilities: Capabilities
  readonly desiredAt: (host: string) => ReadonlyArray<DesiredRecord>
}

/** Whether a rule refuses a desired record. */
type RefusalRule = (desired: DesiredRecord, context: RuleContext) => boolean

const refusalOf = (desired: DesiredRecord, context: RuleContext): Option.Option<RefusalCode> =>
  Option.map(
    Array.findFirst(rules, ([, refuses]) => refuses(desired, context)),
    ([code]) => code
  )

/** Names below NS or DNAME are served elsewhere, unless the intent itself delegates there or removes the DNAME. */
const isDelegatedElsewhere: RefusalRule = ({ record }, { desiredAt, zone }) =>
  listHostAndAncestors(record.host).some(
    (host) =>
      (!isApex(zone, host) &&
        hasRecordType(zone, host, "NS") &&
        !desiredAt(host).some(({ role }) => role === "DELEGATION")) ||
      (host !== record.host &&
        hasRecordType(zone, host, "DNAME") &&
        !desiredAt(host).some(({ role }) => isConflicting(role, "DNAME")))
  )

/** Where the intent itself delegates, which at its domain only the zone can show, the zone serves nothing but glue. */
const isDelegatedByIntent: RefusalRule = ({ record, role }, { desiredAt, zone }) => {
  const delegations = listHostAndAncestors(record.host)
    .flatMap(desiredAt)
    .filter((other) => other.role === "DELEGATION")
  const name = toFqdn(record.host, zone.domain)
  const isGlue = (role === "A" || role === "AAAA") && delegations.some((other) => other.record.value === name)
  const isPartOfOne = belongsToDelegation(record) && delegations.every((other) => other.record.host === record.host)
  return role !== "DELEGATION" && delegations.length > 0 && !isGlue && !isPartOfOne
}

const belongsToDelegation = ({ type }: DnsRecord): boolean => findRecordType(type)?.belongsToDelegation === true

/** At its apex, a zone cannot hold the records that its parent has about it. */
const belongsToParent: RefusalRule = ({ record }, { zone }) => belongsToDelegation(record) && isApex(zone, record.host)

/** An unknown capability counts as missing; records that are served already need none. */
const isLacking =
  (capability: keyof Capabilities, needed: "ALIAS" | "NS"): RefusalRule =>
  ({ record, role }, { capabilities, desiredAt, zone }) =>
    role === needed &&
    capabilities[capability] !== "supported" &&
    !hasSameMembers(role, desiredAt(record.host), zone.recordsAt(record.host))

/** Whether the provider is known to be unable to store the record; an unknown capability counts as present. */
const isUnsupported: RefusalRule = ({ key, record, role }, { capabilities, zone }) =>
  ((role === "DELEGATION" && capabilities.subdomainNSModification === "unsupported") ||
    (role === "CAA" && capabilities.caaRecords === "unsupported") ||
    (record.host.startsWith("*") && capabilities.wildcardRecords === "unsupported") ||
    (findSingletonTxtKind(record) === "SPF" && capabilities.spfRecords === "unsupported")) &&
  !zone.recordsAt(record.host).some((live) => live.key === key)

/** A CNAME answers for CAA too (RFC 8659 section 3), and CAA alone is no reason to remove it. */
const isCaaAtCname = (
  { record, role }: DesiredRecord,
  { desiredAt, zone }: Pick<RuleContext, "desiredAt" | "zone">
): boolean =>
  role === "CAA" &&
  zone.recordsAt(record.host).some((live) => live.role === "CNAME") &&
  desiredAt(record.host).every((other) => other.role === "CAA")

const rules: ReadonlyArray<readonly [RefusalCode, RefusalRule]> = [
  ["host_delegated_elsewhere", isDelegatedElsewhere],
  ["host_delegated_elsewhere", isDelegatedByIntent],
  ["apex_cname_unsupported", isLacking("cnameFlattening", "ALIAS")],
  ["record_type_unsupported", isLacking("rootNSModification", "NS")],
  ["record_type_unsupported", isUnsupported],
  ["record_type_unsupported", belongsToParent],
  ["caa_host_is_cname", isCaaAtCname]
]
