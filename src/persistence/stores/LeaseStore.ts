import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { mapSqlErrors, type StoreUnavailable } from "../StoreUnavailable.ts"
import { decodeRows } from "./decodeRows.ts"

/** Proves a lease in a guarded write: `claim` must still be the current claim on `key`. */
export interface FencingToken {
  readonly key: string
  readonly claim: number
}

/**
 * Stores leases, each of one owner, under a key. Every lease has a higher claim than the one before it on its key, even
 * if that row has been deleted: the first claim is the time in milliseconds. All times are the database's.
 */
export class LeaseStore extends Context.Tag("persistence/LeaseStore")<
  LeaseStore,
  {
    /** Acquires the lease on a key if it is free, has expired or belongs to the same owner; returns its claim. */
    readonly acquire: (
      key: string,
      owner: string,
      seconds: number
    ) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** Extends a lease to `seconds` from now; false if it has expired or has another claim. */
    readonly renew: (token: FencingToken, seconds: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends a lease now, if its claim is still the current one. */
    readonly release: (token: FencingToken) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    LeaseStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      acquire: Effect.fn("LeaseStore.acquire")(function* (key, owner, seconds) {
        const rows = yield* sql`
          insert into leases as held (key, owner, claim, until)
          values (${key}, ${owner}, (extract(epoch from clock_timestamp()) * 1000)::bigint,
            now() + ${seconds} * interval '1 second')
          on conflict (key) do update set owner = excluded.owner, claim = held.claim + 1, until = excluded.until
            where held.until <= now() or held.owner = excluded.owner
          returning claim`
        return Option.map(Array.head(yield* decodeClaims(rows)), ({ claim }) => claim)
      }, mapSqlErrors),
      renew: Effect.fn("LeaseStore.renew")(function* ({ claim, key }, seconds) {
        const rows = yield* sql`
          update leases set until = now() + ${seconds} * interval '1 second'
          where key = ${key} and claim = ${claim} and until > now()
          returning claim`
        return rows.length > 0
      }, mapSqlErrors),
      release: Effect.fn("LeaseStore.release")(
        ({ claim, key }) => sql`
          update leases set until = now() where key = ${key} and claim = ${claim} and until > now()`,
        mapSqlErrors,
        Effect.asVoid
      )
    }))
  )
}

/** The driver returns a `bigint` as text. */
const decodeClaims = decodeRows(Schema.Struct({ claim: Schema.NumberFromString }))
