import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The zones of test mode that have been written to, each of one tenant; a zone without a row is as its test domain
 * begins. `sets` and `former` are its record sets now and before the last write, as JSON; `calls` counts the calls that
 * wrote or tried to, `version` the writes. The table stays empty outside the schema of test mode.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table test_zones (
      application_id text not null,
      tenant_id text not null,
      zone text not null,
      sets text not null,
      former text not null,
      calls integer not null default 0,
      version integer not null default 1,
      written_at timestamptz not null default now(),
      primary key (application_id, tenant_id, zone)
    )`
)
