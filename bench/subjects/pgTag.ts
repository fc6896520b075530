import { Pool, type QueryConfig } from "pg"
import type { Sql } from "./queries.ts"

/** A template tag on `pg`, the driver of `@effect/sql-pg`, with as many connections and prepared statements as the service. */
export const pgTag = (): Sql => {
  const pool = new Pool({ max: 10 })
  const statements = new Map<TemplateStringsArray, QueryConfig>()

  const statementOf = (strings: TemplateStringsArray): QueryConfig => {
    const statement = statements.get(strings) ?? {
      text: String.raw({ raw: strings }, ...strings.map((_, index) => `$${index + 1}`)),
      name: `statement ${statements.size}`
    }
    statements.set(strings, statement)
    return statement
  }

  return async (strings, ...values) => (await pool.query({ ...statementOf(strings), values })).rows
}
