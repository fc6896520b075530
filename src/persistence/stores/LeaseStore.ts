import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { orUnavailable, type StoreUnavailable } from "../StoreUnavailable.ts"
import { decodeRows } from "./decodeRows.ts"

/** What a guarded write names: the lease on `key` must still be the one of this claim. */
export interface FencingToken {
  readonly key: string
  readonly claim: number
}

/**
 * Leases of one owner each, by key. Every lease has a claim higher than the one before it on its key, also if that has
 * been deleted since: the first one is the time in milliseconds. Time is the database's.
 */
export class LeaseStore extends Context.Tag("persistence/LeaseStore")<
  LeaseStore,
  {
    /** Takes the lease on a key for some seconds if it is free, has run out or is the owner's own; gives its claim. */
    readonly acquire: (
      key: string,
      owner: string,
      seconds: number
    ) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** Makes a lease run out that many seconds from now; false if it has run out or is another's. */
    readonly renew: (guard: FencingToken, seconds: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Lets a lease run out now, if it is still the one of this claim. */
    readonly release: (guard: FencingToken) => Effect.Effect<void, StoreUnavailable>
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
      }, orUnavailable),
      renew: Effect.fn("LeaseStore.renew")(function* ({ claim, key }, seconds) {
        const rows = yield* sql`
          update leases set until = now() + ${seconds} * interval '1 second'
          where key = ${key} and claim = ${claim} and until > now()
          returning claim`
        return rows.length > 0
      }, orUnavailable),
      release: Effect.fn("LeaseStore.release")(
        ({ claim, key }) => sql`
          update leases set until = now() where key = ${key} and claim = ${claim} and until > now()`,
        orUnavailable,
        Effect.asVoid
      )
    }))
  )
}

/** The driver gives a `bigint` as its digits. */
const decodeClaims = decodeRows(Schema.Struct({ claim: Schema.NumberFromString }))
