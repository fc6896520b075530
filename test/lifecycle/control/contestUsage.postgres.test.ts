import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { ConnectionId, ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ExpiredRows } from "../../../src/persistence/stores/erasure/ExpiredRows.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { freshPool } from "../../persistence/freshDatabase.ts"
import { live } from "../../support/effectTest.ts"
import {
  initialRecords,
  noOptions,
  platform,
  readConnection,
  scriptedProvider,
  tenancy as holder,
  withoutLogs
} from "../phases/scriptedProvider.ts"
import { rival } from "./controlSteps.ts"
import { lifecycleOnPostgres } from "./lifecycleOnPostgres.ts"

/** As many records as make the document of the holder large. */
const manyRecords: IntentRequest["records"] = [
  platform,
  ...Array.makeBy(60, (n) => ({ host: `t${n}`, type: "TXT", value: "x".repeat(250) }) as const)
]

const usageOf = (owner: Tenancy) =>
  Effect.gen(function* () {
    const { count, sumUpChanges } = yield* UsageStore
    yield* sumUpChanges(100_000)
    return (yield* count(owner, ["storageBytes"])).storageBytes ?? 0
  })

/** Waits until a connection is in this state. */
const untilState = (owner: Tenancy, id: ConnectionId, wanted: ConnectionState) =>
  Effect.zipRight(Effect.sleep("20 millis"), readConnection(id, owner)).pipe(
    Effect.repeat({ until: ({ state }) => state === wanted }),
    Effect.timeout("60 seconds")
  )

const createPlanned = (owner: Tenancy, records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const request = { domain: "example.com", records }
    const { stored } = yield* connections.create(owner, request, Option.none(), { allowDuplicate: true })
    yield* connections.awaitPlan(owner, stored.id, Duration.seconds(60))
    return stored.id
  })

const readStored = (id: ConnectionId) => Effect.flatMap(ConnectionStore, ({ find }) => find(holder, id))

const connect = (owner: Tenancy, records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const id = yield* createPlanned(owner, records)
    const credential = { credential: Redacted.make({ apiToken: "s3cret" }), consent: Option.none() }
    yield* connections.authorizeWithCredential(owner, id, credential, noOptions)
    const { plan } = yield* untilState(owner, id, "planned")
    if (plan === undefined) return yield* Effect.dieMessage("there is no plan to approve")
    yield* connections.approve(owner, id, { digest: plan.digest, acknowledged: plan.warnings, putBack: [] }, noOptions)
    yield* untilState(owner, id, "active")
    return id
  })

const withEndpoint = <A, E>(
  test: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof lifecycleOnPostgres>> | SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into webhook_endpoints (id, application_id, url, key_version, nonce, ciphertext)
      values ('whe_1', ${holder.applicationId}, 'https://hooks.example.com/', 1, '\\x00', '\\x00')`
    return yield* test
  }).pipe(
    Effect.provide(
      Layer.provideMerge(
        lifecycleOnPostgres(scriptedProvider(...initialRecords).layer, "required"),
        Layer.merge(Layer.fresh(freshPool), withoutLogs)
      )
    )
  )

live("a hundred contests of a host take no storage of its holder, who is notified once", () =>
  withEndpoint(
    Effect.gen(function* () {
      const connections = yield* Connections
      const sql = yield* SqlClient.SqlClient
      const held = yield* connect(holder, manyRecords)
      const document = (yield* readStored(held)).doc.length
      const atFirst = yield* usageOf(holder)
      const contest = Effect.flatMap(createPlanned(rival, [platform]), (id) =>
        connections.disconnect(rival, id, noOptions)
      )
      yield* contest
      const afterOne = yield* usageOf(rival)
      yield* Effect.replicateEffect(contest, 99, { concurrency: 20, discard: true })
      expect(document).toBeGreaterThan(40_000)
      expect(yield* usageOf(holder)).toBe(atFirst)
      expect(yield* usageOf(rival)).toBeGreaterThan(50 * afterOne)
      const told = yield* sql`
        select connection_id, tenant_id, billed_tenant_id, octet_length(data) < 300 as "isSmall" from webhook_events
        where type = 'connection.contested'`
      expect(told).toEqual([
        { connection_id: held, tenant_id: holder.tenantId, billed_tenant_id: rival.tenantId, isSmall: true }
      ])
    })
  )
)

live("the tenant that takes a host pays for the event of the one that loses it, until that is deleted", () =>
  withEndpoint(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* connect(holder, manyRecords)
      const atFirst = yield* usageOf(holder)
      yield* connect(rival, [{ ...platform, value: "rival.example.net" }])
      expect(
        yield* sql`
        select tenant_id, billed_tenant_id from webhook_events where connection_id = ${held} and type = 'connection.degraded'`
      ).toEqual([{ tenant_id: holder.tenantId, billed_tenant_id: rival.tenantId }])
      // Its own history has the loss: an entry of the timeline and one of the audit log.
      expect((yield* usageOf(holder)) - atFirst).toBeLessThan(2_000)
      const before = yield* usageOf(rival)
      yield* sql`delete from webhook_deliveries`
      yield* sql`update webhook_events set created_at = now() - interval '31 days' where billed_tenant_id is not null`
      yield* Effect.provide(
        Effect.flatMap(ExpiredRows, (rows) => rows.deleteWebhookEvents(100)),
        ExpiredRows.layer
      )
      expect((yield* usageOf(holder)) - atFirst).toBeLessThan(2_000)
      expect(before - (yield* usageOf(rival))).toBeGreaterThan(40_000)
    })
  )
)
