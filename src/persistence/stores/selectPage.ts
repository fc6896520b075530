import type { SqlClient, Statement } from "@effect/sql"
import type { PageRequest } from "../../domain/values/PageRequest.ts"

/** The conditions of a page, and the order of its rows. */
interface PageSql {
  readonly where: Statement.Fragment
  readonly orderBy: Statement.Fragment
}

export const selectPage = (
  sql: SqlClient.SqlClient,
  { after, createdAfter, createdBefore, order = "asc" }: Omit<PageRequest, "limit">,
  { createdAt, id }: { readonly id: string; readonly createdAt: string } = { id: "id", createdAt: "created_at" }
): PageSql => {
  const [idColumn, timeColumn] = [sql.literal(id), sql.literal(createdAt)]
  return {
    where: sql.and([
      sql`true`,
      ...(after === undefined ? [] : [order === "asc" ? sql`${idColumn} > ${after}` : sql`${idColumn} < ${after}`]),
      ...(createdAfter === undefined ? [] : [sql`${timeColumn} >= ${createdAfter}`]),
      ...(createdBefore === undefined ? [] : [sql`${timeColumn} < ${createdBefore}`])
    ]),
    orderBy: sql.literal(`${id} ${order}`)
  }
}
