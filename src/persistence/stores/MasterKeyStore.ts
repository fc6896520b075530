import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { lostFingerprint } from "../../domain/IdempotentRequest.ts"
import { SealedSecret } from "../../domain/SealedSecret.ts"
import { encodeArray } from "../batching/encodeArray.ts"
import { mapSqlErrors, type StoreUnavailable } from "../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "./auditTrail.ts"
import { decodeRows } from "./decodeRows.ts"

/** The master keys that a process can open with: their versions, and the ids of their fingerprint keys. */
export interface KnownKeys {
  readonly versions: ReadonlyArray<number>
  readonly fingerprintKeyIds: ReadonlyArray<string>
}

/** What is kept under keys that are not among some known ones, and is not over by itself. */
const UnreadableCount = Schema.Struct({
  /** The versions of those keys. */
  keyVersions: Schema.Array(Schema.Int),
  credentials: Schema.Int,
  oauthSessions: Schema.Int,
  /** The ids of the endpoints one of whose secrets is unreadable. */
  webhookEndpoints: Schema.Array(Schema.String),
  /** Answers of the last day to requests that may be repeated: to administrators sealed, to others with a fingerprint. */
  answers: Schema.Int
})
export type UnreadableCount = typeof UnreadableCount.Type

/**
 * Stores a check value for each version of the master key, and knows what is sealed with which version. All times are the
 * database's.
 */
export class MasterKeyStore extends Context.Tag("persistence/MasterKeyStore")<
  MasterKeyStore,
  {
    /** Stores the check values that `choose` returns for those that are stored; one process after the other. */
    readonly register: <E>(
      choose: (stored: ReadonlyArray<SealedSecret>) => Effect.Effect<ReadonlyArray<SealedSecret>, E>
    ) => Effect.Effect<void, E | StoreUnavailable>
    readonly listChecks: Effect.Effect<ReadonlyArray<SealedSecret>, StoreUnavailable>
    readonly countUnreadable: (known: KnownKeys) => Effect.Effect<UnreadableCount, StoreUnavailable>
    /**
     * Deletes what `countUnreadable` counts. Webhook endpoints stay, without the secrets, and so do the answers: their
     * requests count as repeated whatever their bodies. `checks` replace the check values of all other versions.
     */
    readonly discardUnreadable: (
      known: KnownKeys,
      sealingVersion: number,
      checks: ReadonlyArray<SealedSecret>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Whether a process of the service works on the database. */
    readonly isServiceRunning: Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    MasterKeyStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const listChecks = Effect.flatMap(
        sql`select version as "keyVersion", nonce, ciphertext from master_keys order by version`,
        decodeRows(SealedSecret)
      )

      const insert = ({ ciphertext, keyVersion, nonce }: SealedSecret) =>
        sql`insert into master_keys (version, nonce, ciphertext) values (${keyVersion}, ${nonce}, ${ciphertext})`

      const unreadable = ({ fingerprintKeyIds, versions }: KnownKeys) => {
        const otherVersion = (column: string) => sql`${sql.literal(column)} <> all(${encodeArray(versions)}::int[])`
        const otherFingerprint = sql`fingerprint <> ${lostFingerprint}
          and split_part(fingerprint, ':', 1) <> all(${encodeArray(fingerprintKeyIds)}::text[])`
        const isOfLastDay = sql`created_at > now() - interval '24 hours'`
        return {
          credential: sql`expires_at > now() and ${otherVersion("key_version")}`,
          oauthSession: sql`expires_at > now() and ${otherVersion("key_version")}`,
          previousSecret: sql`previous_until > now() and ${otherVersion("previous_key_version")}`,
          currentSecret: otherVersion("key_version"),
          adminAnswer: sql`${isOfLastDay} and (${otherVersion("key_version")} or (${otherFingerprint}))`,
          answer: sql`${isOfLastDay} and ${otherFingerprint}`
        }
      }

      return {
        register: (choose) =>
          mapSqlErrors(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* sql`lock table master_keys in share row exclusive mode`
                yield* Effect.forEach(yield* choose(yield* listChecks), insert)
              })
            )
          ),
        listChecks: mapSqlErrors(listChecks),
        countUnreadable: (known) => {
          const { adminAnswer, answer, credential, currentSecret, oauthSession, previousSecret } = unreadable(known)
          return sql`
            with credential as (select key_version from credentials where ${credential}),
              session as (select key_version from oauth_sessions where ${oauthSession}),
              current_secret as (select id, key_version from webhook_endpoints where ${currentSecret}),
              previous_secret as (select id, previous_key_version from webhook_endpoints where ${previousSecret}),
              admin_answer as (select key_version from admin_requests where ${adminAnswer})
            select
              array(select key_version from credential union select key_version from session
                union select key_version from current_secret union select previous_key_version from previous_secret
                union select key_version from admin_answer where key_version is not null order by 1) as "keyVersions",
              (select count(*)::int from credential) as credentials,
              (select count(*)::int from session) as "oauthSessions",
              array(select id from current_secret union select id from previous_secret order by 1) as "webhookEndpoints",
              (select count(*)::int from admin_answer)
                + (select count(*)::int from idempotency_keys where ${answer})
                + (select count(*)::int from webhook_endpoints where ${answer}) as answers`.pipe(
            Effect.flatMap(decodeCounts),
            Effect.map(([count]) => count),
            mapSqlErrors
          )
        },
        discardUnreadable: (known, sealingVersion, checks) => {
          const { adminAnswer, answer, credential, currentSecret, oauthSession, previousSecret } = unreadable(known)
          return Effect.gen(function* () {
            const deleted = yield* encodeAuditAction("credential.deleted")
            yield* sql`
              with gone as (
                delete from credentials where ${credential}
                returning connection_id, application_id, tenant_id, ${deleted}::jsonb as audit
              ), ${sql.literal(writeAudit({ table: "gone", tenantId: "n.tenant_id", connectionId: "n.connection_id" }))}
              select connection_id from gone`
            yield* sql`delete from oauth_sessions where ${oauthSession}`
            yield* sql`delete from admin_requests where ${adminAnswer}`
            yield* sql`update idempotency_keys set fingerprint = ${lostFingerprint} where ${answer}`
            yield* sql`update webhook_endpoints set fingerprint = ${lostFingerprint} where ${answer}`
            yield* sql`update webhook_endpoints
              set previous_key_version = null, previous_nonce = null, previous_ciphertext = null, previous_until = null
              where ${previousSecret}`
            // Nobody can open an empty text: deliveries say that the secret is unreadable, and no request can show it again.
            yield* sql`update webhook_endpoints
              set key_version = ${sealingVersion}, ciphertext = '', idempotency_key = null, fingerprint = null
              where ${currentSecret}`
            const kept = known.versions.filter((version) => checks.every(({ keyVersion }) => keyVersion !== version))
            yield* sql`delete from master_keys where version <> all(${encodeArray(kept)}::int[])`
            yield* Effect.forEach(checks, insert)
          }).pipe(sql.withTransaction, mapSqlErrors)
        },
        isServiceRunning: sql`
          select exists (select from processes where seen_at > now() - interval '5 seconds') or exists (
            select from pg_locks where locktype = 'advisory' and objid = 727001
              and database = (select oid from pg_database where datname = current_database())
          ) as running`.pipe(
          Effect.flatMap(decodeRunning),
          Effect.map((rows) => rows.some(({ running }) => running)),
          mapSqlErrors
        )
      }
    })
  )
}

const decodeCounts = (rows: unknown) => Effect.orDie(Schema.decodeUnknown(Schema.Tuple(UnreadableCount))(rows))

const decodeRunning = decodeRows(Schema.Struct({ running: Schema.Boolean }))
