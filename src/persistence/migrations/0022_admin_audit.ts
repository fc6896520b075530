import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The audit log also has entries of admin keys, which belong to no application. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`alter table audit_entries alter column application_id drop not null`
)
