import type { ChangeRecord, Plan } from "../src/domain/Plan.ts"
import type { ObservationsBody } from "../src/domain/RecordObservation.ts"
import type { ResourceRecord } from "../test/support/lab/packet.ts"

/** A zone as in its file. */
export const formatZone = (records: ReadonlyArray<ResourceRecord>): ReadonlyArray<string> =>
  inColumns(
    records.filter(({ type }) => type !== "SOA").map(({ data, name, ttl, type }) => [name, String(ttl), type, data])
  )

/** What went out of a zone and what came into it; nothing if it is the same. */
export const formatZoneDiff = (
  before: ReadonlyArray<ResourceRecord>,
  after: ReadonlyArray<ResourceRecord>
): ReadonlyArray<string> => {
  const [gone, come] = [
    [before, after],
    [after, before]
  ].map(([these = [], others = []]) => these.filter((one) => !others.some((other) => lineOf(one) === lineOf(other))))
  const rows = [...(gone ?? []).map((one) => ["-", one] as const), ...(come ?? []).map((one) => ["+", one] as const)]
  return inColumns(
    rows
      .toSorted(([, one], [, other]) => one.name.localeCompare(other.name))
      .map(([sign, { data, name, ttl, type }]) => [sign, name, String(ttl), type, data])
  )
}

const lineOf = ({ data, name, ttl, type }: ResourceRecord) => [name, ttl, type, data].join(" ")

/** Each change with what it takes away, and what the plan warns of. */
export const formatChanges = (plan: Plan | undefined): ReadonlyArray<string> => {
  const { changes = [], warnings = [] } = plan ?? {}
  const rows = changes.flatMap(({ after, before }) => [
    ...(before === undefined ? [] : [["-", ...cellsOf(before)]]),
    ...(after === undefined ? [] : [["+", ...cellsOf(after)]])
  ])
  return [...inColumns(rows), ...(warnings.length === 0 ? [] : [`warnings: ${warnings.join(", ")}`])]
}

const cellsOf = ({ host, priority, ttl, type, value }: ChangeRecord) => [
  host,
  String(ttl),
  type,
  priority === undefined ? value : `${priority} ${value}`
]

/** A row for each wanted record, with what each server shows of it. */
export const formatObservations = ({ records }: typeof ObservationsBody.Encoded): ReadonlyArray<string> =>
  inColumns([
    ["record", ...(records[0]?.observed ?? []).map(({ server }) => server), "together"],
    ...records.map(({ expected, observed, status }) => [
      `${expected.type} ${expected.host}`,
      ...observed.map((sighting) => sighting.status),
      status
    ])
  ])

const inColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join("  ")
      .trimEnd()
  )
}
