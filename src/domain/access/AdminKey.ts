import { Schema } from "effect"

export const AdminKeyId = Schema.String.pipe(Schema.brand("AdminKeyId"))
export type AdminKeyId = typeof AdminKeyId.Type

/** `admin:read` excludes the audit log, `connections:act` retries, rechecks and cancels, `admin:write` does more. */
export const AdminScope = Schema.Literal("admin:read", "admin:write", "connections:act", "audit:read").annotations({
  identifier: "AdminScope",
  description: "A permission of an admin key."
})
export type AdminScope = typeof AdminScope.Type

export const allAdminScopes: ReadonlyArray<AdminScope> = AdminScope.literals
