import type { SqlClient } from "@effect/sql"
import { Array, Effect, Schema, Struct } from "effect"
import { SealedSecret } from "../../../domain/access/SealedSecret.ts"
import { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { type SealedWebhookSecrets, WebhookEndpointId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { type WebhookEvent, WebhookEventType } from "../../../domain/webhook/WebhookEvent.ts"
import { encodeArray } from "../../batchStatement.ts"
import { decodeRows } from "../decodeRows.ts"

/** The number of deliveries that a process claims, and their tenants. */
export interface ClaimRequest {
  readonly limit: number
  /** How many deliveries of one endpoint this process may have under way; of one that fails it is one. */
  readonly perEndpoint: number
  /** How many deliveries of one application it may have under way. */
  readonly perApplication: number
  /** How many it has, by endpoint and by application. */
  readonly inFlight: Readonly<Record<string, number>>
  readonly inFlightOf: Readonly<Record<string, number>>
  /** Bytes of events to claim, and under way for an endpoint and an application; the last may exceed them. */
  readonly bytes: number
  readonly bytesPerEndpoint: number
  readonly bytesPerApplication: number
  /** How many it has, by endpoint and by application. */
  readonly bytesInFlight: Readonly<Record<string, number>>
  readonly bytesInFlightOf: Readonly<Record<string, number>>
  /** The versions of the master key that this process has: others sign for the endpoints whose secrets need another one. */
  readonly keyVersions: ReadonlyArray<number>
  /** After this time a claim that nobody settled is due again. */
  readonly leaseSeconds: number
}

/** The right to one attempt of a delivery, with all that the attempt needs. */
export interface ClaimedDelivery {
  readonly applicationId: ApplicationId
  readonly endpointId: WebhookEndpointId
  readonly url: string
  readonly secrets: SealedWebhookSecrets
  readonly event: WebhookEvent
  readonly attempts: number
  /** Odd as long as the attempt is under way, also in the row; whoever takes the delivery from it makes it another number. */
  readonly claim: number
}

/** Claims due deliveries, dealt to their endpoints in turn, with all that their attempts need. */
export const claimDeliveries = (sql: SqlClient.SqlClient, request: ClaimRequest) =>
  Effect.flatMap(claimStatement(sql, request), decodeClaims)

/**
 * Claims due deliveries by one probe of the index for each endpoint, so that one's backlog costs others nothing; then in
 * turns, up to the limit of an application. Measures events before it reads them: one may have megabytes.
 */
const claimStatement = (
  sql: SqlClient.SqlClient,
  {
    bytes,
    bytesInFlight,
    bytesInFlightOf,
    bytesPerApplication,
    bytesPerEndpoint,
    inFlight,
    inFlightOf,
    keyVersions,
    leaseSeconds,
    limit,
    perApplication,
    perEndpoint
  }: ClaimRequest
) => sql`
  with recursive waiting as (
    (select endpoint_id from webhook_deliveries where status = 'pending' order by endpoint_id limit 1)
    union all
    select (
      select d.endpoint_id from webhook_deliveries as d
      where d.status = 'pending' and d.endpoint_id > waiting.endpoint_id order by d.endpoint_id limit 1
    ) from waiting where waiting.endpoint_id is not null
  ), due as (
    select w.application_id, found.endpoint_id, found.event_id,
      row_number() over (partition by found.endpoint_id order by found.due_at, found.event_id) as nth, found.due_at
    from waiting join webhook_endpoints as w on w.id = waiting.endpoint_id and w.pause_reason is null
      and w.key_version = any(${encodeArray(keyVersions)}::int[])
      and (w.previous_until is null or w.previous_until <= now()
        or w.previous_key_version = any(${encodeArray(keyVersions)}::int[]))
    cross join lateral (
      select d.endpoint_id, d.event_id, d.due_at from webhook_deliveries as d
      where d.endpoint_id = w.id and d.status = 'pending' and d.due_at <= now()
      order by d.due_at
      limit greatest(0, case when w.failing_since is null then ${perEndpoint}::int else 1 end - coalesce((${JSON.stringify(inFlight)}::jsonb ->> w.id)::int, 0))
      for update skip locked
    ) as found
  ), dealt as (
    select due.*, row_number() over (partition by application_id order by nth, due_at, event_id)
      + coalesce((${JSON.stringify(inFlightOf)}::jsonb ->> application_id)::int, 0) as place
    from due
  ), chosen as (
    select * from dealt where place <= ${perApplication} order by nth, due_at limit ${limit}
  ), measured as (
    select chosen.*, octet_length(e.data) as bytes,
      sum(octet_length(e.data)) over (partition by chosen.endpoint_id order by nth) - octet_length(e.data)
        + coalesce((${JSON.stringify(bytesInFlight)}::jsonb ->> chosen.endpoint_id)::float8, 0) as bytes_before
    from chosen join webhook_events as e on e.id = chosen.event_id
  ), of_application as (
    select measured.*, sum(bytes) over (partition by application_id order by place) - bytes
        + coalesce((${JSON.stringify(bytesInFlightOf)}::jsonb ->> application_id)::float8, 0) as bytes_before_in_application
    from measured where bytes_before < ${bytesPerEndpoint}::float8
  ), held as (
    select endpoint_id, event_id, sum(bytes) over (order by nth, due_at, event_id, endpoint_id) - bytes as bytes_before
    from of_application where bytes_before_in_application < ${bytesPerApplication}::float8
  ), taken as (
    update webhook_deliveries as d
    set claim = claim + 1 + claim % 2, due_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    from held where held.bytes_before < ${bytes}::float8
      and d.endpoint_id = held.endpoint_id and d.event_id = held.event_id
    returning d.endpoint_id, d.event_id, d.attempts, d.claim
  )
  select w.application_id as "applicationId", w.id as "endpointId", w.url, w.key_version as "keyVersion", w.nonce,
    w.ciphertext, w.previous_nonce as "previousNonce", w.previous_ciphertext as "previousCiphertext",
    case when w.previous_until > now() then w.previous_key_version end as "previousKeyVersion",
    e.id as "eventId", e.type, e.data, e.created_at as "occurredAt", taken.attempts, taken.claim
  from taken join webhook_endpoints as w on w.id = taken.endpoint_id join webhook_events as e on e.id = taken.event_id`

const decodeClaimRows = decodeRows(
  Schema.Struct({
    applicationId: ApplicationId,
    endpointId: WebhookEndpointId,
    url: Schema.String,
    ...SealedSecret.fields,
    previousKeyVersion: Schema.NullOr(Schema.Int),
    previousNonce: Schema.NullOr(Schema.Uint8ArrayFromSelf),
    previousCiphertext: Schema.NullOr(Schema.Uint8ArrayFromSelf),
    eventId: Schema.String,
    type: WebhookEventType,
    data: Schema.String,
    occurredAt: Schema.ValidDateFromSelf,
    attempts: Schema.Int,
    claim: Schema.Int
  })
)

const decodeClaims = (rows: unknown): Effect.Effect<ReadonlyArray<ClaimedDelivery>> =>
  Effect.map(
    decodeClaimRows(rows),
    Array.map(({ previousCiphertext, previousKeyVersion, previousNonce, ...row }) => ({
      ...Struct.pick(row, "applicationId", "endpointId", "url", "attempts", "claim"),
      event: { id: row.eventId, type: row.type, data: row.data, occurredAt: row.occurredAt },
      secrets: {
        current: Struct.pick(row, "keyVersion", "nonce", "ciphertext"),
        ...(previousKeyVersion === null || previousNonce === null || previousCiphertext === null
          ? {}
          : { previous: { keyVersion: previousKeyVersion, nonce: previousNonce, ciphertext: previousCiphertext } })
      }
    }))
  )
