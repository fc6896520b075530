import { Array, Effect, Schema, Struct } from "effect"
import { SealedSecret } from "../../../domain/access/SealedSecret.ts"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import {
  PauseReason,
  type SealedWebhookSecrets,
  type WebhookEndpoint,
  WebhookEndpointId
} from "../../../domain/webhook/WebhookEndpoint.ts"
import { WebhookEventType } from "../../../domain/webhook/WebhookEvent.ts"
import { decodeRows } from "../decodeRows.ts"

/** An endpoint as its row holds it; `version` counts the changes of its settings. */
export interface StoredWebhookEndpoint {
  readonly applicationId: ApplicationId
  readonly endpoint: WebhookEndpoint
  readonly secrets: SealedWebhookSecrets
  readonly version: number
}

export const endpointColumns = `id, application_id as "applicationId", url, description, event_types as "eventTypes",
  tenant_ids as "tenantIds", pause_reason as "pauseReason", failing_since as "failingSince",
  created_at as "createdAt", updated_at as "updatedAt", version, key_version as "keyVersion", nonce, ciphertext,
  previous_nonce as "previousNonce", previous_ciphertext as "previousCiphertext",
  case when previous_until > now() then previous_key_version end as "previousKeyVersion"`

const EndpointRow = Schema.Struct({
  id: WebhookEndpointId,
  applicationId: ApplicationId,
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  eventTypes: Schema.NullOr(Schema.Array(WebhookEventType)),
  tenantIds: Schema.NullOr(Schema.Array(TenantId)),
  pauseReason: Schema.NullOr(PauseReason),
  failingSince: Schema.NullOr(Schema.DateTimeUtcFromDate),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  version: Schema.Int,
  ...SealedSecret.fields,
  previousKeyVersion: Schema.NullOr(Schema.Int),
  previousNonce: Schema.NullOr(Schema.Uint8ArrayFromSelf),
  previousCiphertext: Schema.NullOr(Schema.Uint8ArrayFromSelf)
})

const toStored = ({ applicationId, id, version, ...row }: typeof EndpointRow.Type): StoredWebhookEndpoint => ({
  applicationId,
  version,
  endpoint: {
    id,
    url: row.url,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.eventTypes === null ? {} : { eventTypes: row.eventTypes }),
    ...(row.tenantIds === null ? {} : { tenantIds: row.tenantIds }),
    status: row.pauseReason === null ? "enabled" : "paused",
    ...(row.pauseReason === null ? {} : { pauseReason: row.pauseReason }),
    ...(row.failingSince === null ? {} : { failingSince: row.failingSince }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt
  },
  secrets: {
    current: Struct.pick(row, "keyVersion", "nonce", "ciphertext"),
    ...(row.previousKeyVersion === null || row.previousNonce === null || row.previousCiphertext === null
      ? {}
      : {
          previous: {
            keyVersion: row.previousKeyVersion,
            nonce: row.previousNonce,
            ciphertext: row.previousCiphertext
          }
        })
  }
})

const decodeEndpointRows = decodeRows(EndpointRow)

export const decodeEndpoints = (rows: unknown) => Effect.map(decodeEndpointRows(rows), Array.map(toStored))

const decodeKeyedRows = decodeRows(Schema.Struct({ ...EndpointRow.fields, fingerprint: Schema.String }))

/** Decodes rows of `endpointColumns` with the `fingerprint` of the request that created the endpoint. */
export const decodeKeyedEndpoints = (rows: unknown) =>
  Effect.map(
    decodeKeyedRows(rows),
    Array.map((row) => ({ ...toStored(row), fingerprint: row.fingerprint }))
  )
