import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The erased connections of which the journal stays, because the restore of another connection of the zone may need it. The
 * storage counts for their tenant; those of a tenant that was erased itself have none. The journal outlives its connection.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table kept_journals (
      connection_id text primary key,
      application_id text,
      tenant_id text,
      checked_at timestamptz not null default now()
    );
    create index kept_journals_checked_at on kept_journals (checked_at);
    alter table journal drop constraint if exists journal_connection_id_fkey`
)
