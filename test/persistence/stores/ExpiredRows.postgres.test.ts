import { MachineId, Snowflake } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { ExpiredRows } from "../../../src/persistence/stores/ExpiredRows.ts"
import { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshPool } from "../freshDatabase.ts"

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, ExpiredRows | LeaseStore | SqlClient.SqlClient>
) =>
  concurrentTest(name, () =>
    Effect.provide(body, Layer.fresh(Layer.provideMerge(Layer.merge(ExpiredRows.layer, LeaseStore.layer), freshPool)))
  )

onFreshDatabase(
  "messages of the workflow engine are deleted with their replies an hour after the reply, unanswered ones after a day",
  Effect.gen(function* () {
    const { deleteEngineMessages } = yield* ExpiredRows
    yield* message("answered lately", "59 minutes", true)
    yield* message("answered", "61 minutes", true)
    yield* message("under way for long", "23 hours", false)
    yield* message("lost", "25 hours", false)
    expect(yield* deleteEngineMessages(10)).toBe(2)
    expect(yield* messages).toEqual([
      { message: "answered lately", answered: true },
      { message: "under way for long", answered: false }
    ])
    expect(yield* replyCount).toBe(1)
  })
)

onFreshDatabase(
  "rows are deleted in batches, and several processes share them without waiting for each other",
  Effect.gen(function* () {
    const { deleteEngineMessages } = yield* ExpiredRows
    yield* Effect.forEach(
      Array.from({ length: 25 }, (_, n) => `message ${n}`),
      (name) => message(name, "2 hours", true)
    )
    const counts = yield* Effect.replicateEffect(deleteEngineMessages(10), 5, { concurrency: 5 })
    const rest = yield* deleteEngineMessages(100)
    expect([...counts, rest].reduce((sum, count) => sum + count)).toBe(25)
    expect([yield* messages, yield* replyCount]).toEqual([[], 0])
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

/** Inserts a request of the workflow engine, sent some time ago, and its reply if it has one. */
const message = Effect.fnUntraced(function* (name: string, ago: Duration.DurationInput, answered: boolean) {
  const sql = yield* SqlClient.SqlClient
  const timestamp = (yield* Clock.currentTimeMillis) - Duration.toMillis(ago)
  const sequence = [...name].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 0)
  const id = String(Snowflake.make({ machineId: MachineId.make(1), sequence: sequence % 4_096, timestamp }))
  yield* sql`
    insert into cluster_messages (id, message_id, shard_id, entity_type, entity_id, kind, processed, request_id)
    values (${id}, ${name}, 'default:1', 'Workflow/discover', ${name}, 0, ${answered}, ${id})`
  if (answered) yield* sql`insert into cluster_replies (id, kind, request_id, payload) values (${id}, 0, ${id}, '{}')`
})

const messages = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select message_id as message, processed as answered from cluster_messages order by message_id`
)

const replyCount = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly count: number }>`select count(*)::int as count from cluster_replies`, ([row]) => row?.count)
)
