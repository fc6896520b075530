import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The names that a tenant's connections no longer ask for: who ever asked is known, with two other tables. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table former_hosts (
      application_id text not null,
      reversed_name text collate "C" not null,
      tenant_id text not null,
      primary key (application_id, reversed_name, tenant_id)
    )`
)
