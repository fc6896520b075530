import { Array, Option, Schema } from "effect"

/** The query parameter `cursor`: the `nextCursor` of the previous page. */
export const PageCursor = Schema.optionalWith(
  Schema.String.pipe(Schema.pattern(/^[a-z]{3}_[0-9a-z]{1,60}$/)).annotations({
    description: "The `nextCursor` of the previous page; without it the first page.",
    message: () => "must be the nextCursor of another response"
  }),
  { exact: true }
)

/** The query parameter `limit`: at most this many entries on a page. */
export const PageLimit = Schema.optionalWith(
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 100)).annotations({
    jsonSchema: { type: "integer", minimum: 1, maximum: 100, description: "The size of a page; without it 50." },
    message: () => ({ message: "must be a whole number from 1 to 100", override: true })
  }),
  { exact: true }
)

/** The page size if the request names none. */
export const defaultPageLimit = 50

/** The field `nextCursor` of a page, absent on the last one. */
export const NextPageCursor = Schema.optionalWith(
  Schema.String.annotations({ description: "The cursor of the next page; absent on the last one." }),
  { exact: true }
)

/** Cuts a page out of rows that were queried with `limit + 1`: one row too many shows that another page follows. */
export const paginate = <A extends { readonly id: string }>(rows: ReadonlyArray<A>, limit: number) => {
  const page = rows.slice(0, limit)
  return { page, nextCursor: rows.length > limit ? Option.map(Array.last(page), ({ id }) => id) : Option.none() }
}
