import { Array, Either } from "effect"
import { apexHost } from "../../domain/DomainName.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { isApex, type LiveRecord, type LiveZone, replaceRecordsAt } from "./LiveZone.ts"

/**
 * A provider that flattens a CNAME at the apex shows only its addresses in public: where those are the addresses of the
 * wanted target, the zone is read as having that CNAME.
 */
export const unflattenApex = (
  zone: LiveZone,
  wanted: ReadonlyArray<DesiredRecord>,
  lookup: DnsLookup
): { readonly zone: LiveZone; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const alias = wanted.find(({ role }) => role === "ALIAS")?.record
  const live = zone.basis === "public_dns" && isApex(zone, apexHost) ? zone.recordsAt(apexHost).filter(isAddress) : []
  if (alias === undefined || live.length === 0) return { zone, unanswered: [] }
  const answers = (["A", "AAAA"] as const).map((type) => ({ type, answer: lookup({ name: alias.value, type }) }))
  const unanswered = Array.getLefts(answers.map(({ answer }) => answer))
  const isSame = answers.every(({ answer, type }) =>
    Either.match(answer, {
      onLeft: () => false,
      onRight: (addresses) =>
        areTheSame(
          addresses,
          live.filter((record) => record.type === type)
        )
    })
  )
  const others = (zone.byHost.get(apexHost) ?? []).filter((record) => !isAddress(record))
  const ttl = Math.min(...live.map((record) => record.ttl))
  const flattened = [...others, { host: apexHost, type: "CNAME", value: alias.value, ttl }]
  return { zone: isSame ? replaceRecordsAt(zone, [[apexHost, flattened]]) : zone, unanswered }
}

const isAddress = ({ type }: { readonly type: string }): boolean => /^A(AAA)?$/i.test(type)

const areTheSame = (addresses: ReadonlyArray<string>, live: ReadonlyArray<LiveRecord>): boolean =>
  new Set(addresses).symmetricDifference(new Set(live.map(({ value }) => value))).size === 0
