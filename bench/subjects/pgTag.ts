import { Pool, type QueryConfig } from "pg"
import type { Sql } from "./queries.ts"

/** `pg`, the driver below the `@effect/sql-pg` of this service, with as many connections, as a tag. */
export const pgTag = ({ prepared }: { readonly prepared: boolean }): Sql => {
  const pool = new Pool({ max: 10 })
  const known = new Map<TemplateStringsArray, QueryConfig>()

  const statementOf = (strings: TemplateStringsArray): QueryConfig => {
    const statement = known.get(strings) ?? {
      text: String.raw({ raw: strings }, ...strings.map((_, index) => `$${index + 1}`)),
      name: prepared ? `statement ${known.size}` : undefined
    }
    known.set(strings, statement)
    return statement
  }

  return async (strings, ...values) => (await pool.query({ ...statementOf(strings), values })).rows
}
