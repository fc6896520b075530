import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import type { PageRequest } from "../../../domain/values/PageRequest.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import {
  type AttemptOutcome,
  DeliveryStatus,
  maxAttempts,
  type WebhookDelivery
} from "../../../domain/webhook/WebhookDelivery.ts"
import { failingDaysUntilPause, WebhookEndpointId, WebhookEventId } from "../../../domain/webhook/WebhookEndpoint.ts"
import type { WebhookEvent } from "../../../domain/webhook/WebhookEvent.ts"
import type { EachWebhookRate, WebhookRateUse } from "../../../domain/webhook/WebhookRate.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { backlogColumns, decodeRows } from "../decodeRows.ts"
import { deliveryColumns, DeliveryRow, toDelivery } from "./deliveryRows.ts"
import { claimDeliveries, type ClaimedDelivery, type ClaimRequest } from "./claimDeliveries.ts"
import { selectPage } from "../selectPage.ts"
import { consumeWebhookRate, readWebhookRates } from "./webhookRateStatements.ts"

/** How an attempt ended, and what follows. */
interface SettledAttempt extends AttemptOutcome {
  /** When to try again if it failed; ignored after the last attempt. */
  readonly retryInSeconds: number
  /** Whether the endpoint is gone and has to be paused. */
  readonly isGone: boolean
  /** The id of the event that notifies the other endpoints if this one is paused. */
  readonly pauseEventId: string
}

export interface DeliveryFilter {
  readonly eventId?: WebhookEventId
  readonly statuses?: ReadonlyArray<DeliveryStatus>
}

/** The backlog of due deliveries of all processes. */
interface DeliveryBacklog {
  /** How many there are, counted up to ten thousand. */
  readonly waiting: number
  /** The seconds for which the oldest has been due. */
  readonly oldestSeconds: number
  readonly paused: number
}

const decodeDeliveryBacklog = decodeRows(Schema.Struct({ ...backlogColumns, paused: Schema.Int }))

/** The outbox: hands due deliveries to the processes that send them, and keeps their log. All times are the database's. */
export class WebhookDeliveryStore extends Context.Tag("persistence/WebhookDeliveryStore")<
  WebhookDeliveryStore,
  {
    /** Claims due deliveries, dealt to their endpoints in turn; one that is not settled is due again after its lease. */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Prolongs the leases of claims that are not settled. */
    readonly renew: (
      claims: ReadonlyArray<ClaimedDelivery>,
      leaseSeconds: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Writes how an attempt ended, unless the delivery was claimed or replayed since; returns whether the endpoint is now paused. */
    readonly settle: (delivery: ClaimedDelivery, attempt: SettledAttempt) => Effect.Effect<boolean, StoreUnavailable>
    /** The deliveries of an endpoint by the ids of their events, the newest first unless the page says otherwise. */
    readonly list: (
      endpointId: WebhookEndpointId,
      filter: DeliveryFilter,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<WebhookDelivery>, StoreUnavailable>
    /** Makes deliveries due again, by default the oldest first; none if that would exceed `limitPerHour`. */
    readonly replay: (
      applicationId: ApplicationId,
      endpointId: WebhookEndpointId,
      filter: DeliveryFilter,
      page: PageRequest & { readonly limitPerHour: number }
    ) => Effect.Effect<Option.Option<ReadonlyArray<string>>, StoreUnavailable>
    /** Writes a test event for one endpoint alone; none if its application has had `limitPerHour` of them within an hour. */
    readonly insertTest: (
      applicationId: ApplicationId,
      endpointId: WebhookEndpointId,
      event: Pick<WebhookEvent, "id" | "data">,
      limitPerHour: number
    ) => Effect.Effect<Option.Option<WebhookDelivery>, StoreUnavailable>
    readonly readRates: (
      applicationId: ApplicationId
    ) => Effect.Effect<EachWebhookRate<WebhookRateUse>, StoreUnavailable>
    readonly measureBacklog: Effect.Effect<DeliveryBacklog, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    WebhookDeliveryStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const matches = (endpointId: WebhookEndpointId, { eventId, statuses }: DeliveryFilter) => sql`
        d.endpoint_id = ${endpointId} and d.created_at > now() - interval '30 days'
        ${eventId === undefined ? sql`` : sql`and d.event_id = ${eventId}`}
        ${statuses === undefined ? sql`` : sql`and d.status = any(${statuses})`}`

      const findOne = (endpointId: WebhookEndpointId, eventId: string) =>
        Effect.map(
          sql`select ${sql.literal(deliveryColumns)} ${sql.literal(fromDeliveries)}
            where d.endpoint_id = ${endpointId} and d.event_id = ${eventId}`.pipe(Effect.flatMap(decodeDeliveries)),
          Array.head
        )

      /** Whether a failed attempt pauses its endpoint, by the row before it. */
      const isPausing = (isGone: boolean) =>
        sql`(${isGone} or coalesce(failing_since <= now() - ${failingDaysUntilPause} * interval '1 day', false))`

      return {
        claim: (request) => mapSqlErrors(claimDeliveries(sql, request)),
        renew: (claims, leaseSeconds) =>
          // A row that another statement has locked is being settled or replayed.
          sql`
            with held as (
              select d.endpoint_id, d.event_id from webhook_deliveries as d
              join unnest(
                ${claims.map(({ endpointId }) => endpointId)}::text[],
                ${claims.map(({ event }) => event.id)}::text[],
                ${claims.map(({ claim }) => claim)}::integer[]
              ) as c (endpoint_id, event_id, claim) using (endpoint_id, event_id, claim)
              for update of d skip locked
            )
            update webhook_deliveries as d set due_at = now() + ${leaseSeconds}::float8 * interval '1 second'
            from held where d.endpoint_id = held.endpoint_id and d.event_id = held.event_id`.pipe(
            Effect.asVoid,
            mapSqlErrors
          ),
        settle: Effect.fnUntraced(function* (delivery, attempt) {
          const { applicationId, endpointId, event } = delivery
          const audit = yield* encodeAuditAction("webhook_endpoint.paused", { endpointId })
          const { error = null, isGone, millis, pauseEventId, retryInSeconds, status = null } = attempt
          const rows = yield* sql`
            with settled as (
              update webhook_deliveries set claim = claim + 1, attempts = attempts + 1, attempted_at = now(), answer_status = ${status}::integer,
                error = ${error}::text, millis = ${Math.round(millis)},
                due_at = now() + ${retryInSeconds}::float8 * interval '1 second',
                status = case when ${error}::text is null then 'delivered'
                  when attempts + 1 >= ${maxAttempts} then 'failed' else 'pending' end
              where endpoint_id = ${endpointId} and event_id = ${event.id} and claim = ${delivery.claim}
              returning endpoint_id
            ), recovered as (
              update webhook_endpoints set failing_since = null
              where ${error}::text is null and failing_since is not null and id in (select endpoint_id from settled)
            ), failing as (
              update webhook_endpoints set failing_since = coalesce(failing_since, now()),
                pause_reason = case when ${isPausing(isGone)} then ${isGone ? "gone" : "failing"} end, updated_at = case when ${isPausing(isGone)} then now() else updated_at end,
                version = version + case when ${isPausing(isGone)} then 1 else 0 end
              where ${error}::text is not null and pause_reason is null and id in (select endpoint_id from settled)
                and (failing_since is null or ${isPausing(isGone)})
              returning id, url, pause_reason, application_id, ${audit}::jsonb as audit
            ), ${sql.literal(writeAudit({ table: "failing", where: "pause_reason is not null" }))}, paused as (
              insert into webhook_events (id, application_id, type, data)
              select ${pauseEventId}, ${applicationId}, 'endpoint.paused',
                json_build_object('endpoint', json_build_object('id', id, 'url', url, 'pauseReason', pause_reason))::text
              from failing where pause_reason is not null
              returning id
            ), notified as (
              insert into webhook_deliveries (endpoint_id, event_id)
              select w.id, paused.id from paused, webhook_endpoints as w
              where w.application_id = ${applicationId} and w.id <> ${endpointId}
            )
            select count(*)::int as count from paused`
          return (yield* decodeCount(rows)).some(({ count }) => count > 0)
        }, mapSqlErrors),
        list: Effect.fnUntraced(function* (endpointId, filter, { limit, order = "desc", ...window }) {
          const { orderBy, where } = selectPage(sql, { ...window, order }, columnsOfPage)
          const rows = yield* sql`select ${sql.literal(deliveryColumns)} ${sql.literal(fromDeliveries)}
            where ${matches(endpointId, filter)} and ${where}
            order by ${orderBy} limit ${limit}`
          return yield* decodeDeliveries(rows)
        }, mapSqlErrors),
        replay: Effect.fnUntraced(function* (applicationId, endpointId, filter, { limit, limitPerHour, ...window }) {
          const { orderBy, where } = selectPage(sql, window, columnsOfPage)
          const { eventId } = filter
          const audit = yield* encodeAuditAction("webhook_endpoint.replayed", {
            endpointId,
            ...(eventId === undefined ? {} : { eventId })
          })
          const uses = sql`select count(*) from chosen`
          const rows = yield* sql`
            with chosen as (
              select d.endpoint_id, d.event_id from webhook_deliveries as d
              where ${matches(endpointId, filter)} and ${where}
              order by ${orderBy} limit ${limit} for update
            ), counted as (
              ${consumeWebhookRate(sql, { applicationId, rate: "replays", uses, limitPerHour })}
            ), replayed as (
              update webhook_deliveries as d set status = 'pending', attempts = 0, claim = claim + 2 - claim % 2, due_at = now()
              from chosen, counted where d.endpoint_id = chosen.endpoint_id and d.event_id = chosen.event_id
            ), audits as (
              select ${applicationId} as application_id,
                jsonb_set(${audit}::jsonb, '{0,details,replayed}', to_jsonb((${uses}))) as audit
              from counted
            ), ${sql.literal(writeAudit({ table: "audits" }))}
            select event_id as id, exists (select from counted) as "isReplayed" from chosen order by event_id`
          const chosen = yield* decodeReplayed(rows)
          return chosen.every(({ isReplayed }) => isReplayed) ? Option.some(chosen.map(({ id }) => id)) : Option.none()
        }, mapSqlErrors),
        insertTest: Effect.fnUntraced(function* (applicationId, endpointId, { data, id }, limitPerHour) {
          yield* sql`
            with counted as (
              ${consumeWebhookRate(sql, { applicationId, rate: "testEvents", uses: sql`select 1`, limitPerHour })}
            ), event as (
              insert into webhook_events (id, application_id, type, data)
              select ${id}, ${applicationId}, 'endpoint.test', ${data} from counted returning id
            )
            insert into webhook_deliveries (endpoint_id, event_id) select ${endpointId}, id from event`
          return yield* findOne(endpointId, id)
        }, mapSqlErrors),
        readRates: (applicationId) => mapSqlErrors(readWebhookRates(sql, applicationId)),
        measureBacklog: sql`
          select count(*)::int as waiting,
            coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestSeconds",
            (select count(*)::int from webhook_endpoints where pause_reason is not null) as paused
          from (
            select d.due_at from webhook_deliveries as d join webhook_endpoints as e on e.id = d.endpoint_id
            where d.status = 'pending' and d.due_at <= now() and e.pause_reason is null limit 10000
          ) as due`.pipe(
          Effect.flatMap(decodeDeliveryBacklog),
          Effect.flatMap(Array.head),
          Effect.catchTag("NoSuchElementException", Effect.die),
          mapSqlErrors
        )
      }
    })
  )
}

const columnsOfPage = { id: "d.event_id", createdAt: "d.created_at" }

const fromDeliveries = "from webhook_deliveries as d join webhook_events as e on e.id = d.event_id"

const decodeDeliveryRows = decodeRows(DeliveryRow)

const decodeDeliveries = (rows: unknown) => Effect.map(decodeDeliveryRows(rows), Array.map(toDelivery))

const decodeCount = decodeRows(Schema.Struct({ count: Schema.Int }))

const decodeReplayed = decodeRows(Schema.Struct({ id: Schema.String, isReplayed: Schema.Boolean }))
