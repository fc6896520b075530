import type { PageRequest } from "../../../src/domain/values/PageRequest.ts"

/** Selects a page of rows, as `selectPage` does in PostgreSQL. */
export const pageOf = <Row>(
  rows: Iterable<Row>,
  { after, createdAfter, createdBefore, limit = Infinity, order = "asc" }: Partial<PageRequest>,
  { createdAt, id }: { readonly id: (row: Row) => string; readonly createdAt: (row: Row) => number }
): ReadonlyArray<Row> => {
  const follows = (one: string, other: string) => (order === "asc" ? one > other : one < other)
  return [...rows]
    .filter((row) => after === undefined || follows(id(row), after))
    .filter((row) => createdAfter === undefined || createdAt(row) >= createdAfter.getTime())
    .filter((row) => createdBefore === undefined || createdAt(row) < createdBefore.getTime())
    .toSorted((one, other) => (follows(id(one), id(other)) ? 1 : -1))
    .slice(0, limit)
}
