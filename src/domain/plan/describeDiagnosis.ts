import type { Connection } from "../connection/Connection.ts"
import { DomainName, toFqdn } from "../names/DomainName.ts"
import type { DnsRecord } from "../records/DnsRecord.ts"
import type { Diagnosis } from "./Diagnosis.ts"
import { diagnosisSentences, foundInstead } from "./diagnosisSentences.ts"
import { isShownAs } from "./isShownAs.ts"
import { toUnicodeName } from "./NamedRecord.ts"

/** The parts of a connection that a sentence names. */
export type DiagnosedConnection = Pick<Connection, "effectiveIntent" | "plan" | "provider">

/**
 * Describes what servers show of a record, and what exactly to enter, in the sentences that a customer reads beside the
 * fields of the record: `TXT www.shop.de: We found … Value: v=spf1 …`
 */
export const describeDiagnosis = (
  { code, copy, field = "host", seen, servers }: Diagnosis,
  expected: Pick<DnsRecord, "host" | "priority" | "type" | "value">,
  { effectiveIntent, plan, provider }: DiagnosedConnection
): string => {
  const { domain } = effectiveIntent
  const name = toUnicodeName(toFqdn(expected.host, DomainName.make(domain)))
  const [first, ...others] = seen
  const values: { readonly [name: string]: string } = {
    name: first === undefined ? name : toUnicodeName(first.name),
    type: first?.type ?? "",
    value: [first?.value ?? "", ...others.map(({ type, value }) => `${type} ${value}`)].join(", "),
    wanted: expected.type,
    data: expected.priority === undefined ? expected.value : `${expected.priority} ${expected.value}`,
    zone: toUnicodeName(plan?.zone ?? domain),
    provider: nameOf(provider) ?? "your provider",
    label: labels[field],
    copy: copy ?? ""
  }
  const isOld = plan?.changes.some(
    ({ before }) =>
      before !== undefined &&
      first !== undefined &&
      toFqdn(before.host, DomainName.make(domain)) === first.name &&
      isShownAs(before, first)
  )
  const { fix } = diagnosisSentences[code]
  const found = code === "old_value_remains" && isOld !== true ? foundInstead : diagnosisSentences[code].found
  const counts =
    servers === undefined || servers.showing === 0 ? "" : ` (at ${servers.showing} of ${servers.asked} name servers)`
  const isSaid = copy === undefined || copy === "" || field === "type" || fix.includes("{copy}")
  const isWhole = copy === undefined && code === "old_value_remains"
  const sentences = [
    found,
    copy === "" ? "{label}: leave it empty." : fix,
    ...(isSaid ? [] : ["{label}: {copy}"]),
    ...(isWhole ? ["{wanted} {data}"] : [])
  ]
  return `${expected.type} ${name}${counts}: ${fillIn(sentences.join(" "), values)}`
}

/** The name of the provider, also of one that nobody knows but by its own answer (Domain Connect). */
const nameOf = (provider: DiagnosedConnection["provider"]): string | undefined =>
  provider?.id === "unknown" && provider.detection.method !== "domain_connect" ? undefined : provider?.name

const fillIn = (text: string, values: { readonly [name: string]: string }): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")

const labels = {
  type: "Type",
  host: "Host",
  value: "Value",
  priority: "Priority",
  weight: "Weight",
  port: "Port",
  target: "Target"
}
