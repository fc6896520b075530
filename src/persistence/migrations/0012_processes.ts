import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The processes that work on the database, and which of them has taken the phase of a connection. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table processes (
      id text primary key,
      seen_at timestamptz not null default now()
    );
    alter table connections add column taken_by text;
    create index connections_taken_by on connections (taken_by) where taken_by is not null`
)
