import { SqlClient, type SqlError } from "@effect/sql"
import { Clock, Context, Duration, Effect, Layer, Struct, TestClock } from "effect"
import type { ConnectionId, TimelineEntry } from "../../src/domain/connection/Connection.ts"
import type { SealedSecret, SecretOwner } from "../../src/domain/access/SealedSecret.ts"
import { Tables } from "../support/memory/Tables.ts"

/** Direct access to the stored data, for tests of the stores. */
export class StoreFixture extends Context.Tag("test/StoreFixture")<
  StoreFixture,
  {
    /** Advances the time for all stored data. */
    readonly advanceTime: (time: Duration.DurationInput) => Effect.Effect<void, SqlError.SqlError>
    /** The timeline of a connection, oldest first. */
    readonly listEvents: (id: ConnectionId) => Effect.Effect<ReadonlyArray<TimelineEntry>, SqlError.SqlError>
    /** Stores a credential, as a transition of its connection does. */
    readonly insertCredential: (
      owner: SecretOwner,
      sealed: SealedSecret,
      lifetimeSeconds: number
    ) => Effect.Effect<void, SqlError.SqlError>
    /** Deletes all stored data. */
    readonly clear: Effect.Effect<void, SqlError.SqlError>
  }
>() {
  /** Needs the test clock. */
  static readonly layerMemory = Layer.effect(
    StoreFixture,
    Effect.map(Tables, (tables) => ({
      advanceTime: TestClock.adjust,
      listEvents: (id) => Effect.sync(() => tables.connections.get(id)?.events.map(Struct.omit("occurredAt")) ?? []),
      insertCredential: (owner, sealed, lifetimeSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          tables.credentials.set(owner.connectionId, { owner, sealed, expiresAt: now + lifetimeSeconds * 1_000 })
        }),
      clear: Effect.sync(() => Object.values(tables).forEach((table) => table.clear()))
    }))
  )

  /** The database's clock cannot be advanced, so stored times are moved into the past. */
  static readonly layerPostgres = Layer.effect(
    StoreFixture,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      advanceTime: (time) =>
        Effect.forEach(
          [
            ["connections", "due_at", "created_at", "updated_at"],
            ["connection_events", "created_at"],
            ["idempotency_keys", "created_at"],
            ["ask_secrets", "created_at", "expires_at", "revoked_at"],
            ["admin_requests", "created_at"],
            ["api_keys", "created_at", "expires_at", "revoked_at", "last_used_at"],
            ["browser_tokens", "created_at", "expires_at", "revoked_at"],
            ["credentials", "created_at", "expires_at"],
            ["oauth_sessions", "expires_at"],
            ["leases", "until"],
            ["journal", "planned_at", "settled_at"],
            ["kept_journals", "checked_at"]
          ],
          ([table = "", ...columns]) =>
            sql`update ${sql(table)} set ${sql.csv(
              columns.map(
                (column) => sql`${sql(column)} = ${sql(column)} - ${Duration.toSeconds(time)} * interval '1 second'`
              )
            )}`,
          { discard: true }
        ),
      listEvents: (id) =>
        Effect.map(
          sql<{ readonly event: TimelineEntry }>`
            select json_strip_nulls(json_build_object('id', id, 'from', from_state, 'to', to_state, 'failure', failure))
              as event
            from connection_events where connection_id = ${id} order by id`,
          (rows) => rows.map(({ event }) => event)
        ),
      insertCredential: (owner, sealed, lifetimeSeconds) =>
        Effect.asVoid(sql`
          insert into credentials (connection_id, application_id, tenant_id, key_version, nonce, ciphertext, expires_at)
          select id, application_id, tenant_id, ${sealed.keyVersion}::int, ${sealed.nonce}::bytea,
            ${sealed.ciphertext}::bytea, now() + ${lifetimeSeconds} * interval '1 second'
          from connections where id = ${owner.connectionId}
          on conflict (connection_id) do update
            set key_version = excluded.key_version, nonce = excluded.nonce, ciphertext = excluded.ciphertext,
              expires_at = excluded.expires_at`),
      clear: Effect.asVoid(
        sql`truncate host_holders, requested_hosts, connection_hosts, watches, connections, connection_events, observations, idempotency_keys, api_keys, admin_keys, applications, ask_secrets, admin_requests, webhook_endpoints, browser_tokens, oauth_sessions,
          credentials, leases, journal, kept_journals, webhook_events, webhook_deliveries, usage_changes, tenant_usage, audit_entries`
      )
    }))
  )
}
