import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The names that connections of a tenant asked for and no longer do, because they ended or have another intent. With
 * `connection_hosts` and `host_holders`, it tells whether another tenant has ever asked for a name.
 */
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
