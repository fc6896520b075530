import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Secrets are stored as SHA-256 only; `prefix` is the part of a key that may be shown. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table api_keys (
      id text primary key,
      hash bytea not null unique,
      prefix text not null,
      application_id text not null,
      tenant_id text not null,
      scopes text[] not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz
    );
    create table browser_tokens (
      hash bytea primary key,
      connection_id text not null references connections (id),
      api_key_id text not null references api_keys (id),
      origin text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index browser_tokens_of on browser_tokens (connection_id)`
)
