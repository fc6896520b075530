import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { DomainConnectKeyId } from "../../../domain/access/DomainConnectKey.ts"
import { lostFingerprint } from "../../../domain/access/IdempotentRequest.ts"
import { SealedSecret } from "../../../domain/access/SealedSecret.ts"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { WebhookEndpointId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { encodeArray } from "../../batchStatement.ts"
import { instanceLock } from "../../postgres/SingleInstanceLock.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows } from "../decodeRows.ts"

/** The master keys that a process can open with: their versions, and the ids of their fingerprint keys. */
export interface KnownKeys {
  readonly versions: ReadonlyArray<number>
  readonly fingerprintKeyIds: ReadonlyArray<string>
  /** The ids of the rows (`SealedRow`) of other versions that they open all the same. */
  readonly openedIds: ReadonlyArray<string>
}

const sealedFields = { id: Schema.String, ...SealedSecret.fields }

const ownerFields = { applicationId: ApplicationId, tenantId: TenantId, connectionId: ConnectionId }

/** A sealed secret of any kind with its owner; `id` tells it from all others. */
const SealedRow = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("credential", "oauthSession"), ...ownerFields, ...sealedFields }),
  Schema.Struct({
    kind: Schema.Literal("webhookSecret"),
    applicationId: ApplicationId,
    endpointId: WebhookEndpointId,
    ...sealedFields
  }),
  Schema.Struct({ kind: Schema.Literal("domainConnectKey"), ...DomainConnectKeyId.fields, ...sealedFields }),
  Schema.Struct({ kind: Schema.Literal("adminAnswer"), route: Schema.String, key: Schema.String, ...sealedFields })
)
export type SealedRow = typeof SealedRow.Type

/** The number of secrets under keys that are not among some known ones, without those that expire by themselves. */
const UnreadableCount = Schema.Struct({
  keyVersions: Schema.Array(Schema.Int),
  credentials: Schema.Int,
  oauthSessions: Schema.Int,
  /** The ids of the endpoints one of whose secrets is unreadable. */
  webhookEndpoints: Schema.Array(Schema.String),
  /** The names at which the public halves of the keys of Domain Connect are published. */
  domainConnectKeys: Schema.Array(Schema.String),
  /** Answers of the last day to requests that may be repeated: to administrators sealed, to others with a fingerprint. */
  answers: Schema.Int
})
export type UnreadableCount = typeof UnreadableCount.Type

/** The check value of each version of the master key, and what is sealed with it. All times are the database's. */
export class MasterKeyStore extends Context.Tag("persistence/MasterKeyStore")<
  MasterKeyStore,
  {
    /** Stores the check values that `choose` returns for the stored ones; one process after the other. */
    readonly register: <E>(
      choose: (stored: ReadonlyArray<SealedSecret>) => Effect.Effect<ReadonlyArray<SealedSecret>, E>
    ) => Effect.Effect<void, E | StoreUnavailable>
    readonly listChecks: Effect.Effect<ReadonlyArray<SealedSecret>, StoreUnavailable>
    /** Finds secrets that are sealed under a version of the master key, at most `limit` of each kind. */
    readonly findSealed: (
      keyVersion: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedRow>, StoreUnavailable>
    readonly countUnreadable: (known: KnownKeys) => Effect.Effect<UnreadableCount, StoreUnavailable>
    /**
     * Deletes what `countUnreadable` counts. Endpoints stay without secrets; kept answers count as repeated, whatever their
     * bodies. `checks` replace the check values of all other versions.
     */
    readonly discardUnreadable: (
      known: KnownKeys,
      sealingVersion: number,
      checks: ReadonlyArray<SealedSecret>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Whether a process of the service works on the database, by the tables of each environment. */
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

      const unreadable = ({ fingerprintKeyIds, openedIds, versions }: KnownKeys) => {
        const otherVersion = (column: string, id: string) =>
          sql`(${sql.literal(column)} <> all(${encodeArray(versions)}::int[])
            and ${sql.literal(id)} <> all(${encodeArray(openedIds)}::text[]))`
        const otherFingerprint = sql`fingerprint <> ${lostFingerprint}
          and split_part(fingerprint, ':', 1) <> all(${encodeArray(fingerprintKeyIds)}::text[])`
        const isOfLastDay = sql`created_at > now() - interval '24 hours'`
        return {
          credential: sql`expires_at > now() and ${otherVersion("key_version", rowIds.credential)}`,
          oauthSession: sql`expires_at > now() and ${otherVersion("key_version", rowIds.oauthSession)}`,
          previousSecret: sql`previous_until > now() and ${otherVersion("previous_key_version", rowIds.previousSecret)}`,
          currentSecret: otherVersion("key_version", rowIds.currentSecret),
          signingKey: otherVersion("key_version", rowIds.signingKey),
          adminAnswer: sql`${isOfLastDay}
            and (${otherVersion("key_version", rowIds.adminAnswer)} or (${otherFingerprint}))`,
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
        findSealed: (keyVersion, limit) => {
          const select = (kind: SealedRow["kind"], id: string, owner: string, table: string, prefix = "") =>
            sql`(select ${sql.literal(`'${kind}'`)} as kind, ${sql.literal(id)} as id, ${sql.literal(owner)},
              ${sql.literal(`${prefix}key_version as "keyVersion", ${prefix}nonce as nonce, ${prefix}ciphertext as ciphertext`)}
              from ${sql.literal(table)}
              where ${sql.literal(`${prefix}key_version`)} = ${keyVersion}
                and ${sql.literal(`length(${prefix}ciphertext)`)} > 0
              limit ${limit})`
          const ofConnection = `application_id as "applicationId", tenant_id as "tenantId",
            connection_id as "connectionId", null as "endpointId", null as route, null as key, null as domain, null as label`
          const ofEndpoint = `application_id as "applicationId", null as "tenantId", null as "connectionId",
            id as "endpointId", null as route, null as key, null as domain, null as label`
          const ofApplication = `application_id as "applicationId", null as "tenantId", null as "connectionId",
            null as "endpointId", null as route, null as key, domain, label`
          const ofAnswer = `null as "applicationId", null as "tenantId", null as "connectionId",
            null as "endpointId", route, key, null as domain, null as label`
          return sql`
            ${select("credential", rowIds.credential, ofConnection, "credentials")}
            union all ${select("oauthSession", rowIds.oauthSession, ofConnection, "oauth_sessions")}
            union all ${select("webhookSecret", rowIds.currentSecret, ofEndpoint, "webhook_endpoints")}
            union all ${select("webhookSecret", rowIds.previousSecret, ofEndpoint, "webhook_endpoints", "previous_")}
            union all ${select("domainConnectKey", rowIds.signingKey, ofApplication, "domain_connect_keys")}
            union all ${select("adminAnswer", rowIds.adminAnswer, ofAnswer, "admin_requests")}`.pipe(
            Effect.flatMap(decodeRows(SealedRow)),
            mapSqlErrors
          )
        },
        countUnreadable: (known) => {
          const { adminAnswer, answer, credential, currentSecret, oauthSession, previousSecret, signingKey } =
            unreadable(known)
          return sql`
            with credential as (select key_version from credentials where ${credential}),
              session as (select key_version from oauth_sessions where ${oauthSession}),
              current_secret as (select id, key_version from webhook_endpoints where ${currentSecret}),
              previous_secret as (select id, previous_key_version from webhook_endpoints where ${previousSecret}),
              signing_key as (select label || '.' || domain as name, key_version from domain_connect_keys where ${signingKey}),
              admin_answer as (select key_version from admin_requests where ${adminAnswer})
            select
              array(select key_version from credential union select key_version from session
                union select key_version from current_secret union select previous_key_version from previous_secret
                union select key_version from signing_key
                union select key_version from admin_answer where key_version is not null order by 1) as "keyVersions",
              (select count(*)::int from credential) as credentials,
              (select count(*)::int from session) as "oauthSessions",
              array(select id from current_secret union select id from previous_secret order by 1) as "webhookEndpoints",
              array(select name from signing_key order by 1) as "domainConnectKeys",
              (select count(*)::int from admin_answer)
                + (select count(*)::int from idempotency_keys where ${answer})
                + (select count(*)::int from webhook_endpoints where ${answer}) as answers`.pipe(
            Effect.flatMap(decodeCounts),
            Effect.map(([count]) => count),
            mapSqlErrors
          )
        },
        discardUnreadable: (known, sealingVersion, checks) => {
          const { adminAnswer, answer, credential, currentSecret, oauthSession, previousSecret, signingKey } =
            unreadable(known)
          return Effect.gen(function* () {
            const deleted = yield* encodeAuditAction("credential.deleted")
            yield* sql`
              with gone as (
                delete from credentials where ${credential}
                returning connection_id, application_id, tenant_id, ${deleted}::jsonb as audit
              ), ${sql.literal(writeAudit({ table: "gone", tenantId: "n.tenant_id", connectionId: "n.connection_id" }))}
              select connection_id from gone`
            yield* sql`delete from oauth_sessions where ${oauthSession}`
            yield* sql`delete from domain_connect_keys where ${signingKey}`
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
        isServiceRunning: Effect.flatMap(
          sql`
            select relnamespace::regnamespace::text as schema from pg_class join pg_attribute on attrelid = pg_class.oid
            where relname = 'processes' and relkind = 'r' and relpersistence = 'p' and attname = 'seen_at'
              and has_table_privilege(pg_class.oid, 'select')`.pipe(Effect.flatMap(decodeSchemas)),
          (schemas) => sql`
            select ${sql.or([
              sql`exists (
                select from pg_locks where locktype = 'advisory' and objid = ${instanceLock}
                  and database = (select oid from pg_database where datname = current_database())
              )`,
              ...schemas.map(
                ({ schema }) =>
                  sql`exists (select from ${sql.literal(schema)}.processes where seen_at > now() - interval '5 seconds')`
              )
            ])} as running`
        ).pipe(
          Effect.flatMap(decodeRunning),
          Effect.map((rows) => rows.some(({ running }) => running)),
          mapSqlErrors
        )
      }
    })
  )
}

/** The ids of sealed rows, as SQL. */
const rowIds = {
  credential: "'credential ' || connection_id",
  oauthSession: "'session ' || connection_id",
  currentSecret: "'webhook ' || id",
  previousSecret: "'previous webhook ' || id",
  signingKey: "'domain connect ' || application_id || ' ' || label || '.' || domain",
  adminAnswer: "'answer ' || route || ' ' || key"
}

const decodeCounts = (rows: unknown) => Effect.orDie(Schema.decodeUnknown(Schema.Tuple(UnreadableCount))(rows))

/** The names are quoted where they have to be. */
const decodeSchemas = decodeRows(Schema.Struct({ schema: Schema.String }))

const decodeRunning = decodeRows(Schema.Struct({ running: Schema.Boolean }))
