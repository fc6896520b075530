import { Schema } from "effect"

/**
 * Whose session a browser token is: the customer's, or that of a helper with whom the customer shared the connection. A
 * helper reads the connection and has it checked; only the customer authorizes and approves.
 */
export const BrowserRole = Schema.Literal("customer", "helper").annotations({ identifier: "BrowserRole" })
export type BrowserRole = typeof BrowserRole.Type
