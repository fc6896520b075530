import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { defaultApplicationSettings } from "../../../src/domain/access/Application.ts"
import type { ApiKeyId, ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { ApiKeyStore, type NewApiKey, type StoredApiKey } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { pageOf } from "./pageOf.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { hex, isSameTenancy, isUsableKey, storedConnectionOf, Tables } from "./Tables.ts"

/** API keys in a map, with the same guarantees as the table of PostgreSQL. */
export const apiKeyStoreInMemory = Layer.effect(
  ApiKeyStore,
  Effect.map(Tables, (tables) => {
    const { applications, connections, keys } = tables
    const lifetimes = new Map<string, number>()

    const put = ({ expiresAt, hash, id, name, prefix, scopes, tenancy }: NewApiKey, now: number): StoredApiKey => {
      const end = expiresAt === undefined ? null : DateTime.toDateUtc(expiresAt)
      if (end !== null) lifetimes.set(id, end.getTime() - now)
      const ends = { expiresAt: end, revokedAt: null, lastUsedAt: null }
      const key = { id, prefix, name: name ?? null, ...tenancy, scopes, createdAt: new Date(now), ...ends }
      keys.set(hex(hash), key)
      const { applicationId: application } = tenancy
      if (!applications.has(application)) applications.set(application, makeApplication(application, now))
      return key
    }

    const change = (id: ApiKeyId, how: (key: StoredApiKey) => StoredApiKey): boolean =>
      [...keys].filter(([hash, key]) => key.id === id && keys.set(hash, how(key))).length > 0

    return {
      insert: (key) =>
        Effect.gen(function* () {
          const { applicationId } = key.tenancy
          if (!applications.has(applicationId))
            yield* writeAuditAction(tables, { applicationId }, "application.created")
          put(key, yield* Clock.currentTimeMillis)
          yield* writeAuditAction(tables, key.tenancy, "api_key.created", { keyId: key.id, scopes: key.scopes })
        }),
      find: (hash, connectionId) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable(keys.get(hex(hash))).pipe(
            Option.filter((key) => isUsableKey(key, now)),
            Option.map(({ applicationId, id, scopes, tenantId }) => {
              const tenancy = { applicationId, tenantId }
              const connection = Option.flatMapNullable(connectionId, (id) => connections.get(id)).pipe(
                Option.filter((row) => isSameTenancy(row.tenancy, tenancy)),
                Option.map(storedConnectionOf)
              )
              return { id, tenancy, scopes, connection }
            })
          )
        ),
      list: Effect.sync(() => [...keys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
      listOf: (applicationId, { tenantId, ...page }) =>
        Effect.sync(() =>
          pageOf(
            [...keys.values()].filter(
              (key) => key.applicationId === applicationId && (tenantId === undefined || key.tenantId === tenantId)
            ),
            page,
            { id: ({ id }) => id, createdAt: ({ createdAt }) => createdAt.getTime() }
          )
        ),
      findOf: (applicationId, id) =>
        Effect.sync(() =>
          Option.fromNullable([...keys.values()].find((key) => key.id === id && key.applicationId === applicationId))
        ),
      revokeAll: ({ applicationId, tenantId }) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const valid = [...keys.values()].filter(
            (key) => isSameTenancy(key, { applicationId, tenantId: tenantId ?? key.tenantId }) && isUsableKey(key, now)
          )
          for (const { id, tenantId } of valid) {
            change(id, (key) => ({ ...key, revokedAt: new Date(now) }))
            yield* writeAuditAction(tables, { applicationId, tenantId }, "api_key.revoked", { keyId: id })
          }
          return valid.length
        }),
      rotate: (id, successor, overlapSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable([...keys.values()].find((key) => key.id === id)).pipe(
            Option.filter((key) => isUsableKey(key, now)),
            Option.map((old) => {
              const ends = Math.min(old.expiresAt?.getTime() ?? Infinity, now + overlapSeconds * 1_000)
              change(id, (key) => ({ ...key, expiresAt: new Date(ends) }))
              const { applicationId, name, scopes, tenantId } = old
              const lifetime = lifetimes.get(id)
              const end = lifetime === undefined ? {} : { expiresAt: DateTime.unsafeMake(now + lifetime) }
              const named = name === null ? {} : { name }
              return put({ ...successor, ...named, tenancy: { applicationId, tenantId }, scopes, ...end }, now)
            })
          )
        ).pipe(
          Effect.tap(
            Option.match({
              onNone: () => Effect.void,
              onSome: ({ applicationId, tenantId }) =>
                writeAuditAction(tables, { applicationId, tenantId }, "api_key.rotated", {
                  keyId: id,
                  successorId: successor.id
                })
            })
          )
        ),
      revoke: (id) =>
        Effect.gen(function* () {
          const key = [...keys.values()].find((key) => key.id === id)
          if (key === undefined) return false
          if (key.revokedAt !== null) return true
          const now = yield* Clock.currentTimeMillis
          change(id, (key) => ({ ...key, revokedAt: new Date(now) }))
          const { applicationId, tenantId } = key
          yield* writeAuditAction(tables, { applicationId, tenantId }, "api_key.revoked", { keyId: id })
          return true
        }),
      recordUse: (ids) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          ids.forEach((id) => change(id, (key) => ({ ...key, lastUsedAt: new Date(now) })))
        )
    }
  })
)

const makeApplication = (id: ApplicationId, now: number) => {
  const time = DateTime.unsafeMake(now)
  return { id, settings: defaultApplicationSettings, version: 1, createdAt: time, updatedAt: time }
}
