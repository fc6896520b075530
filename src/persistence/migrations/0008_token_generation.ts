import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The generation under which a token of a connection was issued; a revocation raises that of the connection. A token
 * from an older program has generation 0: it is invalid where a newer program has revoked tokens before.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column token_generation integer not null default 0;
    alter table browser_tokens add column token_generation integer not null default 0`
)
