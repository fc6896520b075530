import { Array, Either } from "effect"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import { apexHost } from "../../domain/DomainName.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { isApex, isServiceHost, type LiveRecord, type LiveZone, replaceRecordsAt } from "./LiveZone.ts"

/** Where a provider may answer with the addresses of an alias's target below the apex of a zone, too. */
export interface AliasFlattening {
  /** Whether the service wrote the aliases itself: one whose target has no addresses then shows nothing. */
  readonly isWritten: boolean
}

/** A zone with the aliases that only their addresses showed. */
interface UnflattenedZone {
  readonly zone: LiveZone
  /** The hosts of desired aliases that their provider flattens. */
  readonly flattenedHosts: ReadonlySet<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Restores the aliases of a zone that was read in public. A provider that flattens an alias serves only its addresses; if
 * those are the addresses of the desired target, the resulting zone has that CNAME in their place. Without `flattening`,
 * that counts at the apex alone. A policy behind a flattened alias is not served: at its host nothing is restored.
 */
export const unflattenAliases = (
  zone: LiveZone,
  desired: ReadonlyArray<DesiredRecord>,
  lookup: DnsLookup,
  flattening?: AliasFlattening
): UnflattenedZone => {
  const aliases =
    zone.basis === "public_dns"
      ? desired.flatMap(({ record }) =>
          record.type === "CNAME" && (flattening !== undefined || isApex(zone, record.host)) ? [record] : []
        )
      : []
  const outcomes = aliases.map((alias) => ({ alias, ...findFlattened(alias, zone, lookup, flattening) }))
  const flattened = outcomes.filter(({ isFlattened }) => isFlattened)
  const visited = flattened.filter(({ alias }) => !isServiceHost(alias.host))
  return {
    zone:
      visited.length === 0
        ? zone
        : replaceRecordsAt(
            zone,
            visited.map(({ alias, others, ttl }) => [
              alias.host,
              [...others, { host: alias.host, type: "CNAME", value: alias.value, ttl }]
            ])
          ),
    flattenedHosts: new Set(flattened.map(({ alias }) => alias.host)),
    unanswered: outcomes.flatMap(({ unanswered }) => unanswered)
  }
}

/** Compares the addresses of an alias's host with those of its target. */
const findFlattened = (
  alias: DnsRecord,
  zone: LiveZone,
  lookup: DnsLookup,
  flattening: AliasFlattening | undefined
) => {
  const { host, ttl: desiredTtl, value: name } = alias
  const live = zone.recordsAt(host)
  const addresses = live.filter(isAddress)
  const others = (zone.byHost.get(host) ?? []).filter((record) => !isAddress(record))
  const ttl = Math.min(...addresses.map((record) => record.ttl), ...(addresses.length === 0 ? [desiredTtl] : []))
  const canShowNothing = flattening?.isWritten === true && !(host === apexHost && isApex(zone, host))
  if (live.some(({ type }) => type === "CNAME") || (addresses.length === 0 && !canShowNothing))
    return { others, ttl, isFlattened: false, unanswered: [] }
  const answers = (["A", "AAAA"] as const).map((type) => ({ type, answer: lookup({ name, type }) }))
  const isFlattened = answers.every(({ answer, type }) =>
    Either.match(answer, {
      onLeft: () => false,
      onRight: (values) =>
        hasSameValues(
          values,
          addresses.filter((record) => record.type === type)
        )
    })
  )
  return { others, ttl, isFlattened, unanswered: Array.getLefts(answers.map(({ answer }) => answer)) }
}

const isAddress = ({ type }: { readonly type: string }): boolean => /^A(AAA)?$/i.test(type)

const hasSameValues = (addresses: ReadonlyArray<string>, records: ReadonlyArray<LiveRecord>): boolean =>
  new Set(addresses).symmetricDifference(new Set(records.map(({ value }) => value))).size === 0
