import { Schema } from "effect"

/** Whose session a browser token is. A helper only reads and rechecks the connection that the customer shared. */
export const BrowserRole = Schema.Literal("customer", "helper").annotations({ identifier: "BrowserRole" })
export type BrowserRole = typeof BrowserRole.Type
