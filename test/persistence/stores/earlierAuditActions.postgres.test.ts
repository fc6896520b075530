import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import type { AuditAction } from "../../../src/domain/access/AuditEntry.ts"
import { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { ownTenancy } from "../connectionFixtures.ts"
import { freshPool } from "../freshDatabase.ts"

/** Entries as an earlier version wrote them, and the action that they have now. */
const earlier: ReadonlyArray<readonly [action: string, details: object, now: AuditAction]> = [
  ["connection.created", { to: "requested" }, "connection.created"],
  ["connection.discovered", { from: "requested", to: "awaiting_authorization" }, "connection.planned"],
  ["connection.discovered", { from: "requested", to: "verifying" }, "connection.applied"],
  ["connection.discovery_failed", { from: "requested", to: "failed" }, "connection.failed"],
  ["connection.planned", { from: "authorized", to: "planned" }, "connection.planned"],
  ["connection.planned", { from: "authorized", to: "applying" }, "connection.plan_made"],
  ["connection.planned", { from: "authorized", to: "verifying" }, "connection.applied"],
  ["connection.verified", { from: "awaiting_manual", to: "verifying" }, "connection.applied"],
  ["connection.verified", { from: "verifying", to: "active" }, "connection.active"],
  ["connection.verified", { from: "active", to: "degraded" }, "connection.degraded"],
  ["connection.verified", { from: "degraded", to: "active" }, "connection.restored"],
  ["connection.verified", { from: "verifying", to: "failed" }, "connection.failed"],
  ["connection.verified", { control: { by: "challenge" } }, "connection.control_proven"],
  ["connection.control_lost", { from: "active", to: "degraded" }, "connection.degraded"],
  ["connection.control_lost", {}, "connection.control_lost"],
  ["connection.restored", { from: "disconnecting", to: "disconnected" }, "connection.disconnected"],
  ["connection.canceled", { from: "planned", to: "active" }, "connection.change_canceled"],
  ["connection.canceled", { from: "planned", to: "canceled" }, "connection.canceled"],
  ["connection.expired", { from: "planned", to: "active" }, "connection.restored"],
  ["connection.expired", { from: "planned", to: "expired" }, "connection.expired"]
]

concurrentTest("what an earlier version wrote is listed and filtered by the words of today", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { list } = yield* AuditStore
    const { applicationId, tenantId } = ownTenancy
    for (const [action, details] of earlier)
      yield* sql`
        insert into audit_entries (application_id, tenant_id, connection_id, actor_type, actor_id, action, details)
        values (${applicationId}, ${tenantId}, 'con_1', 'service', 'verify', ${action}, ${JSON.stringify(details)}::jsonb)`
    const listed = (action?: AuditAction) =>
      Effect.map(
        list(Option.some(applicationId), action === undefined ? {} : { action }, { limit: 100 }),
        ({ entries }) => entries.map((entry) => entry.action).toReversed()
      )
    expect(yield* listed()).toEqual(earlier.map(([, , now]) => now))
    for (const action of new Set(earlier.map(([, , now]) => now)))
      expect(yield* listed(action)).toEqual(earlier.flatMap(([, , now]) => (now === action ? [now] : [])))
  }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(AuditStore.layer, freshPool))))
)
