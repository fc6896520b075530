import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Adds the settings of applications; an application without a row has the defaults. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table applications (
      id text primary key,
      settings text not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`
)
