import type { Connection } from "../connection/Connection.ts"
import { DomainName, toFqdn, toZoneHost } from "../names/DomainName.ts"
import type { DnsRecord } from "../records/DnsRecord.ts"
import { toUnicodeName } from "./NamedRecord.ts"
import type { Diagnosis, DiagnosisCode } from "./Diagnosis.ts"

/** The meaning of each code, for documentation; `describeDiagnosis` says it of a record. */
export const diagnosisMeanings: { readonly [Code in DiagnosisCode]: string } = {
  not_yet: "No server shows the record yet. Saved changes often take a few minutes.",
  on_its_way: "The record is saved. Not every server or resolver shows it yet; nothing is to be done.",
  old_value_remains: "Another value is in its place, usually the old one. Replace it with the new one, and save.",
  also_there: "The record is right, and another one is beside it. Delete the other one.",
  doubled_zone: "The provider adds the domain by itself. Enter only the part before it as host.",
  target_doubled: "The provider has added the domain to the value. End the value with a dot.",
  quoted: "The value has quotation marks that belong to it now. Enter it without them.",
  escaped: "The value has backslashes that belong to it now. Enter it without them.",
  wrong_host: "The record is at another host. Enter it at the host that `copy` names.",
  wrong_type: "The value is right, but the type of the record is another one. Choose the right type.",
  two_spf:
    "There are two SPF records, and receivers accept neither. Keep one, with the value of `copy`, and delete the others.",
  two_dmarc:
    "There are two DMARC records, and receivers accept neither. Keep one, with the value of `copy`, and delete the others.",
  truncated: "The value is only a part of what it must be. Copy the whole value.",
  proxied: "The provider answers with its own addresses. Turn the proxy off for this record.",
  flattened: "The provider answers with the addresses of the target instead of the CNAME.",
  only_some_servers: "Only some of the name servers show the record. Wait some minutes; then ask the provider.",
  other_zone: "The name servers that answer are not those of this provider. Enter the record where they are run.",
  parking: "A page for parked domains is still there. Delete its records, or turn parking off.",
  blocked_by_caa: "Other CAA records forbid the certificate. Add the one that `copy` names beside them."
}

/** The parts of a connection that a sentence names. */
export type DiagnosedConnection = Pick<Connection, "effectiveIntent" | "plan" | "provider">

/** Describes for people what servers show of a record, and what exactly to enter. */
export const describeDiagnosis = (
  diagnosis: Diagnosis,
  expected: Pick<DnsRecord, "host" | "type">,
  connection: DiagnosedConnection
): string => {
  const { domain: domainName } = connection.effectiveIntent
  const domain = DomainName.make(domainName)
  const fqdn = toFqdn(expected.host, domain)
  const zone = connection.plan?.zone ?? domainName
  return sentences[diagnosis.code]({
    copy: diagnosis.copy ?? "",
    name: toUnicodeName(fqdn),
    type: expected.type,
    zone: toUnicodeName(zone),
    host: toZoneHost(fqdn, zone),
    provider: connection.provider?.id === "unknown" ? "The provider" : (connection.provider?.name ?? "The provider"),
    seen: diagnosis.seen.map(({ type, value }) => `${type} ${value}`).join(", ") || "something else",
    seenAt: [...new Set(diagnosis.seen.map(({ name }) => toUnicodeName(name)))].join(", "),
    counts: `${diagnosis.servers?.showing ?? 0} of ${diagnosis.servers?.asked ?? 0} name servers`
  })
}

/** The words that sentences name. */
interface DiagnosisWords {
  readonly copy: string
  /** The full name of the host. */
  readonly name: string
  readonly type: string
  readonly zone: string
  /** The host relative to the zone. */
  readonly host: string
  readonly provider: string
  readonly seen: string
  readonly seenAt: string
  readonly counts: string
}

const sentences: { readonly [Code in DiagnosisCode]: (words: DiagnosisWords) => string } = {
  not_yet: ({ name, type }) =>
    `No name server shows the ${type} record of ${name}. A saved change often takes a few minutes.`,
  on_its_way: ({ counts, name, type }) =>
    `The ${type} record of ${name} is saved, and ${counts} show it. It takes a while until all see it; nothing is to be done.`,
  old_value_remains: ({ copy, name, seen, type }) =>
    `${name} still has ${seen}. Replace it with ${type} ${copy}, and save.`,
  also_there: ({ name, seen, type }) =>
    `The ${type} record of ${name} is right, but ${seen} is there as well. Delete the other one.`,
  doubled_zone: ({ copy, provider, seenAt, zone }) =>
    `We found ${seenAt}. ${provider} adds "${zone}" itself: ${copy === "" ? "leave the host empty" : `enter only "${copy}" as host`}.`,
  target_doubled: ({ copy, seen, zone }) =>
    `We found ${seen}: "${zone}" was added to the value. Enter "${copy}", with the dot at the end.`,
  quoted: ({ copy, seen }) =>
    `We found ${seen}: quotation marks have become part of the value. Enter it without them: ${copy}`,
  escaped: ({ copy, seen }) =>
    `We found ${seen}: backslashes have become part of the value. Enter it without them: ${copy}`,
  wrong_host: ({ copy, name, seenAt, type }) =>
    `We found the ${type} record at ${seenAt}, where it has no effect. Enter it at ${name}: ${copy === "" ? "leave the host empty" : `the host is "${copy}"`}.`,
  wrong_type: ({ copy, name, seen }) => `${name} has ${seen}. The value is right, but choose the type ${copy}.`,
  two_spf: ({ copy, name }) =>
    `${name} has several SPF records, and receivers accept none of them then. Keep one, with this value, and delete the others: ${copy}`,
  two_dmarc: ({ copy, name }) =>
    `${name} has several DMARC records, and receivers accept none of them then. Keep one, with this value, and delete the others: ${copy}`,
  truncated: ({ copy, name }) => `${name} has only a part of the value. Copy the whole value: ${copy}`,
  proxied: ({ name, provider }) =>
    `${provider} answers for ${name} with addresses of its own. Turn the proxy off for this record.`,
  flattened: ({ name, provider }) =>
    `${provider} answers for ${name} with the addresses of the target instead of the CNAME. Turn that off for this record.`,
  only_some_servers: ({ counts, name, type }) =>
    `Only ${counts} show the ${type} record of ${name}. Wait some minutes; if it stays so, ask the provider.`,
  other_zone: ({ provider, type, zone }) =>
    `The name servers that answer for ${zone} are not those of ${provider}. Enter the ${type} record where they are run.`,
  parking: ({ name, seen }) =>
    `${name} still shows a page for parked domains (${seen}). Delete its records, or turn parking off.`,
  blocked_by_caa: ({ copy, name, seen }) =>
    `${name} has ${seen}, which forbids the certificate. Add a CAA record beside it: ${copy}`
}
