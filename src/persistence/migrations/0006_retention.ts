import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Finds what is to be deleted. `taken_version` is the version of a row when its phase was last begun: a phase that is
 * due at that same version has not moved.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column taken_version integer;
    create index idempotency_keys_at on idempotency_keys (created_at);
    create index browser_tokens_until on browser_tokens (expires_at);
    create index leases_until on leases (until)`
)
