import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { TenantId } from "../../../src/domain/access/Tenancy.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ErasureStore } from "../../../src/persistence/stores/erasure/ErasureStore.ts"
import { ExpiredRows } from "../../../src/persistence/stores/erasure/ExpiredRows.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { createConnection, moveToState, ownTenancy } from "../connectionFixtures.ts"
import { allStores, freshPool } from "../freshDatabase.ts"
import { findWaitingSession } from "../tableLocks.ts"
import { keyOf } from "./apiKeyContract.ts"

const stores = Layer.mergeAll(allStores, sequentialIdentifiers)

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, Layer.Layer.Success<typeof stores> | SqlClient.SqlClient>
) => concurrentTest(name, () => Effect.provide(body, Layer.fresh(Layer.provideMerge(stores, freshPool))))

const domain = "xn--bcher-kva.example"

const request = { route: "POST /cancel", key: "key", fingerprints: ["1:fingerprint"] } as const

const countBytes = Effect.gen(function* () {
  const { count, sumUpChanges } = yield* UsageStore
  yield* sumUpChanges(1_000)
  return (yield* count(ownTenancy, ["storageBytes"])).storageBytes ?? 0
})

/** The storage of the hosts that the tenant has requested, which another tenant's proof may need. */
const countHostBytes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql`select 1 as host from requested_hosts where tenant_id = 'tenant'`, ({ length }) => 300 * length)
)

/** The tables with a row in which a text stands, and how many such rows there are. */
const findText = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' order by 1`
    const found: Record<string, number> = {}
    for (const { name } of tables) {
      const rows = yield* sql<{ readonly rows: number }>`
        select count(*)::int as rows from ${sql(name)} as t where t::text like ${`%${text}%`}`
      if ((rows[0]?.rows ?? 0) > 0) found[name] = rows[0]?.rows ?? 0
    }
    return found
  })

/** The tables with a column of this name that have no row. */
const listEmptyTablesWith = (column: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = ${column} order by 1`
    return yield* Effect.filter(
      tables.map(({ name }) => name),
      (name) =>
        Effect.map(sql`select from ${sql(name)} where ${sql(column)} is not null limit 1`, (rows) => rows.length === 0)
    )
  })

/** The storage of the event and the zone that the tenant has beside its connections. */
const bytesBeside = 1_002 + 204

/** A connection of which every table has something, and which has ended. */
const endedEverywhere = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connections = yield* ConnectionStore
  yield* (yield* ApiKeyStore).insert(keyOf("key_1"))
  yield* sql`
    insert into webhook_endpoints (id, application_id, url, key_version, nonce, ciphertext)
    values ('whe_1', 'app', 'https://hooks.example.com/', 1, '\\x00', '\\x00')`
  const { id } = yield* createConnection()
  yield* (yield* BrowserTokenStore).insert(ownTenancy, {
    hash: Buffer.from("a token"),
    connectionId: id,
    apiKeyId: keyOf("key_1").id,
    origin: Origin.make("https://shop.example.com"),
    role: "customer" as const,
    lifetimeSeconds: 900
  })
  yield* moveToState("canceled", {
    observations: Option.some(`[{"host":"${domain}"}]`),
    events: [{ id: "evt_canceled", from: "requested", to: "canceled", type: "connection.canceled" }],
    contests: [{ id: "evt_contested", connectionId: id }]
  })
  yield* connections.keepAnswer(ownTenancy, yield* connections.findRecord(ownTenancy, id), request)
  for (const table of ["credentials", "oauth_sessions"] as const)
    yield* sql`
      insert into ${sql(table)} ${sql.insert({
        connection_id: id,
        application_id: "app",
        tenant_id: "tenant",
        key_version: 1,
        nonce: "\\x00",
        ciphertext: "\\x00",
        ...(table === "oauth_sessions" ? { ticket_hash: "\\x00" } : {}),
        expires_at: new Date()
      })}`
  yield* sql`
    insert into journal (run, connection_id, provider_id, zone, domain, direction, digest, step, change, status, planned_at, settled_at)
    values ('run', ${id}, 'acme', ${domain}, ${domain}, 'connect', 'digest', 0, '{}', 'confirmed',
      now() - interval '1 hour', now() - interval '1 hour')`
  yield* sql`insert into usage_changes values ('app', 'tenant', 402)`
  yield* sql`
    insert into leases (key, owner, claim, until)
    select unnest(array[${`connection:${id}`}, ${`credential:${id}`}, ${`zone:acme/${domain}`}]), 'process', 1, now()`
  yield* sql`
    insert into host_holders (application_id, reversed_name, tenant_id, connection_id)
    values ('app', ${[...domain].toReversed().join("")}, 'tenant', ${id})`
  return id
})

onFreshDatabase(
  "of an erased connection no table has anything but the audit log, the event of its erasure and digests of its hosts",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* endedEverywhere
    // Those of the names and watches of living connections, which go with the end, and of the journals of erased ones.
    expect(yield* listEmptyTablesWith("connection_id")).toEqual(["connection_hosts", "kept_journals", "watches"])
    const before = yield* findText(id)
    expect(Object.keys(before)).toEqual([
      "audit_entries",
      "browser_tokens",
      "connection_events",
      "connections",
      "credentials",
      "host_holders",
      "idempotency_keys",
      "journal",
      "leases",
      "oauth_sessions",
      "observations",
      "webhook_events"
    ])
    expect(yield* (yield* ErasureStore).eraseConnection(ownTenancy, id)).toBe(true)
    expect(yield* findText(id)).toEqual({
      audit_entries: (before["audit_entries"] ?? 0) + 1,
      webhook_events: 1
    })
    for (const name of [domain, [...domain].toReversed().join("")]) expect(yield* findText(name)).toEqual({})
    expect(yield* sql`select distinct application_id, tenant_id from requested_hosts`).toEqual([
      { application_id: "app", tenant_id: "tenant" }
    ])
    expect(yield* sql`select type, data from webhook_events`).toEqual([
      { type: "connection.erased", data: `{"connection":{"id" : "${id}"},"version":3}` }
    ])
    expect(yield* sql`select e.type from webhook_deliveries join webhook_events as e on e.id = event_id`).toEqual([
      { type: "connection.erased" }
    ])
  })
)

onFreshDatabase(
  "an erasure gives back the storage of a connection, and the retention of the audit log and the event the rest",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* endedEverywhere
    const before = yield* countBytes
    yield* (yield* ErasureStore).eraseConnection(ownTenancy, id)
    const after = yield* countBytes
    expect(after).toBeLessThan(before - 3_000)
    const [left] = yield* sql<{ readonly bytes: number }>`
      select (select sum(400 + pg_column_size(details)) from audit_entries where tenant_id is not null)::int
        + (select sum(1000 + octet_length(data)) from webhook_events)::int as bytes`
    expect(after).toBe((left?.bytes ?? 0) + (yield* countHostBytes))
  })
)

onFreshDatabase(
  "a kept journal counts for its tenant until it is deleted, or the tenant is erased",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { eraseConnection, eraseTenant, releaseJournals } = yield* ErasureStore
    const id = yield* endedEverywhere
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, doc) values ('con_other', 'other', 'other', 'active', '{}')`
    yield* sql`
      insert into connection_hosts (reversed_name, connection_id) values (${[...`www.${domain}`].toReversed().join("")}, 'con_other')`
    yield* eraseConnection(ownTenancy, id)
    expect(yield* findText(id)).toMatchObject({ journal: 1, kept_journals: 1 })
    const kept = (yield* countBytes) - (yield* countHostBytes)
    yield* eraseTenant(ownTenancy)
    const [{ bytes = 0 } = {}] = yield* sql<{ readonly bytes: number }>`
      select (400 + pg_column_size(details))::int as bytes from audit_entries where action = 'tenant.erased'`
    expect(yield* countBytes).toBe(kept - 402 + bytes)
    expect(yield* sql`select connection_id, tenant_id from kept_journals`).toEqual([
      { connection_id: id, tenant_id: null }
    ])
    expect(yield* sql`select distinct tenant_id from requested_hosts`).toEqual([{ tenant_id: "" }])
    yield* sql`delete from connection_hosts`
    yield* sql`update connections set state = 'canceled'`
    yield* sql`update kept_journals set checked_at = now() - interval '1 hour'`
    expect(yield* releaseJournals(10)).toBe(1)
    expect(yield* countBytes).toBe(kept - 402 + bytes)
    expect(yield* sql`select 1 from journal union all select 1 from kept_journals`).toEqual([])
  })
)

onFreshDatabase(
  "of an erased tenant no table has anything but the audit log, its usage and the events of the erasure",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { eraseConnections, eraseTenant } = yield* ErasureStore
    yield* endedEverywhere
    // It has contested a connection of another tenant, has a zone of test mode, and is in the filter of an endpoint.
    yield* sql`
      insert into webhook_events (id, application_id, tenant_id, type, data, billed_tenant_id)
      values ('evt_other', 'app', 'other', 'connection.contested', '{}', 'tenant')`
    yield* sql`insert into test_zones (application_id, tenant_id, zone, sets, former) values ('app', 'tenant', 'z', '[]', '[]')`
    yield* sql`insert into usage_changes values ('app', 'tenant', ${bytesBeside})`
    yield* sql`update webhook_endpoints set tenant_ids = '{tenant}'`
    // Nobody writes the first any more, the second has a test of its own, and the last goes with the end.
    expect(yield* listEmptyTablesWith("tenant_id")).toEqual(["former_hosts", "kept_journals", "watches"])
    yield* eraseConnections(ownTenancy, 10)
    const before = (yield* countBytes) - (yield* countHostBytes)
    expect(yield* eraseTenant(ownTenancy)).toBe(true)
    const [{ bytes = 0 } = {}] = yield* sql<{ readonly bytes: number }>`
      select (400 + pg_column_size(details))::int as bytes from audit_entries where action = 'tenant.erased'`
    expect(yield* countBytes).toBe(before - bytesBeside + bytes)
    expect(yield* sql`select tenant_ids from webhook_endpoints`).toEqual([{ tenant_ids: [] }])
    yield* sql`delete from webhook_events where type = 'connection.erased'`
    const found = {
      ...(yield* findText(",tenant,")),
      ...(yield* findText(",tenant)")),
      ...(yield* findText("{tenant}"))
    }
    expect(Object.keys(found).toSorted()).toEqual(["audit_entries", "tenant_usage"])
    // Nobody pays for the event of the other tenant any more, nor gets anything back.
    yield* sql`update webhook_events set created_at = now() - interval '31 days'`
    expect(yield* (yield* ExpiredRows).deleteWebhookEvents(10)).toBe(1)
    expect(yield* countBytes).toBe(before - bytesBeside + bytes)
    expect(
      yield* (yield* UsageStore).count({ ...ownTenancy, tenantId: TenantId.make("other") }, ["storageBytes"])
    ).toEqual({
      storageBytes: 0
    })
  })
)

onFreshDatabase(
  "a lease that another connection of the zone holds outlives an erasure",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* endedEverywhere
    yield* sql`update leases set until = now() + interval '1 minute' where key like 'zone:%'`
    yield* (yield* ErasureStore).eraseConnection(ownTenancy, id)
    expect(yield* sql`select key from leases`).toEqual([{ key: `zone:acme/${domain}` }])
  })
)

onFreshDatabase(
  "an answer that is kept at the moment of the erasure does not outlive it",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const connections = yield* ConnectionStore
    const { eraseConnection } = yield* ErasureStore
    const { id } = yield* Effect.zipRight(createConnection(), moveToState("canceled"))
    const read = yield* connections.findRecord(ownTenancy, id)
    const locked = yield* Deferred.make<void>()
    const othersWait = yield* Deferred.make<void>()
    const erasing = yield* Effect.fork(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select 1 from connections where id = ${id} for update`
          yield* Deferred.succeed(locked, undefined)
          yield* Deferred.await(othersWait)
          return yield* eraseConnection(ownTenancy, id)
        })
      )
    )
    yield* Deferred.await(locked)
    const keeping = yield* Effect.fork(connections.keepAnswer(ownTenancy, read, request))
    yield* findWaitingSession
    yield* Deferred.succeed(othersWait, undefined)
    expect([yield* Fiber.join(erasing), (yield* Fiber.join(keeping))._tag]).toEqual([true, "Stale"])
    expect(yield* sql`select key from idempotency_keys`).toEqual([])
  })
)

onFreshDatabase(
  "several processes erase old connections together without waiting for each other, each connection once",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { eraseConnections } = yield* ErasureStore
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, doc)
      select 'con_' || n, 'app', 'tenant', 'expired', '{}' from generate_series(1, 50) n`
    const erasing = yield* Effect.fork(Effect.replicateEffect(eraseConnections(ownTenancy, 10), 8, { concurrency: 4 }))
    const counts = yield* Fiber.join(erasing)
    const rest = yield* eraseConnections(ownTenancy, 100)
    expect([...counts, rest].reduce((sum, erased) => sum + erased)).toBe(50)
    expect(yield* sql`select count(*)::int as count from audit_entries where action = 'connection.erased'`).toEqual([
      { count: 50 }
    ])
  })
)

onFreshDatabase(
  "of a deleted application no table has anything but the audit log and the usage of its tenants, which is that of the log",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { countPendingDeliveries, eraseConnections } = yield* ErasureStore
    const applications = yield* ApplicationStore
    yield* endedEverywhere
    const { applicationId } = ownTenancy
    // Beside the events of its endpoints, a contest that an erased tenant paid for.
    yield* sql`
      insert into webhook_events (id, application_id, tenant_id, connection_id, type, data, billed_tenant_id)
      values ('evt_test', 'app', null, null, 'endpoint.test', '{"endpoint":{"id":"whe_1"}}', null),
        ('evt_paused', 'app', null, null, 'endpoint.paused', '{"endpoint":{"url":"https://hooks.example.com/"}}', null),
        ('evt_foreign', 'other', null, null, 'endpoint.test', '{}', null),
        ('evt_contest', 'app', 'other', 'con_other', 'connection.contested', '{}', '')`
    yield* eraseConnections({ applicationId }, 10)
    const read = yield* Effect.flatten(applications.find(applicationId))
    expect(yield* countPendingDeliveries(applicationId)).toBe(1)
    yield* sql`update webhook_endpoints set pause_reason = 'manual'`
    expect(yield* countPendingDeliveries(applicationId)).toBe(0)
    expect(yield* applications.remove(read)).toBe(true)
    const events = yield* sql`select id from webhook_events where type <> 'connection.erased' order by id`
    expect(events.map(({ id }) => id)).toEqual(["evt_contest", "evt_foreign"])
    yield* sql`delete from webhook_events where type in ('connection.erased', 'connection.contested')`
    yield* (yield* UsageStore).sumUpChanges(1_000)
    expect(yield* sql`select tenant_id from tenant_usage`).toEqual([{ tenant_id: "tenant" }])
    expect(Object.keys(yield* findText("(app,"))).toEqual(["tenant_usage"])
    expect(Object.keys(yield* findText(",app,"))).toEqual(["audit_entries"])
    expect(yield* sql`select 1 from webhook_deliveries union all select 1 from api_keys`).toEqual([])
  })
)
