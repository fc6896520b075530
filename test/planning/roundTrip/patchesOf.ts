import { Array } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { type DomainName, toFqdn } from "../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"
import { type RRsetChange, rrsetReplacements } from "../../support/lab/RRsetChange.ts"
import { textOf } from "../../support/lab/wireFormat.ts"
import { zonesAfterEachChange } from "../../support/planFixtures.ts"

/** The server updates for each change in turn: every affected RRset is replaced as a whole. */
export const patchesOf = (
  zone: Zone,
  domain: DomainName,
  changes: ReadonlyArray<Change>
): ReadonlyArray<ReadonlyArray<RRsetChange>> =>
  Array.zipWith(changes, zonesAfterEachChange(zone, changes), ({ after, before }, { records }) =>
    Array.dedupeWith([before ?? [], after ?? []].flat(), isSameSet).flatMap((altered) => {
      const set = records.filter((record) => isSameSet(record, altered))
      const { name, type } = resourceRecord(altered, domain)
      return set.length === 0
        ? [{ name, type, changetype: "DELETE" as const }]
        : rrsetReplacements(set.map((record) => resourceRecord(record, domain)))
    })
  )

const isSameSet = (one: ZoneRecord, other: ZoneRecord): boolean => one.host === other.host && one.type === other.type

const resourceRecord = (record: ZoneRecord, domain: DomainName) => ({
  name: `${toFqdn(record.host, domain)}.`,
  type: record.type,
  ttl: record.ttl,
  data: dataOf(record)
})

/** A record's data as in a zone file. */
const dataOf = ({ priority, type, value }: ZoneRecord): string => {
  if (type === "TXT") return characterStrings(new TextEncoder().encode(value))
  if (!endsInName.has(type)) return value
  return [...(priority === undefined ? [] : [priority]), value.replace(/([^.])$/, "$1.")].join(" ")
}

const endsInName = new Set(["CNAME", "MX", "NS", "SRV"])

const characterStrings = (bytes: Uint8Array): string =>
  Array.makeBy(Math.ceil(bytes.length / 255), (index) => bytes.subarray(index * 255, (index + 1) * 255))
    .map((part) => `"${textOf(part, /["\\]/)}"`)
    .join(" ")
