import { Schema } from "effect"

export const AdminKeyId = Schema.String.pipe(Schema.brand("AdminKeyId"))
export type AdminKeyId = typeof AdminKeyId.Type
