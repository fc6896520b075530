import type { SqlClient, Statement } from "@effect/sql"

/**
 * `any(…)` of these texts, for statements that run often. With an array as a parameter PostgreSQL plans anew at each call,
 * because it estimates by the length of the array; a sub-select hides the length.
 */
export const anyOf = (sql: SqlClient.SqlClient, texts: ReadonlyArray<string>): Statement.Fragment =>
  sql`any((select ${texts}::text[])::text[])`
