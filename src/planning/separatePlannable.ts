import { Array, Either, Option } from "effect"
import { toFqdn } from "../domain/DomainName.ts"
import type { Capabilities } from "../domain/Provider.ts"
import { singletonTxtKind } from "../domain/singletonTxtKind.ts"
import { type DesiredRecord, groupByHost } from "./DesiredRecord.ts"
import type { RecordRefusal, RefusalCode } from "./RecordRefusal.ts"
import { hasSameMembers } from "./RecordRole.ts"
import { isConflicting } from "./changes/conflicts.ts"
import { hasRecordType, hostAndAncestors, isApex, type LiveZone } from "./zone/LiveZone.ts"

/** Separates what can stand in the zone from what cannot. */
export const separatePlannable = (
  wanted: ReadonlyArray<DesiredRecord>,
  zone: LiveZone,
  capabilities: Capabilities
): [refused: ReadonlyArray<RecordRefusal>, remaining: ReadonlyArray<DesiredRecord>] => {
  const hosts = groupByHost(wanted)
  const circumstances = { zone, capabilities, wantedAt: (host: string) => hosts.get(host) ?? [] }
  return Array.partitionMap(wanted, (one) =>
    Option.match(refusalOf(one, circumstances), {
      onNone: () => Either.right(one),
      onSome: (code) => Either.left({ code, desired: one })
    })
  )
}

interface Circumstances {
  readonly zone: LiveZone
  readonly capabilities: Capabilities
  readonly wantedAt: (host: string) => ReadonlyArray<DesiredRecord>
}

type Rule = (wanted: DesiredRecord, circumstances: Circumstances) => boolean

const refusalOf = (wanted: DesiredRecord, circumstances: Circumstances): Option.Option<RefusalCode> =>
  Option.map(
    Array.findFirst(rules, ([, refuses]) => refuses(wanted, circumstances)),
    ([code]) => code
  )

/** What exists below NS or DNAME is served elsewhere, unless the intent itself delegates there or removes the DNAME. */
const isDelegatedElsewhere: Rule = ({ record }, { wantedAt, zone }) =>
  hostAndAncestors(record.host).some(
    (host) =>
      (!isApex(zone, host) &&
        hasRecordType(zone, host, "NS") &&
        !wantedAt(host).some(({ role }) => role === "DELEGATION")) ||
      (host !== record.host &&
        hasRecordType(zone, host, "DNAME") &&
        !wantedAt(host).some(({ role }) => isConflicting(role, "DNAME")))
  )

/** Nothing but glue can stand where the intent itself delegates, which at its domain only the zone can tell. */
const isDelegatedByIntent: Rule = ({ record, role }, { wantedAt, zone }) => {
  const delegations = hostAndAncestors(record.host)
    .flatMap(wantedAt)
    .filter((other) => other.role === "DELEGATION")
  const name = toFqdn(record.host, zone.domain)
  const isGlue = (role === "A" || role === "AAAA") && delegations.some((other) => other.record.value === name)
  return role !== "DELEGATION" && delegations.length > 0 && !isGlue
}

/** A capability that is unknown is not relied on; a set that is served already needs none. */
const lacks =
  (capability: keyof Capabilities, needed: "ALIAS" | "NS"): Rule =>
  ({ record, role }, { capabilities, wantedAt, zone }) =>
    role === needed &&
    capabilities[capability] !== "supported" &&
    !hasSameMembers(role, wantedAt(record.host), zone.recordsAt(record.host))

/** What a provider is known not to store; where nothing is known it is tried. */
const isUnsupported: Rule = ({ key, record, role }, { capabilities, zone }) =>
  ((role === "DELEGATION" && capabilities.subdomainNSModification === "unsupported") ||
    (role === "CAA" && capabilities.caaRecords === "unsupported") ||
    (record.host.startsWith("*") && capabilities.wildcardRecords === "unsupported") ||
    (singletonTxtKind(record) === "SPF" && capabilities.spfRecords === "unsupported")) &&
  !zone.recordsAt(record.host).some((live) => live.key === key)

/** A CNAME answers for CAA too (RFC 8659 section 3), and CAA alone is no reason to remove it. */
const meetsCname = (
  { record, role }: DesiredRecord,
  { wantedAt, zone }: Pick<Circumstances, "wantedAt" | "zone">
): boolean =>
  role === "CAA" &&
  zone.recordsAt(record.host).some((live) => live.role === "CNAME") &&
  wantedAt(record.host).every((other) => other.role === "CAA")

/** What is left out takes nothing away: CAA records that are left alone at a CNAME do not either. */
export const separateAtAliases = (
  wanted: ReadonlyArray<DesiredRecord>,
  zone: LiveZone
): [refused: ReadonlyArray<RecordRefusal>, remaining: ReadonlyArray<DesiredRecord>] => {
  const hosts = groupByHost(wanted)
  const wantedAt = (host: string) => hosts.get(host) ?? []
  return Array.partitionMap(wanted, (one) =>
    meetsCname(one, { zone, wantedAt })
      ? Either.left({ code: "caa_host_is_cname" as const, desired: one })
      : Either.right(one)
  )
}

const rules: ReadonlyArray<readonly [RefusalCode, Rule]> = [
  ["host_delegated_elsewhere", isDelegatedElsewhere],
  ["host_delegated_elsewhere", isDelegatedByIntent],
  ["apex_cname_unsupported", lacks("cnameFlattening", "ALIAS")],
  ["record_type_unsupported", lacks("rootNSModification", "NS")],
  ["record_type_unsupported", isUnsupported],
  ["caa_host_is_cname", meetsCname]
]
