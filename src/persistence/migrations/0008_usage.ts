import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * What the quotas of a tenant are counted from: an index on its connections that have not ended, and the bytes of the
 * documents of those that have, which never change again.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create index connections_living on connections (application_id, tenant_id, state, (reverse(domain) collate "C"))
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
