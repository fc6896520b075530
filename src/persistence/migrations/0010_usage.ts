import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Adds the sources of a tenant's quotas: indexes on its connections that have not ended, in all and by registered
 * domain, and the bytes of the documents of those that have, which never change again. The index by domain is one
 * expression, so that no other index can serve its statement, whatever the planner believes. Older connections have no
 * registered domain, and count for their tenant only.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column registered_domain text;
    create index connections_living on connections (application_id, tenant_id, state)
      where state not in ('expired', 'canceled', 'disconnected');
    create index connections_in_domain on connections
      ((application_id || '/' || tenant_id || '/' || registered_domain))
      where state not in ('expired', 'canceled', 'disconnected');
    create table tenant_usage (
      application_id text not null,
      tenant_id text not null,
      ended_bytes bigint not null,
      primary key (application_id, tenant_id)
    );
    insert into tenant_usage (application_id, tenant_id, ended_bytes)
    select application_id, tenant_id, sum(octet_length(doc)) from connections
    where state in ('expired', 'canceled', 'disconnected') group by application_id, tenant_id`
)
