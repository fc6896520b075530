import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { actOnBehalfAs, browserTokenIdOf } from "../../../src/domain/access/Actor.ts"
import { finalStates } from "../../../src/domain/connection/Connection.ts"
import {
  BrowserTokenStore,
  makeConnectionEnded,
  exchangeCodeOrigin,
  statesWithoutLinks
} from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionNotFound } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { hex, isSameTenancy, isUsableKey, storedConnectionOf, Tables } from "./Tables.ts"

/** Browser tokens in a map, with the same guarantees as the table of PostgreSQL. */
export const browserTokenStoreInMemory = Layer.effect(
  BrowserTokenStore,
  Effect.map(Tables, (tables) => {
    const { connections, keys, tokens } = tables
    /** The token and the row of its connection, if it is valid. */
    const good = (hash: Uint8Array, now: number) =>
      Option.gen(function* () {
        const token = yield* Option.fromNullable(tokens.get(hex(hash)))
        const row = yield* Option.fromNullable(connections.get(token.connectionId))
        const key = [...keys.values()].find(({ id }) => id === token.apiKeyId)
        const isOpen = token.openedBy === undefined || tokens.get(token.openedBy)?.revoked === false
        const isLive = !token.revoked && isOpen && token.expiresAt > now && isUsableKey(key, now)
        return isLive ? { token, row } : yield* Option.none()
      })

    return {
      insert: (tenancy, { apiKeyId, connectionId, hash, lifetimeSeconds, origin, role }) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const row = connections.get(connectionId)
          if (row === undefined || !isSameTenancy(row.tenancy, tenancy)) return yield* ConnectionNotFound.error
          if (finalStates.includes(row.state)) return yield* makeConnectionEnded(row.state)
          const expiresAt = now + lifetimeSeconds * 1_000
          tokens.set(hex(hash), { connectionId, apiKeyId, origin, role, expiresAt, revoked: false })
          const [action, details] =
            origin === exchangeCodeOrigin
              ? (["share_link.issued", {}] as const)
              : (["browser_token.issued", { origin }] as const)
          const tokenId = browserTokenIdOf(hash)
          yield* writeAuditAction(tables, { ...tenancy, connectionId }, action, { tokenId, ...details })
          return DateTime.unsafeMake(expiresAt)
        }),
      find: (hash) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.map(good(hash, now), ({ row, token: { apiKeyId, origin, role } }) => ({
            tenancy: row.tenancy,
            origin,
            role,
            apiKeyId,
            connection: storedConnectionOf(row)
          }))
        ),
      isValid: (hash) => Effect.map(Clock.currentTimeMillis, (now) => Option.isSome(good(hash, now))),
      redeemCode: (code, { hash, lifetimeSeconds, origin }) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.map(
            Option.filter(
              good(code, now),
              ({ row, token }) => token.origin === exchangeCodeOrigin && !statesWithoutLinks.includes(row.state)
            ),
            ({ row: { tenancy }, token }) => {
              const { apiKeyId, connectionId, role } = token
              const expiresAt = now + lifetimeSeconds * 1_000
              const openedBy = hex(code)
              tokens.set(hex(hash), { connectionId, apiKeyId, origin, role, openedBy, expiresAt, revoked: false })
              return { tenancy, connectionId, role, expiresAt: DateTime.unsafeMake(expiresAt) }
            }
          )
        ).pipe(
          Effect.tap(
            Option.match({
              onNone: () => Effect.void,
              onSome: ({ connectionId, tenancy }) => {
                const details = { tokenId: browserTokenIdOf(hash), origin }
                return writeAuditAction(tables, { ...tenancy, connectionId }, "browser_token.redeemed", details).pipe(
                  actOnBehalfAs({ type: "share_link", id: browserTokenIdOf(code) })
                )
              }
            })
          )
        ),
      revokeAll: (tenancy, connectionId) =>
        Effect.gen(function* () {
          const row = connections.get(connectionId)
          if (row === undefined || !isSameTenancy(row.tenancy, tenancy)) return
          yield* writeAuditAction(tables, { ...tenancy, connectionId }, "browser_tokens.revoked")
          tokens.forEach((token) => {
            if (token.connectionId === connectionId) token.revoked = true
          })
        }),
      revokeCodes: (tenancy, connectionId) =>
        Effect.gen(function* () {
          const row = connections.get(connectionId)
          if (row === undefined || !isSameTenancy(row.tenancy, tenancy)) return
          yield* writeAuditAction(tables, { ...tenancy, connectionId }, "share_links.revoked")
          tokens.forEach((token) => {
            if (token.connectionId === connectionId && token.origin === exchangeCodeOrigin) token.revoked = true
          })
        })
    }
  })
)
