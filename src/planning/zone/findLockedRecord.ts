import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { identityOf } from "../changes/computeResultingRecords.ts"
import { normalizeData } from "./LiveZone.ts"

/** Finds a record that the changes remove or replace although its provider keeps it. */
export const findLockedRecord = (zone: Zone, changes: ReadonlyArray<Change>): ZoneRecord | undefined => {
  const fixed = zone.records.filter(({ locked }) => locked === "fixed")
  if (fixed.length === 0) return undefined
  const removed = new Set(changes.flatMap(({ before }) => (before === undefined ? [] : [identityOf(before)])))
  return fixed.find((record) => removed.has(identityOf({ ...normalizeData(record), host: record.host.toLowerCase() })))
}
