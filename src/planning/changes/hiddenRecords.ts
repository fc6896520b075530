import { Array } from "effect"
import { findSingletonTxtKind } from "../../domain/DnsRecord.ts"
import { apexHost, toFqdn } from "../../domain/DomainName.ts"
import { type HiddenRecords, kindOf } from "../WarningFact.ts"
import { hasRecordType, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"
import { listNewNames, listSynthesizedRecords } from "../zone/wildcards.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** Finds what the names that a row creates, or delegates, no longer answer with. */
export type HiddenRecordsFinder = (row: Pick<PlanRow, "after" | "host" | "role">) => ReadonlyArray<HiddenRecords>

/**
 * Makes a function that finds what a row hides of a wildcard. A wildcard answers for a name only while nothing exists at
 * or below that name, and a new record creates its host and the empty names above it (RFC 4592). Nothing is lost if the
 * intent brings what the wildcard served.
 */
export const findHiddenByNames = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>): HiddenRecordsFinder => {
  const diffAt = new Map(diffs.map((diff) => [diff.host, diff]))
  const hiddenAt = (name: string): HiddenRecords => ({
    warning: "wildcard_hidden",
    host: name,
    kinds: listKinds(listSynthesizedRecords(zone, name).filter((record) => !isReplaced(record, diffAt.get(name))))
  })
  const hiddenBetween: ReadonlyArray<HiddenRecords> = hasNamesBetween(zone)
    ? [{ warning: "wildcard_hidden", host: apexHost, kinds: listKinds(zone.wildcardAbove?.records ?? []) }]
    : []
  return ({ after, host }) => {
    if (!zone.hasWildcards || after === undefined) return []
    const names = listNewNames(zone, host)
    return [...names.map(hiddenAt), ...(names.includes(apexHost) ? hiddenBetween : [])].filter(
      ({ kinds }) => kinds.length > 0
    )
  }
}

/** Whether the first record of the domain also creates names between the domain and the wildcard above it. */
const hasNamesBetween = ({ domain, wildcardAbove }: LiveZone): boolean =>
  wildcardAbove !== undefined && !isParent(wildcardAbove.name.slice(wildcardLength), domain)

const wildcardLength = "*.".length

const isParent = (name: string, domain: string): boolean => domain.slice(domain.indexOf(".") + 1) === name

/** Whether the intent brings, at the same name, what takes the place of a record of the wildcard. */
const isReplaced = (record: LiveRecord, diff: HostDiff | undefined): boolean => {
  if (diff === undefined) return false
  const kind = findSingletonTxtKind(record)
  return record.role === "TXT"
    ? diff.results.some(
        ([, result]) =>
          result.type === "TXT" &&
          (result.value === record.value || (kind !== undefined && findSingletonTxtKind(result) === kind))
      )
    : diff.roles.has(record.role)
}

/** Makes a function that finds what a new delegation hides below it, other than the addresses of its name servers. */
export const findHiddenByDelegations = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>): HiddenRecordsFinder => {
  const cuts = new Set(
    diffs
      .filter(({ host, roles }) => roles.has("DELEGATION") && !hasRecordType(zone, host, "NS"))
      .map(({ host }) => host)
  )
  const nameServers = new Set(
    diffs.flatMap(({ results }) => results.map(([record]) => (record.type === "NS" ? record.value : "")))
  )
  const hiddenAt = (host: string): ReadonlyArray<LiveRecord> => {
    const mayBeGlue = nameServers.has(toFqdn(host, zone.domain))
    return zone.recordsAt(host).filter(({ role }) => !(mayBeGlue && (role === "A" || role === "AAAA")))
  }
  const hiddenBelow = new Map<string, Set<string>>()
  for (const host of cuts.size === 0 ? [] : zone.byHost.keys()) {
    // A large zone has hundreds of thousands of hosts, few of them below a cut.
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      const above = host.slice(dot + 1)
      if (!cuts.has(above)) continue
      const kinds = hiddenBelow.get(above) ?? new Set()
      hiddenBelow.set(above, kinds)
      for (const record of hiddenAt(host)) kinds.add(kindOf(record))
    }
  }
  return ({ after, host, role }) => {
    const kinds = after !== undefined && role === "DELEGATION" ? [...(hiddenBelow.get(host) ?? [])].toSorted() : []
    return kinds.length === 0 ? [] : [{ warning: "ns_delegation_hides_records", host, kinds }]
  }
}

const listKinds = (records: ReadonlyArray<Parameters<typeof kindOf>[0]>): ReadonlyArray<string> =>
  Array.dedupe(records.map(kindOf)).toSorted()
