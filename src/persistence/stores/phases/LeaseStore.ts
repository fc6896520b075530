import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { batchStatement, nameParameters } from "../../batchStatement.ts"
import { DatabasePool } from "../../postgres/databasePool.ts"

/** Proves a lease in a guarded write: `claim` must still be the current claim on `key`. */
export interface FencingToken {
  readonly key: string
  readonly claim: number
}

/**
 * Leases of one owner under a key. The next has a higher claim, even if that row was deleted: claims start at the
 * current time in milliseconds. All times are the database's.
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
    Effect.map(DatabasePool, (pool) => {
      const acquireTogether = batchStatement(pool, {
        text: `
          with requests as (
            select * from ${acquisitions.source}
          ), acquired as (
            insert into leases as held (key, owner, claim, until)
            select distinct on (key) key, owner, (extract(epoch from clock_timestamp()) * 1000)::bigint,
              now() + seconds * interval '1 second'
            from requests order by key, nth
            on conflict (key) do update set owner = excluded.owner, claim = held.claim + 1, until = excluded.until
              where held.until <= now() or held.owner = excluded.owner
            returning key, owner, claim
          )
          select nth::int, claim from requests join acquired using (key, owner)`,
        toValues: acquisitions.toValues,
        row: Claim
      })
      // Rows are locked in the order of their keys, as by the journal, so that no two statements wait for each other.
      const extendTogether = batchStatement(pool, {
        text: `
          with held as (
            select l.key, seconds, nth from ${extensions.source} join leases as l using (key, claim)
            where l.until > now() order by l.key for update of l
          ), extended as (
            update leases as l set until = now() + seconds * interval '1 second' from held where l.key = held.key
            returning nth
          )
          select nth::int from extended`,
        toValues: extensions.toValues,
        row: Schema.Struct({})
      })

      return {
        acquire: (key, owner, seconds) =>
          mapSqlErrors(
            Effect.map(acquireTogether({ key, owner, seconds }), (rows) =>
              Option.map(Array.head(rows), ({ claim }) => claim)
            )
          ),
        renew: (token, seconds) =>
          mapSqlErrors(Effect.map(extendTogether({ ...token, seconds }), (rows) => rows.length > 0)),
        release: (token) => mapSqlErrors(Effect.asVoid(extendTogether({ ...token, seconds: 0 })))
      }
    })
  )
}

const acquisitions = nameParameters(
  { key: "text", owner: "text", seconds: "float8" },
  (request: { readonly key: string; readonly owner: string; readonly seconds: number }) => request
)

/** A lease that is extended by no seconds ends now. */
const extensions = nameParameters(
  { key: "text", claim: "bigint", seconds: "float8" },
  (request: FencingToken & { readonly seconds: number }) => request
)

/** The driver returns a `bigint` as text. */
const Claim = Schema.Struct({ claim: Schema.NumberFromString })
