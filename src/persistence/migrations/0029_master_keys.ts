import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** A value that each version of the master key has sealed, so that a process can tell whether it has the same key. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table master_keys (
      version integer primary key,
      nonce bytea not null,
      ciphertext bytea not null,
      created_at timestamptz not null default now()
    )`
)
