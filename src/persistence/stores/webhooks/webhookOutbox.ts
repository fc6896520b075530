import { webhookEventBytes } from "../usage/usageChanges.ts"

/**
 * Writes the webhook events of transitions and their deliveries, if an endpoint wants them. `table` has the transitions
 * with their `events`; `version` is that of the connection after it. With `contests`, the rows also name notified
 * connections of others, and the `holder_id` that a transition relies on.
 */
export const writeWebhookOutbox = (table: string, version: string, contests: "none" | "contests" = "none"): string => `
  notable as (
    select e.id as event_id, n.application_id, n.tenant_id, n.id, e.type,
      '{"connection":' || n.doc || ',"version":' || ${version} || coalesce(',"formerState":"' || e."from" || '"', '')
        || coalesce(',"missing":' || e.missing, '') || '}' as data,
      ${contests === "none" ? "n.tenant_id" : "coalesce(n.holder_id, n.tenant_id)"} as billed_tenant_id
    from ${table} as n, jsonb_to_recordset(n.events) as e(id text, "from" text, type text, missing text)
    where e.type is not null
    ${contests === "none" ? "" : selectContested(table)}
  ), ${insertOutbox}`

/** The contested connections, notified without documents: these may be large, and the contester pays for the event. */
const selectContested = (table: string): string => `
    union all
    select e.id, h.application_id, h.tenant_id, h.id, 'connection.contested',
      json_build_object(
        'connection',
        json_build_object('id', h.id, 'applicationId', h.application_id, 'tenantId', h.tenant_id, 'state', h.state),
        'version', h.version
      )::text,
      n.tenant_id
    from ${table} as n, jsonb_to_recordset(n.contests) as e(id text, "connectionId" text)
      join connections as h on h.id = e."connectionId"
    where h.application_id = n.application_id`

/** The storage of the events, as a source of `writeUsage`. */
export const outboxUsage = "select application_id, billed_tenant_id as tenant_id, bytes from outbox"

/** The tenant whose storage a row of events counts in, as SQL: null if that was erased. `row` is its name. */
export const billedTenantOf = (row: string): string => `nullif(coalesce(${row}.billed_tenant_id, ${row}.tenant_id), '')`

/** Whether an endpoint `w` wants the events of the table; one that is paused gets them when it goes on. */
const matchesEndpoint = (event: string): string =>
  `w.application_id = ${event}.application_id
    and (w.event_types is null or ${event}.type = any(w.event_types))
    and (w.tenant_ids is null or ${event}.tenant_id is null or ${event}.tenant_id = any(w.tenant_ids))`

/** Writes the rows of `notable` as events with deliveries, each once, in an order in which no statements deadlock. */
export const insertOutbox = `outbox as (
    insert into webhook_events (id, application_id, tenant_id, connection_id, type, data, billed_tenant_id)
    select event_id, application_id, tenant_id, id, type, data, nullif(billed_tenant_id, tenant_id)
    from notable where exists (select from webhook_endpoints as w where ${matchesEndpoint("notable")})
    order by event_id
    on conflict (id) do nothing
    returning id, application_id, tenant_id, type, ${billedTenantOf("webhook_events")} as billed_tenant_id,
      ${webhookEventBytes("webhook_events")} as bytes
  ), delivery as (
    insert into webhook_deliveries (endpoint_id, event_id)
    select w.id, outbox.id from outbox join webhook_endpoints as w on ${matchesEndpoint("outbox")}
  )`
