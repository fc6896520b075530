/**
 * The table expressions that write the webhook events of transitions and their deliveries: nothing for an application
 * without an endpoint that wants them. The transitions are the rows of `table`, with their `events`; `version` is that of
 * the connection after the transition.
 */
export const writeWebhookOutbox = (table: string, version: string): string => `
  notable as (
    select n.id, n.application_id, n.tenant_id, n.doc, ${version} as version, e.id as event_id, e."from" as former_state,
      e.type
    from ${table} as n, jsonb_to_recordset(n.events) as e(id text, "from" text, type text)
    where e.type is not null
  ), ${insertOutbox}`

/** Whether an endpoint `w` wants the events of the table; one that is paused gets them when it goes on. */
const isWantedBy = (event: string): string =>
  `w.application_id = ${event}.application_id
    and (w.event_types is null or ${event}.type = any(w.event_types))
    and (w.tenant_ids is null or ${event}.tenant_id is null or ${event}.tenant_id = any(w.tenant_ids))`

const insertOutbox = `outbox as (
    insert into webhook_events (id, application_id, tenant_id, connection_id, type, data)
    select event_id, application_id, tenant_id, id, type,
      '{"connection":' || doc || ',"version":' || version
        || coalesce(',"formerState":"' || former_state || '"', '') || '}'
    from notable where exists (select from webhook_endpoints as w where ${isWantedBy("notable")})
    returning id, application_id, tenant_id, type
  ), delivery as (
    insert into webhook_deliveries (endpoint_id, event_id)
    select w.id, outbox.id from outbox join webhook_endpoints as w on ${isWantedBy("outbox")}
  )`
