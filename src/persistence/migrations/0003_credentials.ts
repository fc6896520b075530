import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Credentials are stored sealed, one for a connection, and for a short time. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table credentials (
      connection_id text primary key references connections (id),
      application_id text not null,
      tenant_id text not null,
      key_version integer not null,
      nonce bytea not null,
      ciphertext bytea not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`
)
