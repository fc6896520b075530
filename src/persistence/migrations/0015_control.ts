import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The tenant that holds each name of an application: a connection becomes active only while its tenant holds all of its
 * names. Of the connections that are active already, the oldest one holds a name. `connection_hosts` has the names of every
 * connection that has a plan and has not ended, also of those that have nothing in their zone.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table host_holders (
      application_id text not null,
      reversed_name text collate "C" not null,
      tenant_id text not null,
      connection_id text not null,
      primary key (application_id, reversed_name)
    );
    insert into connection_hosts (reversed_name, connection_id)
    select distinct reverse(case host when '@' then '' else host || '.' end || domain), id
    from connections, jsonb_array_elements(doc::jsonb #> '{effectiveIntent,records}') as record, lateral (
      select record ->> 'host' as host
    ) as hosts
    where state not in ('requested', 'expired', 'canceled', 'disconnected')
    on conflict do nothing;
    insert into host_holders (application_id, reversed_name, tenant_id, connection_id)
    select distinct on (application_id, reversed_name) application_id, reversed_name, tenant_id, id
    from connection_hosts join connections on id = connection_id
    where state in ('active', 'degraded')
    order by application_id, reversed_name, created_at, id`
)
