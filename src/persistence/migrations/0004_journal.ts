import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** A lease is its owner's until `until` (database clock); its row stays, so that `claim` grows. `change` is JSON. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table leases (
      key text primary key,
      owner text not null,
      claim bigint not null,
      until timestamptz not null
    );
    create table journal (
      position bigint generated always as identity primary key,
      run text not null,
      connection_id text not null references connections (id),
      provider_id text not null,
      zone text not null,
      domain text not null,
      direction text not null,
      digest text not null,
      step integer not null,
      change text not null,
      status text not null,
      planned_at timestamptz not null default now(),
      settled_at timestamptz,
      unique (run, step)
    );
    create index journal_of on journal (connection_id, position);
    create index journal_in on journal (zone, position)`
)
