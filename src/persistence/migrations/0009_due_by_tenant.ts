import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Finds the due phases of one tenant, oldest first, and the tenant that follows another one. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create index connections_due_of on connections (application_id, tenant_id, due_at) where due_at is not null`
)
