import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { AdminKeyStore } from "../../../src/persistence/stores/access/AdminKeyStore.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { hex, Tables } from "./Tables.ts"

/** Admin keys in a map, with the same guarantees as the table of PostgreSQL. */
export const adminKeyStoreInMemory = Layer.effect(
  AdminKeyStore,
  Effect.map(Tables, (tables) => ({
    insert: ({ expiresAt, hash, id, name, prefix, scopes }) =>
      Effect.zipRight(
        Effect.map(Clock.currentTimeMillis, (now) => {
          const ends = { revokedAt: null, lastUsedAt: null }
          tables.adminKeys.set(hex(hash), {
            id,
            prefix,
            name: Option.getOrNull(name),
            scopes,
            expiresAt: Option.getOrNull(Option.map(expiresAt, DateTime.toDateUtc)),
            createdAt: new Date(now),
            ...ends
          })
        }),
        writeAuditAction(tables, {}, "admin_key.created", { keyId: id, scopes })
      ),
    find: (hash) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Option.fromNullable(tables.adminKeys.get(hex(hash))).pipe(
          Option.filter(
            ({ expiresAt, revokedAt }) => revokedAt === null && (expiresAt === null || expiresAt.getTime() > now)
          ),
          Option.map((key) => {
            tables.adminKeys.set(hex(hash), { ...key, lastUsedAt: new Date(now) })
            return { id: key.id, scopes: key.scopes }
          })
        )
      ),
    list: Effect.sync(() => [...tables.adminKeys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
    revoke: (id) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const found = [...tables.adminKeys].find(([, key]) => key.id === id)
        if (found === undefined) return false
        const [hash, key] = found
        if (key.revokedAt === null) {
          tables.adminKeys.set(hash, { ...key, revokedAt: new Date(now) })
          yield* writeAuditAction(tables, {}, "admin_key.revoked", { keyId: id })
        }
        return true
      })
  }))
)
