import { SqlClient, type Statement } from "@effect/sql"
import { Array, Context, Data, Effect, Layer, Option } from "effect"
import { type AuditAction, type AuditDetails, listChangedSettings } from "../../../domain/access/AuditEntry.ts"
import type { IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import type { SealedSecret } from "../../../domain/access/SealedSecret.ts"
import type { ListWindow } from "../../../domain/values/PageRequest.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import {
  type PauseReason,
  type SealedWebhookSecrets,
  secretOverlapSeconds,
  type WebhookEndpointId,
  type WebhookEndpointSettings
} from "../../../domain/webhook/WebhookEndpoint.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { selectPage } from "../selectPage.ts"
import {
  decodeEndpoints,
  decodeKeyedEndpoints,
  endpointColumns,
  type StoredWebhookEndpoint
} from "./StoredWebhookEndpoint.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { isWritten } from "../decodeRows.ts"
import { isRetryOf } from "../connections/isRetryOf.ts"

interface NewWebhookEndpoint {
  readonly applicationId: ApplicationId
  readonly id: WebhookEndpointId
  readonly settings: WebhookEndpointSettings
  readonly secret: SealedSecret
}

export interface WebhookEndpointChange {
  readonly settings: WebhookEndpointSettings
  /** Why it is paused; absent if it is not. */
  readonly pauseReason?: PauseReason
}

/** The outcome of a creation with or without an idempotency key. */
export type WebhookEndpointCreation = Data.TaggedEnum<{
  Created: { readonly stored: StoredWebhookEndpoint }
  /** An earlier request under the same key created it. */
  Replayed: { readonly stored: StoredWebhookEndpoint }
  /** The key was used with another body. */
  KeyReused: {}
  /** The application has as many endpoints as it may. */
  Full: {}
}>
export const WebhookEndpointCreation = Data.taggedEnum<WebhookEndpointCreation>()

/** Stores the webhook endpoints of applications. All times are the database's. */
export class WebhookEndpointStore extends Context.Tag("persistence/WebhookEndpointStore")<
  WebhookEndpointStore,
  {
    /** Inserts an endpoint; concurrent creations may exceed `limit` by their number. */
    readonly create: (
      endpoint: NewWebhookEndpoint,
      limit: number,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<WebhookEndpointCreation, StoreUnavailable>
    /** The endpoints of an application, the oldest first unless the window says otherwise. */
    readonly list: (
      applicationId: ApplicationId,
      window?: ListWindow
    ) => Effect.Effect<ReadonlyArray<StoredWebhookEndpoint>, StoreUnavailable>
    readonly find: (
      applicationId: ApplicationId,
      id: WebhookEndpointId
    ) => Effect.Effect<Option.Option<StoredWebhookEndpoint>, StoreUnavailable>
    /** Changes an endpoint; none if it has changed or gone since it was read. */
    readonly update: (
      read: StoredWebhookEndpoint,
      change: WebhookEndpointChange
    ) => Effect.Effect<Option.Option<StoredWebhookEndpoint>, StoreUnavailable>
    /** Gives it another secret; the current one goes on signing for a day. None as in `update`. */
    readonly rotateSecret: (
      read: StoredWebhookEndpoint,
      secret: SealedSecret
    ) => Effect.Effect<Option.Option<StoredWebhookEndpoint>, StoreUnavailable>
    /** Deletes an endpoint with its deliveries; false as none in `update`. */
    readonly remove: (read: StoredWebhookEndpoint) => Effect.Effect<boolean, StoreUnavailable>
    /** Up to `limit` endpoints after `after` with a secret under another key than `keyVersion`. */
    readonly findUnderOtherKeys: (
      keyVersion: number,
      limit: number,
      after: string
    ) => Effect.Effect<ReadonlyArray<StoredWebhookEndpoint>, StoreUnavailable>
    /** Replaces the same secrets, sealed again; false if they have changed since they were read. */
    readonly replaceSecrets: (
      read: StoredWebhookEndpoint,
      secrets: SealedWebhookSecrets
    ) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    WebhookEndpointStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const selectFrom = (table: string) =>
        sql.literal(`${writeAudit({ table })} select ${endpointColumns} from ${table}`)
      const isUnchanged = ({ applicationId, endpoint: { id }, version }: StoredWebhookEndpoint) =>
        sql`id = ${id} and application_id = ${applicationId} and version = ${version}`

      const updateUnchanged = (
        read: StoredWebhookEndpoint,
        assignments: Statement.Fragment,
        action: AuditAction,
        details: AuditDetails = {}
      ) =>
        encodeAuditAction(action, { endpointId: read.endpoint.id, ...details }).pipe(
          Effect.flatMap(
            (audit) => sql`
              with changed as (
                update webhook_endpoints set ${assignments}, version = version + 1, updated_at = now()
                where ${isUnchanged(read)} returning *, ${audit}::jsonb as audit
              ), ${selectFrom("changed")}`
          ),
          Effect.flatMap(decodeEndpoints),
          Effect.map(Array.head)
        )

      const findByKey = (applicationId: ApplicationId, { key }: IdempotentRequest) =>
        Effect.map(
          sql`select fingerprint, ${sql.literal(endpointColumns)} from webhook_endpoints
            where application_id = ${applicationId} and idempotency_key = ${key}
              and created_at > now() - interval '24 hours'`.pipe(Effect.flatMap(decodeKeyedEndpoints)),
          Array.head
        )

      const insert = (
        { applicationId, id, secret, settings }: NewWebhookEndpoint,
        limit: number,
        key: KeyColumns,
        audit: string
      ) => sql`
        with created as (
        insert into webhook_endpoints
          (id, application_id, url, description, event_types, tenant_ids, key_version, nonce, ciphertext,
            idempotency_key, fingerprint)
        select ${id}, ${applicationId}, ${settings.url}, ${settings.description ?? null},
          ${settings.eventTypes ?? null}::text[], ${settings.tenantIds ?? null}::text[],
          ${secret.keyVersion}::integer, ${secret.nonce}::bytea, ${secret.ciphertext}::bytea,
          ${key.key}::text, ${key.fingerprint}::text
        where ${limit} > (select count(*) from webhook_endpoints where application_id = ${applicationId})
        on conflict do nothing returning *, ${audit}::jsonb as audit
        ), ${selectFrom("created")}`

      return {
        create: Effect.fnUntraced(function* (endpoint, limit, idempotency) {
          const replay = Effect.transposeMapOption(idempotency, (request) =>
            Effect.map(findByKey(endpoint.applicationId, request), (found) => ({ request, found }))
          ).pipe(
            Effect.flatMap(
              Option.match({
                onNone: () => Effect.succeedNone,
                onSome: ({ found, request }) => Effect.transposeMapOption(found, toReplay(request))
              })
            )
          )
          const earlier = yield* replay
          if (Option.isSome(earlier)) return earlier.value
          if (Option.isSome(idempotency))
            yield* sql`update webhook_endpoints set idempotency_key = null, fingerprint = null
              where application_id = ${endpoint.applicationId} and idempotency_key = ${idempotency.value.key}
                and created_at <= now() - interval '24 hours'`
          const audit = yield* encodeAuditAction("webhook_endpoint.created", { endpointId: endpoint.id })
          const rows = yield* insert(endpoint, limit, keyColumnsOf(idempotency), audit)
          const [stored] = yield* decodeEndpoints(rows)
          if (stored !== undefined) return WebhookEndpointCreation.Created({ stored })
          return Option.getOrElse(yield* replay, () => WebhookEndpointCreation.Full())
        }, mapSqlErrors),
        list: Effect.fnUntraced(function* (applicationId, window = {}) {
          const { orderBy, where } = selectPage(sql, window)
          return yield* decodeEndpoints(
            yield* sql`select ${sql.literal(endpointColumns)} from webhook_endpoints
              where application_id = ${applicationId} and ${where} order by ${orderBy}`
          )
        }, mapSqlErrors),
        find: Effect.fnUntraced(function* (applicationId, id) {
          const rows = yield* sql`select ${sql.literal(endpointColumns)} from webhook_endpoints
            where id = ${id} and application_id = ${applicationId}`
          return Array.head(yield* decodeEndpoints(rows))
        }, mapSqlErrors),
        update: (read, change) => {
          const { pauseReason = null, settings } = change
          const { description, eventTypes, tenantIds, url } = settings
          return mapSqlErrors(
            updateUnchanged(
              read,
              sql`url = ${url}, description = ${description ?? null}, event_types = ${eventTypes ?? null}::text[],
                tenant_ids = ${tenantIds ?? null}::text[], pause_reason = ${pauseReason}::text,
                failing_since = case when pause_reason is not null and ${pauseReason}::text is null
                  then null else failing_since end`,
              "webhook_endpoint.changed",
              { settings: listChangedEndpointSettings(read, change) }
            )
          )
        },
        rotateSecret: (read, { ciphertext, keyVersion, nonce }) =>
          mapSqlErrors(
            updateUnchanged(
              read,
              sql`previous_key_version = key_version, previous_nonce = nonce, previous_ciphertext = ciphertext,
                previous_until = now() + ${secretOverlapSeconds} * interval '1 second',
                key_version = ${keyVersion}, nonce = ${nonce}, ciphertext = ${ciphertext}`,
              "webhook_endpoint.secret_rotated"
            )
          ),
        remove: Effect.fnUntraced(function* (read) {
          const audit = yield* encodeAuditAction("webhook_endpoint.deleted", { endpointId: read.endpoint.id })
          const rows = yield* sql`
            with removed as (
              delete from webhook_endpoints where ${isUnchanged(read)}
              returning id, application_id, ${audit}::jsonb as audit
            ), ${sql.literal(writeAudit({ table: "removed" }))}, deliveries as (
              delete from webhook_deliveries where endpoint_id in (select id from removed)
            )
            select count(*) = 1 as written from removed`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        findUnderOtherKeys: Effect.fnUntraced(function* (keyVersion, limit, after) {
          const rows = yield* sql`select ${sql.literal(endpointColumns)} from webhook_endpoints
            where (key_version <> ${keyVersion} or (previous_key_version <> ${keyVersion} and previous_until > now()))
              and id > ${after}
            order by id limit ${limit}`
          return yield* decodeEndpoints(rows)
        }, mapSqlErrors),
        replaceSecrets: Effect.fnUntraced(function* (read, { current, previous }) {
          const rows = yield* sql`
            update webhook_endpoints set key_version = ${current.keyVersion}, nonce = ${current.nonce},
              ciphertext = ${current.ciphertext}, previous_key_version = ${previous?.keyVersion ?? null}::integer,
              previous_nonce = ${previous?.nonce ?? null}::bytea,
              previous_ciphertext = ${previous?.ciphertext ?? null}::bytea
            where id = ${read.endpoint.id} and nonce = ${read.secrets.current.nonce}
            returning true as written`
          return yield* isWritten(rows)
        }, mapSqlErrors)
      }
    })
  )
}

/** The fields that a change gives another value. */
export const listChangedEndpointSettings = (
  { endpoint }: StoredWebhookEndpoint,
  { pauseReason, settings }: WebhookEndpointChange
): ReadonlyArray<string> =>
  listChangedSettings(["url", "description", "eventTypes", "tenantIds", "status"], endpoint, {
    ...settings,
    status: pauseReason === undefined ? "enabled" : "paused"
  })

interface KeyColumns {
  readonly key: string | null
  readonly fingerprint: string | null
}

const keyColumnsOf = (idempotency: Option.Option<IdempotentRequest>): KeyColumns =>
  Option.match(idempotency, {
    onNone: () => ({ key: null, fingerprint: null }),
    onSome: ({ fingerprints, key }) => ({ key, fingerprint: fingerprints[0] })
  })

const toReplay =
  (request: IdempotentRequest) =>
  ({ fingerprint, ...stored }: StoredWebhookEndpoint & { readonly fingerprint: string }) =>
    Effect.map(isRetryOf(request, fingerprint), (isRetry) =>
      isRetry ? WebhookEndpointCreation.Replayed({ stored }) : WebhookEndpointCreation.KeyReused()
    )
