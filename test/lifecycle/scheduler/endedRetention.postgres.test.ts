import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Duration, Effect, Layer, Option } from "effect"
import { Retention } from "../../../src/lifecycle/scheduler/Retention.ts"
import { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { ErasureStore } from "../../../src/persistence/stores/erasure/ErasureStore.ts"
import { ExpiredRows } from "../../../src/persistence/stores/erasure/ExpiredRows.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { freshPool } from "../../persistence/freshDatabase.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"

const stores = Layer.mergeAll(
  AuditStore.layer,
  CredentialStore.layer,
  ErasureStore.layer,
  ExpiredRows.layer,
  UsageStore.layer
)

/** Cleans as the service does with this `ENDED_RETENTION`, in days. */
const clean = (days: Option.Option<number>) =>
  Effect.provide(
    Effect.flatMap(Retention, (retention) => retention.clean),
    Retention.layer({ auditRetention: Duration.days(730), endedRetention: Option.map(days, Duration.days) })
  )

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, Layer.Layer.Success<typeof stores> | SqlClient.SqlClient>
) => concurrentTest(name, () => Effect.provide(body, Layer.fresh(Layer.provideMerge(stores, freshPool))))

/** A connection that was written last so many days ago. */
const insertConnection = (id: string, state: string, days: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into connections (id, application_id, tenant_id, state, doc, updated_at)
      values (${id}, 'app', 'tenant', ${state}, '{}', now() - ${days} * interval '1 day')`
  )

const listIds = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly id: string }>`select id from connections order by id`, (rows) => rows.map(({ id }) => id))
)

onFreshDatabase(
  "a connection that ended is erased after ENDED_RETENTION by the service, and one that lives or ended later is not",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* insertConnection("con_active", "active", 400)
    yield* insertConnection("con_canceled", "canceled", 31)
    yield* insertConnection("con_disconnected", "disconnected", 31)
    yield* insertConnection("con_expired", "expired", 29)
    expect(yield* clean(Option.some(30))).toMatchObject({ connections: 2 })
    expect(yield* listIds).toEqual(["con_active", "con_expired"])
    expect(
      yield* sql`select connection_id, action, actor_type, actor_id from audit_entries order by connection_id`
    ).toEqual(
      ["con_canceled", "con_disconnected"].map((connection_id) => ({
        connection_id,
        action: "connection.erased",
        actor_type: "service",
        actor_id: "retention"
      }))
    )
  })
)

onFreshDatabase(
  "without ENDED_RETENTION no connection is erased, however long ago it ended",
  Effect.gen(function* () {
    yield* insertConnection("con_expired", "expired", 10_000)
    expect(yield* clean(Option.none())).toMatchObject({ connections: 0 })
    expect(yield* listIds).toEqual(["con_expired"])
  })
)

onFreshDatabase(
  "all that are old enough are erased in batches, by one cleaning",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, doc, updated_at)
      select 'con_' || n, 'app', 'tenant', 'expired', '{}', now() - interval '3 days' from generate_series(1, 250) n`
    expect(yield* clean(Option.some(2))).toMatchObject({ connections: 250 })
    expect(yield* listIds).toEqual([])
  })
)

onFreshDatabase(
  "the journal of an erased connection goes with the cleaning after the last connection of its zone has ended",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* insertConnection("con_living", "active", 0)
    yield* sql`insert into connection_hosts (reversed_name, connection_id) values ('elpmaxe.pohs', 'con_living')`
    yield* sql`
      insert into journal (run, connection_id, provider_id, zone, domain, direction, digest, step, change, status, settled_at)
      values ('run', 'con_gone', 'acme', 'shop.example', 'shop.example', 'connect', 'digest', 0, '{}', 'confirmed',
        now() - interval '1 day')`
    yield* sql`insert into kept_journals values ('con_gone', 'app', 'tenant', now() - interval '1 hour')`
    expect(yield* clean(Option.none())).toMatchObject({ journals: 1 })
    expect(yield* sql`select 1 as row from journal`).toHaveLength(1)
    yield* sql`delete from connection_hosts`
    yield* sql`update connections set state = 'disconnected'`
    yield* sql`update kept_journals set checked_at = now() - interval '1 hour'`
    yield* clean(Option.none())
    expect(yield* sql`select 1 as row from journal union all select 1 from kept_journals`).toEqual([])
  })
)
