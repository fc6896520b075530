import { DateTime, Option } from "effect"
import type { ListOrder, ListWindow, PageRequest } from "../../domain/values/PageRequest.ts"
import { defaultPageLimit, paginate } from "../contract/requestSchemas.ts"

/** The query parameters of a list, as they were decoded. */
export interface WindowParameters {
  readonly createdAfter?: DateTime.Utc | undefined
  readonly createdBefore?: DateTime.Utc | undefined
  readonly order?: ListOrder | undefined
}

export interface PageParameters extends WindowParameters {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** The order and the time of a list. */
export const toListWindow = ({ createdAfter, createdBefore, order }: WindowParameters): ListWindow => ({
  ...(createdAfter === undefined ? {} : { createdAfter: DateTime.toDateUtc(createdAfter) }),
  ...(createdBefore === undefined ? {} : { createdBefore: DateTime.toDateUtc(createdBefore) }),
  ...(order === undefined ? {} : { order })
})

/** The page of a list, with one entry more, which shows that another page follows. */
export const toPageRequest = ({ cursor, limit = defaultPageLimit, ...window }: PageParameters): PageRequest => ({
  ...toListWindow(window),
  limit: limit + 1,
  ...(cursor === undefined ? {} : { after: cursor })
})

/** The page that `toPageRequest` asked for, and the cursor of the next one. */
export const toPage = <A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  { limit = defaultPageLimit }: Pick<PageParameters, "limit">
) => {
  const { nextCursor, page } = paginate(rows, limit)
  return { page, ...Option.match(nextCursor, { onNone: () => ({}), onSome: (nextCursor) => ({ nextCursor }) }) }
}
