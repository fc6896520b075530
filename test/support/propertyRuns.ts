/**
 * How many inputs a property checks: so many with `CI=true`, and a quarter of them otherwise, where every run draws new
 * ones. `PROPERTY_RUNS=10` checks ten times as many.
 */
export const propertyRuns = (inCi: number): number =>
  Math.ceil((process.env["CI"] === "true" ? inCi : inCi / 4) * Number(process.env["PROPERTY_RUNS"] ?? 1))
