import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { type DomainName, isAtOrBelow, toFqdn } from "../../src/domain/names/DomainName.ts"
import type { Change } from "../../src/domain/plan/Plan.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import { identityOf } from "../../src/planning/changes/computeResultingRecords.ts"
import { normalizeData } from "../../src/planning/zone/LiveZone.ts"

/** What was written to a zone whose list may not show it yet. */
export interface WrittenRecords {
  /** Notes changes that were made; their hosts are relative to the domain. */
  readonly note: (changes: ReadonlyArray<Change>, domain: DomainName) => void
  /** Notes that changes may have been made: only time shows them. */
  readonly noteUnclear: () => void
  /** Whether a list shows everything that was noted, as far as it lies at or below the domain. */
  readonly areShownIn: (zone: Zone, domain: DomainName) => boolean
  /** Forgets everything: the list has to show it by now. */
  readonly clear: () => void
}

/** Makes the memory of the writes to one zone. */
export const makeWrittenRecords = (): WrittenRecords => {
  const expected = new Map<string, ExpectedRecord>()
  let isUnclear = false
  return {
    note: (changes, domain) => {
      for (const { after, before } of changes) {
        const [removed, added] = [before, after].map((record) => record && keyOf(record, domain))
        if (before !== undefined && removed !== undefined)
          expected.set(removed, { name: nameOf(before, domain), state: false })
        if (after !== undefined && added !== undefined)
          expected.set(added, { name: nameOf(after, domain), state: removed === added ? after.ttl : true })
      }
    },
    noteUnclear: () => void (isUnclear = true),
    areShownIn: (zone, domain) => {
      const listed = new Map(zone.records.map((record) => [keyOf(record, domain), record.ttl]))
      return (
        !isUnclear &&
        [...expected]
          .filter(([, { name }]) => isAtOrBelow(name, domain))
          .every(([key, { state }]) =>
            typeof state === "number" ? listed.get(key) === state : listed.has(key) === state
          )
      )
    },
    clear: () => {
      expected.clear()
      isUnclear = false
    }
  }
}

/** What a list has to show of a record, by its name and data. */
interface ExpectedRecord {
  /** Absolute. */
  readonly name: string
  /** Absent, present, or present with a TTL. */
  readonly state: boolean | number
}

const nameOf = ({ host }: ZoneRecord, domain: DomainName): string => toFqdn(host.toLowerCase(), domain)

const keyOf = (record: ZoneRecord, domain: DomainName): string =>
  identityOf({ ...normalizeData(record), host: nameOf(record, domain) })
