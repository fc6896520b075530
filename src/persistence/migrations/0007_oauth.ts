import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The OAuth session of a connection, while it is `authorizing`. The ticket starts it, the state and the browser's secret
 * complete it; they are stored as SHA-256, its context sealed.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table oauth_sessions (
      connection_id text primary key references connections (id),
      application_id text not null,
      tenant_id text not null,
      ticket_hash bytea not null unique,
      state_hash bytea unique,
      browser_hash bytea,
      key_version integer not null,
      nonce bytea not null,
      ciphertext bytea not null,
      expires_at timestamptz not null
    )`
)
