import { Schema } from "effect"

export const AdminKeyId = Schema.String.pipe(Schema.brand("AdminKeyId"))
export type AdminKeyId = typeof AdminKeyId.Type

/**
 * A permission of an admin key: `admin:read` reads everything but the audit log, `connections:act` retries, checks
 * again and cancels connections, `admin:write` changes everything else.
 */
export const AdminScope = Schema.Literal("admin:read", "admin:write", "connections:act", "audit:read").annotations({
  identifier: "AdminScope",
  description: "A permission of an admin key."
})
export type AdminScope = typeof AdminScope.Type

export const allAdminScopes: ReadonlyArray<AdminScope> = AdminScope.literals
