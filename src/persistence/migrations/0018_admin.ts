import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * Admin keys, ask secrets, and the answers to requests of administrators that may be repeated. Keys and secrets are
 * stored as SHA-256 only. From here on every application has a row.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table admin_keys (
        id text primary key,
        hash bytea not null unique,
        prefix text not null,
        name text,
        created_at timestamptz not null default now(),
        revoked_at timestamptz,
        last_used_at timestamptz
      );
      create table ask_secrets (
        id text primary key,
        hash bytea not null unique,
        prefix text not null,
        application_id text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        revoked_at timestamptz
      );
      create index ask_secrets_of on ask_secrets (application_id, id);
      create table admin_requests (
        route text not null,
        key text not null,
        fingerprint text not null,
        key_version integer,
        nonce bytea,
        ciphertext bytea,
        created_at timestamptz not null default now(),
        primary key (route, key)
      );
      create index admin_requests_at on admin_requests (created_at)`
  }),
  MigrationStep.CreateIndex({ name: "api_keys_of", table: "api_keys", on: "(application_id, tenant_id, id)" }),
  MigrationStep.Change({
    statements: (sql) => sql`
      insert into applications (id, settings) select distinct application_id, '{}' from api_keys
      on conflict do nothing`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, application_id from connections where id > ${after} order by id limit 500
      ), moved as (
        insert into applications (id, settings) select distinct application_id, '{}' from batch
        on conflict do nothing
      )
      select max(id) as last from batch`
  })
]

export default migration
