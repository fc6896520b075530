import { noTarget } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import { onceOnlyKind } from "../../domain/onceOnlyKind.ts"
import { isSameSet, type Role } from "../Role.ts"
import type { Wanted } from "../Wanted.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import { excludes, replaces } from "./conflicts.ts"

/** The host where wanted and live records meet; `name` is its full name. */
export interface Meeting {
  readonly name: DomainName
  readonly wanted: ReadonlyArray<Wanted>
  readonly live: ReadonlyArray<LiveRecord>
}

/** Tells of a live record which is not itself wanted whether it has to go. */
export const departure = (meeting: Meeting): ((record: LiveRecord) => boolean) => {
  const roles = [...new Set(meeting.wanted.map(({ role }) => role))]
  const kinds = new Set(meeting.wanted.map(({ record }) => onceOnlyKind(record)))
  const isSpared = exemption(meeting)
  const isReplacedBy = (role: Role, record: LiveRecord): boolean => {
    const kind = onceOnlyKind(record)
    return replaces(role) === "set" || (replaces(role) === "kind" && kind !== undefined && kinds.has(kind))
  }
  return (record) =>
    roles.some((role) =>
      role === record.role ? isReplacedBy(role, record) : excludes(role, record.role) && !isSpared(role, record)
    )
}

/** What may stay although its role conflicts: glue, DS of an unchanged delegation, HTTPS that no address contradicts. */
const exemption = ({ live, name, wanted }: Meeting) => {
  const isGlueHost = wanted.some(({ record, role }) => role === "DELEGATION" && record.value === name)
  const isDelegatedAlready = isSameSet("DELEGATION", wanted, live)
  return (role: Role, record: LiveRecord): boolean =>
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
    target === noTarget &&
    !parameters.some((parameter) => /^(ipv4hint|ipv6hint|ech|key4|key5|key6)(=|$)/i.test(parameter))
  )
}
