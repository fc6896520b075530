import { SqlClient } from "@effect/sql"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import type { IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import { SealedSecret } from "../../../domain/access/SealedSecret.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { decodeRows } from "../decodeRows.ts"
import { isRetryOf } from "../connections/isRetryOf.ts"

/** The result of looking up the idempotency key of a request. */
export type AdminRequestClaim = Data.TaggedEnum<{
  /** The request is the first one: the caller carries it out, and completes or releases it. */
  Claimed: {}
  /** The first one has ended with this response. */
  Answered: { readonly response: SealedSecret }
  /** The first one is still running. */
  InProgress: {}
  KeyReused: {}
}>
export const AdminRequestClaim = Data.taggedEnum<AdminRequestClaim>()

/** Stores the sealed responses to requests of administrators, for repeated ones, for 24 hours. */
export class AdminRequestStore extends Context.Tag("persistence/AdminRequestStore")<
  AdminRequestStore,
  {
    /** Claims a request; a claim that was neither completed nor released lapses after a minute. */
    readonly claim: (request: IdempotentRequest) => Effect.Effect<AdminRequestClaim, StoreUnavailable>
    readonly complete: (request: IdempotentRequest, response: SealedSecret) => Effect.Effect<void, StoreUnavailable>
    /** Gives a claim back, so that the request may be tried again. */
    readonly release: (request: IdempotentRequest) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AdminRequestStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      claim: Effect.fnUntraced(function* (request) {
        const { fingerprints, key, route } = request
        // Few requests are kept, so that nothing else has to delete them.
        yield* sql`delete from admin_requests where created_at <= now() - interval '24 hours'`
        const claimed = yield* sql`
          insert into admin_requests as r (route, key, fingerprint) values (${route}, ${key}, ${fingerprints[0]})
          on conflict (route, key) do update set fingerprint = excluded.fingerprint, created_at = now()
            where r.ciphertext is null and r.created_at <= now() - interval '1 minute'
          returning key`
        if (claimed.length > 0) return AdminRequestClaim.Claimed()
        const [earlier] = yield* decodeEarlier(
          yield* sql`select fingerprint, key_version as "keyVersion", nonce, ciphertext from admin_requests
            where route = ${route} and key = ${key}`
        )
        if (earlier === undefined) return AdminRequestClaim.InProgress()
        if (!(yield* isRetryOf(request, earlier.fingerprint))) return AdminRequestClaim.KeyReused()
        return Option.match(decodeSealed(earlier), {
          onNone: () => AdminRequestClaim.InProgress(),
          onSome: (response) => AdminRequestClaim.Answered({ response })
        })
      }, mapSqlErrors),
      complete: ({ key, route }, { ciphertext, keyVersion, nonce }) =>
        mapSqlErrors(
          Effect.asVoid(sql`
            update admin_requests set key_version = ${keyVersion}, nonce = ${nonce}, ciphertext = ${ciphertext}
            where route = ${route} and key = ${key}`)
        ),
      release: ({ key, route }) =>
        mapSqlErrors(
          Effect.asVoid(sql`delete from admin_requests where route = ${route} and key = ${key} and ciphertext is null`)
        )
    }))
  )
}

const decodeEarlier = decodeRows(
  Schema.Struct({
    fingerprint: Schema.String,
    keyVersion: Schema.NullOr(Schema.Int),
    nonce: Schema.NullOr(Schema.Uint8ArrayFromSelf),
    ciphertext: Schema.NullOr(Schema.Uint8ArrayFromSelf)
  })
)

const decodeSealed = Schema.decodeUnknownOption(SealedSecret)
