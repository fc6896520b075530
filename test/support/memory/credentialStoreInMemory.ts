import { Clock, Effect, Layer, Option } from "effect"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { hex, isSameTenancy, Tables } from "./Tables.ts"

/** Sealed credentials in a map, with the same guarantees as the table of PostgreSQL. */
export const credentialStoreInMemory = Layer.effect(
  CredentialStore,
  Effect.map(Tables, (tables) => ({
    find: (tenancy, connectionId) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Option.fromNullable(tables.credentials.get(connectionId)).pipe(
          Option.filter(({ expiresAt, owner }) => expiresAt > now && isSameTenancy(owner, tenancy)),
          Option.map(({ sealed }) => sealed)
        )
      ),
    findUnderOtherKeys: (keyVersion, limit, after) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        [...tables.credentials.values()]
          .filter(({ expiresAt, sealed }) => sealed.keyVersion !== keyVersion && expiresAt > now)
          .filter(({ owner }) => Option.match(after, { onNone: () => true, onSome: (id) => owner.connectionId > id }))
          .toSorted((one, other) => (one.owner.connectionId < other.owner.connectionId ? -1 : 1))
          .slice(0, limit)
          .map(({ owner, sealed }) => ({ owner, sealed }))
      ),
    replace: (read, sealed) =>
      Effect.sync(() => {
        const row = tables.credentials.get(read.owner.connectionId)
        if (row === undefined || !isSameTenancy(row.owner, read.owner)) return false
        if (row.sealed.keyVersion !== read.sealed.keyVersion) return false
        if (hex(row.sealed.nonce) !== hex(read.sealed.nonce)) return false
        tables.credentials.set(row.owner.connectionId, { ...row, sealed })
        return true
      }),
    deleteExpired: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const expired = [...tables.credentials.values()].filter(({ expiresAt }) => expiresAt <= now)
      expired.forEach(({ owner }) => tables.credentials.delete(owner.connectionId))
      yield* Effect.forEach(expired, ({ owner }) => writeAuditAction(tables, owner, "credential.deleted"))
      return expired.length
    })
  }))
)
