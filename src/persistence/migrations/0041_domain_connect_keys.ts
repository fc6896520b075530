import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const migration = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table domain_connect_keys (
      application_id text not null,
      domain text not null,
      label text not null,
      public_key text not null,
      key_version integer not null,
      nonce bytea not null,
      ciphertext bytea not null,
      created_at timestamptz not null default now(),
      primary key (application_id, domain, label)
    )`
)

export default migration
