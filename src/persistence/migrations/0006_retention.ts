import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Indexes that find expired rows. `taken_version` is the version of a row when its phase was last taken: a phase that
 * is due again at the same version has written nothing.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column taken_version integer;
    create index idempotency_keys_at on idempotency_keys (created_at);
    create index browser_tokens_until on browser_tokens (expires_at);
    create index leases_until on leases (until)`
)
