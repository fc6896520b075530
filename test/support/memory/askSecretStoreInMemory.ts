import { Clock, DateTime, Effect, Layer, Option } from "effect"
import type { AskSecret } from "../../../src/domain/access/AskSecret.ts"
import { allowedNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import type { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { AskSecretStore, type NewAskSecret } from "../../../src/persistence/stores/access/AskSecretStore.ts"
import { pageOf } from "./pageOf.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { type AskSecretRow, hex, Tables } from "./Tables.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"

/** Ask secrets in a map, with the same guarantees as the table of PostgreSQL. */
export const askSecretStoreInMemory = Layer.effect(
  AskSecretStore,
  Effect.map(Tables, (tables) => {
    const { askSecrets, connections } = tables
    const put = (applicationId: ApplicationId, { hash, id, prefix }: NewAskSecret, now: number): AskSecret => {
      const row = { id, prefix, applicationId, createdAt: now, expiresAt: Infinity, isRevoked: false }
      askSecrets.set(hex(hash), row)
      return toAskSecret(row)
    }
    const findValid = (applicationId: ApplicationId, id: string, now: number) =>
      Option.fromNullable(
        [...askSecrets.values()].find(
          (row) => row.id === id && row.applicationId === applicationId && isValid(row, now)
        )
      )

    return {
      insert: (applicationId, secret) =>
        Effect.zipLeft(
          Effect.map(Clock.currentTimeMillis, (now) => put(applicationId, secret, now)),
          writeAuditAction(tables, { applicationId }, "ask_secret.created", { keyId: secret.id })
        ),
      list: (applicationId, page) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          pageOf(
            [...askSecrets.values()].filter((row) => row.applicationId === applicationId && isValid(row, now)),
            page,
            { id: ({ id }) => id, createdAt: ({ createdAt }) => createdAt }
          ).map(toAskSecret)
        ),
      rotate: (applicationId, id, successor, overlapSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.map(findValid(applicationId, id, now), (row) => {
            row.expiresAt = Math.min(row.expiresAt, now + overlapSeconds * 1_000)
            return put(applicationId, successor, now)
          })
        ).pipe(
          Effect.tap((rotated) =>
            Option.isNone(rotated)
              ? Effect.void
              : writeAuditAction(tables, { applicationId }, "ask_secret.rotated", {
                  keyId: id,
                  successorId: successor.id
                })
          )
        ),
      revoke: (applicationId, id) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.match(findValid(applicationId, id, now), {
            onNone: () => false,
            onSome: (row) => {
              row.isRevoked = true
              return true
            }
          })
        ).pipe(
          Effect.tap((isRevoked) =>
            isRevoked ? writeAuditAction(tables, { applicationId }, "ask_secret.revoked", { keyId: id }) : Effect.void
          )
        ),
      ask: (hash, names) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable(askSecrets.get(hex(hash))).pipe(
            Option.filter((row) => isValid(row, now)),
            Option.map(({ applicationId }) => ({
              applicationId,
              isAllowed: [...connections.values()]
                .filter((row) => row.tenancy.applicationId === applicationId)
                .some((row) =>
                  allowedNamesOf(connectionRecordOf(row)).some((allowed) => names.some((name) => name === allowed))
                )
            }))
          )
        )
    }
  })
)

const isValid = ({ expiresAt, isRevoked }: AskSecretRow, now: number): boolean => !isRevoked && expiresAt > now

const toAskSecret = ({ createdAt, expiresAt, id, prefix }: AskSecretRow): AskSecret => ({
  id,
  prefix,
  createdAt: DateTime.unsafeMake(createdAt),
  ...(expiresAt === Infinity ? {} : { expiresAt: DateTime.unsafeMake(expiresAt) })
})
