import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import { type AskSecret, AskSecretId } from "../../../domain/access/AskSecret.ts"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import { ApplicationId } from "../../../domain/access/Tenancy.ts"
import type { PageRequest } from "../../../domain/values/PageRequest.ts"
import { selectPage } from "../selectPage.ts"
import { mapBatchErrors, mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { batchStatement } from "../../batchStatement.ts"
import { DatabasePool } from "../../postgres/databasePool.ts"
import { validKeyCondition } from "./ApiKeyStore.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows } from "../decodeRows.ts"
import { toReversedName } from "../connections/reversedNames.ts"

/** An ask secret to be stored; `hash` is the SHA-256 of the whole secret. */
export interface NewAskSecret {
  readonly id: AskSecretId
  readonly hash: Uint8Array
  readonly prefix: string
}

/** The application of a valid ask secret, and whether it serves one of the requested names. */
export interface AskAnswer {
  readonly applicationId: ApplicationId
  readonly isAllowed: boolean
}

/** Stores the ask secrets of applications under their hash, and answers by them. All times are the database's. */
export class AskSecretStore extends Context.Tag("persistence/AskSecretStore")<
  AskSecretStore,
  {
    readonly insert: (applicationId: ApplicationId, secret: NewAskSecret) => Effect.Effect<AskSecret, StoreUnavailable>
    /** The valid secrets of an application, the oldest first unless the page says otherwise. */
    readonly list: (
      applicationId: ApplicationId,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<AskSecret>, StoreUnavailable>
    /** Inserts `successor` in addition to a valid secret, which then expires after `overlapSeconds`. */
    readonly rotate: (
      applicationId: ApplicationId,
      id: AskSecretId,
      successor: NewAskSecret,
      overlapSeconds: number
    ) => Effect.Effect<Option.Option<AskSecret>, StoreUnavailable>
    /** Revokes a secret for good; false if the application has no valid one with this id. */
    readonly revoke: (applicationId: ApplicationId, id: AskSecretId) => Effect.Effect<boolean, StoreUnavailable>
    /** Finds the application of a valid secret, and whether it serves one of the names (see `allowedNamesOf`). */
    readonly ask: (
      hash: Uint8Array,
      names: Array.NonEmptyReadonlyArray<DomainName>
    ) => Effect.Effect<Option.Option<AskAnswer>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AskSecretStore,
    Effect.map(Effect.all([SqlClient.SqlClient, DatabasePool]), ([sql, pool]) => {
      const columns = sql.literal(`id, prefix, created_at as "createdAt", expires_at as "expiresAt"`)
      const isValid = sql.literal(validKeyCondition)
      const auditRows = (table: string) => sql.literal(writeAudit({ table }))
      const askTogether = batchStatement(pool, {
        text: `
          select requests.nth::int, s.application_id as "applicationId", exists (
            select 1 from connection_hosts as h join connections as c on c.id = h.connection_id
            where h.reversed_name = any(string_to_array(requests.names, ' ')) and c.application_id = s.application_id
              and case when c.state = 'active' or c.progress::jsonb #>> '{intentChange,returnsTo}' = 'active' then exists (
                select 1 from jsonb_array_elements(c.doc::jsonb #> '{effectiveIntent,records}') as record, lateral (
                  select record ->> 'host' as host
                ) as hosts
                where record ->> 'type' in ('A', 'AAAA', 'CNAME')
                  and reverse(case host when '@' then '' else host || '.' end || c.domain) = h.reversed_name
              ) else coalesce(c.doc::jsonb -> 'allowedNames' ? reverse(h.reversed_name), false) end
          ) as "isAllowed"
          from unnest((select $1::bytea[]), (select $2::text[])) with ordinality as requests (hash, names, nth)
            join ask_secrets as s using (hash)
          where ${validKeyCondition}`,
        row: AskAnswerRow,
        toValues: ({ hash, names }: AllowedDomainQuery) => [hash, names.map(toReversedName).join(" ")]
      })

      return {
        insert: Effect.fnUntraced(function* (applicationId, { hash, id, prefix }) {
          const audit = yield* encodeAuditAction("ask_secret.created", { keyId: id })
          const rows = yield* sql`
            with created as (
              insert into ask_secrets (id, hash, prefix, application_id)
              values (${id}, ${hash}, ${prefix}, ${applicationId}) returning *, ${audit}::jsonb as audit
            ), ${auditRows("created")} select ${columns} from created`
          const [inserted] = yield* decodeSecrets(rows)
          return inserted ?? (yield* Effect.dieMessage("an insert returned no row"))
        }, mapSqlErrors),
        list: Effect.fnUntraced(function* (applicationId, { limit, ...window }) {
          const { orderBy, where } = selectPage(sql, window)
          return yield* decodeSecrets(
            yield* sql`select ${columns} from ask_secrets
              where application_id = ${applicationId} and ${isValid} and ${where} order by ${orderBy} limit ${limit}`
          )
        }, mapSqlErrors),
        rotate: Effect.fnUntraced(function* (applicationId, id, successor, overlapSeconds) {
          const audit = yield* encodeAuditAction("ask_secret.rotated", { keyId: id, successorId: successor.id })
          const rows = yield* sql`
            with old as (
              update ask_secrets set expires_at = least(expires_at, now() + ${overlapSeconds} * interval '1 second')
              where id = ${id} and application_id = ${applicationId} and ${isValid} returning application_id
            ), inserted as (
              insert into ask_secrets (id, hash, prefix, application_id)
              select ${successor.id}, ${successor.hash}::bytea, ${successor.prefix}, application_id from old
              returning *, ${audit}::jsonb as audit
            ), ${auditRows("inserted")} select ${columns} from inserted`
          return Array.head(yield* decodeSecrets(rows))
        }, mapSqlErrors),
        revoke: Effect.fnUntraced(function* (applicationId, id) {
          const audit = yield* encodeAuditAction("ask_secret.revoked", { keyId: id })
          const rows = yield* sql`
            with revoked as (
              update ask_secrets set revoked_at = now()
              where id = ${id} and application_id = ${applicationId} and ${isValid}
              returning id, application_id, ${audit}::jsonb as audit
            ), ${auditRows("revoked")} select id from revoked`
          return rows.length > 0
        }, mapSqlErrors),
        ask: (hash, names) => mapBatchErrors(Effect.map(askTogether({ hash, names }), Array.head))
      }
    })
  )
}

interface AllowedDomainQuery {
  readonly hash: Uint8Array
  readonly names: ReadonlyArray<DomainName>
}

const decodeRowsOfSecrets = decodeRows(
  Schema.Struct({
    id: AskSecretId,
    prefix: Schema.String,
    createdAt: Schema.DateTimeUtcFromDate,
    expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
  })
)

const decodeSecrets = (rows: unknown) =>
  Effect.map(
    decodeRowsOfSecrets(rows),
    Array.map(({ expiresAt, ...secret }): AskSecret => ({ ...secret, ...(expiresAt === null ? {} : { expiresAt }) }))
  )

const AskAnswerRow = Schema.Struct({ applicationId: ApplicationId, isAllowed: Schema.Boolean })
