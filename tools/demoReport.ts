import type { ObservationsBody, Plan, TestZoneBody } from "../packages/client/index.ts"

/** Formats a zone like a zone file, without its SOA record. */
export const formatZone = (zone: TestZoneBody): ReadonlyArray<string> => alignColumns(rowsOf(zone))

/** Lists the records that were removed (`-`) and added (`+`), by name; empty if both zones hold the same. */
export const formatZoneDiff = (before: TestZoneBody, after: TestZoneBody): ReadonlyArray<string> =>
  alignColumns(
    [...findMissing(after, before, "-"), ...findMissing(before, after, "+")].toSorted(
      ([, first = ""], [, second = ""]) => first.localeCompare(second)
    )
  )

const findMissing = (zone: TestZoneBody, other: TestZoneBody, sign: string) => {
  const lines = new Set(rowsOf(zone).map(String))
  return rowsOf(other).flatMap((row) => (lines.has(String(row)) ? [] : [[sign, ...row]]))
}

/** A row for each record. */
const rowsOf = ({ records }: TestZoneBody): ReadonlyArray<ReadonlyArray<string>> =>
  records.flatMap(({ name, ttl, type, values }) => values.map((value) => [name, String(ttl), type, value]))

/** Lists what each change removes (`-`) and adds (`+`), with hosts relative to the zone, and then the warnings. */
export const formatChanges = (plan: Plan | undefined): ReadonlyArray<string> => {
  const { changes = [], warningDetails = [] } = plan ?? {}
  const rows = changes.flatMap(({ after, before }) => [
    ...(before === undefined ? [] : [["-", ...cellsOf(before)]]),
    ...(after === undefined ? [] : [["+", ...cellsOf(after)]])
  ])
  return [...alignColumns(rows), ...warningDetails.map(({ code, severity }) => `${severity}: ${code}`)]
}

type DocumentRecord = NonNullable<Plan["changes"][number]["after"]>

const cellsOf = ({ name, priority, ttl, type, value, zoneHost = name }: DocumentRecord) => [
  zoneHost,
  String(ttl),
  type,
  priority === undefined ? value : `${priority} ${value}`
]

/** Formats a row for each desired record: its status at each server and over all of them. */
export const formatObservations = ({ records }: ObservationsBody): ReadonlyArray<string> =>
  alignColumns([
    ["record", ...(records[0]?.observed ?? []).map(({ server }) => server), "all"],
    ...records.map(({ expected, observed, status }) => [
      `${expected.type} ${expected.host}`,
      ...observed.map((observation) => observation.status),
      status
    ])
  ])

const alignColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join("  ")
      .trimEnd()
  )
}
