import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** `doc` is the wire form; `phase`, `attempt`, `due_at` say what is next; `claim` is the run that may write. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table connections (
      id text primary key,
      application_id text not null,
      tenant_id text not null,
      state text not null,
      phase text,
      attempt integer not null default 0,
      due_at timestamptz,
      claim integer not null default 0,
      version integer not null default 1,
      doc text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index connections_due on connections (due_at) where due_at is not null;
    create table connection_events (
      id text primary key,
      connection_id text not null references connections (id),
      from_state text,
      to_state text not null,
      failure text,
      created_at timestamptz not null default now()
    );
    create index connection_events_of on connection_events (connection_id, id);
    create table idempotency_keys (
      application_id text not null,
      tenant_id text not null,
      route text not null,
      key text not null,
      fingerprint text not null,
      connection_id text not null,
      state text not null,
      doc text not null,
      created_at timestamptz not null default now(),
      primary key (application_id, tenant_id, route, key)
    )`
)
