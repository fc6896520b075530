import { Effect, Layer } from "effect"
import { finalStates } from "../../../src/domain/connection/Connection.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { isSameTenancy, Tables } from "./Tables.ts"

/** Counts the usage of a tenant in the tables. */
export const usageStoreInMemory = Layer.effect(
  UsageStore,
  Effect.map(Tables, ({ connections, idempotency }) => ({
    // Documents are all that it counts.
    sumUpChanges: () => Effect.succeed(0),
    count: (tenancy, quotas) =>
      Effect.sync(() => {
        const own = [...connections.values()].filter((row) => isSameTenancy(row.tenancy, tenancy))
        const keyPrefix = JSON.stringify([tenancy.applicationId, tenancy.tenantId]).slice(0, -1)
        const counts = {
          connections: own.filter(({ state }) => !finalStates.includes(state)).length,
          openDiscoveries: own.filter(({ state }) => state === "requested").length,
          storageBytes: sizeOf(own),
          idempotencyBytes: sizeOf([...idempotency].flatMap(([key, row]) => (key.startsWith(keyPrefix) ? [row] : [])))
        }
        return Object.fromEntries(quotas.map((quota) => [quota, counts[quota]]))
      })
  }))
)

const sizeOf = (rows: ReadonlyArray<{ readonly doc: string }>) =>
  rows.reduce((sum, { doc }) => sum + Buffer.byteLength(doc), 0)
