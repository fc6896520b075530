import { Schema } from "effect"

/** Whether the oldest entries of a list come first, or the newest. */
export const ListOrder = Schema.Literal("asc", "desc").annotations({ identifier: "ListOrder" })
export type ListOrder = typeof ListOrder.Type

/** The order of a list, and the time of creation of its entries; an absent field does not restrict it. */
export interface ListWindow {
  /** Each list has its own if it is absent. */
  readonly order?: ListOrder
  readonly createdAfter?: Date
  /** The end of the time of the entries; an entry of this very moment is not listed. */
  readonly createdBefore?: Date
}

/** One page of a list: at most `limit` entries that follow the entry with the id `after`. */
export interface PageRequest extends ListWindow {
  readonly after?: string
  readonly limit: number
}
