import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * A visit of a customer to a provider, one for a connection at most and only while it is `authorizing`. The ticket is the
 * way to it, the state and the browser's secret the way back; they are kept as SHA-256, what the visit is for is sealed.
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
