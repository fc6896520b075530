import { webhookEventBytes } from "./usageChanges.ts"

/**
 * The table expressions that write the webhook events of transitions and their deliveries: nothing for an application
 * without an endpoint that wants them. The transitions are the rows of `table`, with their `events`; `version` is that of
 * the connection after the transition. With `contests`, the rows also name other connections that are notified of them.
 */
export const writeWebhookOutbox = (table: string, version: string, contests: "none" | "contests" = "none"): string => `
  notable as (
    select n.id, n.application_id, n.tenant_id, n.doc, ${version} as version, e.id as event_id, e."from" as former_state,
      e.type
    from ${table} as n, jsonb_to_recordset(n.events) as e(id text, "from" text, type text)
    where e.type is not null
    ${contests === "none" ? "" : selectContested(table)}
  ), ${insertOutbox}`

/** The connections that others contest, which are notified as they are. */
const selectContested = (table: string): string => `
    union all
    select h.id, h.application_id, h.tenant_id, h.doc, h.version, e.id, null, 'connection.contested'
    from ${table} as n, jsonb_to_recordset(n.contests) as e(id text, "connectionId" text)
      join connections as h on h.id = e."connectionId"
    where h.application_id = n.application_id`

/** The storage of the events, as a source of `writeUsage`. */
export const outboxUsage = "select application_id, tenant_id, bytes from outbox"

/** Whether an endpoint `w` wants the events of the table; one that is paused gets them when it goes on. */
const matchesEndpoint = (event: string): string =>
  `w.application_id = ${event}.application_id
    and (w.event_types is null or ${event}.type = any(w.event_types))
    and (w.tenant_ids is null or ${event}.tenant_id is null or ${event}.tenant_id = any(w.tenant_ids))`

/** The same for rows of `notable`, each of which is an event of a connection with its `doc`. */
export const insertOutbox = `outbox as (
    insert into webhook_events (id, application_id, tenant_id, connection_id, type, data)
    select event_id, application_id, tenant_id, id, type,
      '{"connection":' || doc || ',"version":' || version
        || coalesce(',"formerState":"' || former_state || '"', '') || '}'
    from notable where exists (select from webhook_endpoints as w where ${matchesEndpoint("notable")})
    returning id, application_id, tenant_id, type, ${webhookEventBytes("webhook_events")} as bytes
  ), delivery as (
    insert into webhook_deliveries (endpoint_id, event_id)
    select w.id, outbox.id from outbox join webhook_endpoints as w on ${matchesEndpoint("outbox")}
  )`
