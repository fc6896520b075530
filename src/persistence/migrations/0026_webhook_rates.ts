import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Counts test events and replays of an application alike, in hours that begin with the first. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table webhook_rates (
      application_id text not null,
      rate text not null,
      used integer not null,
      ends_at timestamptz not null,
      primary key (application_id, rate)
    );
    drop index webhook_events_tests`
)
