import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { ConnectionStore } from "../../../../src/persistence/stores/connections/ConnectionStore.ts"
import { PhaseStore } from "../../../../src/persistence/stores/phases/PhaseStore.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { sequentialIdentifiers } from "../../../support/sequentialIdentifiers.ts"
import { createConnection, dueNow, foreignTenancies, moveToState, ownTenancy } from "../../connectionFixtures.ts"
import { freshPool } from "../../freshDatabase.ts"

const stores = Layer.mergeAll(ConnectionStore.layer, PhaseStore.layer, sequentialIdentifiers)

concurrentTest(
  "a contested connection is notified with the transition of the one that contests it, as it is, in its application only",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [other = ownTenancy, foreign = ownTenancy] = foreignTenancies
      yield* sql`
      insert into webhook_endpoints (id, application_id, url, key_version, nonce, ciphertext)
      values ('whe_1', 'app', 'https://hooks.example.com/', 1, '\\x00', '\\x00')`
      const holder = yield* Effect.zipRight(createConnection(), moveToState("active"))
      const elsewhere = yield* Effect.zipRight(createConnection(foreign), moveToState("active"))
      yield* createConnection(other)
      yield* moveToState("verifying", {
        contests: [
          { id: "evt_contested", connectionId: holder.id },
          { id: "evt_elsewhere", connectionId: elsewhere.id }
        ]
      })
      const { find } = yield* ConnectionStore
      const { version } = yield* find(ownTenancy, holder.id)
      const events = yield* sql`
      select id, tenant_id, connection_id, billed_tenant_id, data::jsonb as data from webhook_events
      where type = 'connection.contested'`
      expect(events).toEqual([
        {
          id: "evt_contested",
          tenant_id: ownTenancy.tenantId,
          connection_id: holder.id,
          billed_tenant_id: other.tenantId,
          data: { connection: { id: holder.id, ...ownTenancy, state: "active" }, version }
        }
      ])
      expect(yield* sql`select event_id from webhook_deliveries where event_id = 'evt_contested'`).toHaveLength(1)
    }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)

concurrentTest("a plan that is made without a change of state is a webhook event, but no entry of the timeline", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into webhook_endpoints (id, application_id, url, key_version, nonce, ciphertext)
      values ('whe_1', 'app', 'https://hooks.example.com/', 1, '\\x00', '\\x00')`
    const { id } = yield* createConnection()
    const state = "awaiting_authorization"
    yield* moveToState(state, { events: [{ id: "evt_planned", from: state, to: state, type: "connection.planned" }] })
    expect(yield* sql`select id, type, data::jsonb ->> 'formerState' as former from webhook_events`).toEqual([
      { id: "evt_planned", type: "connection.planned", former: state }
    ])
    expect(yield* sql`select to_state from connection_events where connection_id = ${id}`).toEqual([
      { to_state: "requested" }
    ])
  }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)

concurrentTest("the event of a degraded connection has the records that are missing, after its other fields", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into webhook_endpoints (id, application_id, url, key_version, nonce, ciphertext)
      values ('whe_1', 'app', 'https://hooks.example.com/', 1, '\\x00', '\\x00')`
    yield* createConnection()
    yield* moveToState("active", { next: dueNow("verify") })
    const missing = [{ host: "@", type: "TXT", expected: 'v="1" \\000', seen: [] }]
    const event = { id: "evt_degraded", from: "active", to: "degraded", type: "connection.degraded", missing } as const
    yield* moveToState("degraded", { events: [event] })
    const [row] = yield* sql`select data::jsonb as data from webhook_events`
    expect(row?.["data"]).toMatchObject({ connection: { state: "degraded" }, formerState: "active", missing })
  }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(stores, freshPool))))
)
