import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { finalStates } from "../../../src/domain/Connection.ts"
import { BrowserTokenStore, connectionEnded } from "../../../src/persistence/BrowserTokenStore.ts"
import { ConnectionNotFound } from "../../../src/persistence/ConnectionStore.ts"
import { hex, isGood, sameTenancy, Tables } from "./Tables.ts"

/** Browser tokens in a map, with the same promises as the table of PostgreSQL. */
export const browserTokenStoreInMemory = Layer.effect(
  BrowserTokenStore,
  Effect.map(Tables, ({ connections, keys, tokens }) => ({
    insert: (tenancy, { apiKeyId, connectionId, hash, lifetimeSeconds, origin }) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const row = connections.get(connectionId)
        if (row === undefined || !sameTenancy(row.tenancy, tenancy)) return yield* ConnectionNotFound.error
        if (finalStates.includes(row.state)) return yield* connectionEnded(row.state)
        const expiresAt = now + lifetimeSeconds * 1_000
        tokens.set(hex(hash), { connectionId, apiKeyId, origin, expiresAt, revoked: false })
        return DateTime.unsafeMake(expiresAt)
      }),
    find: (hash) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Option.gen(function* () {
          const token = yield* Option.fromNullable(tokens.get(hex(hash)))
          const row = yield* Option.fromNullable(connections.get(token.connectionId))
          const key = [...keys.values()].find(({ id }) => id === token.apiKeyId)
          const good = !token.revoked && token.expiresAt > now && isGood(key, now) && !finalStates.includes(row.state)
          if (!good) return yield* Option.none()
          const { doc, id, state, version } = row
          return { tenancy: row.tenancy, origin: token.origin, connection: { id, state, doc, version } }
        })
      ),
    revoke: (tenancy, connectionId) =>
      Effect.sync(() => {
        const row = connections.get(connectionId)
        if (row === undefined || !sameTenancy(row.tenancy, tenancy)) return
        tokens.forEach((token) => {
          if (token.connectionId === connectionId) token.revoked = true
        })
      })
  }))
)
