import { Pool, type QueryConfig } from "pg"
import type { Sql } from "./queries.ts"

/** A template tag on `pg`, the driver of `@effect/sql-pg`, with as many connections as the service has. */
export const pgTag = ({ prepared }: { readonly prepared: boolean }): Sql => {
  const pool = new Pool({ max: 10 })
  const statements = new Map<TemplateStringsArray, QueryConfig>()

  const statementOf = (strings: TemplateStringsArray): QueryConfig => {
    const statement = statements.get(strings) ?? {
      text: String.raw({ raw: strings }, ...strings.map((_, index) => `$${index + 1}`)),
      name: prepared ? `statement ${statements.size}` : undefined
    }
    statements.set(strings, statement)
    return statement
  }

  return async (strings, ...values) => (await pool.query({ ...statementOf(strings), values })).rows
}
