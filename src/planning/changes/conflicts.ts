import { nullTarget } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import { hasSameMembers, type RecordRole } from "../RecordRole.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"

/** Which records of its own role a wanted record replaces, and which other roles cannot stand beside it. */
interface Conflict {
  readonly replaces: "set" | "kind" | "nothing"
  readonly excludes: ReadonlyArray<string> | "all"
}

/** Who conflicts with whom at the same host. */
const conflicts: { readonly [_ in RecordRole]: Conflict } = {
  A: { replaces: "set", excludes: ["AAAA", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  AAAA: { replaces: "set", excludes: ["A", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  ALIAS: { replaces: "set", excludes: ["A", "AAAA", "HTTPS", "SVCB", "WEB"] },
  CNAME: { replaces: "set", excludes: "all" },
  MX: { replaces: "set", excludes: ["CNAME"] },
  TXT: { replaces: "kind", excludes: ["CNAME"] },
  SRV: { replaces: "set", excludes: ["CNAME"] },
  CAA: { replaces: "nothing", excludes: ["CNAME"] },
  NS: { replaces: "set", excludes: [] },
  DELEGATION: { replaces: "set", excludes: "all" }
}

/** What no intent can ask for comes only where a zone is restored, and stands beside everything but a CNAME. */
const conflictOf = (role: string): Conflict => byRole.get(role) ?? { replaces: "nothing", excludes: ["CNAME"] }

const byRole: ReadonlyMap<string, Conflict> = new Map(Object.entries(conflicts))

/** Which members of its own set a wanted record replaces: all, those of its kind (`onceOnlyKind`), or none. */
export const replacementScope = (wanted: string): Conflict["replaces"] => conflictOf(wanted).replaces

/** Whether live records of another role cannot stand beside the wanted one. */
export const isConflicting = (wanted: string, other: string): boolean => {
  const excluded = conflictOf(wanted).excludes
  return wanted !== other && (excluded === "all" || excluded.includes(other))
}

/** Whether live records of another role must be gone before the wanted one can be stored. */
export const isBlocking = (wanted: string, other: string): boolean =>
  isConflicting(wanted, other) && !(canOverlap.has(wanted) && canOverlap.has(other))

const canOverlap: ReadonlySet<string> = new Set(["A", "AAAA", "HTTPS", "SVCB"])

/** The host where wanted and live records meet; `name` is its full name. */
export interface HostContext {
  readonly name: DomainName
  readonly desired: ReadonlyArray<DesiredRecord>
  readonly live: ReadonlyArray<LiveRecord>
}

/** Tells of a live record which is not itself wanted whether it has to go. */
export const shouldRemove = (meeting: HostContext): ((record: LiveRecord) => boolean) => {
  const roles = [...new Set(meeting.desired.map(({ role }) => role))]
  const kinds = new Set(meeting.desired.map(({ record }) => singletonTxtKind(record)))
  const isSpared = exemption(meeting)
  const isReplacedBy = (role: RecordRole, record: LiveRecord): boolean => {
    const kind = singletonTxtKind(record)
    return (
      replacementScope(role) === "set" || (replacementScope(role) === "kind" && kind !== undefined && kinds.has(kind))
    )
  }
  return (record) =>
    roles.some((role) =>
      role === record.role ? isReplacedBy(role, record) : isConflicting(role, record.role) && !isSpared(role, record)
    )
}

/** What may stay although its role conflicts: glue, DS of an unchanged delegation, HTTPS that no address contradicts. */
const exemption = ({ live, name, desired: wanted }: HostContext) => {
  const isGlueHost = wanted.some(({ record, role }) => role === "DELEGATION" && record.value === name)
  const isDelegatedAlready = hasSameMembers("DELEGATION", wanted, live)
  return (role: RecordRole, record: LiveRecord): boolean =>
    role === "DELEGATION"
      ? (isGlueHost && isAddress(record.role)) || (isDelegatedAlready && record.role === "DS")
      : isAddress(role) && followsAddresses(record)
}

const isAddress = (role: string): boolean => role === "A" || role === "AAAA"

/** An HTTPS or SVCB record (RFC 9460) whose target is the host itself, without address hints and ECH. */
const followsAddresses = ({ role, value }: LiveRecord): boolean => {
  const [, target, ...parameters] = value.trim().split(/\s+/)
  return (
    (role === "HTTPS" || role === "SVCB") &&
    target === nullTarget &&
    !parameters.some((parameter) => /^(ipv4hint|ipv6hint|ech|key4|key5|key6)(=|$)/i.test(parameter))
  )
}
