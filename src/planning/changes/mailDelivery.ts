import { Array, Either, Option } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost, type DomainName, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { isRevokedDkimKey } from "../../domain/records/DkimRecord.ts"
import { permitsSenders } from "../../domain/records/SpfRecord.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import { isDkimKey } from "../mailPolicies.ts"
import { isAddressOrAliasRole } from "../RecordRole.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { listAnswers } from "../zone/wildcards.ts"
import type { PlanRow } from "./diffZone.ts"

/** Warns of an MX whose target no sender may use, and a sender whose domain has a null MX, so gets no answers. */
export const warnAboutMailDelivery = (
  rows: ReadonlyArray<PlanRow>,
  resulting: LiveZone,
  lookup: DnsLookup
): { readonly locatedWarnings: ReadonlyArray<LocatedWarning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const records = rows.flatMap((row) => (row.after === undefined ? [] : [{ row, record: row.after }]))
  const targets = records.map(({ record, row }) => ({ row, ...checkMxTarget(record, resulting, lookup) }))
  return {
    locatedWarnings: [
      ...targets.flatMap(({ fault, row }) =>
        fault.map((finding) => ({ warning: "mx_target_unusable" as const, rows: [row], finding }))
      ),
      ...records.flatMap(({ record, row }) =>
        findSilentSender(record, resulting).map((name) => ({
          warning: "null_mx_sender" as const,
          rows: [row],
          finding: `${name} has a null MX.`
        }))
      )
    ],
    unanswered: targets.flatMap(({ unanswered }) => unanswered)
  }
}

/** What is wrong with the target of an MX, as far as that is known. */
interface TargetCheck {
  readonly fault: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

const nothingWrong: TargetCheck = { fault: [], unanswered: [] }

const checkMxTarget = ({ host, type, value }: ChangeRecord, zone: LiveZone, lookup: DnsLookup): TargetCheck => {
  if (type !== "MX" || value === nullTarget) return nothingWrong
  const name = toFqdn(host, zone.domain)
  const served = Option.match(toRelativeHost(value, zone.domain), {
    onNone: () => [],
    onSome: (target) => listAnswers(zone, target)
  })
  if (served.some(({ role }) => isAddressOrAliasRole(role) || role === "WEB")) return nothingWrong
  const isAlias: TargetCheck = {
    fault: [`${value}, to which the MX of ${name} leads, is an alias (CNAME).`],
    unanswered: []
  }
  if (served.some(({ role }) => role === "CNAME")) return isAlias
  const answers = (["CNAME", "A", "AAAA"] as const).map((type) => lookup({ name: value, type }))
  if (Option.exists(Array.head(answers), (aliases) => Either.getOrElse(aliases, () => []).length > 0)) return isAlias
  const unanswered = Array.getLefts(answers)
  if (unanswered.length > 0) return { fault: [], unanswered }
  return Array.getRights(answers).every((found) => found.length === 0)
    ? { fault: [`${value}, to which the MX of ${name} leads, has no address.`], unanswered: [] }
    : nothingWrong
}

/** The domain that sends mail by a record, or whose mail servers are named by it, if it has a null MX and sends. */
const findSilentSender = (record: ChangeRecord, zone: LiveZone): ReadonlyArray<DomainName> => {
  const host = senderHostOf(record)
  if (host === undefined) return []
  const answers = listAnswers(zone, host)
  const isSilent = answers.some(({ type, value }) => type === "MX" && value === nullTarget)
  return isSilent && (record.type !== "MX" || answers.some(isSenderPolicy)) ? [toFqdn(host, zone.domain)] : []
}

/** The host whose name is in the addresses of senders. */
const senderHostOf = (record: ChangeRecord): string | undefined => {
  if (isDkimKey(record) && !isRevokedDkimKey(record.value))
    return /_domainkey\.(.+)$/.exec(record.host)?.[1] ?? apexHost
  return record.type === "MX" || isSenderPolicy(record) ? record.host : undefined
}

const isSenderPolicy = (record: Pick<ZoneRecord, "host" | "type" | "value">): boolean =>
  findSingletonTxtKind(record) === "SPF" && permitsSenders(record.value)
