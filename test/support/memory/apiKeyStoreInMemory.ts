import { Clock, Effect, Layer, Option } from "effect"
import type { ApiKeyId } from "../../../src/domain/Tenancy.ts"
import { ApiKeyStore, type NewKey, type StoredKey } from "../../../src/persistence/ApiKeyStore.ts"
import { hex, isGood, sameTenancy, storedIn, Tables } from "./Tables.ts"

/** API keys in a map, with the same promises as the table of PostgreSQL. */
export const apiKeyStoreInMemory = Layer.effect(
  ApiKeyStore,
  Effect.map(Tables, ({ connections, keys }) => {
    const put = ({ hash, id, prefix, scopes, tenancy }: NewKey, now: number): StoredKey => {
      const ends = { expiresAt: null, revokedAt: null, lastUsedAt: null }
      const key = { id, prefix, ...tenancy, scopes, createdAt: new Date(now), ...ends }
      keys.set(hex(hash), key)
      return key
    }

    const change = (id: ApiKeyId, how: (key: StoredKey) => StoredKey): boolean =>
      [...keys].filter(([hash, key]) => key.id === id && keys.set(hash, how(key))).length > 0

    return {
      insert: (key) => Effect.asVoid(Effect.map(Clock.currentTimeMillis, (now) => put(key, now))),
      find: (hash, connectionId) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable(keys.get(hex(hash))).pipe(
            Option.filter((key) => isGood(key, now)),
            Option.map(({ applicationId, id, scopes, tenantId }) => {
              const tenancy = { applicationId, tenantId }
              const connection = Option.flatMapNullable(connectionId, (wanted) => connections.get(wanted)).pipe(
                Option.filter((row) => sameTenancy(row.tenancy, tenancy)),
                Option.map(storedIn)
              )
              return { id, tenancy, scopes, connection }
            })
          )
        ),
      list: Effect.sync(() => [...keys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
      replace: (id, successor, overlapSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable([...keys.values()].find((key) => key.id === id)).pipe(
            Option.filter((key) => isGood(key, now)),
            Option.map((old) => {
              const ends = Math.min(old.expiresAt?.getTime() ?? Infinity, now + overlapSeconds * 1_000)
              change(id, (key) => ({ ...key, expiresAt: new Date(ends) }))
              const { applicationId, scopes, tenantId } = old
              return put({ ...successor, tenancy: { applicationId, tenantId }, scopes }, now)
            })
          )
        ),
      revoke: (id) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          change(id, (key) => ({ ...key, revokedAt: key.revokedAt ?? new Date(now) }))
        ),
      touch: (ids) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          ids.forEach((id) => change(id, (key) => ({ ...key, lastUsedAt: new Date(now) })))
        )
    }
  })
)
