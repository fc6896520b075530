import { apexHost, type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { Capability } from "../../domain/provider/Provider.ts"
import { Warning } from "../../domain/plan/Warning.ts"
import { maxTxtStringLength } from "../../domain/records/RecordField.ts"
import { findRecordType } from "../../domain/records/recordTypes.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import { addressOrAliasRoles, isAddressRole, isAliasRole } from "../RecordRole.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"
import { kindOf, warnAboutHidden } from "./hiddenRecords.ts"
import { isDkimKey } from "../mailPolicies.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import { hasRecordType, isApex, isServiceHost, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"

/** The warnings about one host, by its rows and the roles that are desired there. */
export const warnAboutHost = (diff: HostDiff, domain: DomainName): ReadonlyArray<LocatedWarning> => [
  ...diff.rows.flatMap((row) => warnAboutRow(row, diff.roles, toFqdn(diff.host, domain))),
  ...warnAboutProxy(diff),
  ...warnAboutTtl(diff)
]

const warnAboutRow = (row: PlanRow, roles: ReadonlySet<string>, name: DomainName): ReadonlyArray<LocatedWarning> => [
  ...rules.filter(([, applies]) => applies(row, roles)).map(([warning]) => ({ warning, rows: [row] })),
  ...warnAboutServiceRecord(row, name),
  ...(row.before !== undefined && roles.has("DELEGATION") && row.role !== "DS" && isDisplaced(row, roles)
    ? warnAboutHidden("ns_delegation_hides_records", row, { name, kinds: [kindOf(row.before)] })
    : [])
]

/** Warns that the provider answers for new records too if it answers for a record that stays beside them. */
const warnAboutProxy = ({ proxied, rows }: HostDiff): ReadonlyArray<LocatedWarning> => {
  if (proxied.length === 0) return []
  const roles = new Set(proxied.map(({ role }) => role))
  return [{ warning: "proxied_record_present", rows: rows.filter(({ role }) => roles.has(role)) }]
}

const warnAboutTtl = ({ adjusted, rows }: HostDiff): ReadonlyArray<LocatedWarning> =>
  adjusted.size === 0
    ? []
    : [{ warning: "ttl_adjusted", rows: rows.filter(({ after }) => after !== undefined && adjusted.has(after)) }]

/** The warnings about the desired records themselves, whatever the zone. */
export const warnAboutIntent = (domain: DomainName, diffs: ReadonlyArray<HostDiff>): ReadonlyArray<LocatedWarning> =>
  diffs
    .filter(({ host, rows }) => rows.length > 0 && repeatsDomain(host, domain))
    .map(({ rows }) => ({ warning: "host_repeats_domain", rows }))

/** Warns of records that an alias hides: at an unflattened apex, and behind a service's CNAME that is flattened. */
export const warnAboutUnserved = (
  rows: ReadonlyArray<PlanRow>,
  { flattening, resulting, served }: AliasContext
): ReadonlyArray<LocatedWarning> => {
  const { basis, domain, flattenedAliases } = served
  const showsAliasAlone = (served.byHost.get(apexHost) ?? []).every(({ type }) => type === "CNAME")
  const hidesApex =
    isApex(served, apexHost) &&
    hasRecordType(resulting, apexHost, "CNAME") &&
    hasRecordType(served, apexHost, "CNAME") &&
    (basis === "public_dns" ? showsAliasAlone : flattening !== "supported")
  const findHiding = ({ after, host }: PlanRow): ReadonlyArray<string> => {
    const name = toFqdn(host, domain)
    if (after?.type === "CNAME" && isServiceHost(host) && flattenedAliases === "all")
      return [`${name} hides what its target says: turn off the flattening of all CNAMEs at the provider.`]
    return after !== undefined && after.type !== "CNAME" && host === apexHost && hidesApex
      ? [
          `${name} answers every question with a CNAME, which hides its ${after.type} record: put addresses, or an alias of the provider, in the place of the CNAME.`
        ]
      : []
  }
  return rows.flatMap((row) =>
    findHiding(row).map((finding) => ({ warning: "record_not_served" as const, rows: [row], finding }))
  )
}

interface AliasContext {
  readonly served: LiveZone
  readonly resulting: LiveZone
  readonly flattening: Capability
}

/** The warnings about records that an intent has more than once. */
export const warnAboutRepeated = (
  repeated: ReadonlyArray<DesiredRecord>,
  domain: DomainName,
  diffs: ReadonlyArray<HostDiff>
): ReadonlyArray<LocatedWarning> =>
  repeated.map(({ record: { host, type, value } }) => ({
    warning: "record_repeated",
    rows: (diffs.find((diff) => diff.host === host)?.rows ?? []).filter(
      ({ after }) => after?.type === type && after.value === value
    ),
    finding: `${toFqdn(host, domain)} ${type} ${value}`
  }))

/** Whether the last labels of a host are the first of the domain: `www` in `www.example.com` is `www.www.example.com`. */
const repeatsDomain = (host: string, domain: DomainName): boolean => {
  const [last = ""] = host.split(".").slice(-1)
  const above = domain.split(".").slice(0, -1)
  return above.some((label, at) => label === last && `.${host}`.endsWith(`.${above.slice(0, at + 1).join(".")}`))
}

/** The warnings about a plan as a whole. The share of a zone that it removes is known only if the whole zone is. */
export const warnAboutPlan = (
  { recordCount, zone: { basis } }: IndexedZone,
  destructiveRows: ReadonlyArray<PlanRow>
): ReadonlyArray<LocatedWarning> => {
  const rows = destructiveRows.filter(({ after, before }) => before !== undefined && before.value !== after?.value)
  const isLarge = basis === "provider" && recordCount >= smallZone && rows.length > recordCount * largeShare
  return isLarge ? [{ warning: "plan_large_deletion", rows }] : []
}

const smallZone = 10
const largeShare = 0.3

export const sortWarnings = (warnings: ReadonlyArray<Warning>): ReadonlyArray<Warning> => {
  const present = new Set(warnings)
  return Warning.literals.filter((warning) => present.has(warning))
}

type WarningRule = (row: PlanRow, roles: ReadonlySet<string>) => boolean

/** A record that is removed because another role is desired at its host. */
const isDisplaced: WarningRule = (row, roles) => row.after === undefined && !roles.has(row.role)

/** Whether a DKIM key, or the alias to a hosted one, is no longer served. */
const losesDkimKey = ({ before, hasDataLoss }: PlanRow): boolean =>
  before !== undefined && hasDataLoss && isDkimKey(before)

/** Whether a text or an alias takes the place of a DKIM key. */
const hasDkimSuccessor: WarningRule = ({ after }, roles) =>
  after !== undefined || roles.has("TXT") || roles.has("CNAME")

/** The roles whose records desired addresses displace. */
const isDisplacedByAddresses = (role: string): boolean =>
  isAddressRole(role) || role === "WEB" || findRecordType(role)?.followsAddresses !== undefined

const isOfDelegation = (role: string): boolean =>
  role === "NS" || role === "DELEGATION" || findRecordType(role)?.belongsToDelegation === true

const rules: ReadonlyArray<readonly [Warning, WarningRule]> = [
  ["dkim_key_replaced", (row, roles) => losesDkimKey(row) && hasDkimSuccessor(row, roles)],
  ["dkim_key_removed", (row, roles) => losesDkimKey(row) && !hasDkimSuccessor(row, roles)],
  ["cname_replaces_records", (row, roles) => roles.has("CNAME") && isDisplaced(row, roles)],
  [
    "cname_removed",
    (row, roles) => isAliasRole(row.role) && isDisplaced(row, roles) && roles.size > 0 && ![...roles].some(isAliasRole)
  ],
  [
    "address_records_replaced",
    (row, roles) =>
      isDisplacedByAddresses(row.role) && row.hasDataLoss && addressOrAliasRoles.some((role) => roles.has(role))
  ],
  ["mx_replaced", (row, roles) => row.role === "MX" && row.hasDataLoss && roles.has("MX")],
  [
    "mail_records_removed",
    (row, roles) =>
      row.before !== undefined &&
      isDisplaced(row, roles) &&
      (row.role === "MX" || findSingletonTxtKind(row.before) !== undefined)
  ],
  ["delegation_replaced", (row) => isOfDelegation(row.role) && row.hasDataLoss],
  ["apex_cname_flattened", ({ after, host, role }) => role === "ALIAS" && host === apexHost && after !== undefined],
  [
    "txt_value_split",
    ({ after }) => after?.type === "TXT" && new TextEncoder().encode(after.value).length > maxTxtStringLength
  ],
  // A change of the name servers of the zone itself weighs as much as the deletion of a large part of it.
  ["plan_large_deletion", ({ role }) => role === "NS"]
]

/** Warns of the removal of a record that programs, certificates or receivers need, and says what stops. */
const warnAboutServiceRecord = (row: PlanRow, name: DomainName): ReadonlyArray<LocatedWarning> => {
  const { before, hasDataLoss } = row
  const loss = before === undefined || !hasDataLoss ? undefined : findLoss(before)
  return loss === undefined ? [] : [{ warning: "service_record_replaced", rows: [row], finding: `${name}: ${loss}.` }]
}

const findLoss = (record: LiveRecord): string | undefined =>
  findRecordType(record.type)?.loss ?? services.find(({ isOne }) => isOne(record))?.loss

interface ServiceRecordKind {
  readonly isOne: (record: LiveRecord) => boolean
  readonly loss: string
}

const isTextAt = (kind: string, host: RegExp) => (record: LiveRecord) =>
  findSingletonTxtKind(record) === kind || (record.type === "CNAME" && host.test(record.host))

const services: ReadonlyArray<ServiceRecordKind> = [
  {
    isOne: ({ host, type }) => /^_acme-challenge(\.|$)/.test(host) && (type === "CNAME" || type === "TXT"),
    loss: "certificates that are validated by this record can no longer be renewed (ACME)"
  },
  {
    isOne: isTextAt("MTA-STS", /^_mta-sts(\.|$)/),
    loss: "senders read the policy for encrypted delivery again or no longer find it (MTA-STS)"
  },
  {
    isOne: isTextAt("TLS-RPT", /^_smtp\._tls(\.|$)/),
    loss: "reports on encrypted delivery go elsewhere or stop (TLS-RPT)"
  },
  { isOne: isTextAt("BIMI", /(^|\.)_bimi(\.|$)/), loss: "receivers show another logo or none beside mail (BIMI)" }
]
