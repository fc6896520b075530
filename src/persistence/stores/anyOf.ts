import type { SqlClient, Statement } from "@effect/sql"

/** `any(…)` of texts. PostgreSQL would plan anew for an array's length, which a sub-select hides. */
export const anyOf = (sql: SqlClient.SqlClient, texts: ReadonlyArray<string>): Statement.Fragment =>
  sql`any((select ${texts}::text[])::text[])`
