import { Array, Either } from "effect"
import { apexHost } from "../../domain/DomainName.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { isApex, type LiveRecord, type LiveZone, replaceRecordsAt } from "./LiveZone.ts"

/**
 * Restores the CNAME at the apex of a zone that was read in public. A provider that flattens the CNAME serves only its
 * addresses; if those are the addresses of the desired target, the resulting zone has that CNAME in their place.
 */
export const unflattenApex = (
  zone: LiveZone,
  desired: ReadonlyArray<DesiredRecord>,
  lookup: DnsLookup
): { readonly zone: LiveZone; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const alias = desired.find(({ role }) => role === "ALIAS")?.record
  const liveAddresses =
    zone.basis === "public_dns" && isApex(zone, apexHost) ? zone.recordsAt(apexHost).filter(isAddress) : []
  if (alias === undefined || liveAddresses.length === 0) return { zone, unanswered: [] }
  const answers = (["A", "AAAA"] as const).map((type) => ({ type, answer: lookup({ name: alias.value, type }) }))
  const unanswered = Array.getLefts(answers.map(({ answer }) => answer))
  const isSame = answers.every(({ answer, type }) =>
    Either.match(answer, {
      onLeft: () => false,
      onRight: (addresses) =>
        hasSameValues(
          addresses,
          liveAddresses.filter((record) => record.type === type)
        )
    })
  )
  const others = (zone.byHost.get(apexHost) ?? []).filter((record) => !isAddress(record))
  const ttl = Math.min(...liveAddresses.map((record) => record.ttl))
  const flattened = [...others, { host: apexHost, type: "CNAME", value: alias.value, ttl }]
  return { zone: isSame ? replaceRecordsAt(zone, [[apexHost, flattened]]) : zone, unanswered }
}

const isAddress = ({ type }: { readonly type: string }): boolean => /^A(AAA)?$/i.test(type)

const hasSameValues = (addresses: ReadonlyArray<string>, records: ReadonlyArray<LiveRecord>): boolean =>
  new Set(addresses).symmetricDifference(new Set(records.map(({ value }) => value))).size === 0
