import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Entries come with their change, and only the retention deletes them. No foreign keys: they outlive their object. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table audit_entries (
      id bigint generated always as identity primary key,
      application_id text not null,
      tenant_id text,
      connection_id text,
      actor_type text not null,
      actor_id text not null,
      action text not null,
      details jsonb not null,
      request_id text,
      address text,
      created_at timestamptz not null default now()
    );
    create index audit_entries_of_application on audit_entries (application_id, created_at, id);
    create index audit_entries_of_tenant on audit_entries (application_id, tenant_id, created_at, id);
    create index audit_entries_of_connection on audit_entries (connection_id, created_at, id)
      where connection_id is not null;
    create index audit_entries_of_actor on audit_entries (application_id, actor_id, created_at, id)
      where actor_type <> 'service';
    create function refuse_audit_update() returns trigger language plpgsql as $$
      begin
        raise exception 'entries of the audit log never change';
      end
    $$;
    create trigger audit_entries_never_change before update on audit_entries
      for each statement execute function refuse_audit_update()`
)
