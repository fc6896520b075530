import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** A revocation raises a connection's generation. Older programs give tokens generation 0: invalid after one. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column token_generation integer not null default 0;
    alter table browser_tokens add column token_generation integer not null default 0`
)
