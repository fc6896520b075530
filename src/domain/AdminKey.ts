import { Schema } from "effect"

export const AdminKeyId = Schema.String.pipe(Schema.brand("AdminKeyId"))
export type AdminKeyId = typeof AdminKeyId.Type

/** The operator's name for an admin key: 1 to 100 characters. */
export const AdminKeyName = Schema.String.pipe(
  Schema.pattern(/^[^\p{Cc}]{1,100}$/u, { message: () => "must be 1 to 100 characters in one line" })
)
