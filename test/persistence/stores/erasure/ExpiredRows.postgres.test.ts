import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { ExpiredRows } from "../../../../src/persistence/stores/erasure/ExpiredRows.ts"
import { LeaseStore } from "../../../../src/persistence/stores/phases/LeaseStore.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { freshPool } from "../../freshDatabase.ts"

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, ExpiredRows | LeaseStore | SqlClient.SqlClient>
) =>
  concurrentTest(name, () =>
    Effect.provide(body, Layer.fresh(Layer.provideMerge(Layer.merge(ExpiredRows.layer, LeaseStore.layer), freshPool)))
  )

onFreshDatabase(
  "rows are deleted in batches, and several processes share them without waiting for each other",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteIdempotencyRecords } = yield* ExpiredRows
    yield* sql`
      insert into idempotency_keys (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, created_at)
      select 'application', 'tenant', 'route', n::text, '', 'con', 'requested', '{}', now() - interval '2 days'
      from generate_series(1, 25) n`
    const counts = yield* Effect.replicateEffect(deleteIdempotencyRecords(10), 5, { concurrency: 5 })
    const rest = yield* deleteIdempotencyRecords(100)
    expect([...counts, rest].reduce((sum, count) => sum + count)).toBe(25)
    expect(yield* sql`select key from idempotency_keys`).toEqual([])
  })
)

onFreshDatabase(
  "an idempotency record is deleted a day after its request",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteIdempotencyRecords } = yield* ExpiredRows
    yield* sql`
      insert into idempotency_keys (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, created_at)
      select 'application', 'tenant', 'route', hours::text, '', 'con', 'requested', '{}', now() - hours * interval '1 hour'
      from unnest(array[1, 23, 25, 48]) as old (hours)`
    expect([yield* deleteIdempotencyRecords(1), yield* deleteIdempotencyRecords(10)]).toEqual([1, 1])
    expect(yield* sql`select key from idempotency_keys order by created_at`).toEqual([{ key: "23" }, { key: "1" }])
  })
)

onFreshDatabase(
  "a browser token is deleted a day after its expiry, even if it was revoked",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteBrowserTokens } = yield* ExpiredRows
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, doc) values ('con', 'application', 'tenant', 'active', '{}')`
    yield* sql`
      insert into api_keys (id, hash, prefix, application_id, tenant_id, scopes)
      values ('key', '\\x00', 'dck', 'application', 'tenant', '{}')`
    yield* sql`
      insert into browser_tokens (hash, connection_id, api_key_id, origin, expires_at, revoked_at)
      select decode(lpad(hours::text, 2, '0'), 'hex'), 'con', 'key', 'https://a.example', now() - hours * interval '1 hour', revoked
      from (values (1, null), (23, now()), (25, null), (26, now() - interval '25 hours')) as old (hours, revoked)`
    expect(yield* deleteBrowserTokens(10)).toBe(2)
    expect(yield* sql`select encode(hash, 'hex') as hours from browser_tokens order by expires_at`).toEqual([
      { hours: "23" },
      { hours: "01" }
    ])
  })
)

onFreshDatabase(
  "a lease is deleted a day after its expiry, and the next owner gets a claim that was never used before",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteLeases } = yield* ExpiredRows
    const { acquire } = yield* LeaseStore
    const first = yield* acquire("zone:a", "one", 5)
    const second = yield* acquire("zone:a", "one", 5)
    yield* acquire("zone:b", "one", 5)
    yield* sql`update leases set until = now() - interval '25 hours' where key = 'zone:a'`
    yield* sql`update leases set until = now() - interval '23 hours' where key = 'zone:b'`
    expect(yield* deleteLeases(10)).toBe(1)
    const third = yield* acquire("zone:a", "other", 5)
    expect(yield* sql`select key from leases order by key`).toEqual([{ key: "zone:a" }, { key: "zone:b" }])
    const claims = [first, second, third].map(Option.getOrThrow)
    expect(claims).toEqual([...new Set(claims)].toSorted((a, b) => a - b))
  })
)

onFreshDatabase(
  "a webhook event is deleted with its deliveries after 30 days",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteWebhookDeliveries, deleteWebhookEvents } = yield* ExpiredRows
    for (const days of [29, 31]) {
      const createdAt = sql`now() - ${days} * interval '1 day'`
      yield* sql`
        insert into webhook_events (id, application_id, type, data, created_at)
        values (${`evt_${days}`}, 'application', 'endpoint.test', '{}', ${createdAt})`
      yield* sql`
        insert into webhook_deliveries (endpoint_id, event_id, created_at) values ('whe_1', ${`evt_${days}`}, ${createdAt})`
    }
    expect([yield* deleteWebhookDeliveries(10), yield* deleteWebhookEvents(10)]).toEqual([1, 1])
    expect(yield* sql`select event_id as id from webhook_deliveries union select id from webhook_events`).toEqual([
      { id: "evt_29" }
    ])
  })
)

onFreshDatabase(
  "the usage of a tenant is deleted once it stores nothing and has neither a connection nor an API key",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteTenantUsage } = yield* ExpiredRows
    const unused = ["erased", "overdrawn"]
    yield* sql`
      insert into tenant_usage (application_id, tenant_id, ended_bytes, history_bytes)
      select 'app', tenant, 0, bytes
      from unnest(array['erased', 'overdrawn', 'audited', 'connected', 'with key', 'changed'], array[0, -5, 5, 0, 0, 0])
        as tenants (tenant, bytes)`
    yield* sql`insert into connections (id, application_id, tenant_id, state, doc) values ('con', 'app', 'connected', 'active', '{}')`
    yield* sql`
      insert into api_keys (id, hash, prefix, application_id, tenant_id, scopes)
      values ('key', '\\x00', 'dck', 'app', 'with key', '{}')`
    yield* sql`insert into usage_changes values ('app', 'changed', 5)`
    expect(yield* deleteTenantUsage(10)).toBe(unused.length)
    const left = yield* sql`select tenant_id from tenant_usage order by 1`
    expect(left.map(({ tenant_id }) => tenant_id)).toEqual(["audited", "changed", "connected", "with key"])
  })
)
