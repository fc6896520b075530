import type { SqlClient, Statement } from "@effect/sql"

/**
 * `any(…)` of these texts, in a sub-select: for an array of its own PostgreSQL would plan a statement at each call, for the
 * number of its elements.
 */
export const anyOf = (sql: SqlClient.SqlClient, texts: ReadonlyArray<string>): Statement.Fragment =>
  sql`any((select ${texts}::text[])::text[])`
