import type { SqlClient, Statement } from "@effect/sql"
import type { NameSet } from "../../../domain/names/NameSet.ts"

/** A name as columns `reversed_name` hold it: from its last character to its first, so that all below it follow it. */
export const toReversedName = (name: string): string => [...name].toReversed().join("")

/**
 * The rows `(low, high)` around the reversed names of a scope; in bytes, `/` follows `.`, and no name holds it. What is
 * between them is few rows, which the planner cannot know: a join would read whole tables. So each statement looks them up
 * in a `lateral` that `offset 0` keeps apart.
 */
export const nameRangesSql = (sql: SqlClient.SqlClient, { at, below }: NameSet): Statement.Fragment => {
  const [exact, above] = [at.map(toReversedName), below.map(toReversedName)]
  const lows = [...exact, ...above.map((name) => `${name}.`)]
  const highs = [...exact, ...above.map((name) => `${name}/`)]
  return sql`unnest((select ${lows}::text[]), (select ${highs}::text[])) as ranges (low, high)`
}
