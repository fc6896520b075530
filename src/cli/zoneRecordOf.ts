import { Either } from "effect"
import { hasPriority, type ZoneRecord } from "../domain/DnsRecord.ts"
import { apexHost, type DomainName, parseHost } from "../domain/DomainName.ts"
import type { ZoneRecordInput } from "./CaseRequest.ts"

/** A record of a zone from its notation in a file; whatever it says, it is never refused. */
export const zoneRecordOf = (input: ZoneRecordInput, domain: DomainName): ZoneRecord => {
  const { host, ttl, type, value, ...traits } = input
  const text = typeof value === "string" ? value : value.join("")
  return {
    host: hostOf(host, domain),
    type,
    ...(traits.priority === undefined ? withPriority(type.toUpperCase(), text) : { value: text }),
    ttl,
    ...traits
  }
}

/** Relative to the domain; one that makes no sense is kept as it is, and none stands for the apex in some exports. */
export const hostOf = (host: string, domain: DomainName): string =>
  host === "" ? apexHost : Either.getOrElse(parseHost(host, domain), () => host)

/** Zone files and some exports write the priority of an MX or SRV in front of its value. */
const withPriority = (type: string, value: string): Pick<ZoneRecord, "value" | "priority"> => {
  if (!hasPriority(type)) return { value }
  const [priority = "", ...fields] = value.trim().split(/\s+/)
  return /^\d{1,5}$/.test(priority) && fields.length === (type === "MX" ? 1 : 3)
    ? { value: fields.join(" "), priority: Number(priority) }
    : { value }
}
