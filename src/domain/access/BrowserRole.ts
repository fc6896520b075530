import { Schema } from "effect"

/** Whose session a browser token is. A helper reads and rechecks; only the customer authorizes and approves. */
export const BrowserRole = Schema.Literal("customer", "helper").annotations({ identifier: "BrowserRole" })
export type BrowserRole = typeof BrowserRole.Type
