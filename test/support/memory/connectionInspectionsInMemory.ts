import { Array, type DateTime, Effect, Layer, Option } from "effect"
import { hostOfChange } from "../../../src/domain/plan/Plan.ts"
import { ConnectionInspections } from "../../../src/persistence/stores/connections/ConnectionInspections.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"
import { pageOf } from "./pageOf.ts"
import { type ConnectionRow, Tables } from "./Tables.ts"

const summaryOf = (row: ConnectionRow) => {
  const { connection } = connectionRecordOf(row)
  return {
    id: row.id,
    ...row.tenancy,
    domain: row.domain,
    state: row.state,
    ...(connection.provider === undefined ? {} : { providerId: connection.provider.id }),
    ...(connection.failure === undefined ? {} : { failure: connection.failure.code }),
    ...Option.match(row.phase, { onNone: () => ({}), onSome: (phase) => ({ phase }) }),
    attempt: row.attempt,
    overdueSeconds: 0,
    updatedAt: connection.updatedAt
  }
}

/** Connections of all tenants from maps; the filters are tested on PostgreSQL, but for states and tenants. */
export const connectionInspectionsInMemory = Layer.effect(
  ConnectionInspections,
  Effect.map(Tables, ({ connections, journal }) => ({
    list: ({ applicationId, exceptFailed = [], states, tenantId }, { order = "desc", ...page }) =>
      Effect.sync(() =>
        pageOf(
          [...connections.values()]
            .filter(({ state }) => states === undefined || states.includes(state))
            .filter(({ tenancy }) => applicationId === undefined || tenancy.applicationId === applicationId)
            .filter((row) => {
              const { failure, state } = connectionRecordOf(row).connection
              return state !== "failed" || failure === undefined || !exceptFailed.includes(failure.code)
            })
            .filter(({ tenancy }) => tenantId === undefined || tenancy.tenantId === tenantId),
          { ...page, order },
          { id: ({ id }) => id, createdAt: ({ createdAt }) => createdAt }
        ).map(summaryOf)
      ),
    find: (id) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(connections.get(id)), (row) => ({
          ...connectionRecordOf(row),
          doc: row.doc,
          summary: summaryOf(row),
          credentialUntil: Option.none<DateTime.Utc>()
        }))
      ),
    readOverview: Effect.sync(() => ({
      states: Object.entries(Array.groupBy([...connections.values()], ({ state }) => state)).flatMap(([, rows]) =>
        rows.slice(0, 1).map(({ state }) => ({ state, count: rows.length }))
      ),
      failures: [],
      phases: { waiting: 0, oldestSeconds: 0 },
      webhooks: { waiting: 0, oldestSeconds: 0 },
      failingEndpoints: []
    })),
    listProviderCalls: (id, limit) =>
      Effect.sync(() =>
        [...journal.values()]
          .filter(({ connectionId }) => connectionId === id)
          .toReversed()
          .slice(0, limit)
          .map(({ change, plannedAt, providerId, run, settledAt, status, step }) => ({
            run,
            step,
            providerId,
            action: change.action,
            host: hostOfChange(change),
            type: (change.after ?? change.before)?.type ?? "",
            status,
            plannedAt,
            ...Option.match(settledAt, { onNone: () => ({}), onSome: (settledAt) => ({ settledAt }) })
          }))
      ),
    listDeliveries: () => Effect.succeed([])
  }))
)
