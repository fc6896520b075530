import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Duration, Effect, Layer, Option } from "effect"
import { actAs } from "../../../src/domain/access/Actor.ts"
import type { NewAuditEntry } from "../../../src/domain/access/AuditEntry.ts"
import { WebhookEndpointId } from "../../../src/domain/webhook/WebhookEndpoint.ts"
import { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { ExpiredRows } from "../../../src/persistence/stores/erasure/ExpiredRows.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { WebhookEndpointStore } from "../../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { createConnection, dueNow, foreignTenancies, moveToState, ownTenancy } from "../connectionFixtures.ts"
import { allStores, freshPool } from "../freshDatabase.ts"

const stores = Layer.mergeAll(allStores, sequentialIdentifiers)

const audit = [
  { action: "connection.active", actor: { type: "service", id: "verify" }, details: {} }
] satisfies ReadonlyArray<NewAuditEntry>

const countBytes = Effect.gen(function* () {
  const { count, sumUpChanges } = yield* UsageStore
  yield* sumUpChanges(1_000)
  return (yield* count(ownTenancy, ["storageBytes"])).storageBytes ?? 0
})

concurrentTest(
  "the transitions of a connection count for ever, with its audit entries and webhooks until these are deleted",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createConnection()
      const atFirst = yield* countBytes
      const next = dueNow("verify")
      for (const state of ["verifying", "active", "degraded"] as const) yield* moveToState(state, { next, audit })
      const document = Buffer.byteLength(encodeConnection(yield* moveToState("active", { next, audit })))
      const afterFour = yield* countBytes
      expect(afterFour).toBeGreaterThan(atFirst + 4 * 600)

      yield* sql`
      insert into webhook_endpoints (id, application_id, url, key_version, nonce, ciphertext)
      values ('whe_1', 'app', 'https://hooks.example.com/', 1, '\\x00', '\\x00')`
      const events = [{ id: "evt_x", from: "active", to: "degraded", type: "connection.degraded" } as const]
      yield* moveToState("degraded", { audit, events })
      expect(yield* countBytes).toBeGreaterThan(afterFour + document)

      const { deleteOld } = yield* AuditStore
      const { deleteWebhookEvents } = yield* ExpiredRows
      yield* sql`update webhook_events set created_at = now() - interval '31 days'`
      yield* deleteWebhookEvents(100)
      yield* deleteOld(Duration.zero, 100)
      const left = yield* countBytes
      expect(left).toBeLessThan(afterFour)
      expect(left).toBeGreaterThanOrEqual(document + 6 * 200)
      expect(yield* sql`select bytes from usage_changes`).toEqual([])
    }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)

concurrentTest(
  "the audit entries of a webhook endpoint count for the tenant whose key changes it, and for nobody else",
  () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpointStore
      const { applicationId, tenantId } = ownTenancy
      const secret = { keyVersion: 1, nonce: new Uint8Array(12), ciphertext: new Uint8Array(16) }
      const settings = { url: "https://hooks.example.com/" }
      const create = (id: string) =>
        endpoints.create({ applicationId, id: WebhookEndpointId.make(id), settings, secret }, 5, Option.none())
      yield* create("whe_1")
      expect(yield* countBytes).toBe(0)
      const actor = { type: "api_key", id: "key_1" } as const
      yield* actAs({ actor, tenantId })(create("whe_2"))
      const afterCreation = yield* countBytes
      expect(afterCreation).toBeGreaterThan(400)
      const [stored] = yield* endpoints.list(applicationId)
      if (stored === undefined) return yield* Effect.dieMessage("there are two")
      yield* actAs({ actor, tenantId })(endpoints.rotateSecret(stored, secret))
      expect(yield* countBytes).toBeGreaterThan(afterCreation + 400)
      yield* (yield* AuditStore).deleteOld(Duration.zero, 100)
      expect(yield* countBytes).toBe(0)
    }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)

concurrentTest("an event that changes no state, and is no entry of the timeline, counts nothing", () =>
  Effect.gen(function* () {
    yield* createConnection()
    const state = "awaiting_authorization"
    yield* moveToState(state, { next: dueNow("discover") })
    const before = yield* countBytes
    yield* moveToState(state, { events: [{ id: "evt_planned", from: state, to: state, type: "connection.planned" }] })
    expect(yield* countBytes).toBe(before)
  }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)

concurrentTest("several processes sum up the changes of all tenants without losing or repeating one", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { count, sumUpChanges } = yield* UsageStore
    const [other = ownTenancy] = foreignTenancies
    for (const { applicationId, tenantId } of [ownTenancy, other])
      yield* sql`
        insert into usage_changes select ${applicationId}, ${tenantId}, n from generate_series(1, 100) n`
    const counts = yield* Effect.replicateEffect(sumUpChanges(30), 8, { concurrency: 4 })
    const rest = yield* sumUpChanges(1_000)
    expect([...counts, rest].reduce((sum, taken) => sum + taken)).toBe(200)
    for (const tenancy of [ownTenancy, other])
      expect(yield* count(tenancy, ["storageBytes"])).toEqual({ storageBytes: 5_050 })
  }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)
