import type { ConnectionDocument, ObservationsDocument } from "../src/domain/ConnectionDocument.ts"
import type { LabRecord } from "../test/support/lab/packet.ts"

/** Formats a zone like a zone file, without its SOA record. */
export const formatZone = (records: ReadonlyArray<LabRecord>): ReadonlyArray<string> =>
  alignColumns(
    records.filter(({ type }) => type !== "SOA").map(({ data, name, ttl, type }) => [name, String(ttl), type, data])
  )

/** Lists the records that were removed (`-`) and added (`+`), by name; empty if both zones hold the same. */
export const formatZoneDiff = (
  before: ReadonlyArray<LabRecord>,
  after: ReadonlyArray<LabRecord>
): ReadonlyArray<string> => {
  const rows = [
    ...findMissingRecords(after, before).map((record) => ["-", record] as const),
    ...findMissingRecords(before, after).map((record) => ["+", record] as const)
  ]
  return alignColumns(
    rows
      .toSorted(([, first], [, second]) => first.name.localeCompare(second.name))
      .map(([sign, { data, name, ttl, type }]) => [sign, name, String(ttl), type, data])
  )
}

const findMissingRecords = (zone: ReadonlyArray<LabRecord>, records: ReadonlyArray<LabRecord>) => {
  const lines = new Set(zone.map(lineOf))
  return records.filter((record) => !lines.has(lineOf(record)))
}

const lineOf = ({ data, name, ttl, type }: LabRecord) => [name, ttl, type, data].join(" ")

/** Lists what each change removes (`-`) and adds (`+`), with hosts relative to the zone, and then the warnings. */
export const formatChanges = (plan: ConnectionDocument["plan"]): ReadonlyArray<string> => {
  const { changes = [], warningDetails = [] } = plan ?? {}
  const rows = changes.flatMap(({ after, before }) => [
    ...(before === undefined ? [] : [["-", ...cellsOf(before)]]),
    ...(after === undefined ? [] : [["+", ...cellsOf(after)]])
  ])
  return [...alignColumns(rows), ...warningDetails.map(({ code, severity }) => `${severity}: ${code}`)]
}

type DocumentRecord = NonNullable<NonNullable<ConnectionDocument["plan"]>["changes"][number]["after"]>

const cellsOf = ({ name, priority, ttl, type, value, zoneHost = name }: DocumentRecord) => [
  zoneHost,
  String(ttl),
  type,
  priority === undefined ? value : `${priority} ${value}`
]

/** Formats a row for each desired record: its status at each server and over all of them. */
export const formatObservations = ({ records }: ObservationsDocument): ReadonlyArray<string> =>
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
