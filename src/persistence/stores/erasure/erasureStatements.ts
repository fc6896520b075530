import type { SqlClient, Statement } from "@effect/sql"
import { writeAudit } from "../audit/auditTrail.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import {
  eventBytes,
  journalEntryBytes,
  requestedHostBytes,
  testZoneBytes,
  webhookEventBytes,
  writeUsage
} from "../usage/usageChanges.ts"
import { billedTenantOf, insertOutbox, outboxUsage } from "../webhooks/webhookOutbox.ts"

/** Erases the connections `target`, with `event_id` and `audit`. Journals are kept; one event replaces all others. */
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
  ), left_holders as (
    select h.*, (
      select min(c.id) from connection_hosts as ch join connections as c on c.id = ch.connection_id
      where ch.reversed_name = h.reversed_name and c.application_id = h.application_id and c.tenant_id = h.tenant_id
        and c.state in ('active', 'degraded')
    ) as heir_id
    from host_holders as h where connection_id in (select id from target)
    order by application_id, reversed_name collate "C" for update of h
  ), inherited_holders as (
    update host_holders as h set connection_id = heir_id from left_holders as l
    where (h.application_id, h.reversed_name) = (l.application_id, l.reversed_name) and heir_id is not null
  ), unheld as (
    delete from host_holders as h using left_holders as l
    where (h.application_id, h.reversed_name) = (l.application_id, l.reversed_name) and heir_id is null
  ), ended_leases as (
    delete from leases where key in (
      select key from leases as l join (
        select kind || id as key from target, unnest(array['connection:', 'credential:']) as kind
        union
        select 'zone:' || provider_id || '/' || zone from journal where connection_id in (select id from target)
      ) as own using (key)
      where until <= now() for update of l skip locked
    )
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
 * Deletes those of the journals `due` that nobody needs: no live connection wants or changed records in their zones, and
 * no provider may still show a zone as before their last change.
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

/** Erases the data of tenants beside connections, if `target` has a row; `isOwn`: their rows; `traces`: any found. */
export const eraseBelongings = (sql: SqlClient.SqlClient, isOwn: Statement.Fragment): Statement.Fragment => {
  const isErased = sql`${isOwn} and exists (select from target)`
  return sql`
    keys as (
      delete from api_keys where ${isErased} returning id
    ), answers as (
      delete from idempotency_keys where ${isErased} returning key
    ), holders as (
      delete from host_holders where ${isErased} returning connection_id
    ), requested as (
      delete from requested_hosts where ${isErased} returning application_id, host_digest, nullif(tenant_id, '') as tenant_id
    ), zones as (
      delete from test_zones as z where ${isErased}
      returning application_id, tenant_id, -(${sql.literal(testZoneBytes("z"))}) as bytes
    ), journals as (
      update kept_journals as k set application_id = null, tenant_id = null
      from (select * from kept_journals where ${isErased}) as former
      where k.connection_id = former.connection_id returning former.*
    ), contests as (
      update webhook_events as e set billed_tenant_id = '' from (
        select * from (
          select id, application_id, billed_tenant_id as tenant_id, ${sql.literal(webhookEventBytes("w"))} as bytes
          from webhook_events as w where billed_tenant_id is not null
        ) as billed where ${isErased}
      ) as former
      where e.id = former.id
      returning former.application_id, nullif(former.tenant_id, '') as tenant_id, -former.bytes as bytes
    ), traces as (
      select id as trace from keys union all select key from answers union all select connection_id from holders
      union all select application_id from requested union all select application_id from zones
      union all select connection_id from journals union all select application_id from contests
    )`
}

/** The storage that `eraseBelongings` gives back, as sources of `writeUsage`. */
export const belongingsUsage: ReadonlyArray<string> = [
  "select * from zones",
  `select application_id, tenant_id, -(${journalEntryBytes("j")}) from journals join journal as j using (connection_id)`,
  `select application_id, tenant_id, -${requestedHostBytes} from requested`,
  "select * from contests"
]
