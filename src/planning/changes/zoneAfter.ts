import { type LiveZone, withRecordsAt } from "../zone/LiveZone.ts"
import type { HostDiff } from "./diff.ts"

/** The zone as a plan leaves it. */
export const zoneAfter = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>): LiveZone =>
  withRecordsAt(
    zone,
    diffs.map(({ host, rows }) => {
      const going = new Set(rows.map(({ before }) => before))
      const coming = rows.flatMap(({ after }) => (after === undefined ? [] : [after]))
      return [host, [...zone.recordsAt(host).filter((record) => !going.has(record)), ...coming]]
    })
  )
