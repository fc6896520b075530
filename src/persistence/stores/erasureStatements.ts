import { writeAudit } from "./auditTrail.ts"
import { notEndedCondition } from "./UsageStore.ts"
import { eventBytes, journalEntryBytes, webhookEventBytes, writeUsage } from "./usageChanges.ts"
import { billedTenantOf, insertOutbox, outboxUsage } from "./webhookOutbox.ts"

/**
 * The table expressions that erase the connections `target`, whose rows also have an `event_id` and `audit`. Their journals
 * become kept ones. The webhook event comes in place of those that are deleted, and has the next version.
 */
export const eraseConnectionsSql = `
  timeline as (
    delete from connection_events as e using target as t where e.connection_id = t.id
    returning t.application_id, t.tenant_id, -${eventBytes} as bytes
  ), observed as (
    delete from observations where connection_id in (select id from target)
  ), tokens as (
    delete from browser_tokens where connection_id in (select id from target)
  ), credential as (
    delete from credentials where connection_id in (select id from target)
  ), session as (
    delete from oauth_sessions where connection_id in (select id from target)
  ), hosts as (
    delete from connection_hosts where connection_id in (select id from target)
  ), answers as (
    delete from idempotency_keys as k using target as t
    where (k.application_id, k.tenant_id, k.connection_id) = (t.application_id, t.tenant_id, t.id)
  ), messages as (
    delete from webhook_events as e using target as t where e.connection_id = t.id
    returning e.id, t.application_id, ${billedTenantOf("e")} as tenant_id, -(${webhookEventBytes("e")}) as bytes
  ), sendings as (
    delete from webhook_deliveries as d using messages as m join webhook_endpoints as w using (application_id)
    where d.endpoint_id = w.id and d.event_id = m.id
  ), journals as (
    insert into kept_journals (connection_id, application_id, tenant_id)
    select id, application_id, tenant_id from target as t where exists (select from journal as j where j.connection_id = t.id)
    on conflict do nothing
  ), erased as (
    delete from connections where id in (select id from target)
  ), freed as (
    insert into tenant_usage as u (application_id, tenant_id, ended_bytes)
    select application_id, tenant_id, -sum(octet_length(doc)) from target group by 1, 2 order by 1, 2
    on conflict (application_id, tenant_id) do update set ended_bytes = greatest(0, u.ended_bytes + excluded.ended_bytes)
  ), notable as (
    select event_id, application_id, tenant_id, id, 'connection.erased' as type,
      '{"connection":' || json_build_object('id', id) || ',"version":' || version + 1 || '}' as data,
      tenant_id as billed_tenant_id
    from target
  ), ${insertOutbox}, ${writeAudit({
    table: "target",
    tenantId: "n.tenant_id",
    connectionId: "n.id",
    alsoStored: [outboxUsage, "select * from timeline", "select application_id, tenant_id, bytes from messages"]
  })}`

/**
 * The table expressions that delete the kept journals `due` which nobody needs: no connection that has not ended wants or
 * has changed records in their zones, and no provider may still show a zone as it was before their last change.
 */
export const releaseJournalsSql = `
  zones as (
    select distinct due.connection_id, j.zone, reverse(j.zone) as reversed from due join journal as j using (connection_id)
  ), needed as (
    select connection_id from zones where exists (
      select from connection_hosts as h where h.reversed_name = reversed
    ) or exists (
      select from connection_hosts as h where h.reversed_name between reversed || '.' and reversed || '/'
    ) or exists (
      select from journal as j join connections as c on c.id = j.connection_id
      where j.zone = zones.zone and c.${notEndedCondition}
    )
    union
    select due.connection_id from due join journal as j using (connection_id)
    where coalesce(j.settled_at, j.planned_at) > now() - interval '5 minutes'
  ), released as (
    delete from journal as j using due
    where j.connection_id = due.connection_id and due.connection_id not in (select connection_id from needed)
    returning due.application_id, due.tenant_id, -(${journalEntryBytes("j")}) as bytes
  ), forgotten as (
    delete from kept_journals
    where connection_id in (select connection_id from due) and connection_id not in (select connection_id from needed)
  ), checked as (
    update kept_journals set checked_at = now() where connection_id in (select connection_id from needed)
  ), ${writeUsage("select * from released")}`
