/**
 * Divides every duration in rules of Prometheus: how long a condition holds (`for`), the windows of rates, and the ages
 * with which series of `…_oldest_seconds` are compared. Ratios and other thresholds stay.
 */
export const shortenDurations = (rules: string, divisor: number): string =>
  rules
    .replaceAll(/(for: |\[)(\d+)([smh])\b/g, (_, before: string, count: string, unit: string) => {
      const millis = (Number(count) * (millisOf[unit] ?? 0)) / divisor
      return `${before}${Math.round(millis)}ms`
    })
    .replaceAll(/(_oldest_seconds\b[^>\n]*> )(\d+)/g, (_, before: string, seconds: string) =>
      [before, Number(seconds) / divisor].join("")
    )

const millisOf: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }
