import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The outbox is written with the transition. No foreign key: a deleted endpoint must not fail a transition. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table webhook_endpoints (
      id text primary key,
      application_id text not null,
      url text not null,
      description text,
      event_types text[],
      tenant_ids text[],
      pause_reason text,
      failing_since timestamptz,
      key_version integer not null,
      nonce bytea not null,
      ciphertext bytea not null,
      previous_key_version integer,
      previous_nonce bytea,
      previous_ciphertext bytea,
      previous_until timestamptz,
      version integer not null default 1,
      idempotency_key text,
      fingerprint text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index webhook_endpoints_of_application on webhook_endpoints (application_id);
    create unique index webhook_endpoints_by_key on webhook_endpoints (application_id, idempotency_key)
      where idempotency_key is not null;
    create table webhook_events (
      id text primary key,
      application_id text not null,
      tenant_id text,
      connection_id text,
      type text not null,
      data text not null,
      created_at timestamptz not null default now()
    );
    create index webhook_events_created on webhook_events (created_at);
    create table webhook_deliveries (
      endpoint_id text not null,
      event_id text not null,
      status text not null default 'pending',
      attempts integer not null default 0,
      claim integer not null default 0,
      due_at timestamptz not null default now(),
      attempted_at timestamptz,
      answer_status integer,
      error text,
      millis integer,
      created_at timestamptz not null default now(),
      primary key (endpoint_id, event_id)
    );
    create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status = 'pending';
    create index webhook_deliveries_created on webhook_deliveries (created_at)`
)
