/** The result of one part of the benchmark. */
export interface Report {
  readonly title: string
  readonly lines: ReadonlyArray<string>
  readonly figures: unknown
  readonly targets: ReadonlyArray<Target>
}

/** A figure with its limit. A missed gate fails the run, a missed aim does not. */
export interface Target {
  readonly kind: "gate" | "aim"
  readonly what: string
  readonly value: number
  readonly atLeast?: number
  readonly atMost?: number
}

export const isMet = ({ atLeast = -Infinity, atMost = Infinity, value }: Target): boolean =>
  value >= atLeast && value <= atMost

/** Formats a report for the terminal. */
export const formatReport = ({ lines, targets, title }: Report): string =>
  ["", title, ...lines.map((line) => `  ${line}`), ...targets.map((target) => `  ${formatTarget(target)}`)].join("\n")

/** Pads columns to their widest cell; all but the first two are right-aligned. */
export const formatTable = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  const cell = (text: string, column: number) =>
    column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join("  ").trimEnd())
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** The value that a share of the values does not exceed, interpolated between neighbours; `NaN` without values. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((first, second) => first - second)
  const place = share * (sorted.length - 1)
  const lower = sorted[Math.floor(place)] ?? Number.NaN
  const upper = sorted[Math.ceil(place)] ?? Number.NaN
  return lower + (place % 1) * (upper - lower)
}

/** Rounds to three significant digits. */
export const roundToThreeDigits = (value: number): number => Number(value.toPrecision(3))

const formatTarget = (target: Target): string => {
  const { atLeast, atMost, kind, value, what } = target
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`
  const word = kind === "gate" ? (isMet(target) ? "PASS" : "FAIL") : isMet(target) ? "met " : "missed"
  return `${word}  ${what}: ${roundToThreeDigits(value)} (${kind}: ${limit})`
}
