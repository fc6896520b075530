import { toFqdn } from "../../domain/names/DomainName.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import { isAddressOrAliasRole } from "../RecordRole.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import { isApex, isServiceHost, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"
import { hasImplicitMx } from "../zone/implicitMx.ts"
import { isSynthesized, listAnswers } from "../zone/wildcards.ts"

/** The answers of a host before and after a plan, by itself or by a wildcard. */
export interface ServedHost {
  readonly host: string
  readonly name: string
  readonly rows: ReadonlyArray<PlanRow>
  readonly before: ReadonlyArray<LiveRecord>
  readonly after: ReadonlyArray<LiveRecord>
  readonly isApex: boolean
  /** Whether a wildcard answers for the host before the plan. */
  readonly isSynthesized: boolean
}

/** Warns where what serves the website or receives the mail of a host today is replaced by something else. */
export const warnAboutReplacedServices = (
  { targets }: IndexedZone,
  servedHosts: ReadonlyArray<ServedHost>
): ReadonlyArray<LocatedWarning> =>
  servedHosts.flatMap((served) =>
    rules
      .filter(({ applies }) => applies(served, targets.websites.hosts))
      .map(({ rowsOf, warning }) => ({ warning, rows: rowsOf(served) }))
  )

/** The hosts that a plan changes, with their answers before and after. */
export const listServedHosts = (
  zone: LiveZone,
  resulting: LiveZone,
  diffs: ReadonlyArray<HostDiff>
): ReadonlyArray<ServedHost> =>
  diffs
    .filter(({ rows }) => rows.length > 0)
    .map(({ host, rows }) => ({
      host,
      rows,
      name: toFqdn(host, zone.domain),
      before: listAnswers(zone, host),
      after: resulting.recordsAt(host),
      isApex: isApex(zone, host),
      isSynthesized: isSynthesized(zone, host)
    }))

/** Whether another address or alias answers visitors of the host, or of a host whose alias leads to it. */
const replacesWebsite = ({ after, before, host }: ServedHost, aliasedHosts: ReadonlySet<string>): boolean =>
  (!isServiceHost(host) || aliasedHosts.has(host)) &&
  isReplaced(before.filter(answersVisitors), after.filter(answersVisitors))

/** Browsers follow an HTTPS record to another host too, without an address (RFC 9460 section 3). */
const answersVisitors = (record: LiveRecord): boolean =>
  isWebRecord(record) || (record.role === "HTTPS" && record.value.split(/\s+/)[1] !== nullTarget)

/** Whether an address or alias of a host is replaced by another one. */
export const movesHost = ({ after, before }: Pick<ServedHost, "after" | "before">): boolean =>
  isReplaced(before.filter(isWebRecord), after.filter(isWebRecord))

/** Whether mail goes to another server first, or to none (null MX, RFC 7505). An implicit MX is the host itself. */
const replacesMailServer = (served: ServedHost): boolean => {
  const { after, before, host } = served
  if (isServiceHost(host) || !after.some(isMx)) return false
  const previous = before.some(isMx) ? listPrimaries(before) : new Set(hasImplicitMx(host, before) ? [served.name] : [])
  const next = listPrimaries(after)
  return previous.size > 0 && (next.size === 0 || !next.isSubsetOf(previous))
}

/** Whether the addresses change of a host that has an implicit MX, probably receives mail, and keeps that MX. */
export const movesImplicitMx = (served: ServedHost): boolean =>
  hasImplicitMx(served.host, served.before) &&
  !served.isSynthesized &&
  (served.isApex || served.before.some((record) => findSingletonTxtKind(record) === "SPF")) &&
  !served.after.some(isMx) &&
  isReplaced(
    served.before.filter(({ role }) => isAddressOrAliasRole(role)),
    served.after.filter(isWebRecord)
  )

export const listWebRows = ({ rows }: ServedHost): ReadonlyArray<PlanRow> => rows.filter(isWebRecord)

export const listMxRows = ({ rows }: ServedHost): ReadonlyArray<PlanRow> => rows.filter(isMx)

interface ServiceRule {
  readonly warning: Warning
  /** `aliasedHosts` are the service hosts to which aliases of other hosts lead. */
  readonly applies: (served: ServedHost, aliasedHosts: ReadonlySet<string>) => boolean
  readonly rowsOf: (served: ServedHost) => ReadonlyArray<PlanRow>
}

const rules: ReadonlyArray<ServiceRule> = [
  { warning: "website_replaced", applies: replacesWebsite, rowsOf: listWebRows },
  { warning: "mx_replaced", applies: replacesMailServer, rowsOf: listMxRows },
  { warning: "mail_target_changed", applies: movesImplicitMx, rowsOf: listWebRows }
]

const isReplaced = (before: ReadonlyArray<LiveRecord>, after: ReadonlyArray<LiveRecord>): boolean => {
  const [previous, next] = [before, after].map((records) => new Set(records.map(answerOf)))
  return previous !== undefined && next !== undefined && !previous.isSubsetOf(next) && !next.isSubsetOf(previous)
}

/** Equal for records with the same answer; ALIAS and ANAME are the same. */
const answerOf = ({ role, value }: LiveRecord): string => `${role} ${value}`

const isWebRecord = ({ role }: Pick<LiveRecord | PlanRow, "role">): boolean =>
  isAddressOrAliasRole(role) || role === "CNAME" || role === "WEB"

const isMx = ({ role }: Pick<LiveRecord | PlanRow, "role">): boolean => role === "MX"

/** The targets of the lowest preference. */
const listPrimaries = (records: ReadonlyArray<LiveRecord>): ReadonlySet<string> => {
  const servers = records.filter((record) => isMx(record) && record.value !== nullTarget)
  const lowest = servers.reduce((known, { priority = 0 }) => Math.min(known, priority), Infinity)
  return new Set(servers.filter(({ priority = 0 }) => priority === lowest).map(({ value }) => value))
}
