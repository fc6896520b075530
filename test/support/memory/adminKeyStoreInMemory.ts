import { Clock, Effect, Layer, Option } from "effect"
import { AdminKeyStore } from "../../../src/persistence/stores/AdminKeyStore.ts"
import { hex, Tables } from "./Tables.ts"

/** Admin keys in a map, with the same guarantees as the table of PostgreSQL. */
export const adminKeyStoreInMemory = Layer.effect(
  AdminKeyStore,
  Effect.map(Tables, ({ adminKeys }) => ({
    insert: ({ hash, id, name, prefix }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const ends = { revokedAt: null, lastUsedAt: null }
        adminKeys.set(hex(hash), { id, prefix, name: Option.getOrNull(name), createdAt: new Date(now), ...ends })
      }),
    find: (hash) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Option.fromNullable(adminKeys.get(hex(hash))).pipe(
          Option.filter(({ revokedAt }) => revokedAt === null),
          Option.map((key) => {
            adminKeys.set(hex(hash), { ...key, lastUsedAt: new Date(now) })
            return key.id
          })
        )
      ),
    list: Effect.sync(() => [...adminKeys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
    revoke: (id) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        [...adminKeys].some(
          ([hash, key]) => key.id === id && adminKeys.set(hash, { ...key, revokedAt: key.revokedAt ?? new Date(now) })
        )
      )
  }))
)
