import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The zones of test mode that were written to; without a row, one is as it began. `sets`, `former`: JSON, now and before
 * the last write; `calls` counts those that wrote or tried to, `version` writes. Empty outside test mode.
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
